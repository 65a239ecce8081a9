//! Every way to read a file gives what the projector gives for its bytes.

use std::io::Write;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::Error;

/// Blocks of a few bytes: every line crosses one.
const TINY: Geometry = Geometry { stream: 0, alone: 24, first_block: 3, block: 11, overhang: 2, longest: 5 };
/// Blocks of a few lines, and threads from the first block on.
const SMALL: Geometry =
    Geometry { stream: 16, alone: 0, first_block: 64, block: 64, overhang: 8, longest: 24 };

fn cases() -> u32 {
    std::env::var("SLUICE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

fn file(data: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(data).unwrap();
    file
}

/// Output, exit code and standard error of a file projection.
fn from_file(path: &Path, text: &str, geometry: Geometry) -> Result<(Vec<u8>, FileProjection)> {
    let pipeline = Pipeline::parse(text)?;
    let mut out = Vec::new();
    let env = ViewEnv::default();
    let end = project_with(path, &pipeline, &env, &Watch::default(), geometry, &mut |piece| {
        out.extend_from_slice(&piece);
        Ok(())
    })?;
    Ok((out, end))
}

/// The same by the projector, in one chunk.
fn from_memory(data: &[u8], text: &str) -> Result<(Vec<u8>, i32, String)> {
    let mut projector = Projector::new(&Pipeline::parse(text)?, &ViewEnv::default())?;
    let mut out = Vec::new();
    projector.push(data, &mut out)?;
    let end = projector.finish(&mut out)?;
    Ok((out, end.exit_code, end.stderr))
}

/// Compares; errors only need to be equal in kind.
fn same(data: &[u8], path: &Path, text: &str, geometry: Geometry) -> std::result::Result<(), TestCaseError> {
    match (from_file(path, text, geometry), from_memory(data, text)) {
        (Ok((out, end)), Ok((want, code, stderr))) => {
            prop_assert_eq!(
                String::from_utf8_lossy(&out),
                String::from_utf8_lossy(&want),
                "{} {:?}",
                text,
                geometry
            );
            prop_assert_eq!(&out, &want, "{} {:?}", text, geometry);
            prop_assert_eq!(end.exit_code, code, "{} {:?}", text, geometry);
            prop_assert_eq!(end.stderr, stderr, "{} {:?}", text, geometry);
            if let Some(lines) = end.input_lines {
                prop_assert!(lines <= data.split_inclusive(|b| *b == b'\n').count() as u64);
            }
            if let Some(bytes) = end.input_bytes {
                prop_assert!(bytes <= data.len() as u64);
            }
        }
        // The file was left before the bytes that the answer would depend on.
        (Ok(_), Err(Error::NeedsRealTool { .. })) if ends_early(text) => {}
        (Err(got), Err(want)) => prop_assert_eq!(got.code(), want.code(), "{}", text),
        (got, want) => prop_assert!(false, "{} {:?}: {:?} instead of {:?}", text, geometry, got, want),
    }
    Ok(())
}

/// Whether a view in the pipeline may end before its input does.
fn ends_early(text: &str) -> bool {
    ["| head", "-m", "-q", "-l ", "-L"].iter().any(|part| text.contains(part))
}

const PIPELINES: &[&str] = &[
    "tail -3",
    "tail -1",
    "tail -n 100",
    "tail -c 7",
    "tail -c 1000",
    "tail -z -n 2",
    "tail -v -n 2",
    "tail -n +3",
    "tail -c +9",
    "tail -n 0",
    "head -2",
    "head -c 9",
    "head -n -2",
    "head -c -3",
    "head -0",
    "tail -5 | head -2",
    "head -5 | tail -2",
    "tail -4 | tail -2",
    "tail -3 | head -c 2",
    "head -n -1 | tail -2",
    "grep FAIL",
    "grep -v FAIL",
    "grep -c FAIL",
    "grep -vc FAIL",
    "grep FAIL | tail -2",
    "grep -v a | tail -2",
    "grep FAIL | tail -c 5",
    "grep -c FAIL | tail -1",
    "grep a | grep -c b",
    "grep a | grep -v b | tail -3",
    "grep FAIL | head -2",
    "grep -v FAIL | head -3",
    "grep -n FAIL",
    "grep -b FAIL",
    "grep -n -C1 FAIL",
    "grep -A2 FAIL",
    "grep -B2 FAIL",
    "grep -C9 -n FAIL",
    "grep -m2 FAIL",
    "grep -m2 -A1 FAIL",
    "grep -m1 -c FAIL",
    "grep -q FAIL",
    "grep -l FAIL",
    "grep -L FAIL",
    "grep -o FAIL",
    "grep -on FAIL",
    "grep -ob FAIL",
    "grep -o FAIL | tail -2",
    "grep -H FAIL",
    "grep -z FAIL",
    "grep -zc FAIL",
    "grep -z a | tail -1",
    "grep -z -n -A1 FAIL",
    "grep -a FAIL",
    "grep -a -n -C1 FAIL | tail -3",
    "grep -I FAIL",
    "grep -I -n FAIL",
    "grep -vn a",
    "grep -v -A1 a",
    "grep -T -n FAIL",
    "grep --color=always FAIL",
    "grep --color=always -n -A1 FAIL",
    "grep FAIL | tail -n +2",
    "grep FAIL | tail -z -n 1",
    "grep ''",
    "grep -v ''",
    "grep -c ''",
    "grep -n ''",
    "grep -vc ''",
    "tail -3 | grep -n a",
    "grep -n FAIL | tail -2 | head -1",
    "grep -A1 --no-group-separator a",
    "rg FAIL",
    "rg -v FAIL",
    "rg -c FAIL",
    "rg -o FAIL",
    "rg -n FAIL",
    "rg FAIL | tail -2",
    "rg -o FAIL | tail -2",
    "rg FAIL | head -1",
    "rg -F a | rg -v b",
    "less | tail -2",
    "more | grep FAIL",
    "grep -E 'a|FAIL'",
    "grep -i fail",
    "grep -ic fail",
    "grep -in -A1 fail",
    "grep -w FAIL",
    "grep -x FAIL",
    "grep -oE '[a-z]+'",
    "grep -onE '[A-Z]+'",
    "grep -vE '^a' | tail -2",
    "grep -E '^.{3}$' | tail -1",
    "grep -n '^$'",
    "grep -c '.'",
    "grep -oi 'f[a-z]*'",
    "grep -E 'b$' | grep -n a",
    "rg -i fail",
    "rg -o '[a-z]+' | tail -3",
    "rg -n -C1 FAIL",
    "fgrep -e a -e FAIL",
    "egrep 'FAIL|é'",
];

const ONE_PER_PLAN: &[&str] = &[
    "tail -3",
    "tail -c 1000",
    "grep FAIL",
    "grep FAIL | tail -2",
    "grep -c FAIL",
    "grep -n -C1 FAIL",
    "grep -v a | tail -2",
];

fn data() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        &b"a"[..],
        b"b",
        b"ab",
        b"fail",
        b"FAIL",
        b"x y",
        b"\n",
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\xc3\xa9",
    ]);
    prop_oneof![
        6 => prop::collection::vec(piece.clone(), 0..60),
        1 => prop::collection::vec(piece, 60..600),
    ]
    .prop_map(|pieces| pieces.concat())
}

/// A little binary, seldom enough to meet it in later blocks.
fn dirt() -> impl Strategy<Value = Option<(usize, Vec<u8>)>> {
    prop::option::weighted(
        0.3,
        (0usize..700, select(vec![b"\0".to_vec(), b"\xff".to_vec(), b"a\xffFAIL".to_vec()])),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_equals_the_projector(
        text in select(PIPELINES.to_vec()),
        clean in data(),
        dirt in dirt(),
        geometry in select(vec![TINY, SMALL]),
    ) {
        let mut data = clean;
        if let Some((at, bytes)) = dirt {
            let at = at.min(data.len());
            data.splice(at..at, bytes);
        }
        let file = file(&data);
        same(&data, file.path(), text, geometry)?;
    }
}

#[test]
fn every_pipeline_is_supported() {
    for text in PIPELINES {
        let pipeline = Pipeline::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(Projector::new(&pipeline, &ViewEnv::default()).is_ok(), "{text}");
    }
}

#[test]
fn sizes_around_the_real_blocks() {
    let real = Geometry::REAL;
    let (f, b) = (real.first_block, real.block);
    let sizes =
        [f - 1, f, f + 1, 2 * f, 3 * f + 1, b - 1, b, b + 1, 2 * b, 3 * b + 1, real.alone + 2 * b + 1];
    let line = "2026-01-01 é some text of a log that is long enough\r\n".as_bytes();
    for size in sizes {
        let size = usize::try_from(size).unwrap();
        let mut data: Vec<u8> = line.iter().copied().cycle().take(size).collect();
        // Matches at both ends, and one across the first block edge.
        data[..4].copy_from_slice(b"FAIL");
        data[size - 5..size - 1].copy_from_slice(b"FAIL");
        let edge = usize::try_from(f).unwrap() - 2;
        if size > edge + 4 {
            data[edge..edge + 4].copy_from_slice(b"FAIL");
        }
        for terminated in [false, true] {
            if terminated {
                data[size - 1] = b'\n';
            }
            let file = file(&data);
            // All of them for small sizes; one of each plan for large ones, which take long without optimisation.
            let large = size > usize::try_from(b).unwrap() + 1;
            for text in if large { ONE_PER_PLAN } else { PIPELINES } {
                same(&data, file.path(), text, real).unwrap();
            }
        }
    }
}

#[test]
fn a_nul_byte_far_from_the_end_is_seen() {
    let mut data = b"FAIL line\n".repeat(400_000);
    data[1_500_004] = 0;
    let file = file(&data);
    for text in
        ["grep FAIL | tail -2", "grep line | tail -c 9", "rg FAIL | tail -1", "grep -a FAIL | tail -1"]
    {
        same(&data, file.path(), text, Geometry::REAL).unwrap();
    }
}

#[test]
fn reading_is_as_short_as_the_views_allow() {
    let data = b"line\n".repeat(4 << 20);
    let file = file(&data);
    let (out, end) = from_file(file.path(), "head -3", Geometry::REAL).unwrap();
    assert_eq!(out, b"line\nline\nline\n");
    assert_eq!(end.input_bytes, Some(Geometry::REAL.first_block));
    let watch = Watch::default();
    let pipeline = Pipeline::parse("tail -3").unwrap();
    project_file(file.path(), &pipeline, &ViewEnv::default(), &watch, &mut |_| Ok(())).unwrap();
    assert!(watch.progress.bytes() < 2 * Geometry::REAL.first_block);
    let (out, end) = from_file(file.path(), "tail -3", Geometry::REAL).unwrap();
    assert_eq!(out, b"line\nline\nline\n");
    assert_eq!((end.input_bytes, end.input_lines), (None, None));
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("none")] {
        let Err(Error::Io { what, .. }) = from_file(&path, "tail -3", TINY) else { panic!("no error") };
        assert_eq!(what, path.display().to_string());
    }
}

#[test]
fn a_cancelled_token_stops_it() {
    let file = file(b"a\nb\n");
    let watch = Watch::default();
    watch.token.cancel();
    let pipeline = Pipeline::parse("tail -1").unwrap();
    let result = project_file(file.path(), &pipeline, &ViewEnv::default(), &watch, &mut |_| Ok(()));
    assert!(matches!(result, Err(Error::Aborted)));
}

#[cfg(unix)]
#[test]
fn streams_and_odd_files() {
    use std::process::Command;

    // A FIFO with a slow writer.
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut writer =
        Command::new("sh").arg("-c").arg("printf 'a\\nb' > \"$0\"; exit").arg(&fifo).spawn().unwrap();
    let (out, end) = from_file(&fifo, "tail -1", TINY).unwrap();
    assert_eq!((out.as_slice(), end.input_lines, end.input_bytes), (&b"b"[..], Some(2), Some(3)));
    writer.wait().unwrap();

    // A FIFO that nobody writes to can be left.
    let watch = Watch::default();
    let pipeline = Pipeline::parse("tail -1").unwrap();
    let result = std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| project_file(&fifo, &pipeline, &ViewEnv::default(), &watch, &mut |_| Ok(())));
        std::thread::sleep(std::time::Duration::from_millis(30));
        watch.token.cancel();
        waiting.join().unwrap()
    });
    assert!(matches!(result, Err(Error::Aborted)));

    if cfg!(target_os = "linux") {
        // A file that claims to be empty, and one that claims to be larger than it is.
        let (out, _) = from_file(Path::new("/proc/self/status"), "head -1", TINY).unwrap();
        assert!(out.starts_with(b"Name:"));
        let setting = Path::new("/sys/kernel/mm/transparent_hugepage/enabled");
        if setting.exists() {
            let (out, _) = from_file(setting, "tail -1", Geometry::REAL).unwrap();
            assert!(out.ends_with(b"\n"));
        }
        let (out, _) = from_file(Path::new("/dev/zero"), "head -c 5", TINY).unwrap();
        assert_eq!(out, [0; 5]);
    }
    let empty = file(b"");
    assert_eq!(from_file(empty.path(), "tail -3", TINY).unwrap().0, b"");
}
