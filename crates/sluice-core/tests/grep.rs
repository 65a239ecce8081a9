//! `grep`, `egrep` and `fgrep` against the GNU grep of the machine, with random options, patterns and inputs.
//!
//! Skipped, with the reason printed, where the machine's grep is not GNU grep 3.8 or later.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{cases, chunking, text};
use proptest::prelude::*;
use proptest::sample::select;
use sluice_core::Error;
use sluice_core::view::{ViewEnv, ViewSpec};

/// What a run gives: standard output, standard error, exit code.
type Run = (Vec<u8>, String, i32);

/// What the machine's grep is like, if it can be compared with.
struct Tool {
    /// Whether it warns about stray backslashes.
    warns: bool,
    /// Whether `egrep` warns about its name.
    egrep_warns: bool,
}

fn tool() -> Option<&'static Tool> {
    static TOOL: OnceLock<Option<Tool>> = OnceLock::new();
    TOOL.get_or_init(|| {
        let version = Command::new("grep").arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let minor: Option<u32> = version
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("grep (GNU grep) 3."))
            .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
        if minor.is_none_or(|minor| minor < 8) {
            eprintln!("skipped: grep is not GNU grep 3.8 or later: {version}");
            return None;
        }
        let env = ViewEnv { lc_all: Some("C".into()), ..ViewEnv::default() };
        let speaks = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            !run_grep(&words, b"", &env, false).1.is_empty()
        };
        Some(Tool { warns: speaks(&["grep", r"\d"]), egrep_warns: speaks(&["egrep", "x"]) })
    })
    .as_ref()
}

/// Runs the real tool, with `input` on a pipe or in a file.
fn run_grep(words: &[String], input: &[u8], env: &ViewEnv, from_file: bool) -> Run {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    for (name, value) in
        [("LC_ALL", &env.lc_all), ("GREP_COLORS", &env.grep_colors), ("GREP_COLOR", &env.grep_color)]
    {
        command.envs(value.iter().map(|value| (name, value)));
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = if from_file {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(input).expect("written");
        std::io::Seek::rewind(&mut file).expect("rewound");
        command.stdin(file).spawn().expect("the tool starts")
    } else {
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the tool starts");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_vec();
        // The tool may stop reading; that is its right.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
        child
    };
    let out = child.wait_with_output().expect("the tool ends");
    (out.stdout, String::from_utf8_lossy(&out.stderr).into_owned(), out.status.code().unwrap_or(-1))
}

/// Runs the view over chunks; stops where it is satisfied, as the drivers do.
fn run_view(spec: &ViewSpec, env: &ViewEnv, input: &[u8], chunks: &[usize]) -> Result<Run, Error> {
    let mut view = spec.build(env)?;
    let mut out = Vec::new();
    let mut rest = input;
    let whole = [input.len()];
    let lengths = if chunks.iter().all(|length| *length == 0) { &whole } else { chunks };
    for length in lengths.iter().cycle() {
        if rest.is_empty() || view.satisfied() {
            break;
        }
        let (chunk, after) = rest.split_at((*length).min(rest.len()));
        view.push(chunk, &mut out)?;
        rest = after;
    }
    let code = view.finish(&mut out)?;
    Ok((out, view.stderr().to_owned(), code))
}

/// What became of a case.
#[derive(Clone, Copy)]
enum Outcome {
    Equal,
    Unsupported,
    NeedsTool,
}

static OUTCOMES: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// Compares one case with the tool, in every chunking.
fn compare(
    words: &[String],
    env: &ViewEnv,
    input: &[u8],
    chunks: &[usize],
) -> Result<Outcome, TestCaseError> {
    let Some(tool) = tool() else { return Ok(Outcome::Equal) };
    let env = ViewEnv { grep_warns: tool.warns, egrep_warns: tool.egrep_warns, ..env.clone() };
    let show = |run: &Run| format!("{:?} {:?} {}", String::from_utf8_lossy(&run.0), run.1, run.2);
    let Ok(spec) = ViewSpec::parse(words) else { return Ok(Outcome::Unsupported) };
    let ViewSpec::Grep(grep) = &spec else { return Err(TestCaseError::fail("not a grep")) };
    let want = run_grep(words, input, &env, false);
    let mut outcome = Outcome::Equal;
    let mut first: Option<Result<Run, String>> = None;
    for chunks in [&[][..], &[1], &[7], &[4099], chunks] {
        let got = match run_view(&spec, &env, input, chunks) {
            Ok(run) => {
                prop_assert_eq!(
                    show(&run),
                    show(&want),
                    "\n{:?} {:?} chunks {:?}\ninput {:?}",
                    words,
                    env,
                    chunks,
                    String::from_utf8_lossy(input)
                );
                Ok(run)
            }
            Err(Error::UnsupportedView { .. }) => return Ok(Outcome::Unsupported),
            Err(Error::NeedsRealTool { reason }) => {
                outcome = Outcome::NeedsTool;
                Err(reason)
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        // What stops a view early, an answer or a reason to decline, may come before the other is seen.
        let turns_binary = grep.detects_nul() && input.contains(&0);
        if !grep.may_end_early() && !turns_binary {
            let before = first.get_or_insert_with(|| got.clone());
            prop_assert_eq!(
                &*before,
                &got,
                "{:?} chunks {:?} {:?}",
                words,
                chunks,
                String::from_utf8_lossy(input)
            );
        } else if got.is_err() {
            // The tool saw all of this input at once; smaller chunks show the view less.
            return Ok(Outcome::NeedsTool);
        }
    }
    // Only the width of numbers differs.
    if matches!(outcome, Outcome::Equal) && !grep.initial_tab {
        let from_file = run_grep(words, input, &env, true);
        prop_assert_eq!(show(&from_file), show(&want), "{:?} from a file", words);
    }
    Ok(outcome)
}

fn pattern() -> impl Strategy<Value = String> {
    select(vec![
        "a",
        "b",
        "ab",
        "",
        "line",
        "é",
        "x",
        "€",
        "A",
        "aé",
        "a\nb",
        "a\n",
        "line\nab\né",
        ".",
        "a.",
        "^a",
        "b$",
        "^$",
        "^",
        "[ab]",
        "[^a]",
        "a*",
        r"a\|b",
        "a|b",
        r"a\+",
        "b+",
        r"\(ab\)*",
        "(ab)*",
        r"\bab\b",
        r"\<a",
        r"\w\w",
        r"é\?",
        "[[:alpha:]]",
        "[a-z]*",
        r"a\{2\}",
        "a{2}",
        r"\d",
        "(a|ab)(b|$)",
        r"\.",
        "a.*b",
        r"\r",
    ])
    .prop_map(str::to_owned)
}

fn option() -> impl Strategy<Value = Vec<String>> {
    let flag = select(vec![
        "-v",
        "-v",
        "-i",
        "-w",
        "-x",
        "-c",
        "-n",
        "-n",
        "-o",
        "-o",
        "-b",
        "-H",
        "-h",
        "-q",
        "-l",
        "-L",
        "-s",
        "-a",
        "-I",
        "-U",
        "-T",
        "-Z",
        "-z",
        "-E",
        "-F",
        "-G",
        "--color=always",
        "--color=always",
        "--color=never",
        "--color",
        "--line-buffered",
        "--no-group-separator",
        "--binary-files=text",
        "--binary-files=without-match",
        "--binary-files=binary",
        "--label=in",
        "--no-ignore-case",
        "-y",
        "--null",
        "--quie",
        "--only",
        "--colour=always",
        "-d skip",
        "-D read",
        "--group-separator=**",
        "--group-separator=",
    ])
    .prop_map(|flag| flag.split(' ').map(str::to_owned).collect());
    let number = (select(vec!["-A", "-B", "-C", "-m", "-", "--context=", "--max-count="]), 0u32..5)
        .prop_map(|(name, number)| vec![format!("{name}{number}")]);
    prop_oneof![3 => flag, 2 => number]
}

fn words() -> impl Strategy<Value = Vec<String>> {
    let name = select(vec!["grep", "grep", "grep", "grep", "egrep", "fgrep"]);
    (
        name,
        prop::collection::vec(option(), 0..5),
        prop::collection::vec(pattern(), 1..3),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(name, options, patterns, dash)| {
            let mut words = vec![name.to_owned()];
            words.extend(options.into_iter().flatten());
            if let [pattern] = patterns.as_slice() {
                words.push(pattern.clone());
            } else {
                words.extend(patterns.iter().map(|pattern| format!("--regexp={pattern}")));
            }
            words.extend(dash.then(|| "-".to_owned()));
            words
        })
}

fn env() -> impl Strategy<Value = ViewEnv> {
    let colors = select(vec![
        None,
        None,
        None,
        Some("mt=7"),
        Some("sl=1:cx=2"),
        Some("ne:rv:sl=4:cx=5:mc=3"),
        Some("ms=:mc=:fn=1:ln=:bn=2:se="),
        Some("sl=1:x"),
        Some("mt"),
    ]);
    let color = select(vec![None, None, None, None, Some("7"), Some("x")]);
    (select(vec!["C.UTF-8", "C.UTF-8", "C"]), colors, color).prop_map(|(locale, colors, color)| ViewEnv {
        lc_all: Some(locale.into()),
        grep_colors: colors.map(str::to_owned),
        grep_color: color.map(str::to_owned),
        ..ViewEnv::default()
    })
}

/// Like [`text`], but mostly without what makes an input binary.
fn input() -> impl Strategy<Value = Vec<u8>> {
    (text(), 0..10u8).prop_map(|(mut text, kind)| {
        if kind > 1 {
            text.retain(|&byte| byte != 0);
        }
        if kind > 2 {
            text.retain(|&byte| byte != 0xff);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn same_as_gnu(words in words(), env in env(), input in input(), chunks in chunking()) {
        let outcome = compare(&words, &env, &input, &chunks)?;
        let counted = OUTCOMES[outcome as usize].fetch_add(1, Ordering::Relaxed) + 1;
        if counted.is_multiple_of(10_000) {
            let [equal, unsupported, needs] = OUTCOMES.each_ref().map(|count| count.load(Ordering::Relaxed));
            eprintln!("{equal} equal, {unsupported} unsupported, {needs} left to the tool by their data");
        }
    }
}

/// Patterns of `-P`, of which some are beyond the subset.
fn perl_pattern() -> impl Strategy<Value = String> {
    let atom = select(vec![
        "a",
        "b",
        "ab",
        ".",
        r"\d",
        r"\w",
        r"\s",
        "[ab]",
        "[^a]",
        "[a-f]",
        "[[:alpha:]]",
        "^",
        "$",
        r"\b",
        r"\B",
        "x",
        "line",
        "é",
        r"\.",
        r"\t",
        r"\x61",
        "A",
        " ",
        "-",
        r"\r",
        "[]a]",
        r"[\d-]",
        "€",
        r"\A",
        r"\z",
        "",
        "#",
    ])
    .prop_map(str::to_owned);
    let op = select(vec!["", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{1,}", "{0,2}?", "++"]);
    let sequence = |inner: BoxedStrategy<String>| {
        prop::collection::vec((inner, op.clone()).prop_map(|(inner, op)| inner + op), 1..4)
            .prop_map(|parts| parts.concat())
    };
    let group = sequence(atom.clone().boxed());
    let grouped = (group.clone(), group.clone(), 0..4u8).prop_map(|(one, two, kind)| match kind {
        0 => format!("({one})"),
        1 => format!("(?:{one}|{two})"),
        2 => format!("({one}|{two})"),
        _ => one,
    });
    let flags = select(vec!["", "", "", "(?i)"]);
    (flags, sequence(prop_oneof![2 => atom, 1 => grouped].boxed()), prop::option::weighted(0.2, group))
        .prop_map(|(flags, left, right)| match right {
            Some(right) => format!("{flags}{left}|{right}"),
            None => format!("{flags}{left}"),
        })
}

fn perl_words() -> impl Strategy<Value = Vec<String>> {
    let flag = select(vec![
        "-o",
        "-o",
        "-v",
        "-i",
        "-c",
        "-n",
        "-x",
        "-b",
        "--color=always",
        "-A1",
        "-m2",
        "-q",
        "-a",
    ]);
    (prop::collection::vec(flag, 0..3), perl_pattern()).prop_map(|(flags, pattern)| {
        let mut words = vec!["grep".to_owned(), "-P".to_owned()];
        words.extend(flags.into_iter().map(str::to_owned));
        words.push(format!("--regexp={pattern}"));
        words
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn perl_same_as_gnu(words in perl_words(), env in env(), mut input in input(), chunks in chunking(), ascii in prop::bool::weighted(0.8)) {
        if ascii {
            input.retain(u8::is_ascii);
        }
        compare(&words, &env, &input, &chunks)?;
    }
}

#[test]
fn withheld_lines_and_context() {
    let env = ViewEnv { lc_all: Some("C.UTF-8".into()), ..ViewEnv::default() };
    let (mut equal, mut left) = (0, 0);
    // Every way to place selected, other and broken lines, with every small context.
    for code in 0..4u32.pow(6) {
        let line =
            |place: u32| [&b"a\n"[..], b"x\n", b"\xff\n", b"a\xff\n"][(code / 4u32.pow(place) % 4) as usize];
        let input: Vec<u8> = (0..6).flat_map(line).copied().collect();
        let (before, after) = (code % 3, code / 3 % 3);
        let mut words = vec!["grep".to_owned(), format!("-A{after}"), format!("-B{before}"), "a".to_owned()];
        if code % 5 == 0 {
            words.insert(1, "-n".into());
        }
        if code % 7 == 0 {
            words.insert(1, "-v".into());
        }
        match compare(&words, &env, &input, &[3]).unwrap() {
            Outcome::Equal => equal += 1,
            _ => left += 1,
        }
    }
    eprintln!("{equal} equal, {left} left to the tool");
    assert!(equal > 2 * left);
}
