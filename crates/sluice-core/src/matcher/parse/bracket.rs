//! Bracket expressions.

use super::Refusal;
use super::lexer::Lexer;
use crate::matcher::Locale;
use crate::matcher::ctype::{self, CharSet};

const UNMATCHED: Refusal = "unmatched [";

/// A parsed bracket expression.
pub(super) struct Bracket {
    /// The characters that match.
    pub(super) set: CharSet,
    /// Grep's own matcher leaves this set to the C library.
    pub(super) beyond_dfa: bool,
}

enum Element {
    Char(char),
    Class(CharSet),
    End,
}

/// Reads the rest of a bracket expression after its `[`.
pub(super) fn parse(lexer: &mut Lexer<'_>) -> Result<Bracket, Refusal> {
    let negated = lexer.peek() == Some('^');
    if negated {
        lexer.pos += 1;
    }
    let first = lexer.pos;
    let mut builder = Builder::new(lexer.locale, lexer.ignore_case);
    builder.beyond_dfa |= negated && lexer.locale == Locale::Utf8;
    loop {
        let start = lexer.pos;
        match element(lexer, start == first, &mut builder)? {
            Element::End => break,
            Element::Class(set) => builder.set.union(&set),
            Element::Char(c) => {
                let range = lexer.peek() == Some('-') && lexer.chars.get(lexer.pos + 1) != Some(&']');
                if !range {
                    builder.push_char(c);
                    continue;
                }
                lexer.pos += 1;
                if lexer.peek() == Some('[')
                    && matches!(lexer.chars.get(lexer.pos + 1), Some('.' | '=' | ':'))
                {
                    return Err("a range that ends in a class or collating symbol");
                }
                let last = lexer.bump().ok_or(UNMATCHED)?;
                builder.push_range(c, last)?;
            }
        }
    }
    // `[:space:]` instead of `[[:space:]]`.
    let inner = &lexer.chars[first..lexer.pos - 1];
    if let [':', middle @ .., ':'] = inner
        && middle.iter().any(|&c| c != ':')
        && !builder.has_range_or_class
    {
        return Err("a character class outside brackets");
    }
    Ok(builder.finish(negated))
}

/// One element; only the first may be `]` or a hyphen that is not the last one.
fn element(lexer: &mut Lexer<'_>, first: bool, builder: &mut Builder) -> Result<Element, Refusal> {
    let c = lexer.bump().ok_or(UNMATCHED)?;
    match (c, lexer.peek()) {
        (']', _) if !first => Ok(Element::End),
        ('[', Some(kind @ ('.' | '=' | ':'))) => {
            lexer.pos += 1;
            builder.has_range_or_class = true;
            symbol(lexer, kind, builder)
        }
        ('-', next) if !first && next != Some(']') => Err("a misplaced hyphen in brackets"),
        _ => Ok(Element::Char(c)),
    }
}

/// The rest of `[:name:]`, `[=c=]` or `[.c.]`, which the C library decides about.
fn symbol(lexer: &mut Lexer<'_>, kind: char, builder: &mut Builder) -> Result<Element, Refusal> {
    let start = lexer.pos;
    let len = lexer.chars[start..].windows(2).position(|pair| *pair == [kind, ']']).ok_or(UNMATCHED)?;
    lexer.pos = start + len + 2;
    let name: String = lexer.chars[start..start + len].iter().collect();
    if kind != ':' {
        builder.beyond_dfa = true;
        let mut chars = name.chars();
        return match (chars.next(), chars.next()) {
            (Some(c), None) if c.is_ascii() || lexer.locale == Locale::C => {
                let mut set = CharSet::empty();
                set.push(builder.upper(c), builder.upper(c));
                Ok(Element::Class(set))
            }
            _ => Err("a collating symbol"),
        };
    }
    builder.beyond_dfa |= lexer.locale == Locale::Utf8 && name != "digit";
    let name = match name.as_str() {
        "upper" | "lower" if lexer.ignore_case => "alpha",
        name => name,
    };
    ctype::class(name, lexer.locale).map(Element::Class).ok_or("an unknown character class")
}

struct Builder {
    set: CharSet,
    locale: Locale,
    ignore_case: bool,
    beyond_dfa: bool,
    has_range_or_class: bool,
}

impl Builder {
    fn new(locale: Locale, ignore_case: bool) -> Self {
        let set = CharSet::empty();
        Builder { set, locale, ignore_case, beyond_dfa: false, has_range_or_class: false }
    }

    /// With `-i`, the upper case of `c`: sets are built in upper case and folded at the end.
    fn upper(&self, c: char) -> char {
        if self.ignore_case { ctype::to_upper(c, self.locale) } else { c }
    }

    fn push_char(&mut self, c: char) {
        let upper = self.upper(c);
        self.set.push(upper, upper);
        if self.locale == Locale::Utf8 {
            let ascii = c.is_ascii()
                && (!self.ignore_case || ctype::fold_char(c, self.locale).is_some_and(|set| set.is_ascii()));
            self.beyond_dfa |= !ascii;
        }
    }

    fn push_range(&mut self, first: char, last: char) -> Result<(), Refusal> {
        if first == last {
            self.push_char(first);
            self.has_range_or_class = true;
            return Ok(());
        }
        if self.locale == Locale::Utf8 {
            if !first.is_ascii() || !last.is_ascii() {
                return Err("a range that depends on collation");
            }
            self.beyond_dfa |= !(first.is_ascii_digit() && last.is_ascii_digit());
        }
        let (low, high) = (self.upper(first), self.upper(last));
        if low > high {
            return Err("a reversed range");
        }
        if self.ignore_case && self.locale == Locale::C {
            self.check_folding(first, last, low, high)?;
        }
        self.has_range_or_class = true;
        self.set.push(low, high);
        Ok(())
    }

    /// With `-i` the C library folds the ends of a range, grep's own matcher what lies between.
    fn check_folding(&self, first: char, last: char, low: char, high: char) -> Result<(), Refusal> {
        let (mut by_member, mut by_ends) = (CharSet::empty(), CharSet::empty());
        for c in first..=last {
            let upper = self.upper(c);
            by_member.push(upper, upper);
        }
        by_ends.push(low, high);
        if by_member.fold(self.locale) == by_ends.fold(self.locale) {
            Ok(())
        } else {
            Err("a range in which GNU grep's two matchers fold case differently")
        }
    }

    fn finish(self, negated: bool) -> Bracket {
        let mut set = if self.ignore_case { self.set.fold(self.locale) } else { self.set };
        if negated {
            set.negate(self.locale);
        }
        Bracket { set, beyond_dfa: self.beyond_dfa }
    }
}
