//! Which locale a tool would run in, from the environment.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::ViewEnv;
use super::getopt::reject;
use crate::Result;
use crate::matcher::Locale;

/// The locale of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ViewLocale {
    /// What a character is.
    pub locale: Locale,
    /// Whether letters sort by code point, so that `[a-z]` is what it looks like beyond ASCII.
    pub by_code_point: bool,
}

impl ViewLocale {
    const C: ViewLocale = ViewLocale { locale: Locale::C, by_code_point: true };

    /// The locale for character classification: `LC_ALL` over `LC_CTYPE` over `LANG`, an empty value
    /// being the same as none. A locale that is not installed is `C`, as `setlocale` has it.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] with the name of a locale whose behaviour is not known for certain.
    pub(crate) fn resolve(env: &ViewEnv) -> Result<Self> {
        let name = [&env.lc_all, &env.lc_ctype, &env.lang]
            .into_iter()
            .flatten()
            .find(|value| !value.is_empty())
            .map_or("C", String::as_str);
        if matches!(name, "C" | "POSIX") {
            return Ok(Self::C);
        }
        let unknown = || reject(name.as_bytes(), "locale whose rules are not known here");
        let (language, codeset) = name.split_once('.').ok_or_else(unknown)?;
        if !is_utf8(codeset) {
            return Err(unknown());
        }
        if language == "C" {
            return Ok(ViewLocale { locale: Locale::Utf8, by_code_point: true });
        }
        // Languages with their own case rules or translated messages are left to the tool.
        if !language.starts_with("en_") || !language.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_') {
            return Err(unknown());
        }
        match is_installed(language, Path::new("/usr/lib/locale")) {
            Some(true) => Ok(ViewLocale { locale: Locale::Utf8, by_code_point: false }),
            Some(false) => Ok(Self::C),
            None => Err(unknown()),
        }
    }
}

/// The ranges in the bracket expressions of a pattern, as far as their meaning depends on the order of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ranges {
    /// There are none.
    None,
    /// `[0-9]`, not negated: grep takes them for ASCII digits where it need not find the exact match.
    Digits,
    /// Of digits or of letters in one case: among ASCII characters they are what they look like.
    Plain,
    /// Others, and collating elements.
    Other,
}

impl Ranges {
    /// Those of `pattern`. Finds some that are none: `\[a-z]`.
    pub(crate) fn of(pattern: &[u8]) -> Ranges {
        let mut found = Ranges::None;
        let mut at = 0;
        while let Some(open) = memchr::memchr(b'[', &pattern[at..]) {
            at += open + 1;
            let negated = pattern.get(at) == Some(&b'^');
            at += usize::from(negated);
            let first = at;
            // A bracket in the first place is an ordinary character.
            while at < pattern.len() && (pattern[at] != b']' || at == first) {
                match (pattern[at], pattern.get(at + 1)) {
                    (b'[', Some(b'.' | b'=')) => return Ranges::Other,
                    (b'[', Some(b':')) => {
                        let class = memchr::memmem::find(&pattern[at + 2..], b":]");
                        at = class.map_or(pattern.len(), |end| at + 2 + end + 2);
                        continue;
                    }
                    (b'-', Some(&end)) if at > first && end != b']' => {
                        found = found.max(match (pattern[at - 1], end) {
                            (b'0'..=b'9', b'0'..=b'9') if !negated => Ranges::Digits,
                            (b'0'..=b'9', b'0'..=b'9')
                            | (b'a'..=b'z', b'a'..=b'z')
                            | (b'A'..=b'Z', b'A'..=b'Z') => Ranges::Plain,
                            _ => Ranges::Other,
                        });
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        found
    }
}

/// As glibc compares the names of character sets: letters and digits only, without case.
fn is_utf8(codeset: &str) -> bool {
    let plain: String =
        codeset.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    plain == "utf8"
}

/// Whether glibc finds `language.utf8` below `root`. None if that cannot be told.
fn is_installed(language: &str, root: &Path) -> Option<bool> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) || !root.join("C.utf8").exists() {
        return None;
    }
    let spellings = ["utf8", "UTF-8"].map(|codeset| format!("{language}.{codeset}"));
    if spellings.iter().any(|name| root.join(name).exists()) {
        return Some(true);
    }
    match archive_names(&root.join("locale-archive")) {
        Ok(names) => {
            let names = names?;
            Some(names.split(|&byte| byte == 0).any(|name| name == spellings[0].as_bytes()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(false),
        Err(_) => None,
    }
}

/// The table of names in a locale archive; None if the file is not one. Reads only that table, for
/// an archive can have hundreds of megabytes.
fn archive_names(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    const MAGIC: u32 = 0xde02_0109;
    const LARGEST_TABLE: u32 = 1 << 20;
    let mut file = File::open(path)?;
    let mut header = [0; 28];
    file.read_exact(&mut header)?;
    let field = |index: usize| {
        let bytes = [0, 1, 2, 3].map(|byte| header[index * 4 + byte]);
        u32::from_ne_bytes(bytes)
    };
    let (start, used) = (field(5), field(6));
    if field(0) != MAGIC || used > LARGEST_TABLE {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(start.into()))?;
    let mut names = vec![0; used as usize];
    file.read_exact(&mut names)?;
    Ok(Some(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(lc_all: &str, lc_ctype: &str, lang: &str) -> ViewEnv {
        let some = |value: &str| (value != "-").then(|| value.to_owned());
        ViewEnv { lc_all: some(lc_all), lc_ctype: some(lc_ctype), lang: some(lang), ..ViewEnv::default() }
    }

    fn locale(lc_all: &str, lc_ctype: &str, lang: &str) -> Option<Locale> {
        ViewLocale::resolve(&env(lc_all, lc_ctype, lang)).ok().map(|l| l.locale)
    }

    #[test]
    fn precedence() {
        assert_eq!(locale("-", "-", "-"), Some(Locale::C));
        assert_eq!(locale("", "", ""), Some(Locale::C));
        assert_eq!(locale("C", "C.UTF-8", "C.UTF-8"), Some(Locale::C));
        assert_eq!(locale("", "C.UTF-8", "C"), Some(Locale::Utf8));
        assert_eq!(locale("-", "-", "C.utf8"), Some(Locale::Utf8));
        assert_eq!(locale("-", "POSIX", "C.utf8"), Some(Locale::C));
    }

    #[test]
    fn unknown_locales_are_refused() {
        for name in
            ["de_DE.UTF-8", "ja_JP.eucJP", "en_US", "C.ISO-8859-1", "tr_TR.UTF-8", "en_US.UTF-8@x", "x"]
        {
            assert_eq!(locale(name, "-", "-"), None, "{name}");
        }
    }

    #[test]
    fn ranges_by_what_they_depend_on() {
        for (patterns, want) in [
            (&["a-z", "[abc]", "[-a]", "[a-]", "[^-a]", "[[:alpha:]]", "", "["][..], Ranges::None),
            (&["[0-9]", "x[0-9_]*", "[[:alpha:]0-9]"], Ranges::Digits),
            (&["[a-z]", "x[^0-9]", "[0-9a-f]", r"\[A-Z]", "[[:alpha:]a-z]", "[0-9][A-Z]"], Ranges::Plain),
            (&["[a-Z]", "[A-z]", "[ -~]", "[]-a]", "[[.a.]]", "[[=a=]]", "[a-z!-/]", "[à-é]"], Ranges::Other),
        ] {
            for pattern in patterns {
                assert_eq!(Ranges::of(pattern.as_bytes()), want, "{pattern}");
            }
        }
    }

    #[test]
    fn an_archive_is_searched_for_the_name() -> std::io::Result<()> {
        if !cfg!(all(target_os = "linux", target_env = "gnu")) {
            return Ok(());
        }
        let root = tempfile::tempdir()?;
        assert_eq!(is_installed("en_US", root.path()), None);
        std::fs::create_dir(root.path().join("C.utf8"))?;
        assert_eq!(is_installed("en_US", root.path()), Some(false));
        let names = b"\0en_US.utf8\0en_GB.utf8\0";
        let header = [0xde02_0109, 1, 56, 1, 1, 30, names.len() as u32];
        let mut archive: Vec<u8> = header.iter().flat_map(|field: &u32| field.to_ne_bytes()).collect();
        archive.extend(b"..");
        archive.extend(names);
        std::fs::write(root.path().join("locale-archive"), archive)?;
        assert_eq!(is_installed("en_US", root.path()), Some(true));
        assert_eq!(is_installed("en_CA", root.path()), Some(false));
        std::fs::create_dir(root.path().join("en_CA.utf8"))?;
        assert_eq!(is_installed("en_CA", root.path()), Some(true));
        Ok(())
    }
}
