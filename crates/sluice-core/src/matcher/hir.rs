//! Syntax trees to `regex-syntax`' representation.

use regex_syntax::hir::{Class, Hir, Look, Repetition};

use super::Locale;
use super::ast::{Assertion, Ast};
use super::ctype::CharSet;

/// What becomes of `\<`, `\>`, `\b` and `\B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Assertions about ASCII words: exact in the `C` locale and in lines that are ASCII.
    Ascii,
    /// Assertions that only [`super::nfa::LineNfa`] runs, which knows grep's words.
    Exact,
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
        use Assertion::{BufferEnd, LineEnd, LineStart, NotWordEdge, WordEdge, WordEnd, WordStart};
        Hir::look(match (assertion, self.words) {
            (LineStart, _) => Look::StartLF,
            (LineEnd, _) => Look::EndLF,
            (BufferEnd, Words::Exact) => Look::End,
            (BufferEnd, _) => Look::EndLF,
            (_, Words::Dropped) => return Hir::empty(),
            (WordStart, Words::Ascii) => Look::WordStartAscii,
            (WordEnd, Words::Ascii) => Look::WordEndAscii,
            (WordEdge, Words::Ascii) => Look::WordAscii,
            (NotWordEdge, Words::Ascii) => Look::WordAsciiNegate,
            (WordStart, Words::Exact) => Look::WordStartUnicode,
            (WordEnd, Words::Exact) => Look::WordEndUnicode,
            (WordEdge, Words::Exact) => Look::WordUnicode,
            (NotWordEdge, Words::Exact) => Look::WordUnicodeNegate,
        })
    }
}
