//! Lines that are longer than what views are ready to hold, and what of them is held.

use sluice_core::Error;
use sluice_core::pipeline::{Pipeline, Projector};
use sluice_core::view::ViewEnv;

const MIB: usize = 1 << 20;

fn projector(text: &str) -> Projector {
    Projector::new(&Pipeline::parse(text).unwrap(), &ViewEnv::default()).unwrap()
}

/// What comes of `head`, then `count` MiB of `x`, then `tail`, pushed piece by piece.
fn run(text: &str, head: &[u8], count: usize, tail: &[u8]) -> sluice_core::Result<(Vec<u8>, i32)> {
    let mut projector = projector(text);
    let mut out = Vec::new();
    projector.push(head, &mut out)?;
    let filler = vec![b'x'; MIB];
    for _ in 0..count {
        projector.push(&filler, &mut out)?;
    }
    for byte in tail.chunks(1) {
        projector.push(byte, &mut out)?;
    }
    let end = projector.finish(&mut out)?;
    Ok((out, end.exit_code))
}

/// Beyond the limit of 256 MiB: only the decision about the line is asked, for which it is not held.
#[test]
fn a_line_that_is_only_decided_about_has_no_limit() {
    for (text, out, code) in [
        ("grep -c FAIL", "1\n", 0),
        ("grep -c -e FAIL -e ERROR", "1\n", 0),
        ("grep -cv FAIL", "1\n", 0),
        ("grep -ci fail", "1\n", 0),
        ("grep -c ''", "2\n", 0),
        ("grep -q FAIL", "", 0),
        ("rg -c FAIL", "1\n", 0),
    ] {
        for tail in ["FAIL\nend\n", "FAIL\nend"] {
            assert_eq!(run(text, b"", 300, tail.as_bytes()).unwrap(), (out.into(), code), "{text}");
        }
        assert_eq!(run(text, b"FAIL", 300, b"x\nend\n").unwrap(), (out.into(), code), "{text}");
    }
    assert_eq!(run("grep -c FAIL", b"FAI", 300, b"FAI\nL\n").unwrap(), (b"0\n".to_vec(), 1));
    assert_eq!(run("grep -l FAIL", b"", 300, b"FAI\nFAL").unwrap(), (b"".to_vec(), 1));
}

#[test]
fn a_line_that_has_to_be_held_has_one() {
    for text in ["grep FAIL", "grep -cE 'FA[I]+L$'", "grep -v FAIL | tail -1"] {
        let ended = run(text, b"", 257, b"FAIL\nend\n");
        assert!(
            matches!(&ended, Err(Error::NeedsRealTool { reason }) if reason.contains("256 MiB")),
            "{text}"
        );
    }
    assert_eq!(run("grep -o 'FA[I]L'", b"FAIL", 20, b"FAIL\nend\n").unwrap(), (b"FAIL\nFAIL\n".to_vec(), 0));
}
