//! Runs of GNU grep 3.8, recorded one by one in the C.UTF-8 locale: options, input, output, messages, exit code.

mod common;

use common::project;
use sluice_core::Error;
use sluice_core::pipeline::Pipeline;
use sluice_core::view::{ViewEnv, ViewSpec};

type Row = (&'static str, &'static [u8], &'static [u8], &'static str, i32);

/// Words stand between single spaces; two in a row are an empty word.
const RUNS: &[Row] = &[
    ("grep a", b"a1\nb\na2", b"a1\na2\n", "", 0),
    ("grep -v a", b"a1\nb\nc", b"b\nc\n", "", 0),
    ("grep -c a", b"a\na\nb\n", b"2\n", "", 0),
    ("grep -cv a", b"a\na\nb", b"1\n", "", 0),
    ("grep -cH a", b"a\na\nb\n", b"(standard input):2\n", "", 0),
    ("grep -cHZ a", b"a\na\nb\n", b"(standard input)\x002\n", "", 0),
    ("grep -l a", b"a\n", b"(standard input)\n", "", 0),
    ("grep -lZ a", b"a\n", b"(standard input)\0", "", 0),
    ("grep -L a", b"a\n", b"", "", 0),
    ("grep -L x", b"a\n", b"(standard input)\n", "", 1),
    ("grep -Lm0 a", b"a\n", b"(standard input)\n", "", 1),
    ("grep -q a", b"b\na\n", b"", "", 0),
    ("grep -q x", b"b\na\n", b"", "", 1),
    ("grep -m1 -A3 a", b"x\na\na\nb\na\nc\n", b"a\na\nb\na\n", "", 0),
    ("grep -m2 -c a", b"a\na\na\n", b"2\n", "", 0),
    ("grep -m0 a", b"a\n", b"", "", 1),
    ("grep -m0 -c a", b"a\n", b"", "", 1),
    ("grep -m2 -v a", b"x\na\ny\nz\n", b"x\ny\n", "", 0),
    ("grep -vc ", b"a\n", b"", "", 1),
    ("grep -nb a", b"a\nb\nab\n", b"1:0:a\n3:4:ab\n", "", 0),
    ("grep -nT a", b"a\nb\nab\n", b"                  1:\ta\n                  3:\tab\n", "", 0),
    ("grep -T a", b"a\n", b"a\n", "", 0),
    ("grep -HT -A1 a", b"a\nb\n\n", b"(standard input):\ta\n(standard input)-\tb\n", "", 0),
    ("grep -bnT ", b"\nx\n", b"                  1:                  0:\n                  2:                  1:\tx\n", "", 0),
    ("grep -HZn a", b"a\nb\na\n", b"(standard input)\x001:a\n(standard input)\x003:a\n", "", 0),
    ("grep --label=in -Hb a", b"b\na\n", b"in:2:a\n", "", 0),
    ("grep -o a", b"aba\nb\na\n", b"a\na\na\n", "", 0),
    ("grep -on -A1 a", b"a\nc\nb\na\nd\n", b"1:a\n--\n4:a\n", "", 0),
    ("grep -ov -A1 a", b"ab\nc\nab\n", b"a\n", "", 0),
    ("grep -C1 a", b"1\n2\na\n4\n5\n6\na\n8\n9\n", b"2\na\n4\n--\n6\na\n8\n", "", 0),
    ("grep -nC1 a", b"1\n2\na\n4\n5\na\n7\n", b"2-2\n3:a\n4-4\n5-5\n6:a\n7-7\n", "", 0),
    ("grep -A0 a", b"a\nb\na\n", b"a\n--\na\n", "", 0),
    ("grep -B1 -A0 a", b"a\nb\nc\na\n", b"a\n--\nc\na\n", "", 0),
    ("grep -A1 --no-group-separator a", b"a\nb\nc\na\n", b"a\nb\na\n", "", 0),
    ("grep -A1 --group-separator=** a", b"a\nb\nc\na\n", b"a\nb\n**\na\n", "", 0),
    ("grep -C1 -v b", b"a\nb\nb\nb\nc\n", b"a\nb\n--\nb\nc\n", "", 0),
    ("grep -2 a", b"1\n2\n3\na\n5\n6\n7\n", b"2\n3\na\n5\n6\n", "", 0),
    ("grep -z a", b"a\nb\0c\0xa", b"a\nb\0xa\0", "", 0),
    ("grep -zc b", b"a\nb\0c\0xb\0", b"2\n", "", 0),
    ("grep --color=always a", b"xaay\r\n", b"x\x1b[01;31m\x1b[Ka\x1b[m\x1b[K\x1b[01;31m\x1b[Ka\x1b[m\x1b[Ky\r\n", "", 0),
    ("grep --color=always -nHb -A1 a", b"xay\nz\nq\na\n", b"\x1b[35m\x1b[K(standard input)\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[32m\x1b[K1\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[32m\x1b[K0\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[Kx\x1b[01;31m\x1b[Ka\x1b[m\x1b[Ky\n\x1b[35m\x1b[K(standard input)\x1b[m\x1b[K\x1b[36m\x1b[K-\x1b[m\x1b[K\x1b[32m\x1b[K2\x1b[m\x1b[K\x1b[36m\x1b[K-\x1b[m\x1b[K\x1b[32m\x1b[K4\x1b[m\x1b[K\x1b[36m\x1b[K-\x1b[m\x1b[Kz\n\x1b[36m\x1b[K--\x1b[m\x1b[K\n\x1b[35m\x1b[K(standard input)\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[32m\x1b[K4\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[32m\x1b[K8\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[01;31m\x1b[Ka\x1b[m\x1b[K\n", "", 0),
    ("grep --color=always -l a", b"a\n", b"\x1b[35m\x1b[K(standard input)\x1b[m\x1b[K\n", "", 0),
    ("grep --color=always -v -C1 a", b"xay\nz\n", b"x\x1b[01;31m\x1b[Ka\x1b[m\x1b[Ky\nz\n", "", 0),
    ("grep --color=always -o a", b"xay\nz\n", b"\x1b[01;31m\x1b[Ka\x1b[m\x1b[K\n", "", 0),
    ("grep a", b"a\0\nb\n", b"", "grep: (standard input): binary file matches\n", 0),
    ("grep b", b"x\na\0b\n", b"", "grep: (standard input): binary file matches\n", 0),
    ("grep -c b", b"b\na\0b\nb\n", b"3\n", "", 0),
    ("grep -v x", b"x\0x\n", b"", "", 1),
    ("grep -a a", b"a\0\n", b"a\0\n", "", 0),
    ("grep -I a", b"a\0\n", b"", "", 1),
    ("grep -cI a", b"a\na\0\n", b"0\n", "", 1),
    ("grep -o a", b"\0a\n", b"", "grep: (standard input): binary file matches\n", 0),
    ("grep -q a", b"\0a\n", b"", "", 0),
    ("grep -l b", b"a\0b\n", b"(standard input)\n", "", 0),
    ("grep -m1 a", b"\0a\na\n", b"", "grep: (standard input): binary file matches\n", 0),
    ("grep a", b"a1\na\xff\na2\n", b"a1\na2\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -a a", b"a\xff\n", b"a\xff\n", "", 0),
    ("grep -I a", b"a1\na\xff\n", b"a1\n", "", 0),
    ("grep -c a", b"a\xff\n", b"1\n", "", 0),
    ("grep -o a", b"a\xff\n", b"a\n", "", 0),
    ("grep -v x", b"\xff\na\n", b"a\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -A3 a", b"a\nb\n\xff\nc\nd\na2\n", b"a\nb\n--\na2\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -B2 a", b"x\n\xff\ny\na\nz\nw\na\n", b"y\na\nz\nw\na\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -B1 a", b"a\xff\na2\n", b"--\na2\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -A1 a", b"a\xff\na2\n", b"--\na2\n", "grep: (standard input): binary file matches\n", 0),
    ("grep -z b", b"a\0b\xff\0b2\0", b"b2\0", "grep: (standard input): binary file matches\n", 0),
    ("egrep a", b"a\n", b"a\n", "", 0),
    ("fgrep a", b"a\n", b"a\n", "", 0),
];

fn env() -> ViewEnv {
    ViewEnv { lc_all: Some("C.UTF-8".into()), ..ViewEnv::default() }
}

fn pipeline(words: &str) -> Pipeline {
    let words = words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
    Pipeline::from_words(&[words]).unwrap()
}

#[test]
fn recorded_runs_in_every_chunking() {
    for &(words, input, output, stderr, code) in RUNS {
        for chunks in [&[][..], &[1], &[2], &[3, 0, 5], &[7], &[4099]] {
            let (out, end) = project(&pipeline(words), &env(), input, chunks).unwrap();
            let show = String::from_utf8_lossy;
            assert_eq!(
                (show(&out), end.stderr.as_str(), end.exit_code),
                (show(output), stderr, code),
                "{words} {:?} {chunks:?}",
                show(input)
            );
        }
    }
}

#[test]
fn what_depends_on_buffers_is_left_to_the_tool() {
    for (words, input) in [
        ("grep a", &b"a\nb\0\n"[..]),
        ("grep -m1 a", b"a\nb\0\n"),
        ("grep -qI a", b"a\nb\0\n"),
        ("grep -A1 a", b"a\nb\nc\na\xff\n"),
        ("grep -v -A1 x", b"a\n\xff\n\xff\na\n"),
        ("grep a", b"a\xf5\x80\x80\x80\n"),
    ] {
        let got = project(&pipeline(words), &env(), input, &[]);
        assert!(
            matches!(got, Err(Error::NeedsRealTool { .. })),
            "{words} {:?}: {got:?}",
            String::from_utf8_lossy(input)
        );
    }
    let zeros = [b"a\0".as_slice(), &[0; 5000], b"a\n"].concat();
    for chunks in [&[][..], &[1], &[4099]] {
        let got = project(&pipeline("grep -c a"), &env(), &zeros, chunks);
        assert!(matches!(got, Err(Error::NeedsRealTool { .. })));
    }
    // Empty lines are selected here, so that grep drops none of the zeros.
    let (out, _) = project(&pipeline("grep -vc x"), &env(), &zeros, &[4099]).unwrap();
    assert_eq!(out, b"5002\n");
}

#[test]
fn satisfied_when_grep_would_exit() {
    let satisfied = |words: &str, input: &[u8]| {
        let words: Vec<&str> = words.split(' ').collect();
        let mut view = ViewSpec::parse(&words).unwrap().build(&env()).unwrap();
        view.push(input, &mut Vec::new()).unwrap();
        view.satisfied()
    };
    for (words, input) in [
        ("grep -q a", "b\na\n"),
        ("grep -l a", "a\n"),
        ("grep -L a", "a\n"),
        ("grep -m1 a", "a\n"),
        ("grep -m2 -c a", "a\na\n"),
        ("grep -m1 -A1 a", "a\nb\n"),
        ("grep -m0 a", ""),
        ("grep -v ", ""),
        ("grep -vq x", "x\na\n"),
    ] {
        assert!(satisfied(words, input.as_bytes()), "{words} {input:?}");
    }
    for (words, input) in [
        ("grep -q a", "b\na"),
        ("grep -L a", "b\n"),
        ("grep -m2 a", "a\n"),
        ("grep -m1 -A1 a", "a\n"),
        ("grep a", "a\n"),
        ("grep -c a", "a\n"),
        // Once its input is binary, grep reads on to the end.
        ("grep a", "\0a\n"),
        ("grep -I a", "\0a\n"),
    ] {
        assert!(!satisfied(words, input.as_bytes()), "{words} {input:?}");
    }
}

#[test]
fn messages_that_not_every_grep_has() {
    let run = |words: &[&str], env: ViewEnv| {
        let mut view = ViewSpec::parse(words).unwrap().build(&env).unwrap();
        view.finish(&mut Vec::new()).unwrap();
        view.stderr().to_owned()
    };
    let warns = ViewEnv { egrep_warns: true, grep_warns: true, ..env() };
    assert_eq!(run(&["egrep", "a"], warns.clone()), "egrep: warning: egrep is obsolescent; using grep -E\n");
    assert_eq!(run(&["fgrep", "a"], warns.clone()), "fgrep: warning: fgrep is obsolescent; using grep -F\n");
    assert_eq!(run(&["grep", "a"], warns), "");
    let old = ViewEnv { grep_color: Some("7".into()), ..env() };
    assert_eq!(
        run(&["grep", "--color=always", "a"], old.clone()),
        "grep: warning: GREP_COLOR='7' is deprecated; use GREP_COLORS='mt=7'\n"
    );
    assert_eq!(run(&["grep", "a"], old), "");
}

#[test]
fn other_character_sets_are_left_to_the_tool() {
    let spec = ViewSpec::parse(&["grep", "a"]).unwrap();
    let latin = ViewEnv { lang: Some("de_DE.ISO-8859-1".into()), ..ViewEnv::default() };
    assert!(matches!(spec.build(&latin), Err(Error::UnsupportedView { .. })));
}

#[test]
fn lines_longer_than_any_buffer() {
    let long = [vec![b'x'; 300_000], b"a".to_vec(), vec![b'y'; 300_000]].concat();
    let input = [b"1\n", &long[..], b"\n2\n", &long, b"\n3"].concat();
    for chunks in [&[][..], &[4096], &[65_536]] {
        let (out, _) = project(&pipeline("grep -n -B1 a"), &env(), &input, chunks).unwrap();
        let want = [b"1-1\n2:".as_slice(), &long, b"\n3-2\n4:", &long, b"\n"].concat();
        assert!(out == want, "{chunks:?}");
    }
}
