//! `head` and `tail` against naive twins and against the tools of the machine.

mod common;

use common::{cases, chunking, is_gnu, project, run_tool, text};
use proptest::prelude::*;
use proptest::sample::select;
use sluice_core::pipeline::Pipeline;
use sluice_core::view::{HeadMode, HeadSpec, TailMode, TailSpec, ViewEnv, ViewSpec};

/// Lines with their delimiters.
fn lines(input: &[u8], delimiter: u8) -> Vec<&[u8]> {
    input.split_inclusive(|byte| *byte == delimiter).collect()
}

fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn naive_head(spec: &HeadSpec, input: &[u8]) -> Vec<u8> {
    let lines = lines(input, spec.delimiter);
    let body = match spec.mode {
        HeadMode::FirstLines(n) => lines[..size(n).min(lines.len())].concat(),
        HeadMode::AllButLastLines(n) => lines[..lines.len().saturating_sub(size(n))].concat(),
        HeadMode::FirstBytes(n) => input[..size(n).min(input.len())].to_vec(),
        HeadMode::AllButLastBytes(n) => input[..input.len().saturating_sub(size(n))].to_vec(),
    };
    let header: &[u8] = if spec.header { b"==> standard input <==\n" } else { b"" };
    [header, &body].concat()
}

fn naive_tail(spec: &TailSpec, input: &[u8]) -> Vec<u8> {
    if matches!(spec.mode, TailMode::LastLines(0) | TailMode::LastBytes(0)) {
        return Vec::new();
    }
    let lines = lines(input, spec.delimiter);
    let body = match spec.mode {
        TailMode::LastLines(n) => lines[lines.len().saturating_sub(size(n))..].concat(),
        TailMode::FromLine(n) => lines[size(n.saturating_sub(1)).min(lines.len())..].concat(),
        TailMode::LastBytes(n) => input[input.len().saturating_sub(size(n))..].to_vec(),
        TailMode::FromByte(n) => input[size(n.saturating_sub(1)).min(input.len())..].to_vec(),
    };
    let header: &[u8] = if spec.header { b"==> standard input <==\n" } else { b"" };
    [header, &body].concat()
}

fn naive(view: &ViewSpec, input: &[u8]) -> Vec<u8> {
    match view {
        ViewSpec::Head(spec) => naive_head(spec, input),
        ViewSpec::Tail(spec) => naive_tail(spec, input),
        other => panic!("not a head or tail: {other:?}"),
    }
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..12, 2 => 12u64..400, 1 => select(vec![u64::MAX, u64::MAX - 1, 1 << 40])]
}

fn view() -> impl Strategy<Value = ViewSpec> {
    let delimiter = prop_oneof![4 => Just(b'\n'), 1 => Just(0)];
    (0..8, count(), delimiter, prop::bool::weighted(0.2)).prop_map(|(mode, count, delimiter, header)| {
        match mode {
            0 => ViewSpec::Head(HeadSpec { mode: HeadMode::FirstLines(count), delimiter, header }),
            1 => ViewSpec::Head(HeadSpec { mode: HeadMode::AllButLastLines(count), delimiter, header }),
            2 => ViewSpec::Head(HeadSpec { mode: HeadMode::FirstBytes(count), delimiter, header }),
            3 => ViewSpec::Head(HeadSpec { mode: HeadMode::AllButLastBytes(count), delimiter, header }),
            4 => ViewSpec::Tail(TailSpec { mode: TailMode::LastLines(count), delimiter, header }),
            5 => ViewSpec::Tail(TailSpec { mode: TailMode::FromLine(count), delimiter, header }),
            6 => ViewSpec::Tail(TailSpec { mode: TailMode::LastBytes(count), delimiter, header }),
            _ => ViewSpec::Tail(TailSpec { mode: TailMode::FromByte(count), delimiter, header }),
        }
    })
}

/// A word that may or may not be what the tools accept.
fn word() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        8 => (0u32..40).prop_map(|n| n.to_string()),
        1 => select(vec!["", "k", " 3", "007", "x", "5x", "18446744073709551615", "18446744073709551616", "16E"])
            .prop_map(str::to_owned),
    ];
    let sign = select(vec!["", "", "", "-", "+", "--", "-+"]);
    let unit = select(vec!["", "", "", "", "b", "k", "K", "kB", "KiB", "M", "c", "l", "B", "ki", "g"]);
    let value = (sign, number, unit).prop_map(|(sign, number, unit)| format!("{sign}{number}{unit}"));
    let trailing =
        select(vec!["", "", "", "c", "l", "b", "k", "q", "v", "z", "vq", "cz", "m", "x", "cl", "kl"]);
    prop_oneof![
        3 => value.clone().prop_map(|value| format!("-n{value}")),
        3 => value.clone().prop_map(|value| format!("-c{value}")),
        2 => value.clone().prop_map(|value| format!("--lines={value}")),
        2 => value.prop_map(|value| format!("--by={value}")),
        3 => ((0u32..30), trailing.clone()).prop_map(|(n, t)| format!("-{n}{t}")),
        1 => ((0u32..30), trailing).prop_map(|(n, t)| format!("+{n}{t}")),
        2 => select(vec![
            "-q", "-v", "-z", "-qz", "-vz", "-n", "-c", "5", "-", "--", "--quiet", "--silent", "--verbose", "--ver", "--v",
            "--zero", "--li", "-l", "-b", "+", "+c", "--quiet=1", "--bogus", "-r",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chains_equal_their_naive_twins(
        views in prop::collection::vec(view(), 1..4),
        input in text(),
        chunks in chunking(),
    ) {
        let want = views.iter().fold(input.clone(), |data, view| naive(view, &data));
        let (out, end) = project(&Pipeline { views }, &ViewEnv::default(), &input, &chunks).unwrap();
        prop_assert_eq!(out, want);
        prop_assert_eq!(end.exit_code, 0);
        prop_assert_eq!(end.input_bytes, input.len() as u64);
        prop_assert_eq!(end.input_lines, lines(&input, b'\n').len() as u64);
    }

    #[test]
    fn command_lines_mean_what_the_real_tools_do(
        tool in select(vec!["head", "tail"]),
        words in prop::collection::vec(word(), 0..4),
        input in text(),
        chunks in chunking(),
    ) {
        if !is_gnu(tool, "GNU coreutils") {
            return Ok(());
        }
        let command: Vec<String> = std::iter::once(tool.to_owned()).chain(words).collect();
        let (stdout, stderr, code) = run_tool(&command, &input, "C.UTF-8");
        match ViewSpec::parse(&command) {
            Ok(spec) => {
                let (out, end) = project(&Pipeline { views: vec![spec] }, &ViewEnv::default(), &input, &chunks).unwrap();
                prop_assert_eq!((out, end.stderr, end.exit_code), (stdout, stderr, code), "{:?}", command);
            }
            // Nothing that the tool accepts may be declined, but for file operands.
            Err(_) => {
                let mut only_operands = false;
                let operands = command[1..].iter().any(|word| {
                    let operand = only_operands || !word.starts_with('-') || word == "-";
                    only_operands |= word == "--";
                    operand
                });
                prop_assert!(code != 0 || operands, "{:?}", command);
            }
        }
    }
}
