//! What the integration tests share.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::sample::select;
use sluice_core::Result;
use sluice_core::pipeline::{Pipeline, ProjectionEnd, Projector};
use sluice_core::view::ViewEnv;

/// How many cases a property runs: `SLUICE_CASES`, or 2,000.
pub fn cases() -> u32 {
    std::env::var("SLUICE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

/// Whether `tool` is there and comes from `package`: `GNU coreutils`, `GNU grep`.
pub fn is_gnu(tool: &str, package: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|out| {
        String::from_utf8_lossy(&out.stdout).lines().next().is_some_and(|line| line.contains(package))
    })
}

/// Standard output, standard error and exit code of a real tool that reads `input` from a pipe.
pub fn run_tool(words: &[String], input: &[u8], locale: &str) -> (Vec<u8>, String, i32) {
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", locale)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // The tool may stop reading; that is its right.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = child.wait_with_output().expect("the tool ends");
    feeder.join().expect("the feeder ends");
    (out.stdout, String::from_utf8_lossy(&out.stderr).into_owned(), out.status.code().unwrap_or(-1))
}

/// Runs a pipeline over `input` cut into chunks of the given lengths, cyclically; an empty list is one chunk.
pub fn project(
    pipeline: &Pipeline,
    env: &ViewEnv,
    input: &[u8],
    chunks: &[usize],
) -> Result<(Vec<u8>, ProjectionEnd)> {
    let mut projector = Projector::new(pipeline, env)?;
    let mut out = Vec::new();
    if chunks.iter().all(|length| *length == 0) {
        projector.push(input, &mut out)?;
    } else {
        let mut rest = input;
        for length in chunks.iter().cycle() {
            let (chunk, after) = rest.split_at((*length).min(rest.len()));
            projector.push(chunk, &mut out)?;
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    let end = projector.finish(&mut out)?;
    Ok((out, end))
}

/// Input with many line ends, NULs, carriage returns, multibyte and broken characters.
pub fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        &b"a"[..],
        b"b",
        b"ab",
        b"line",
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\0",
        b"\xc3\xa9",
        b"\xe2\x82\xac",
        b"\xff",
        b" ",
    ]);
    prop_oneof![
        6 => prop::collection::vec(piece.clone(), 0..40),
        1 => prop::collection::vec(piece, 40..600),
    ]
    .prop_map(|pieces| pieces.concat())
}

/// Chunk lengths, with empty ones among them.
pub fn chunking() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![Just(vec![]), Just(vec![1]), Just(vec![7]), prop::collection::vec(0usize..20, 1..6),]
}
