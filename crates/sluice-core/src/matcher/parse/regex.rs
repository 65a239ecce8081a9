//! The grammar of the C library's matcher.
//!
//! A repetition operator at the start of an extended expression, or behind an anchor, is skipped;
//! in a basic expression it is a literal character.

use super::interval::Interval;
use super::lexer::{Lexer, Token};
use super::{MAX_DEPTH, Refusal, Stacked};
use crate::matcher::ast::Ast;
use crate::matcher::ctype::CharSet;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    stacked: Stacked,
}

impl<'a> Parser<'a> {
    pub(super) fn new(lexer: Lexer<'a>) -> Self {
        Parser { lexer, token: Token::End, stacked: Stacked(0) }
    }

    pub(super) fn parse(mut self) -> Result<Ast, Refusal> {
        self.advance()?;
        self.alternation(0)
    }

    fn advance(&mut self) -> Result<(), Refusal> {
        self.token = self.lexer.next()?;
        Ok(())
    }

    /// Whether the current token ends a branch of a group at `depth`.
    fn at_branch_end(&self, depth: u32) -> bool {
        match self.token {
            Token::Alt | Token::End => true,
            Token::Close => depth > 0,
            _ => false,
        }
    }

    fn alternation(&mut self, depth: u32) -> Result<Ast, Refusal> {
        if depth > MAX_DEPTH {
            return Err("groups nested too deeply");
        }
        let mut branches = vec![self.branch(depth)?];
        while let Token::Alt = self.token {
            self.advance()?;
            branches.push(if self.at_branch_end(depth) { Ast::Empty } else { self.branch(depth)? });
        }
        Ok(Ast::alternate(branches))
    }

    fn branch(&mut self, depth: u32) -> Result<Ast, Refusal> {
        let mut parts = vec![self.expression(depth)?];
        while !self.at_branch_end(depth) {
            parts.push(self.expression(depth)?);
        }
        parts.retain(|part| *part != Ast::Empty);
        Ok(Ast::concat(parts))
    }

    fn expression(&mut self, depth: u32) -> Result<Ast, Refusal> {
        if self.lexer.extended {
            while matches!(self.token, Token::Star | Token::Plus | Token::Question | Token::Brace) {
                self.advance()?;
            }
        }
        let mut node = match std::mem::replace(&mut self.token, Token::End) {
            // The library compares the upper case of the text with the letter as it stands here.
            Token::Stray(c) if self.lexer.ignore_case && c.is_ascii_lowercase() => Ast::Set(CharSet::empty()),
            Token::Char(c) | Token::Stray(c) => self.lexer.literal(c)?,
            Token::Star => self.lexer.literal('*')?,
            Token::Plus => self.lexer.literal('+')?,
            Token::Question => self.lexer.literal('?')?,
            Token::Brace => self.lexer.literal('{')?,
            Token::Close if self.lexer.extended => self.lexer.literal(')')?,
            Token::Close => return Err("unmatched )"),
            Token::Any => self.lexer.any(),
            Token::Set { set, .. } => Ast::Set(set),
            Token::Assert(assertion) => {
                self.advance()?;
                return Ok(Ast::Assert(assertion));
            }
            Token::Open => self.group(depth)?,
            token @ (Token::Alt | Token::End) => {
                self.token = token;
                return Ok(Ast::Empty);
            }
        };
        self.advance()?;
        for nth in 0.. {
            let (min, max) = match self.token {
                Token::Star => (0, None),
                Token::Plus => (1, None),
                Token::Question => (0, Some(1)),
                Token::Brace => match self.lexer.interval()? {
                    Interval::Counts(min, max) => (min, max),
                    Interval::Literal => {
                        self.token = Token::Char('{');
                        return Ok(node);
                    }
                },
                _ => return Ok(node),
            };
            self.stacked.push(nth)?;
            self.advance()?;
            node = match (node, max) {
                (Ast::Empty, _) | (_, Some(0)) => Ast::Empty,
                (node, _) => Ast::Repeat { node: Box::new(node), min, max },
            };
        }
        Ok(node)
    }

    /// A group, up to its `)`, which is left as the current token.
    fn group(&mut self, depth: u32) -> Result<Ast, Refusal> {
        self.advance()?;
        if let Token::Close = self.token {
            return Ok(Ast::Empty);
        }
        let group = self.alternation(depth + 1)?;
        match self.token {
            Token::Close => Ok(group),
            _ => Err("unmatched ("),
        }
    }
}
