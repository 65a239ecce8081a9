//! Which entries are ignored: the rule files of a directory and of those above it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use ignore::overrides::{Override, OverrideBuilder};

use super::directory::Listing;
use super::options::WalkOptions;
use super::watched::{Seen, Watched};
use crate::{Error, Result};

/// Bytes of a line that names a directory, at most.
const MAX_LINE: u64 = 16 * 1024;

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

/// Where the rules for the whole walk come from.
#[derive(Debug)]
pub(super) struct Origin {
    /// The root without symbolic links.
    absolute: Option<PathBuf>,
    global: Option<PathBuf>,
    extra: Option<PathBuf>,
    /// The directories above the root, the highest first.
    above: Vec<RuleFiles>,
    watched: Watched,
}

impl Origin {
    /// Looks where rules are; `began` is a time before that.
    pub(super) fn of(options: &WalkOptions, began: SystemTime) -> Self {
        let mut watched = Watched::new(began);
        if !options.ignore_files {
            return Origin { absolute: None, global: None, extra: None, above: Vec::new(), watched };
        }
        // A root that cannot be resolved cannot be opened either.
        let absolute = options.root.canonicalize().ok();
        let mut above: Vec<&Path> = absolute.iter().flat_map(|root| root.ancestors().skip(1)).collect();
        above.reverse();
        let above = above
            .into_iter()
            .map(|path| RuleFiles::in_directory(path, options, |_| true, &mut watched))
            .collect();
        Origin {
            global: gitconfig_excludes_path().and_then(|path| watched.file(path)),
            extra: options.extra_ignore.clone().and_then(|path| watched.file(path)),
            absolute,
            above,
            watched,
        }
    }

    /// Whether a later look found the same, so that the rules are the same.
    pub(super) fn is_same(&self, later: &Origin) -> bool {
        self.absolute == later.absolute && self.global == later.global && self.watched.is_same(&later.watched)
    }
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

/// The rule files that a directory has.
#[derive(Debug)]
struct RuleFiles {
    directory: PathBuf,
    custom: Option<PathBuf>,
    ignore: Option<PathBuf>,
    git: Option<PathBuf>,
    exclude: Option<PathBuf>,
    is_repository: bool,
}

impl RuleFiles {
    /// Looks for the rule files of a directory; `has` tells which names it may have.
    fn in_directory(
        directory: &Path,
        options: &WalkOptions,
        has: impl Fn(&str) -> bool,
        watched: &mut Watched,
    ) -> Self {
        let mut file = |name: &str| if has(name) { watched.file(directory.join(name)) } else { None };
        let (custom, ignore, git) = (file(options.custom_ignore), file(".ignore"), file(".gitignore"));
        let mut look =
            |name: &str| if has(name) { watched.look(directory.join(name)) } else { Seen::Nothing };
        let (dot_git, jujutsu) = (look(".git"), look(".jj"));
        RuleFiles {
            directory: directory.to_owned(),
            custom,
            ignore,
            git,
            exclude: exclude_file(directory, dot_git, watched),
            is_repository: options.require_git && (dot_git != Seen::Nothing || jujutsu != Seen::Nothing),
        }
    }
}

impl Rules {
    /// Reads the rules that hold for the whole walk, and those above the root.
    pub(super) fn new(options: &WalkOptions, origin: &Origin) -> Result<(Self, Option<Arc<Level>>)> {
        let mut globs = OverrideBuilder::new("");
        for glob in &options.globs {
            globs.add(glob).map_err(|error| Error::InvalidPattern(error.to_string()))?;
        }
        let overrides = globs.build().map_err(|error| Error::InvalidPattern(error.to_string()))?;
        let level =
            origin.above.iter().fold(None, |level, files| Level::below(level, &files.directory, files, true));
        let rules = Rules {
            options: options.clone(),
            overrides,
            global: read_rules(Path::new(""), origin.global.as_deref()),
            extra: read_rules(Path::new(""), origin.extra.as_deref()),
            above: origin.absolute.clone().filter(|_| level.is_some()),
        };
        Ok((rules, level))
    }

    /// The level for the entries of a directory, given its own listing, and what it was read from; `path` is
    /// relative to the root. `known` is an earlier level under the same parent, with what that was read from.
    pub(super) fn descend(
        &self,
        parent: Option<&Arc<Level>>,
        path: &Path,
        listing: &Listing,
        known: Option<(Option<&Arc<Level>>, &Watched)>,
        began: SystemTime,
    ) -> (Option<Arc<Level>>, Watched) {
        let mut watched = Watched::new(began);
        if !self.options.ignore_files {
            return (None, watched);
        }
        let dotted: Vec<&[u8]> = listing
            .entries
            .iter()
            .map(|entry| listing.name(*entry))
            .filter(|name| name.starts_with(b"."))
            .collect();
        let has = |name: &str| dotted.contains(&name.as_bytes());
        let files = RuleFiles::in_directory(&self.options.root.join(path), &self.options, has, &mut watched);
        let level = match known {
            Some((level, before)) if before.is_same(&watched) => level.cloned(),
            _ => Level::below(parent.cloned(), path, &files, false),
        };
        (level, watched)
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

impl Level {
    /// The level of a directory with these rule files, whose paths are matched below `base`; its parent's if
    /// it has no rules.
    fn below(
        parent: Option<Arc<Level>>,
        base: &Path,
        files: &RuleFiles,
        above_root: bool,
    ) -> Option<Arc<Level>> {
        let rules = |file: &Option<PathBuf>| read_rules(base, file.as_deref());
        let level = Level {
            custom: rules(&files.custom),
            ignore: rules(&files.ignore),
            git: rules(&files.git),
            exclude: rules(&files.exclude),
            is_repository: files.is_repository,
            in_repository: files.is_repository || parent.as_ref().is_some_and(|parent| parent.in_repository),
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
}

/// The rules in a file, for paths below `base`. Lines that cannot be read or are no globs are left out, as
/// git and ripgrep do.
fn read_rules(base: &Path, file: Option<&Path>) -> Gitignore {
    let Some(file) = file else { return Gitignore::empty() };
    let mut builder = GitignoreBuilder::new(base);
    drop(builder.add(file));
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The exclude file of a repository's own directory; `.git` may be a file that names that, as in worktrees.
fn exclude_file(directory: &Path, dot_git: Seen, watched: &mut Watched) -> Option<PathBuf> {
    let git = directory.join(".git");
    let common = match dot_git {
        Seen::Directory => git,
        Seen::File(_) => {
            let line = first_line(&git)?;
            let worktree = directory.join(line.strip_prefix("gitdir: ")?);
            let common = first_line(&watched.file(worktree.join("commondir"))?)?;
            worktree.join(common)
        }
        Seen::Nothing | Seen::Special => return None,
    };
    watched.file(common.join("info/exclude"))
}

fn first_line(path: &Path) -> Option<String> {
    BufReader::new(File::open(path).ok()?.take(MAX_LINE)).lines().next()?.ok()
}
