//! Patterns made to hang, to exhaust memory or to overflow the stack: each one is answered or refused, soon.
//!
//! The threads of tests have 2 MiB of stack, as those of captures have.

use std::time::{Duration, Instant};

use sluice_core::find::{FindOptions, find};
use sluice_core::pipeline::{Pipeline, Projector};
use sluice_core::search::{GrepOptions, PatternOptions, grep};
use sluice_core::view::ViewEnv;
use sluice_core::{CancelToken, Error};

/// Unoptimised, on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// `unit` a number of times between a head and a tail.
fn nest(head: &str, unit: &str, count: usize, tail: &str) -> String {
    format!("{head}{}{tail}", unit.repeat(count))
}

/// `SLUICE_HOSTILE=full` for the largest patterns: minutes.
fn large(full: usize, usual: usize) -> usize {
    if std::env::var_os("SLUICE_HOSTILE").is_some_and(|value| value == "full") { full } else { usual }
}

fn patterns() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, pattern: String| all.push((name.to_owned(), pattern));
    for count in [100, 200, 201, large(100_000, 10_000)] {
        add("groups", format!("{}a{}", "(".repeat(count), ")".repeat(count)));
        add("basic groups", format!("{}a{}", r"\(".repeat(count), r"\)".repeat(count)));
        add("open groups", "(".repeat(count));
        add("close groups", ")".repeat(count));
        add("repeated groups", format!("{}a{}", "(".repeat(count), ")*".repeat(count)));
        add("optional groups", format!("{}a{}", "(".repeat(count), "|)".repeat(count)));
        add("rust groups", format!("{}a{}", "(?:".repeat(count), ")".repeat(count)));
        add("stars", nest("a", "*", count, ""));
        add("pluses", nest("a", "+", count, ""));
        add("marks", nest("a", "?", count, ""));
        add("intervals", nest("a", "{1,2}", count, ""));
        add("basic intervals", nest("a", r"\{1,2\}", count, ""));
        add("unit intervals", nest("a", "{1}", count, "b"));
        add("leading stars", nest("", "*", count, "a"));
        add("anchors", nest("", "^", count, "a"));
        add("repeated anchors", nest("^", "*", count, "a"));
        add("brackets", nest("", "[", count, ""));
        add("nested classes", format!("{}a{}", "[".repeat(count), "]".repeat(count)));
        add("bars", nest("", "|", count, ""));
        add("backslashes", nest("", r"\", count, ""));
        add("words", nest("", r"\b\B\<\>", count.min(200), ""));
        add("optional then exact", nest("", "a?", count.min(200), &"a".repeat(count.min(200))));
        add("dots", nest("", ".*", count.min(300), "x"));
        add("dot suffix", nest("(a|b)*a", "(a|b)", count.min(500), "c"));
        add("classes", nest("", "[[:alpha:]]", count.min(200), ""));
        add("unicode classes", nest("", r"\w", count.min(200), r"\>"));
    }
    for pattern in [
        r"a{1,32767}",
        r"a{32767}{32767}",
        r"(a{1,32767}){1,32767}",
        r"((a{1,1000}){1,1000}){1,1000}",
        r"((((((a{10}){10}){10}){10}){10}){10}){10}",
        r"(((a|b|c|){0,999}|){0,999}|){0,999}",
        r"(^){32767}{32767}",
        r"(|){32767}{32767}",
        r"(\b){32767}(\<|){32767}",
        r"(.{0,1000}){0,30}x",
        r"[[:alpha:]]{1,32767}",
        r"(a*)*b",
        r"(a+)+$",
        r"(a|aa)+$",
        r"(a|a?)+$",
        r"^(([a-z])+.)+[A-Z]([a-z])+$",
        r"(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]",
        r"a\{1,32767\}",
        r"\(a\{1,32767\}\)\{1,32767\}",
        r"\(.*\)\1\1\1\1",
        r"(.+)\1+x",
        r"a{99999999999999999999}",
        r"a{4294967296,4294967297}",
        r"(?:a{1,4294967295}){4294967295}",
        r"(?x-x:(?i:(?s:a{1,999}){1,999}))",
        r"[\x{0}-\x{10ffff}]{1,30000}",
        r"\p{L}{1,30000}",
        r"(?u:\w{500}){500}",
    ] {
        all.push(("blow-up".to_owned(), pattern.to_owned()));
    }
    let alternation: Vec<String> = (0..large(60_000, 3_000)).map(|i| format!("word{}", i * 7919)).collect();
    all.push(("alternation".to_owned(), alternation.join("|")));
    all.push(("basic alternation".to_owned(), alternation.join(r"\|")));
    all.push(("lines".to_owned(), alternation.join("\n")));
    all.push(("dotted lines".to_owned(), alternation[..large(20_000, 500)].join(".*\n")));
    all.push(("long".to_owned(), "ab".repeat(large(500_000, 2_000))));
    all.push(("long class".to_owned(), format!("[{}]", "abé".repeat(large(300_000, 20_000)))));
    all.push(("emoji".to_owned(), "\u{1f6e1}\u{202e}é".repeat(2_000)));
    all
}

fn input() -> Vec<u8> {
    let mut input = "a".repeat(3_000).into_bytes();
    input.extend_from_slice(b"!\nword7919 aaaa \xff\xfe word\n");
    input.extend_from_slice("é".repeat(3_000).as_bytes());
    input.extend_from_slice(b"\nlast");
    input
}

#[test]
fn views_answer_or_refuse() {
    let input = input();
    let mut tried = 0;
    for (name, pattern) in patterns() {
        for words in [
            &["grep"][..],
            &["grep", "-E"],
            &["grep", "-E", "-i", "-o"],
            &["grep", "-w"],
            &["grep", "-E", "-x", "-v"],
            &["grep", "-F"],
            &["rg"],
            &["rg", "-i", "-o"],
        ] {
            let mut argv: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
            argv.extend([b"-e".to_vec(), pattern.clone().into_bytes()]);
            let began = Instant::now();
            let outcome = Pipeline::from_words(&[argv]).and_then(|pipeline| {
                let mut projector = Projector::new(&pipeline, &ViewEnv::default())?;
                let mut out = Vec::new();
                for chunk in input.chunks(4000) {
                    projector.push(chunk, &mut out)?;
                }
                projector.finish(&mut out)
            });
            let took = began.elapsed();
            tried += 1;
            assert!(took < PATIENCE, "{name} ({} bytes): {words:?} took {took:?}", pattern.len());
            if took > Duration::from_secs(1) && std::env::var_os("SLUICE_SHOW_SLOW").is_some() {
                eprintln!("{name} ({} bytes): {words:?} took {took:?}, {}", pattern.len(), outcome.is_ok());
            }
            assert!(
                matches!(
                    outcome,
                    Ok(_)
                        | Err(Error::UnsupportedView { .. }
                            | Error::NeedsRealTool { .. }
                            | Error::InvalidPattern(_))
                ),
                "{name}: {words:?}"
            );
        }
    }
    assert!(tried > 1000, "{tried}");
}

/// `length` letters `a` and `b` in no order.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { b'a' } else { b'b' }
        })
        .collect()
}

fn project(words: &[&str], input: &[u8]) -> sluice_core::Result<i32> {
    let argv = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let mut projector = Projector::new(&Pipeline::from_words(&[argv])?, &ViewEnv::default())?;
    let mut out = Vec::new();
    projector.push(input, &mut out)?;
    Ok(projector.finish(&mut out)?.exit_code)
}

/// A pattern that makes every byte of some input cost as much as it is long itself is answered on a little of that
/// input, and given up on much: what it may cost does not grow with the input.
#[test]
fn what_takes_too_long_is_given_up() {
    let exponential = "^[ab]*a[ab]{900}$";
    let words = r"^[abé ]*a[abé ]{900}\b$";
    let unicode = |length| [&b"\xc3\xa9 "[..], &noise(length)].concat();
    let (little, much) = (noise(5_000), noise(2 << 20));
    let matches = little[little.len() - 901] == b'a';
    assert_eq!(project(&["grep", "-E", exponential], &little).unwrap(), i32::from(!matches));
    for (pattern, input) in [(exponential, &much), (words, &unicode(1 << 20))] {
        for option in ["-E", "-Eo", "-Ei"] {
            match project(&["grep", option, pattern], input) {
                Err(Error::NeedsRealTool { reason }) => assert!(reason.contains("too long"), "{reason}"),
                other => panic!("{option} {pattern}: {other:?}"),
            }
        }
    }
    for pattern in ["[ab]{64}", "a.*b", "(a|b)+$", r"\bb?(ab*)+\b", "(aba|bab|b){1,99}", "a.{0,50}ab"] {
        for option in ["-Ec", "-Eoc"] {
            assert_eq!(project(&["grep", option, pattern], &much).unwrap(), 0, "{option} {pattern}");
        }
    }
}

#[test]
fn the_grep_tool_answers_or_refuses() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("file"), input())?;
    for (name, pattern) in patterns() {
        let began = Instant::now();
        let options = GrepOptions {
            pattern: PatternOptions { pattern, ignore_case: true, literal: false },
            path: folder.path().to_owned(),
            glob: None,
            context: 0,
            limit: 100,
            max_line_length: 500,
            hidden: false,
            ignore_files: true,
        };
        let outcome = grep(&options, &CancelToken::default());
        assert!(began.elapsed() < PATIENCE, "{name} took {:?}", began.elapsed());
        assert!(matches!(outcome, Ok(_) | Err(Error::InvalidPattern(_))), "{name}");
    }
    Ok(())
}

#[test]
fn globs_answer_or_refuse() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("a".repeat(200)), "")?;
    let mut globs: Vec<String> = patterns().into_iter().map(|(_, pattern)| pattern).collect();
    for count in [100, 1000, 20_000] {
        globs.push(nest("", "*a", count, "b"));
        globs.push(nest("", "**/", count, "x"));
        globs.push(nest("", "?*", count, ""));
        globs.push(format!("{}a{}", "{".repeat(count), "}".repeat(count)));
        globs.push(nest("{", "a,", count, "}"));
        globs.push(nest("", "{a,b}", count, ""));
        globs.push(nest("", "[!a-z]", count, ""));
        globs.push("[".repeat(count));
        globs.push("!".repeat(count));
    }
    for glob in globs {
        let shown: String = glob.chars().take(40).collect();
        let began = Instant::now();
        let options = FindOptions {
            pattern: glob.clone(),
            root: folder.path().to_owned(),
            limit: 100,
            hidden: false,
            ignore_files: true,
        };
        let outcome = find(&options, &CancelToken::default());
        assert!(began.elapsed() < PATIENCE, "find {shown} took {:?}", began.elapsed());
        assert!(matches!(outcome, Ok(_) | Err(Error::InvalidPattern(_))), "find {shown}");

        std::fs::write(folder.path().join(".gitignore"), format!("{}\n", glob.replace('\n', " ")))?;
        let options = FindOptions { pattern: "*".to_owned(), ..options };
        assert!(find(&options, &CancelToken::default()).is_ok(), "ignore {shown}");
        let options = GrepOptions {
            pattern: PatternOptions { pattern: "a".to_owned(), ignore_case: false, literal: true },
            path: folder.path().to_owned(),
            glob: Some(glob),
            context: 0,
            limit: 100,
            max_line_length: 500,
            hidden: false,
            ignore_files: false,
        };
        let outcome = grep(&options, &CancelToken::default());
        assert!(began.elapsed() < 2 * PATIENCE, "grep --glob {shown} took {:?}", began.elapsed());
        assert!(matches!(outcome, Ok(_) | Err(Error::InvalidPattern(_))), "grep --glob {shown}");
    }
    Ok(())
}
