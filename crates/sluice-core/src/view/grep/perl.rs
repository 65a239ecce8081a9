//! `grep -P`: the patterns on which PCRE and the engine agree, and on what input.
//!
//! Everything else, first of all look-around, `\K`, back-references and Unicode properties, is left to the
//! real tool. Which characters `\d`, `\w`, `\b` and `-i` take beyond ASCII differs between versions of grep,
//! and PCRE gives up on lines that need too many steps: both limit the input instead of the pattern.

use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassSet, ClassSetItem, Flag, FlagsItemKind, GroupKind, HexLiteralKind,
    Literal, LiteralKind, RepetitionKind, RepetitionRange, SpecialLiteralKind, parse,
};

use super::GrepSpec;
use crate::Result;
use crate::view::getopt::reject;

/// Longest line on which PCRE is sure to come to an end, if the pattern can try it in many ways; in bytes.
const LONGEST_LINE: usize = 500;
/// More unbounded repetitions than this may be tried in too many ways even on such a line.
const MAX_UNBOUNDED: u32 = 3;
/// The same for `?` and `{m,n}`.
const MAX_OPTIONAL: u32 = 6;
/// The longest `{n}`.
const MAX_COUNT: u32 = 50;

/// On which input a pattern has a certain answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PerlLimits {
    /// On ASCII only.
    pub ascii: bool,
    /// On lines up to this length, in bytes.
    pub longest_line: Option<usize>,
}

/// Checks the pattern of a `grep -P`.
///
/// # Errors
///
/// [`crate::Error::UnsupportedView`] with the pattern, or with an option that changes how PCRE is used.
pub(super) fn check(spec: &GrepSpec) -> Result<PerlLimits> {
    let [pattern] = spec.patterns.as_slice() else {
        return Err(reject(b"-P", "with more than one pattern"));
    };
    if spec.word || spec.null_data {
        return Err(reject(b"-P", "with -w or -z"));
    }
    let refuse = || reject(pattern, "this pattern of -P is left to the real tool");
    let text = std::str::from_utf8(pattern).map_err(|_| refuse())?;
    let new_syntax = [r"\<", r"\>", r"\b{", "(?<", "{,", "(?P"];
    if new_syntax.iter().any(|part| text.contains(part)) {
        return Err(refuse());
    }
    let ast = parse::Parser::new().parse(text).map_err(|_| refuse())?;
    let mut check = Check { ascii: spec.ignore_case, unbounded: 0, optional: 0 };
    if !check.top(&ast) || check.unbounded > MAX_UNBOUNDED || check.optional > MAX_OPTIONAL {
        return Err(refuse());
    }
    // After an empty match grep goes on at the next byte, which may be within a character.
    let empty = (spec.only_matching || spec.color) && !consumes(&ast);
    Ok(PerlLimits {
        ascii: check.ascii || empty,
        longest_line: (check.unbounded > 0 || check.optional > 0).then_some(LONGEST_LINE),
    })
}

struct Check {
    ascii: bool,
    unbounded: u32,
    optional: u32,
}

impl Check {
    /// A whole pattern, with `(?i)` in front at most.
    fn top(&mut self, ast: &Ast) -> bool {
        let is_ignore_case = |ast: &Ast| match ast {
            Ast::Flags(flags) => {
                flags.flags.items.len() == 1
                    && flags.flags.items[0].kind == FlagsItemKind::Flag(Flag::CaseInsensitive)
            }
            _ => false,
        };
        match ast {
            Ast::Concat(concat) if concat.asts.first().is_some_and(is_ignore_case) => {
                self.ascii = true;
                concat.asts[1..].iter().all(|ast| self.part(ast, false))
            }
            _ => self.part(ast, false),
        }
    }

    /// Whether a part is understood; `repeated` parts must match in one way only.
    fn part(&mut self, ast: &Ast, repeated: bool) -> bool {
        match ast {
            Ast::Empty(_) | Ast::Dot(_) => true,
            Ast::Literal(literal) => is_common(literal),
            Ast::Assertion(assertion) => self.assertion(assertion),
            Ast::ClassPerl(_) => {
                self.ascii = true;
                true
            }
            Ast::ClassBracketed(class) => self.set(&class.kind),
            Ast::Group(group) => {
                let plain = match &group.kind {
                    GroupKind::CaptureIndex(_) => true,
                    GroupKind::NonCapturing(flags) => flags.items.is_empty(),
                    GroupKind::CaptureName { .. } => false,
                };
                plain && self.part(&group.ast, repeated)
            }
            Ast::Concat(concat) => concat.asts.iter().all(|ast| self.part(ast, repeated)),
            Ast::Alternation(alternation) => {
                !repeated && alternation.asts.iter().all(|ast| self.part(ast, false))
            }
            Ast::Repetition(repetition) => {
                let fixed = match &repetition.op.kind {
                    RepetitionKind::ZeroOrOne => {
                        self.optional += 1;
                        false
                    }
                    RepetitionKind::Range(RepetitionRange::Exactly(count)) => {
                        if *count > MAX_COUNT {
                            return false;
                        }
                        true
                    }
                    RepetitionKind::Range(RepetitionRange::Bounded(_, most)) => {
                        self.optional += 1;
                        if *most > MAX_COUNT {
                            return false;
                        }
                        false
                    }
                    RepetitionKind::ZeroOrMore
                    | RepetitionKind::OneOrMore
                    | RepetitionKind::Range(RepetitionRange::AtLeast(0..=MAX_COUNT)) => {
                        self.unbounded += 1;
                        false
                    }
                    RepetitionKind::Range(RepetitionRange::AtLeast(_)) => return false,
                };
                // `a++` is possessive in PCRE, and `a{2}{3}` is not what it seems either.
                let single =
                    !matches!(&*repetition.ast, Ast::Repetition(_) | Ast::Assertion(_) | Ast::Flags(_));
                let greedy = repetition.greedy
                    || !matches!(repetition.op.kind, RepetitionKind::Range(RepetitionRange::Exactly(_)));
                single
                    && greedy
                    && (fixed || !repeated)
                    && consumes(&repetition.ast)
                    && self.part(&repetition.ast, true)
            }
            Ast::Flags(_) | Ast::ClassUnicode(_) => false,
        }
    }

    fn assertion(&mut self, assertion: &Assertion) -> bool {
        match assertion.kind {
            AssertionKind::StartLine
            | AssertionKind::EndLine
            | AssertionKind::StartText
            | AssertionKind::EndText => true,
            AssertionKind::WordBoundary | AssertionKind::NotWordBoundary => {
                self.ascii = true;
                true
            }
            _ => false,
        }
    }

    fn set(&mut self, set: &ClassSet) -> bool {
        match set {
            ClassSet::Item(item) => self.item(item),
            ClassSet::BinaryOp(_) => false,
        }
    }

    fn item(&mut self, item: &ClassSetItem) -> bool {
        match item {
            ClassSetItem::Literal(literal) => is_common(literal),
            ClassSetItem::Range(range) => is_common(&range.start) && is_common(&range.end),
            ClassSetItem::Ascii(_) | ClassSetItem::Perl(_) => {
                self.ascii = true;
                true
            }
            ClassSetItem::Union(union) => union.items.iter().all(|item| self.item(item)),
            ClassSetItem::Empty(_) | ClassSetItem::Unicode(_) | ClassSetItem::Bracketed(_) => false,
        }
    }
}

/// Whether both engines write a character in this way.
fn is_common(literal: &Literal) -> bool {
    match &literal.kind {
        LiteralKind::Verbatim | LiteralKind::Meta | LiteralKind::Superfluous => literal.c != '\n',
        LiteralKind::HexFixed(HexLiteralKind::X) => literal.c.is_ascii() && literal.c != '\n',
        LiteralKind::Special(kind) => matches!(
            kind,
            SpecialLiteralKind::Tab
                | SpecialLiteralKind::CarriageReturn
                | SpecialLiteralKind::FormFeed
                | SpecialLiteralKind::Bell
        ),
        _ => false,
    }
}

/// Whether every match of a part has at least one character.
fn consumes(ast: &Ast) -> bool {
    match ast {
        Ast::Literal(_) | Ast::Dot(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) | Ast::ClassUnicode(_) => {
            true
        }
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => false,
        Ast::Group(group) => consumes(&group.ast),
        Ast::Concat(concat) => concat.asts.iter().any(consumes),
        Ast::Alternation(alternation) => alternation.asts.iter().all(consumes),
        Ast::Repetition(repetition) => {
            let least = match &repetition.op.kind {
                RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore => 0,
                RepetitionKind::OneOrMore => 1,
                RepetitionKind::Range(
                    RepetitionRange::Exactly(least)
                    | RepetitionRange::AtLeast(least)
                    | RepetitionRange::Bounded(least, _),
                ) => *least,
            };
            least > 0 && consumes(&repetition.ast)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matcher::Syntax;

    fn limits(pattern: &str) -> Option<PerlLimits> {
        let patterns = vec![pattern.as_bytes().to_vec()];
        check(&GrepSpec { syntax: Syntax::Perl, patterns, ..GrepSpec::default() }).ok()
    }

    #[test]
    fn what_agents_write() {
        let on_all = PerlLimits::default();
        for pattern in [
            "",
            "FAIL",
            "a|b",
            "^x",
            r"error\.",
            r"a\r$",
            r"\t",
            r"a\/b\:[\/\-]",
            r"\x41|\x61",
            "[a-z_.-]",
            "é✓",
            r"(?:a|b)c",
        ] {
            assert_eq!(limits(pattern), Some(on_all), "{pattern}");
        }
        let short = PerlLimits { ascii: false, longest_line: Some(LONGEST_LINE) };
        for pattern in ["a.*b", "a+?", "[^,]*,", "colou?r", "(ab)+", "x{2,3}"] {
            assert_eq!(limits(pattern), Some(short), "{pattern}");
        }
        let both = PerlLimits { ascii: true, longest_line: Some(LONGEST_LINE) };
        for pattern in [r"\d+", r"^\w+$", "(?i)hello.*", r"\bx\b.*y", "[[:digit:]]+", r"[\w.]+@[a-z.]+"] {
            assert_eq!(limits(pattern), Some(both), "{pattern}");
        }
    }

    #[test]
    fn what_is_left_to_the_tool() {
        for pattern in [
            r"(?<=a)b",
            r"a(?=b)",
            r"(?!x)a",
            r"a\Kb",
            r"(a)\1",
            r"\p{Lu}",
            r"\R",
            r"\h",
            "a++",
            "a*+",
            "a{2}{3}",
            "(a*)*",
            "(a|b)+",
            "(a?b)+",
            "a(?i)b",
            "(?i:a)",
            "(?P<n>a)",
            "a{,2}",
            r"\v",
            r"\n",
            r"\x{e9}",
            r"\xe9",
            "[a[b]",
            "[a&&b]",
            "a.*b.*c.*d.*e",
            "a{51}",
            "(",
            "a{3}?",
            r"\<a",
            "(?x)a",
            r"\Z",
            r"\e",
            r"^*",
        ] {
            assert_eq!(limits(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn options_count() {
        let spec = |change: fn(&mut GrepSpec)| {
            let mut spec = GrepSpec { patterns: vec![b"a".to_vec()], ..GrepSpec::default() };
            change(&mut spec);
            check(&spec).ok()
        };
        assert_eq!(spec(|spec| spec.word = true), None);
        assert_eq!(spec(|spec| spec.null_data = true), None);
        assert_eq!(spec(|spec| spec.patterns.push(b"b".to_vec())), None);
        assert!(spec(|spec| spec.ignore_case = true).is_some_and(|limits| limits.ascii));
    }
}
