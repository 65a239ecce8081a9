//! Directories remembered from earlier walks are never stale, and are not read again.

#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use sluice_core::walk::{Report, Run, Visitor, WalkOptions, walk};
use sluice_core::{CancelToken, Result};

/// The tests change variables of the process.
static ENVIRONMENT: Mutex<()> = Mutex::new(());

/// Longer than what changes within a clock tick may take to show.
const SETTLED: Duration = Duration::from_millis(130);

/// Collects every path.
struct Paths;

impl Visitor for Paths {
    type Scratch = ();
    type Found = Vec<Vec<u8>>;
    const READS_FILES: bool = false;

    fn scratch(&self) {}

    fn visit(&self, (): &mut (), run: &Run<'_>, _: &Report) -> Result<Option<(u64, Self::Found)>> {
        let paths = run.entries.iter().map(|entry| {
            let kind = format!(" {:?}", entry.kind);
            [run.path, run.name(entry), kind.as_bytes()].concat()
        });
        Ok(Some((1, paths.collect())))
    }

    fn join(found: &mut Self::Found, next: Self::Found) {
        found.extend(next);
    }
}

fn options(root: &Path) -> WalkOptions {
    WalkOptions::new(root.to_owned(), ".fdignore")
}

/// The paths, and how many directories were read.
fn walked(options: &WalkOptions) -> (Vec<String>, usize) {
    let walked = walk(options, &Paths, u64::MAX, &CancelToken::default()).unwrap();
    let paths = walked.found.concat();
    (paths.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect(), walked.listed)
}

/// The paths, with nothing remembered: walks with globs have no use for it.
fn walked_afresh(options: &WalkOptions) -> Vec<String> {
    walked(&WalkOptions { globs: vec!["!no such name".to_owned()], ..options.clone() }).0
}

/// A small linear congruential generator: the same numbers for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// Directories below `root` that can be changed.
fn directories(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut at = 0;
    while at < found.len() {
        let entries: Vec<_> = fs::read_dir(&found[at]).unwrap().flatten().collect();
        for entry in entries {
            if entry.file_type().unwrap().is_dir() && entry.file_name() != ".git" {
                found.push(entry.path());
            }
        }
        at += 1;
    }
    found
}

/// Changes something, in one of the ways in which trees change. What does not work out is left.
fn change(root: &Path, numbers: &mut Numbers) -> String {
    const NAMES: [&str; 8] = ["a", "b", "c.txt", "d.log", "e", "target", "x.tmp", "link"];
    const RULES: [&str; 7] = ["*.log\n", "*.tmp\n", "a\n\n\n\n", "!*.log\n", "b/\n\n", "target\n", "c.*\n"];
    let all = directories(root);
    let folders: Vec<&Path> = all.iter().map(PathBuf::as_path).collect();
    let folder = numbers.of(&folders);
    let path = folder.join(numbers.of(&NAMES));
    let other = numbers.of(&folders).join(numbers.of(&NAMES));
    let rules = numbers.of(&[".gitignore", ".ignore", ".fdignore", ".git/info/exclude"]);
    let what = numbers.below(14);
    let _ = match what {
        0 | 1 => fs::write(&path, "x"),
        2 | 3 => fs::create_dir(&path),
        4 => fs::remove_file(&path),
        5 => fs::remove_dir_all(&path),
        6 => fs::rename(&path, &other),
        7 => symlink("a", &path),
        8 => symlink(root, folder.join("up")),
        9 => fs::create_dir_all(folder.join(".git/info")),
        10 => fs::remove_dir_all(folder.join(".git")),
        11 => fs::remove_file(folder.join(rules)),
        // In place: the directory does not change, and neither need the size nor the modification time.
        12 => (|| {
            let mut file = OpenOptions::new().write(true).truncate(false).open(folder.join(rules))?;
            let modified = file.metadata()?.modified()?;
            file.write_all(numbers.of(&RULES).as_bytes())?;
            file.set_modified(modified)
        })(),
        _ => fs::write(folder.join(rules), numbers.of(&RULES)),
    };
    format!("{what} {} {}", path.display(), other.display())
}

#[test]
fn walks_between_random_changes_are_those_of_a_fresh_start() {
    let _guard = ENVIRONMENT.lock().unwrap();
    let rounds = std::env::var("SLUICE_WALK_ROUNDS").map_or(150, |rounds| rounds.parse().unwrap());
    let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let mut numbers = Numbers(seed);
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("outer/tree");
    fs::create_dir_all(root.join("a/b/e")).unwrap();
    fs::create_dir_all(root.join("b/a")).unwrap();
    let trees =
        [options(&root), options(&root.join("a")), WalkOptions { require_git: false, ..options(&root) }];
    let mut history = Vec::new();
    let (mut read, mut all) = (0, 0);
    for round in 0..rounds {
        for _ in 0..numbers.below(4) {
            // Also above the root.
            let top = if numbers.below(8) == 0 { dir.path() } else { &root };
            history.push(change(top, &mut numbers));
            fs::create_dir_all(root.join("a")).unwrap();
        }
        if numbers.below(3) == 0 {
            sleep(SETTLED);
        }
        for options in &trees {
            let (paths, listed) = walked(options);
            read += listed;
            all += 1 + paths.iter().filter(|path| path.ends_with("Directory")).count();
            assert_eq!(
                paths,
                walked_afresh(options),
                "seed {seed}, round {round}, {options:?}, {history:#?}"
            );
        }
    }
    assert!(read < all, "nothing was remembered: {read} of {all}");
}

/// A tree of three directories, each with a rule file, that has not changed for a while.
fn settled_tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::create_dir_all(root.join("c")).unwrap();
    for folder in ["", "a", "a/b"] {
        fs::write(root.join(folder).join(".ignore"), "*.log\n").unwrap();
        fs::write(root.join(folder).join("x.txt"), "").unwrap();
    }
    sleep(SETTLED);
    dir
}

#[test]
fn only_what_changed_is_read() {
    let dir = settled_tree();
    let options = options(dir.path());
    assert_eq!(walked(&options).1, 4);
    assert_eq!(walked(&options).1, 0);
    // A new entry: one directory, now and until its time stamp is old enough; the rules below are the same.
    File::create(dir.path().join("a/new")).unwrap();
    let (paths, listed) = walked(&options);
    assert!(paths.contains(&"a/new File".to_owned()));
    assert_eq!((listed, walked(&options).1), (1, 1));
    sleep(SETTLED);
    assert_eq!((walked(&options).1, walked(&options).1), (1, 0));
    // Other rules: their directory and what is below.
    fs::write(dir.path().join("a/.ignore"), "*.txt\n").unwrap();
    let (paths, listed) = walked(&options);
    assert!(!paths.contains(&"a/b/x.txt File".to_owned()));
    assert_eq!(listed, 2);
    sleep(SETTLED);
    walked(&options);
    assert_eq!(walked(&options).1, 0);
}

#[test]
fn other_options_and_users_have_trees_of_their_own() {
    let dir = settled_tree();
    let plain = options(dir.path());
    walked(&plain);
    assert_eq!(walked(&WalkOptions { hidden: false, ..plain.clone() }).1, 4);
    assert_eq!(walked(&WalkOptions { ignore_files: false, ..plain.clone() }).1, 4);
    assert_eq!(walked(&plain).1, 0);
}

#[test]
fn global_rules_are_seen() {
    let _guard = ENVIRONMENT.lock().unwrap();
    let dir = settled_tree();
    let extra = dir.path().join("extra");
    let options = WalkOptions { extra_ignore: Some(extra.clone()), ..options(&dir.path().join("a")) };
    let has = |name: &str| walked(&options).0.contains(&format!("{name} File"));
    assert!(has("b/x.txt"));
    for rules in ["*.txt\n", "*.log\n", "*.txt\n"] {
        fs::write(&extra, rules).unwrap();
        assert_eq!(has("b/x.txt"), rules == "*.log\n");
    }
    fs::remove_file(&extra).unwrap();
    assert!(has("b/x.txt"));
}

#[test]
fn a_fifo_in_place_of_rules_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    for name in [".gitignore", ".ignore", ".fdignore", ".git"] {
        rustix::fs::mknodat(rustix::fs::CWD, dir.path().join(name), rustix::fs::FileType::Fifo, mode, 0)
            .unwrap();
    }
    assert_eq!(walked(&options(dir.path())).0.len(), 4);
}
