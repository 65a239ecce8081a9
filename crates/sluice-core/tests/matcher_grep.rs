//! The matcher against the machine's own GNU grep: random patterns, random lines.
//!
//! `SLUICE_CASES` sets the number of cases (default 2,000), `SLUICE_SEED` the first seed.

#![cfg(unix)]

use std::io::Write;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use sluice_core::matcher::{Locale, Matcher, MatcherOptions, Syntax};

/// A small generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

#[rustfmt::skip]
const CHARS: &[&str] = &[
    "a", "a", "a", "b", "b", "c", "A", "B", "_", "1", "2", " ", "-", ",", "x", "é", "É", "i", "s", "k", "ſ", "\u{212a}",
    "ı", "\u{fe0f}", "\u{3000}", "σ", "ς", "{", "}", "(", ")", "|", "+", "?", "*", "\r", "/", ":", "^", "$", "]",
    "中", "😀", "\t", "n", "=", ".", "ß", "ẞ", "İ",
];

#[rustfmt::skip]
const BRACKETS: &[&str] = &[
    "[ab]", "[^a]", "[^ab1]", "[a-c]", "[]a]", "[^]a]", "[a-]", "[-a]", "[[:alpha:]]", "[[:digit:]]", "[^[:space:]]",
    "[0-9]", "[[:alnum:]_]", "[[:upper:]]", "[[:lower:]]", "[[:punct:]]", "[é]", "[^é]", "[aé]", "[s]", "[^i]", "[k]",
    "[[.a.]]", "[[=a=]]", "[[.-.]]", "[[:space:]b]", "[a-zA-Z]", "[A-z]", "[_-z]", "[\\w]", "[\\]", "[a\\]", "[*.]",
    "[$^]", "[^^]", "[a^]", "[[]", "[][]", "[--/]", "[+--]", "[a-a]", "[:alpha:]", "[[:foo:]]", "[z-a]", "[a-c-e]",
    "[", "[a", "[]", "[^]", "[[:alpha:]-z]", "[a-é]", "[[:print:]]", "[[:graph:]]", "[[:cntrl:]]", "[[:blank:]]",
    "[[:xdigit:]]", "[^[:upper:]]", "[[.space.]]", "[{}]", "[|]", "[()]", "[0-9a-f]", "[^\\]", "[^ ]", "[ıi]", "[a-Z]",
];

#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "*", "*", "\\+", "\\?", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "{0}", "{,}", "{2,1}", "{a}", "{1", "{1,a}",
    "{1,2,3}", "{}", "\\{2\\}", "\\{1,2\\}", "\\{,2\\}", "\\{1,\\}", "\\{0\\}", "\\{1", "\\{a\\}", "**", "*?", "{1}{2}",
    "{,1", "{40000}",
];

#[rustfmt::skip]
const ATOMS: &[&str] = &[
    ".", ".", ".*", "^", "$", "\\<", "\\>", "\\b", "\\B", "\\w", "\\W", "\\s", "\\S", "\\`", "\\'", "\\.", "\\*", "\\[",
    "\\]", "\\^", "\\$", "\\\\", "\\d", "\\n", "\\/", "\\-", "\\é", "\\{", "\\}", "{", "}", "\\|", "|", "(", ")", "\\(",
    "\\)", "()", "\\(\\)", "\\a", "\\,", "\\ ", "\\", "\\1", "|*", "(*", "^*", "$*", "\\<*", "(|a)", "\\(a\\|\\)",
];

fn pattern(random: &mut Random, extended: bool, depth: usize, out: &mut String) {
    for _ in 0..1 + random.below(4) {
        match random.below(100) {
            0..=44 => {
                let limit = if random.chance(60) { 8 } else { CHARS.len() };
                out.push_str(random.pick(&CHARS[..limit]));
            }
            45..=57 => out.push_str(random.pick(BRACKETS)),
            58..=78 => out.push_str(random.pick(ATOMS)),
            _ if depth < 3 => {
                let (open, alt, close) = if extended { ("(", "|", ")") } else { ("\\(", "\\|", "\\)") };
                let grouped = random.chance(80);
                if grouped {
                    out.push_str(open);
                }
                pattern(random, extended, depth + 1, out);
                if random.chance(60) {
                    out.push_str(alt);
                    pattern(random, extended, depth + 1, out);
                }
                if grouped {
                    out.push_str(close);
                }
            }
            _ => out.push('a'),
        }
        if random.chance(30) {
            let common = if extended { ["*", "+", "?", "{2}"] } else { ["*", "\\+", "\\?", "\\{2\\}"] };
            out.push_str(if random.chance(60) { random.pick(&common) } else { random.pick(OPERATORS) });
        }
    }
}

struct Case {
    patterns: Vec<Vec<u8>>,
    options: MatcherOptions,
    haystack: Vec<u8>,
}

fn case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let syntax = match random.below(10) {
        0..=3 => Syntax::Basic,
        4..=7 => Syntax::Extended,
        _ => Syntax::Fixed,
    };
    let options = MatcherOptions {
        syntax,
        ignore_case: random.chance(30),
        word: random.chance(25),
        line: random.chance(12),
        locale: if random.chance(35) { Locale::C } else { Locale::Utf8 },
        terminator: if random.chance(8) { 0 } else { b'\n' },
    };
    let mut patterns = Vec::new();
    let count = if random.chance(25) { 1 + random.below(4) } else { 1 };
    for _ in 0..count {
        let mut text = String::new();
        if syntax == Syntax::Fixed || random.chance(10) {
            for _ in 0..random.below(4) {
                let limit = if random.chance(70) { 12 } else { CHARS.len() };
                text.push_str(random.pick(&CHARS[..limit]));
            }
        } else {
            pattern(&mut random, syntax == Syntax::Extended, 0, &mut text);
        }
        patterns.push(text.into_bytes());
    }
    let mut haystack = Vec::new();
    let invalid = random.chance(15);
    let alphabet = if random.chance(60) { &CHARS[..14] } else { CHARS };
    const BAD: [&[u8]; 7] =
        [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\x80"];
    for _ in 0..60 {
        for _ in 0..random.below(9) {
            match random.below(40) {
                0 => haystack.extend_from_slice(&patterns[random.below(patterns.len())]),
                1 if invalid => haystack.extend_from_slice(BAD[random.below(7)]),
                2 if options.terminator == 0 => haystack.push(b'\n'),
                2 if invalid => haystack.push(0),
                _ => haystack.extend_from_slice(random.pick(alphabet).as_bytes()),
            }
        }
        haystack.push(options.terminator);
    }
    if random.chance(20) {
        haystack.pop();
    }
    Case { patterns, options, haystack }
}

fn grep(case: &Case, extra: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    // Some nested repetitions take grep for ever.
    let mut command = Command::new("timeout");
    command
        .args(["2", "grep"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("DEB_GREP_ENABLE_STRAY_BACKSLASH_WARN", "1");
    command.env("LC_ALL", if case.options.locale == Locale::C { "C" } else { "C.UTF-8" });
    command.arg("-a").args(extra);
    command.arg(match case.options.syntax {
        Syntax::Extended => "-E",
        Syntax::Fixed => "-F",
        _ => "-G",
    });
    for (on, option) in [
        (case.options.ignore_case, "-i"),
        (case.options.word, "-w"),
        (case.options.line, "-x"),
        (case.options.terminator == 0, "-z"),
    ] {
        if on {
            command.arg(option);
        }
    }
    for pattern in &case.patterns {
        command.arg("-e").arg(std::ffi::OsStr::from_bytes(pattern));
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A few kilobytes fit into the pipe. Grep may end before it has read them.
    let _ = child.stdin.take().unwrap().write_all(&case.haystack);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn show(case: &Case) -> String {
    let patterns: Vec<_> = case.patterns.iter().map(|pattern| String::from_utf8_lossy(pattern)).collect();
    format!("{patterns:?} {:?}", case.options)
}

/// The lines of the haystack.
fn lines(case: &Case) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < case.haystack.len() {
        let rest = &case.haystack[start..];
        let len = rest.iter().position(|&b| b == case.options.terminator).unwrap_or(rest.len());
        lines.push(start..start + len);
        start += len + 1;
    }
    lines
}

/// `-n` and, with `only`, `-onb`, as the view would print them.
fn ours(case: &Case, matcher: &Matcher, only: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, range) in lines(case).into_iter().enumerate() {
        let line = &case.haystack[range.clone()];
        if !matcher.is_match(line).unwrap() {
            continue;
        }
        if !only {
            write!(out, "{}:", index + 1).unwrap();
            out.extend_from_slice(line);
            out.push(case.options.terminator);
            continue;
        }
        let mut at = 0;
        while let Some(found) = matcher.find_at(line, at).unwrap() {
            if !found.is_empty() {
                write!(out, "{}:{}:", index + 1, range.start + found.start).unwrap();
                out.extend_from_slice(&line[found.clone()]);
                out.push(case.options.terminator);
            }
            at = found.end.max(found.start + 1);
        }
    }
    out
}

/// Checks that the ways to find a line agree.
fn check_lines(case: &Case, matcher: &Matcher) -> Result<(), String> {
    let expected: Vec<Range<usize>> = lines(case)
        .into_iter()
        .filter(|range| matcher.is_match(&case.haystack[range.clone()]).unwrap())
        .collect();
    let mut forwards = Vec::new();
    let mut at = 0;
    while let Some(line) = matcher.next_line(&case.haystack, at).unwrap() {
        at = line.end + 1;
        forwards.push(line);
    }
    if forwards != expected {
        return Err(format!("next_line: {forwards:?}\nis_match: {expected:?}"));
    }
    let mut backwards = Vec::new();
    let mut end = case.haystack.len();
    while let Some(line) = matcher.prev_line(&case.haystack, end).unwrap() {
        end = line.start;
        backwards.push(line);
    }
    backwards.reverse();
    if backwards != expected {
        return Err(format!("prev_line: {backwards:?}\nis_match: {expected:?}"));
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    supported: usize,
    declined: usize,
    declined_valid: usize,
    endless: usize,
    wrong: usize,
}

fn check(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let case = case(seed);
    let matcher = match Matcher::new(&case.patterns, &case.options) {
        Ok(matcher) => matcher,
        Err(error) => {
            tally.declined += 1;
            if std::env::var_os("SLUICE_DECLINED").is_some() && grep(&case, &["-n"]).0 != Some(2) {
                tally.declined_valid += 1;
                eprintln!("declined, but grep accepts: {} {error}", show(&case));
            }
            return Ok(());
        }
    };
    tally.supported += 1;
    check_lines(&case, &matcher)?;
    if matcher.requires_valid_utf8() && std::str::from_utf8(&case.haystack).is_err() {
        return Ok(());
    }
    let (code, stdout, stderr) = grep(&case, &["-n"]);
    if code == Some(124) {
        tally.endless += 1;
        return Ok(());
    }
    if code == Some(2) {
        return Err(format!("grep rejects: {stderr}"));
    }
    let warnings: String =
        matcher.warnings_with_backslashes().iter().map(|w| format!("grep: {w}\n")).collect();
    if stderr != warnings {
        return Err(format!("grep's warnings:\n{stderr}ours:\n{warnings}"));
    }
    compare("lines", &stdout, &ours(&case, &matcher, false))?;
    if !(case.options.word && case.options.line) {
        let (code, stdout, _) = grep(&case, &["-onb"]);
        if code == Some(124) {
            tally.endless += 1;
            return Ok(());
        }
        compare("matches", &stdout, &ours(&case, &matcher, true))?;
    }
    Ok(())
}

fn compare(what: &str, theirs: &[u8], ours: &[u8]) -> Result<(), String> {
    if theirs == ours {
        return Ok(());
    }
    let at = theirs.iter().zip(ours).position(|(a, b)| a != b).unwrap_or(theirs.len().min(ours.len()));
    let from = theirs[..at].iter().rposition(|&b| b == b'\n' || b == 0).map_or(0, |i| i + 1);
    let excerpt = |bytes: &[u8]| bytes[from..bytes.len().min(at + 40)].escape_ascii().to_string();
    Err(format!("{what} differ\ngrep: {}\nours: {}", excerpt(theirs), excerpt(ours)))
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn is_gnu_grep() -> bool {
    Command::new("grep")
        .arg("--version")
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU grep"))
}

#[test]
fn agrees_with_gnu_grep() {
    if !is_gnu_grep() {
        return;
    }
    let (cases, first) = (setting("SLUICE_CASES", 2_000), setting("SLUICE_SEED", 1));
    let mut tally = Tally::default();
    let mut reports = Vec::new();
    for seed in first..first + cases {
        if let Err(report) = check(seed, &mut tally) {
            tally.wrong += 1;
            reports.push(format!("seed {seed}: {}\n{report}\n", show(&case(seed))));
            if reports.len() >= 20 {
                break;
            }
        }
    }
    eprintln!(
        "{} supported, {} declined ({} of them accepted by grep, if counted), {} endless in grep, {} wrong",
        tally.supported, tally.declined, tally.declined_valid, tally.endless, tally.wrong
    );
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

/// Every class, and the case of letters that are special, over the first two planes of Unicode.
#[test]
fn characters_are_those_of_grep() {
    if !is_gnu_grep() {
        return;
    }
    let mut haystack = Vec::new();
    for c in (1..0x2_0000).filter_map(char::from_u32).filter(|&c| c != '\n') {
        haystack.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        haystack.push(b'\n');
    }
    let classes = "alpha upper lower digit xdigit space punct alnum print graph cntrl blank".split(' ');
    let mut patterns: Vec<(String, bool)> = Vec::new();
    for class in classes {
        patterns.extend([(format!("[[:{class}:]]"), false), (format!("[^[:{class}:]]"), true)]);
    }
    for pattern in [r"\w", r"\W", r"\s", ".", r"\<", "[^a]", "[a-z]"] {
        patterns.extend([(pattern.to_owned(), false), (pattern.to_owned(), true)]);
    }
    patterns.extend("aikséßẞσςµıİſǆΩωΩÅåφϕθϑϴЖѢ\u{212a}\u{345}ᾳᾼⅷⓐ".chars().map(|c| (c.to_string(), true)));
    let mut wrong = Vec::new();
    for (pattern, ignore_case) in patterns {
        let options = MatcherOptions { ignore_case, ..MatcherOptions::default() };
        let case = Case { patterns: vec![pattern.into_bytes()], options, haystack: Vec::new() };
        let Ok(matcher) = Matcher::new(&case.patterns, &case.options) else { continue };
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(path.path(), &haystack).unwrap();
        let output = Command::new("grep")
            .env("LC_ALL", "C.UTF-8")
            .args(if ignore_case { &["-a", "-i", "-e"][..] } else { &["-a", "-e"] })
            .arg(std::ffi::OsStr::from_bytes(&case.patterns[0]))
            .arg(path.path())
            .output()
            .unwrap();
        let mut ours = Vec::new();
        let mut at = 0;
        while let Some(line) = matcher.next_line(&haystack, at).unwrap() {
            at = line.end + 1;
            ours.extend_from_slice(&haystack[line]);
            ours.push(b'\n');
        }
        if ours != output.stdout {
            wrong.push(show(&case));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
