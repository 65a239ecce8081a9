//! GNU basic and extended regular expressions.
//!
//! GNU grep holds two matchers with a parser each: its own (`dfa.c`), which decides about most
//! lines, and the C library's, which decides about the rest and finds what `-o` prints. They
//! agree on every sensible pattern and part on the others (`grep -E '^*a'`), so that both are
//! modelled here: one lexer, two grammars.

mod bracket;
mod dfa;
mod interval;
mod lexer;
mod regex;

use super::ast::Ast;
use super::{Locale, MatcherOptions, Syntax};
use crate::{Error, Result};

/// Deepest nesting of groups that is accepted.
const MAX_DEPTH: u32 = 200;

/// Most repetition operators in a pattern that repeat a repetition, as in `a**`: each makes the tree deeper.
const MAX_STACKED: u32 = 200;

/// Counts the operators that repeat a repetition.
struct Stacked(u32);

impl Stacked {
    /// One more operator, the `nth` behind its expression, counted from 0.
    fn push(&mut self, nth: u32) -> std::result::Result<(), Refusal> {
        self.0 += u32::from(nth > 0);
        if self.0 > MAX_STACKED { Err("too many repetitions of repetitions") } else { Ok(()) }
    }
}

/// One parsed pattern.
#[derive(Debug)]
pub(super) struct Parsed {
    /// As grep's own matcher reads it.
    pub(super) dfa: Ast,
    /// As the C library's matcher reads it.
    pub(super) regex: Ast,
    /// What the lexer noticed on the way.
    pub(super) notes: Notes,
}

/// What a pattern contains, as far as it matters after parsing.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Something that grep's own matcher leaves to the C library's in this locale.
    pub(super) beyond_dfa: bool,
    /// `.`, about which the two matchers differ in invalid UTF-8.
    pub(super) any: bool,
    /// A `)` that closes nothing and is therefore literal (extended syntax).
    pub(super) stray_close: bool,
    /// Warnings that grep prints, in order.
    pub(super) warnings: Vec<String>,
    /// Warnings of a grep that also warns of needless backslashes, in order.
    pub(super) all_warnings: Vec<String>,
}

/// Parses one pattern of [`super::Syntax::Basic`] or [`super::Syntax::Extended`]. `more` tells
/// whether other patterns follow it.
pub(super) fn parse(pattern: &[u8], more: bool, options: &MatcherOptions) -> Result<Parsed> {
    let extended = options.syntax == Syntax::Extended;
    let refuse = |why: &str| Error::unsupported(String::from_utf8_lossy(pattern), why);
    let chars = decode(pattern, options.locale).ok_or_else(|| refuse("invalid UTF-8"))?;
    let lexer = || lexer::Lexer::new(&chars, extended, options);
    let mut notes = Notes::default();
    // The C library goes first: it rejects what grep rejects.
    let regex = regex::Parser::new(lexer()).parse().map_err(refuse)?;
    let dfa = dfa::Parser::new(lexer(), more, &mut notes).parse().map_err(refuse)?;
    Ok(Parsed { dfa, regex, notes })
}

/// The pattern as characters; in the `C` locale each byte is one. None if it is not valid.
pub(super) fn decode(pattern: &[u8], locale: Locale) -> Option<Vec<char>> {
    match locale {
        Locale::Utf8 => Some(std::str::from_utf8(pattern).ok()?.chars().collect()),
        Locale::C => Some(pattern.iter().map(|&b| char::from(b)).collect()),
    }
}

/// Why a pattern was refused.
type Refusal = &'static str;

/// The tree of a fixed string.
pub(super) fn literal(pattern: &[u8], options: &MatcherOptions) -> Result<Ast> {
    let refuse = |why: &str| Error::unsupported(String::from_utf8_lossy(pattern), why);
    let chars = decode(pattern, options.locale).ok_or_else(|| refuse("invalid UTF-8"))?;
    let lexer = lexer::Lexer::new(&[], false, options);
    let nodes = chars.iter().map(|&c| lexer.literal(c)).collect::<std::result::Result<Vec<_>, _>>();
    nodes.map(Ast::concat).map_err(refuse)
}
