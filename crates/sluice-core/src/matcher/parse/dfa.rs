//! The grammar of grep's own matcher.
//!
//! A repetition operator at the start of an extended expression repeats the empty string, and one
//! behind an anchor repeats the anchor.

use super::interval::Interval;
use super::lexer::{Lexer, Token};
use super::{MAX_DEPTH, Notes, Refusal, Stacked};
use crate::matcher::ast::Ast;
use crate::matcher::{Locale, ctype};

/// A token once its context is known.
enum Item {
    Node(Ast),
    Repeat(u32, Option<u32>),
    Alt,
    Open,
    Close,
    End,
}

pub(super) struct Parser<'a, 'n> {
    lexer: Lexer<'a>,
    notes: &'n mut Notes,
    item: Item,
    /// Only anchors have been read since the start, `(` or `|`.
    at_start: bool,
    /// Groups that are open.
    parens: u32,
    stacked: Stacked,
}

impl<'a, 'n> Parser<'a, 'n> {
    /// `more` tells whether other patterns follow this one.
    pub(super) fn new(mut lexer: Lexer<'a>, more: bool, notes: &'n mut Notes) -> Self {
        lexer.lax_dollar = true;
        lexer.more |= more;
        Parser { lexer, notes, item: Item::End, at_start: true, parens: 0, stacked: Stacked(0) }
    }

    pub(super) fn parse(mut self) -> Result<Ast, Refusal> {
        self.advance()?;
        let ast = self.alternation(0)?;
        match self.item {
            Item::End => Ok(ast),
            _ => Err("unmatched )"),
        }
    }

    fn alternation(&mut self, depth: u32) -> Result<Ast, Refusal> {
        if depth > MAX_DEPTH {
            return Err("groups nested too deeply");
        }
        let mut branches = vec![self.branch(depth)?];
        while let Item::Alt = self.item {
            self.advance()?;
            branches.push(self.branch(depth)?);
        }
        Ok(Ast::alternate(branches))
    }

    fn branch(&mut self, depth: u32) -> Result<Ast, Refusal> {
        let mut parts = vec![self.closure(depth)?];
        while !matches!(self.item, Item::Close | Item::Alt | Item::End) {
            parts.push(self.closure(depth)?);
        }
        parts.retain(|part| *part != Ast::Empty);
        Ok(Ast::concat(parts))
    }

    fn closure(&mut self, depth: u32) -> Result<Ast, Refusal> {
        let mut node = self.atom(depth)?;
        let mut nth = 0;
        while let Item::Repeat(min, max) = self.item {
            self.stacked.push(nth)?;
            nth += 1;
            self.advance()?;
            node = match (node, max) {
                (Ast::Empty, _) | (_, Some(0)) => Ast::Empty,
                (node, _) => Ast::Repeat { node: Box::new(node), min, max },
            };
        }
        Ok(node)
    }

    fn atom(&mut self, depth: u32) -> Result<Ast, Refusal> {
        match std::mem::replace(&mut self.item, Item::End) {
            Item::Node(node) => {
                self.advance()?;
                Ok(node)
            }
            Item::Open => {
                self.advance()?;
                let group = self.alternation(depth + 1)?;
                if !matches!(self.item, Item::Close) {
                    return Err("unmatched (");
                }
                self.advance()?;
                Ok(group)
            }
            other => {
                self.item = other;
                Ok(Ast::Empty)
            }
        }
    }

    fn advance(&mut self) -> Result<(), Refusal> {
        self.item = match self.lexer.next()? {
            Token::Char(c) => self.literal(c)?,
            Token::Stray(c) => self.stray(c)?,
            Token::Any => {
                self.notes.any = true;
                self.node(self.lexer.any())
            }
            Token::Set { set, beyond_dfa } => {
                self.notes.beyond_dfa |= beyond_dfa;
                self.node(Ast::Set(set))
            }
            Token::Assert(assertion) => {
                self.notes.beyond_dfa |= assertion.is_word() && self.lexer.locale == Locale::Utf8;
                Item::Node(Ast::Assert(assertion))
            }
            Token::Star => self.operator('*', 0, None)?,
            Token::Plus => self.operator('+', 1, None)?,
            Token::Question => self.operator('?', 0, Some(1))?,
            Token::Brace => self.brace()?,
            Token::Alt => {
                self.at_start = true;
                Item::Alt
            }
            Token::Open => {
                self.parens += 1;
                self.at_start = true;
                Item::Open
            }
            Token::Close if self.parens == 0 && self.lexer.extended => {
                self.notes.stray_close = true;
                self.literal(')')?
            }
            Token::Close => {
                self.parens = self.parens.checked_sub(1).ok_or("unmatched )")?;
                self.at_start = false;
                Item::Close
            }
            Token::End => Item::End,
        };
        Ok(())
    }

    fn operator(&mut self, c: char, min: u32, max: Option<u32>) -> Result<Item, Refusal> {
        if self.at_start {
            if !self.lexer.extended {
                return if c == '*' { self.literal(c) } else { self.stray(c) };
            }
            self.warn(&c.to_string());
        }
        Ok(Item::Repeat(min, max))
    }

    fn brace(&mut self) -> Result<Item, Refusal> {
        if self.at_start && !self.lexer.extended {
            return self.stray('{');
        }
        match self.lexer.interval()? {
            Interval::Literal => self.literal('{'),
            Interval::Counts(min, max) => {
                if self.at_start {
                    self.warn("{...}");
                }
                self.at_start = false;
                Ok(Item::Repeat(min, max))
            }
        }
    }

    fn warn(&mut self, operator: &str) {
        let warning = format!("warning: {operator} at start of expression");
        self.notes.warnings.push(warning.clone());
        self.notes.all_warnings.push(warning);
    }

    fn stray(&mut self, c: char) -> Result<Item, Refusal> {
        let what = match c {
            _ if !ctype::is_class("print", c, self.lexer.locale) => "unprintable character".to_owned(),
            _ if ctype::is_class("space", c, self.lexer.locale) => "white space".to_owned(),
            _ => c.to_string(),
        };
        self.notes.all_warnings.push(format!("warning: stray \\ before {what}"));
        self.literal(c)
    }

    fn literal(&mut self, c: char) -> Result<Item, Refusal> {
        let node = self.lexer.literal(c)?;
        Ok(self.node(node))
    }

    fn node(&mut self, node: Ast) -> Item {
        self.at_start = false;
        Item::Node(node)
    }
}
