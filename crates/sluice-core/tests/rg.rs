//! `rg` against the ripgrep of the machine, with random options, patterns and inputs. Skipped, with the
//! reason printed, where there is none.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use common::{cases, text};
use proptest::prelude::*;
use proptest::sample::select;
use sluice_core::Error;
use sluice_core::view::{ViewEnv, ViewSpec};

fn is_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| {
        let found = Command::new("rg").arg("--version").output().is_ok_and(|out| out.status.success());
        if !found {
            eprintln!("skipped: no rg on this machine");
        }
        found
    })
}

fn run_rg(words: &[String], input: &[u8]) -> (Vec<u8>, i32) {
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("rg starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = child.wait_with_output().expect("rg ends");
    (out.stdout, out.status.code().unwrap_or(-1))
}

fn run_view(spec: &ViewSpec, input: &[u8], chunk: usize) -> Result<(Vec<u8>, i32), Error> {
    let mut view = spec.build(&ViewEnv::default())?;
    let mut out = Vec::new();
    for piece in input.chunks(chunk) {
        if view.satisfied() {
            break;
        }
        view.push(piece, &mut out)?;
    }
    let code = view.finish(&mut out)?;
    Ok((out, code))
}

fn words() -> impl Strategy<Value = Vec<String>> {
    let pattern = select(vec![
        "a",
        "b",
        "ab",
        "line",
        "é",
        "x",
        "€",
        "A",
        "aé",
        ".",
        "a.",
        "^a",
        "b$",
        "^$",
        "[ab]",
        "[^a]",
        "a*",
        "a|b",
        "b+",
        "(ab)*b",
        r"\w\w",
        "é?b",
        "[[:alpha:]]+",
        "a{2}",
        r"\d",
        "(a|ab)(b|$)",
        r"\.",
        "a.*b",
        r"\S",
        "a|B",
        "",
    ]);
    let flag = select(vec![
        "-v",
        "-i",
        "-S",
        "-s",
        "-n",
        "-n",
        "-N",
        "-c",
        "-o",
        "-w",
        "-x",
        "-F",
        "-q",
        "-a",
        "-A1",
        "-B1",
        "-C1",
        "-m1",
        "-m2",
        "--color=never",
        "--no-heading",
        "-A0",
        "--count",
        "--max-count=3",
        "-H",
        "-l",
        "-I",
        "--line-buffered",
    ]);
    (prop::collection::vec(flag, 0..4), prop::collection::vec(pattern, 1..3)).prop_map(|(flags, patterns)| {
        let mut words = vec!["rg".to_owned()];
        words.extend(flags.into_iter().map(str::to_owned));
        match patterns.as_slice() {
            [pattern] => words.push((*pattern).to_owned()),
            _ => words.extend(patterns.iter().map(|pattern| format!("-e{pattern}"))),
        }
        words
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() / 2, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn same_as_ripgrep(words in words(), mut input in text(), nul in prop::bool::weighted(0.1)) {
        if !is_there() {
            return Ok(());
        }
        if !nul {
            input.retain(|&byte| byte != 0);
        }
        let Ok(spec) = ViewSpec::parse(&words) else { return Ok(()) };
        for chunk in [usize::MAX, 1, 7] {
            match run_view(&spec, &input, chunk.min(input.len().max(1))) {
                Err(Error::UnsupportedView { .. } | Error::NeedsRealTool { .. }) => return Ok(()),
                got => {
                    let want = run_rg(&words, &input);
                    prop_assert_eq!(got.unwrap(), want, "{:?} {:?}", words, String::from_utf8_lossy(&input));
                }
            }
        }
    }
}
