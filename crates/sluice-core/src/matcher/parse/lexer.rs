//! Pattern text to tokens: the part on which grep's two parsers agree.

use super::Refusal;
use super::interval::Interval;
use crate::matcher::ast::{Assertion, Ast};
use crate::matcher::ctype::{self, CharSet};
use crate::matcher::{Locale, MatcherOptions};

/// A token. Repetition operators are reported even where they stand at the start of an
/// expression; what they mean there is for the parser to say.
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// A literal character.
    Char(char),
    /// A literal character behind a backslash that it does not need.
    Stray(char),
    /// `.`
    Any,
    /// A bracket expression, `\w`, `\W`, `\s` or `\S`.
    Set {
        /// The characters that match.
        set: CharSet,
        /// Grep's own matcher leaves this set to the C library.
        beyond_dfa: bool,
    },
    /// A zero-width assertion.
    Assert(Assertion),
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `?`
    Question,
    /// `{`: [`Lexer::interval`] reads what follows.
    Brace,
    /// `|`
    Alt,
    /// `(`
    Open,
    /// `)`
    Close,
    /// The end of the pattern.
    End,
}

/// Reads tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    pub(super) chars: &'a [char],
    pub(super) pos: usize,
    pub(super) extended: bool,
    pub(super) locale: Locale,
    pub(super) ignore_case: bool,
    /// `$)` and `$|` hold an anchor even in a basic expression.
    pub(super) lax_dollar: bool,
    /// Other patterns follow.
    pub(super) more: bool,
    /// The next `^` of a basic expression is an anchor.
    caret: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(chars: &'a [char], extended: bool, options: &MatcherOptions) -> Self {
        let (locale, ignore_case) = (options.locale, options.ignore_case);
        let (lax_dollar, more) = (false, options.word || options.line);
        Lexer { chars, pos: 0, extended, locale, ignore_case, lax_dollar, more, caret: true }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.pos).copied()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += 1;
        Some(c)
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token, Refusal> {
        let caret = std::mem::replace(&mut self.caret, false);
        let Some(c) = self.bump() else { return Ok(Token::End) };
        let token = match c {
            '\\' => self.escape()?,
            '[' => self.bracket()?,
            '.' => Token::Any,
            '*' => Token::Star,
            '^' if self.extended || caret => Token::Assert(Assertion::LineStart),
            '$' if self.extended || self.dollar_is_anchor() => Token::Assert(Assertion::LineEnd),
            '+' if self.extended => Token::Plus,
            '?' if self.extended => Token::Question,
            '{' if self.extended => Token::Brace,
            '|' if self.extended => Token::Alt,
            '(' if self.extended => Token::Open,
            ')' if self.extended => Token::Close,
            c => Token::Char(c),
        };
        self.caret = matches!(token, Token::Alt | Token::Open);
        Ok(token)
    }

    /// In a basic expression `$` is an anchor at the end of a branch only.
    fn dollar_is_anchor(&self) -> bool {
        match &self.chars[self.pos..] {
            [] | ['\\', '|' | ')', ..] => true,
            // Grep's own matcher forgets the backslash, but not at the very end.
            ['|' | ')', rest @ ..] => self.lax_dollar && (self.more || !rest.is_empty()),
            _ => false,
        }
    }

    fn escape(&mut self) -> Result<Token, Refusal> {
        let c = self.bump().ok_or("trailing backslash")?;
        Ok(match c {
            '1'..='9' => return Err("back-reference"),
            '<' => Token::Assert(Assertion::WordStart),
            '>' => Token::Assert(Assertion::WordEnd),
            'b' => Token::Assert(Assertion::WordEdge),
            'B' => Token::Assert(Assertion::NotWordEdge),
            '`' => Token::Assert(Assertion::LineStart),
            '\'' => Token::Assert(Assertion::BufferEnd),
            'w' | 'W' => self.shorthand(ctype::word_class(self.locale), c == 'W'),
            's' | 'S' => {
                let space = ctype::class("space", self.locale).ok_or("no class [:space:]")?;
                self.shorthand(space, c == 'S')
            }
            '+' if !self.extended => Token::Plus,
            '?' if !self.extended => Token::Question,
            '{' if !self.extended => Token::Brace,
            '|' if !self.extended => Token::Alt,
            '(' if !self.extended => Token::Open,
            ')' if !self.extended => Token::Close,
            '\\' | '^' | '$' | '.' | '*' | '[' | ']' | '}' => Token::Char(c),
            '+' | '?' | '{' | '|' | '(' | ')' => Token::Char(c),
            _ => Token::Stray(c),
        })
    }

    fn shorthand(&self, mut set: CharSet, negated: bool) -> Token {
        if self.ignore_case {
            set = set.fold(self.locale);
        }
        if negated {
            set.negate(self.locale);
        }
        Token::Set { set, beyond_dfa: self.locale == Locale::Utf8 }
    }

    /// The node of a literal character.
    pub(super) fn literal(&self, c: char) -> Result<Ast, Refusal> {
        if self.ignore_case {
            return ctype::fold_char(c, self.locale)
                .map(Ast::Set)
                .ok_or("a letter about whose case GNU grep's two matchers disagree");
        }
        let mut set = CharSet::empty();
        set.push(c, c);
        Ok(Ast::Set(set))
    }

    /// The node of `.`: every character, NUL included.
    pub(super) fn any(&self) -> Ast {
        Ast::Set(CharSet::all(self.locale))
    }

    /// Reads the rest of an interval after its `{`. Where it is literal nothing is consumed.
    pub(super) fn interval(&mut self) -> Result<Interval, Refusal> {
        let (interval, len) = super::interval::parse(&self.chars[self.pos..], self.extended)?;
        self.pos += len;
        Ok(interval)
    }

    fn bracket(&mut self) -> Result<Token, Refusal> {
        let bracket = super::bracket::parse(self)?;
        Ok(Token::Set { set: bracket.set, beyond_dfa: bracket.beyond_dfa })
    }
}
