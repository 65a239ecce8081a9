//! Which entries are ignored: the rule files of a directory and of those above it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};

use super::directory::{Directory, Listing};
use super::options::WalkOptions;
use crate::{Error, Result};

/// What holds for the whole walk.
#[derive(Debug)]
pub(super) struct Rules {
    options: WalkOptions,
    overrides: Override,
    global: Gitignore,
    extra: Gitignore,
    /// The root without symbolic links, if there are rules above it.
    above: Option<PathBuf>,
}

/// The rule files of one directory. Directories without any share their parent's level.
#[derive(Debug)]
pub(super) struct Level {
    parent: Option<Arc<Level>>,
    custom: Gitignore,
    ignore: Gitignore,
    git: Gitignore,
    exclude: Gitignore,
    /// Whether the directory is the top of a repository: git's rules above it do not hold below.
    is_repository: bool,
    /// Whether this or a level above is the top of a repository.
    in_repository: bool,
    /// Whether the directory lies above the root, so that absolute paths are matched.
    above_root: bool,
}

/// Which rule files a directory has.
#[derive(Clone, Copy, Default)]
struct Present {
    custom: bool,
    ignore: bool,
    git_ignore: bool,
    git: bool,
    jujutsu: bool,
}

impl Rules {
    /// Reads the rules that hold for the whole walk, and those above the root.
    pub(super) fn new(options: &WalkOptions) -> Result<(Self, Option<Arc<Level>>)> {
        let mut globs = OverrideBuilder::new("");
        for glob in &options.globs {
            globs.add(glob).map_err(|error| Error::InvalidPattern(error.to_string()))?;
        }
        let overrides = globs.build().map_err(|error| Error::InvalidPattern(error.to_string()))?;
        let mut rules = Rules {
            options: options.clone(),
            overrides,
            global: Gitignore::empty(),
            extra: Gitignore::empty(),
            above: None,
        };
        let mut level = None;
        if options.ignore_files {
            rules.global = GitignoreBuilder::new("").build_global().0;
            if let Some(path) = options.extra_ignore.as_ref().filter(|path| path.is_file()) {
                rules.extra = read_rules(Path::new(""), path);
            }
            // A root that cannot be resolved cannot be opened either.
            if let Ok(absolute) = options.root.canonicalize() {
                let above: Vec<&Path> = absolute.ancestors().skip(1).collect();
                for directory in above.into_iter().rev() {
                    let present = Present {
                        custom: directory.join(options.custom_ignore).exists(),
                        ignore: directory.join(".ignore").exists(),
                        git_ignore: directory.join(".gitignore").exists(),
                        git: directory.join(".git").exists(),
                        jujutsu: directory.join(".jj").exists(),
                    };
                    level = rules.level(level, directory, directory, present, true);
                }
                if level.is_some() {
                    rules.above = Some(absolute);
                }
            }
        }
        Ok((rules, level))
    }

    /// The level for the entries of a directory, given its own listing; `path` is relative to the root.
    pub(super) fn descend(
        &self,
        parent: Option<&Arc<Level>>,
        directory: &Directory,
        path: &Path,
        listing: &Listing,
    ) -> Option<Arc<Level>> {
        if !self.options.ignore_files {
            return None;
        }
        let mut present = Present::default();
        for name in
            listing.entries.iter().map(|entry| listing.name(*entry)).filter(|name| name.starts_with(b"."))
        {
            match name {
                b".gitignore" => present.git_ignore = true,
                b".ignore" => present.ignore = true,
                b".git" => present.git = directory.exists(".git"),
                b".jj" => present.jujutsu = directory.exists(".jj"),
                _ => present.custom |= name == self.options.custom_ignore.as_bytes(),
            }
        }
        self.level(parent.cloned(), path, &self.options.root.join(path), present, false)
    }

    fn level(
        &self,
        parent: Option<Arc<Level>>,
        base: &Path,
        on_disk: &Path,
        present: Present,
        above_root: bool,
    ) -> Option<Arc<Level>> {
        let rules = |present: bool, name: &str| {
            if present { read_rules(base, &on_disk.join(name)) } else { Gitignore::empty() }
        };
        let exclude = if present.git { git_directory(on_disk) } else { None };
        let is_repository = self.options.require_git && (present.git || present.jujutsu);
        let level = Level {
            custom: rules(present.custom, self.options.custom_ignore),
            ignore: rules(present.ignore, ".ignore"),
            git: rules(present.git_ignore, ".gitignore"),
            exclude: exclude.map_or_else(Gitignore::empty, |git| read_rules(base, &git.join("info/exclude"))),
            is_repository,
            in_repository: is_repository || parent.as_ref().is_some_and(|parent| parent.in_repository),
            above_root,
            parent: None,
        };
        if !level.is_repository
            && [&level.custom, &level.ignore, &level.git, &level.exclude].iter().all(|rules| rules.is_empty())
        {
            return parent;
        }
        Some(Arc::new(Level { parent, ..level }))
    }

    /// Whether an entry is left out; `path` is relative to the root, without a final `/`.
    pub(super) fn skips(&self, level: Option<&Arc<Level>>, path: &Path, name: &[u8], is_dir: bool) -> bool {
        match self.overrides.matched(path, is_dir) {
            Match::None => {}
            decided => return decided.is_ignore(),
        }
        match self.matched(level, path, is_dir) {
            Match::Ignore(()) => true,
            Match::Whitelist(()) => false,
            Match::None => !self.options.hidden && name.first() == Some(&b'.'),
        }
    }

    fn matched(&self, level: Option<&Arc<Level>>, path: &Path, is_dir: bool) -> Match<()> {
        if !self.options.ignore_files {
            return Match::None;
        }
        let any_git = !self.options.require_git || level.is_some_and(|level| level.in_repository);
        let mut inside_repository = false;
        let (mut custom, mut ignore, mut git, mut exclude) =
            (Match::None, Match::None, Match::None, Match::None);
        let mut absolute = None;
        let mut next = level;
        while let Some(level) = next {
            let path = match (&self.above, level.above_root) {
                (Some(above), true) => absolute.get_or_insert_with(|| above.join(path)),
                _ => path,
            };
            let consult = |found: &mut Match<()>, rules: &Gitignore| {
                if found.is_none() && !rules.is_empty() {
                    *found = rules.matched(path, is_dir).map(|_| ());
                }
            };
            consult(&mut custom, &level.custom);
            consult(&mut ignore, &level.ignore);
            if any_git && !inside_repository {
                consult(&mut git, &level.git);
                consult(&mut exclude, &level.exclude);
            }
            inside_repository |= level.is_repository;
            next = level.parent.as_ref();
        }
        let global = if any_git { self.global.matched(path, is_dir).map(|_| ()) } else { Match::None };
        let extra = self.extra.matched(path, is_dir).map(|_| ());
        custom.or(ignore).or(git).or(exclude).or(global).or(extra)
    }
}

/// The rules in a file, for paths below `base`. Lines that cannot be read or are no globs are left out, as
/// git and ripgrep do.
fn read_rules(base: &Path, file: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(base);
    drop(builder.add(file));
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The repository's own directory; `.git` may be a file that names it, as in worktrees.
fn git_directory(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    if !fs::metadata(&git).ok()?.is_file() {
        return Some(git);
    }
    let line = first_line(&git)?;
    let worktree = directory.join(line.strip_prefix("gitdir: ")?);
    let common = first_line(&worktree.join("commondir"))?;
    Some(worktree.join(common))
}

fn first_line(path: &Path) -> Option<String> {
    BufReader::new(File::open(path).ok()?).lines().next()?.ok()
}
