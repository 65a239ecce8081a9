//! What patterns mean; each was run through GNU grep 3.8.

use crate::Error;
use crate::matcher::{Locale, Matcher, MatcherOptions, Syntax};

fn options(flags: &str) -> MatcherOptions {
    MatcherOptions {
        syntax: match flags {
            _ if flags.contains('E') => Syntax::Extended,
            _ if flags.contains('F') => Syntax::Fixed,
            _ => Syntax::Basic,
        },
        ignore_case: flags.contains('i'),
        word: flags.contains('w'),
        line: flags.contains('x'),
        locale: if flags.contains('C') { Locale::C } else { Locale::Utf8 },
        terminator: if flags.contains('z') { 0 } else { b'\n' },
    }
}

fn build(flags: &str, patterns: &[&str]) -> crate::Result<Matcher> {
    let patterns: Vec<Vec<u8>> = patterns.iter().map(|pattern| pattern.as_bytes().to_vec()).collect();
    Matcher::new(&patterns, &options(flags))
}

/// What `grep -o` prints for a line: None if it is not selected.
fn parts(flags: &str, patterns: &[&str], line: &str) -> Option<Vec<String>> {
    let matcher = build(flags, patterns).unwrap();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(found) = matcher.find_at(line.as_bytes(), at).unwrap() {
        at = found.end.max(found.start + 1);
        if !found.is_empty() {
            parts.push(String::from_utf8_lossy(&line.as_bytes()[found]).into_owned());
        }
    }
    matcher.is_match(line.as_bytes()).unwrap().then_some(parts)
}

#[track_caller]
fn check(flags: &str, pattern: &str, line: &str, expected: Option<&[&str]>) {
    let found = parts(flags, &[pattern], line);
    let expected = expected.map(|parts| parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>());
    assert_eq!(found, expected, "grep -{flags} {pattern:?} on {line:?}");
}

/// Each was run through GNU grep 3.8.
#[test]
fn operators_where_they_are_literal() {
    check("G", "*a", "x*a", Some(&["*a"]));
    check("G", r"\(*a\)", "*a", Some(&["*a"]));
    check("G", "^*a", "*a", Some(&["*a"]));
    check("G", "^*a", "a", None);
    check("G", r"\+a", "+a", Some(&["+a"]));
    check("G", r"\{1\}a", "{1}a", Some(&["{1}a"]));
    check("G", "a^b", "a^b", Some(&["a^b"]));
    check("G", "^^a", "^a", Some(&["^a"]));
    check("G", "a$b", "a$b", Some(&["a$b"]));
    check("G", "a{2}|b", "a{2}|b", Some(&["a{2}|b"]));
    check("E", "a)", "a)", Some(&["a)"]));
    check("E", "a{1", "a{1", Some(&["a{1"]));
    check("E", "a{x", "a{x", Some(&["a{x"]));
    check("E", r"a\{2\}", "a{2}", Some(&["a{2}"]));
}

/// Grep's two matchers part: one decides about the line, the other finds what `-o` prints.
#[test]
fn operators_at_the_start_of_an_extended_expression() {
    check("E", "{", "a{b", Some(&[]));
    check("E", "{x", "{x", Some(&["x"]));
    check("E", "x|{b", "a{b", Some(&["b"]));
    check("E", "^*b", "ab", Some(&[]));
    check("E", "^*b", "b", Some(&["b"]));
    check("E", "{1}b", "b", Some(&[]));
    check("E", "a|*b", "b", Some(&["b"]));
    check("iG", r"x\a", "xa", Some(&[]));
}

#[test]
fn gnu_extensions() {
    check("G", r"a\|b", "xb", Some(&["b"]));
    check("G", r"ab\+c\?", "abbc ab", Some(&["abbc", "ab"]));
    check("G", r"a\{,2\}", "aaa", Some(&["aa", "a"]));
    check("E", "a{,2}", "aaa", Some(&["aa", "a"]));
    check("E", "a{2}{2}", "aaaa", Some(&["aaaa"]));
    check("E", "a**", "aa", Some(&["aa"]));
    check("E", "()", "a", Some(&[]));
    check("E", "(|a)b", "ab", Some(&["ab"]));
    check("E", r"\bfoo\b", "✗ foo ", Some(&["foo"]));
    check("E", r"\bfoo\b", "éfoo", None);
    check("E", r"\bfoo", "\u{fe0f}foo", Some(&["foo"]));
    check("E", r"\w+", "é_1 ✗", Some(&["é_1"]));
    check("E", r"\<a|b\>", "ba ab", Some(&["a", "b"]));
    check("E", r"\Ba", "aa", Some(&["a"]));
    check("G", r"\`a", "aa", Some(&["a"]));
}

#[test]
fn longest_of_the_leftmost() {
    check("E", "a|ab|abc", "abc", Some(&["abc"]));
    check("E", "a?(ab)?", "ab", Some(&["ab"]));
    check("E", "(a|ab)(c|bcd)", "abcd", Some(&["abcd"]));
    check("E", "x*|xb", "xb", Some(&["xb"]));
}

#[test]
fn brackets() {
    check("G", "[]a]", "]", Some(&["]"]));
    check("G", "[^]a]", "]ab", Some(&["b"]));
    check("G", "[a-]", "-", Some(&["-"]));
    check("G", "[--/]", "-./", Some(&["-", ".", "/"]));
    check("G", r"[\n]", r"\n", Some(&["\\", "n"]));
    check("G", "[[.-.]]", "-", Some(&["-"]));
    check("G", "[[=a=]]", "a", Some(&["a"]));
    check("G", "[[:alpha:][:digit:]_]*", "aé1_", Some(&["aé1_"]));
    check("C", "[[:alpha:]]", "é", None);
    check("G", "[^a]", "é", Some(&["é"]));
}

#[test]
fn case() {
    check("i", "k", "\u{212a}", None);
    check("i", "\u{212a}", "k", None);
    check("i", "s", "ſ", Some(&["ſ"]));
    check("i", "i", "ı", Some(&["ı"]));
    check("i", "σ", "ςΣ", Some(&["ς", "Σ"]));
    check("iC", "é", "É", None);
    check("i", "[a-c]", "B", Some(&["B"]));
    check("i", "[[:upper:]]", "é", Some(&["é"]));
}

#[test]
fn words_and_lines() {
    check("wE", "a|ab", "ab", Some(&["ab"]));
    check("w", "foo", "foobar foo", Some(&["foo"]));
    check("w", "foo.*", "foobar foo x", Some(&["foobar foo x"]));
    check("wE", "ab+|a", "abb_ a", Some(&["a"]));
    check("w", "é", "éa é", Some(&["é"]));
    check("w", "", "a b", None);
    check("w", "", "a  b", Some(&[]));
    check("x", "a.*", "abc", Some(&["abc"]));
    check("x", "b.*", "abc", None);
    check("xE", "a|abc", "abc", Some(&["abc"]));
}

/// After a match the search for fixed strings does not see that a word goes on.
#[test]
fn fixed_words_after_a_match() {
    assert_eq!(parts("FwC", &[",", "a", "n1"], "aaa1-a,"), Some(vec!["a".into(), ",".into()]));
}

#[test]
fn several_patterns() {
    assert_eq!(parts("G", &["a", "abc"], "abc"), Some(vec!["abc".into()]));
    assert_eq!(parts("F", &["a.c", ""], "abc"), Some(Vec::new()));
    // All of them plain: grep turns them into fixed strings and does not warn.
    assert!(build("G", &[r"a\d", "b"]).unwrap().warnings_with_backslashes().is_empty());
    assert!(!Matcher::new(&[], &options("G")).unwrap().is_match(b"").unwrap());
}

#[test]
fn warnings() {
    let matcher = build("E", &["*a", "b|+c", r"\d"]).unwrap();
    let star = "warning: * at start of expression";
    let plus = "warning: + at start of expression";
    assert_eq!(matcher.warnings(), [star, plus]);
    assert_eq!(matcher.warnings_with_backslashes(), [star, plus, r"warning: stray \ before d"]);
    assert!(build("G", &["*a"]).unwrap().warnings().is_empty());
}

#[test]
fn invalid_utf8_only_matters_beyond_plain_characters() {
    assert!(!build("E", &["FAIL|é+"]).unwrap().requires_valid_utf8());
    assert!(!build("E", &["[0-9]+ms"]).unwrap().requires_valid_utf8());
    assert!(build("E", &["a.b"]).unwrap().requires_valid_utf8());
    assert!(build("E", &["[^a]"]).unwrap().requires_valid_utf8());
    assert!(!build("EC", &["[^a]"]).unwrap().requires_valid_utf8());
    assert!(build("F", &["é"]).unwrap().is_match(b"\xff\xc3\xa9").unwrap());
    assert!(!build("G", &["^.$"]).unwrap().is_match(b"\xff").unwrap());
}

#[test]
fn nul_ends_lines_with_z() {
    let matcher = build("z", &["^a.b$"]).unwrap();
    assert_eq!(matcher.next_line(b"x\na\0a\nb\0", 0).unwrap(), Some(4..7));
    assert!(build("zE", &["(^|b)a$"]).is_ok() && build("E", &["b(^|a)"]).is_ok());
}

#[test]
fn declined() {
    let patterns: &[(&str, &str)] = &[
        ("G", r"\(a\)\1"),
        ("G", "["),
        ("G", "[[:foo:]]"),
        ("G", "[:space:]"),
        ("G", "[z-a]"),
        ("G", "[a-c-e]"),
        ("G", "[a-é]"),
        ("G", "[[.space.]]"),
        ("G", r"\(a"),
        ("G", r"a\)"),
        ("G", r"a\{1"),
        ("G", r"a\{1a\}"),
        ("G", "a\\"),
        ("E", "(a"),
        ("E", "(*)"),
        ("E", "a{2,1}"),
        ("E", "a{1,2,3}"),
        ("E", "a{}"),
        ("E", "a{40000}"),
        ("Ew", "a)b"),
        ("E", r"(\ba)+"),
        ("E", "(($b)?|c)+"),
        ("zE", r"\s(^|q)|xy"),
        ("zE", "[^a]^*"),
        ("zE", "(b|^)(a^c|d)"),
        ("i", "в"),
        ("iC", "[@-z]"),
        ("E", r"\w{9999}"),
    ];
    for (flags, pattern) in patterns {
        match build(flags, &[pattern]) {
            Err(Error::UnsupportedView { word, .. }) => assert_eq!(word, *pattern),
            other => panic!("grep -{flags} {pattern:?}: {other:?}"),
        }
    }
    let invalid = Matcher::new(&[b"\xff".to_vec()], &options("G"));
    assert!(invalid.is_err());
}
