//! Syntax trees to `regex-syntax`' representation.

use regex_syntax::hir::{Class, Hir, Look, Repetition};

use super::Locale;
use super::ast::{Assertion, Ast};
use super::ctype::CharSet;

/// What becomes of `\<`, `\>`, `\b` and `\B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Assertions about ASCII words: exact in the `C` locale and in lines that are ASCII. For
    /// others [`super::nfa::LineNfa`] takes them as assertions about grep's words.
    Kept,
    /// Nothing: the result matches wherever the pattern does, and elsewhere.
    Dropped,
}

/// How trees are translated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Translator {
    /// Whether sets hold characters or bytes.
    pub(super) locale: Locale,
    /// The byte that no match may contain.
    pub(super) terminator: u8,
    /// What to do with word assertions.
    pub(super) words: Words,
}

impl Translator {
    /// Translates `ast`. Its line anchors hold at terminators, so that the result can be searched
    /// for in a buffer of many lines, and no match crosses a terminator.
    pub(super) fn translate(&self, ast: &Ast) -> Hir {
        match ast {
            Ast::Empty => Hir::empty(),
            Ast::Set(set) => self.set(set),
            Ast::Assert(assertion) => self.assertion(*assertion),
            Ast::Concat(parts) => Hir::concat(parts.iter().map(|part| self.translate(part)).collect()),
            Ast::Alternate(branches) => {
                Hir::alternation(branches.iter().map(|branch| self.translate(branch)).collect())
            }
            Ast::Repeat { node, min, max } => Hir::repetition(Repetition {
                min: *min,
                max: *max,
                greedy: true,
                sub: Box::new(self.translate(node)),
            }),
        }
    }

    fn set(&self, set: &CharSet) -> Hir {
        let mut set = set.clone();
        set.remove(char::from(self.terminator));
        match (self.locale, set.single()) {
            (Locale::Utf8, Some(c)) => Hir::literal(c.to_string().into_bytes()),
            (Locale::Utf8, None) => Hir::class(Class::Unicode(set.0)),
            (Locale::C, _) => Hir::class(Class::Bytes(set.to_bytes())),
        }
    }

    fn assertion(&self, assertion: Assertion) -> Hir {
        if self.words == Words::Dropped && assertion.is_word() {
            return Hir::empty();
        }
        Hir::look(match assertion {
            Assertion::LineStart => Look::StartLF,
            Assertion::LineEnd | Assertion::BufferEnd => Look::EndLF,
            Assertion::WordStart => Look::WordStartAscii,
            Assertion::WordEnd => Look::WordEndAscii,
            Assertion::WordEdge => Look::WordAscii,
            Assertion::NotWordEdge => Look::WordAsciiNegate,
        })
    }
}
