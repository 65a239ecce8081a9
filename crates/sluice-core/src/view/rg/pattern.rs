//! What has to be known about a pattern of `rg` before it is compiled.

use regex_syntax::ast::{self, Ast, ClassSetItem};
use regex_syntax::hir::{Hir, HirKind};

use crate::Result;
use crate::matcher::Syntax;
use crate::view::getopt::reject;
use crate::view::grep::GrepSpec;

/// How case counts; of several options the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// `-s`
    Exact,
    /// `-i`
    Ignore,
    /// `-S`: ignored if the patterns have letters, none of them in upper case.
    Smart,
}

/// Syntax that not all versions of ripgrep know.
const NEW_SYNTAX: &[&[u8]] = &[br"\<", br"\>", br"\b{", b"(?<", b"(?R", b"{,"];

/// Refuses patterns that are not exact; returns whether case is ignored.
///
/// # Errors
///
/// [`crate::Error::UnsupportedView`] with the pattern.
pub(super) fn check(patterns: &[&[u8]], grep: &GrepSpec, case: Case) -> Result<bool> {
    let fixed = grep.syntax == Syntax::RustFixed;
    let mut letters = Letters::default();
    for &pattern in patterns {
        let refuse = |why: &str| reject(pattern, why);
        let text = std::str::from_utf8(pattern).map_err(|_| refuse("not UTF-8"))?;
        if text.contains('\n') {
            return Err(refuse("a newline in the pattern"));
        }
        let plain_word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !text.is_empty();
        if grep.word && !plain_word {
            return Err(refuse("versions of rg differ about -w with such a pattern"));
        }
        if fixed {
            text.chars().for_each(|c| letters.add(c));
            if grep.only_matching && text.is_empty() {
                return Err(refuse("empty matches with -o"));
            }
            continue;
        }
        if NEW_SYNTAX.iter().any(|new| memchr::memmem::find(pattern, new).is_some()) {
            return Err(refuse("syntax of newer versions of rg"));
        }
        let ast = ast::parse::Parser::new().parse(text).map_err(|error| refuse(&error.kind().to_string()))?;
        let hir = regex_syntax::hir::translate::TranslatorBuilder::new()
            .utf8(false)
            .multi_line(true)
            .build()
            .translate(text, &ast)
            .map_err(|error| refuse(&error.kind().to_string()))?;
        if grep.only_matching
            && [br"\b", br"\B"].iter().any(|edge| memchr::memmem::find(pattern, *edge).is_some())
        {
            return Err(refuse("versions of rg differ about word boundaries with -o"));
        }
        if has_newline(&hir) {
            return Err(refuse("a newline in the pattern"));
        }
        if grep.only_matching && hir.properties().minimum_len().unwrap_or(0) == 0 {
            return Err(refuse("empty matches with -o"));
        }
        letters.visit(&ast);
    }
    Ok(match case {
        Case::Exact => false,
        Case::Ignore => true,
        Case::Smart => letters.any && !letters.upper,
    })
}

fn has_newline(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Repetition(repetition) => has_newline(&repetition.sub),
        HirKind::Capture(capture) => has_newline(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_newline),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// The literal characters of patterns, as far as `-S` asks.
#[derive(Default)]
struct Letters {
    any: bool,
    upper: bool,
}

impl Letters {
    fn add(&mut self, c: char) {
        self.any = true;
        self.upper |= c.is_uppercase();
    }

    fn visit(&mut self, ast: &Ast) {
        match ast {
            Ast::Literal(literal) => self.add(literal.c),
            Ast::ClassBracketed(class) => self.visit_set(&class.kind),
            Ast::Repetition(repetition) => self.visit(&repetition.ast),
            Ast::Group(group) => self.visit(&group.ast),
            Ast::Alternation(alternation) => alternation.asts.iter().for_each(|ast| self.visit(ast)),
            Ast::Concat(concat) => concat.asts.iter().for_each(|ast| self.visit(ast)),
            Ast::Empty(_)
            | Ast::Flags(_)
            | Ast::Dot(_)
            | Ast::Assertion(_)
            | Ast::ClassUnicode(_)
            | Ast::ClassPerl(_) => {}
        }
    }

    fn visit_set(&mut self, set: &ast::ClassSet) {
        match set {
            ast::ClassSet::Item(item) => self.visit_item(item),
            ast::ClassSet::BinaryOp(operation) => {
                self.visit_set(&operation.lhs);
                self.visit_set(&operation.rhs);
            }
        }
    }

    fn visit_item(&mut self, item: &ClassSetItem) {
        match item {
            ClassSetItem::Literal(literal) => self.add(literal.c),
            ClassSetItem::Range(range) => {
                self.add(range.start.c);
                self.add(range.end.c);
            }
            ClassSetItem::Bracketed(class) => self.visit_set(&class.kind),
            ClassSetItem::Union(union) => union.items.iter().for_each(|item| self.visit_item(item)),
            ClassSetItem::Empty(_)
            | ClassSetItem::Ascii(_)
            | ClassSetItem::Unicode(_)
            | ClassSetItem::Perl(_) => {}
        }
    }
}
