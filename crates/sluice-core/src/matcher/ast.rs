//! The syntax tree of a GNU pattern.

use super::ctype::CharSet;

/// A zero-width assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    /// `^` and `` \` ``. A haystack is one line, so that the two do not differ.
    LineStart,
    /// `$`
    LineEnd,
    /// `\'`, which unlike `$` also holds where `-w` cuts a line off to look for a shorter match.
    BufferEnd,
    /// `\<`
    WordStart,
    /// `\>`
    WordEnd,
    /// `\b`
    WordEdge,
    /// `\B`
    NotWordEdge,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ast {
    /// The empty string.
    Empty,
    /// One character out of a set.
    Set(CharSet),
    /// A zero-width assertion.
    Assert(Assertion),
    /// One after the other.
    Concat(Vec<Ast>),
    /// Any of them.
    Alternate(Vec<Ast>),
    /// Repetition: at least `min` and at most `max` times.
    Repeat {
        /// What is repeated.
        node: Box<Ast>,
        /// The least count.
        min: u32,
        /// The greatest count; None is unbounded.
        max: Option<u32>,
    },
}

impl Ast {
    /// A concatenation, flattened where there is nothing to concatenate.
    pub(super) fn concat(mut parts: Vec<Ast>) -> Ast {
        match parts.len() {
            0 => Ast::Empty,
            1 => parts.remove(0),
            _ => Ast::Concat(parts),
        }
    }

    /// An alternation, flattened where there is nothing to choose.
    pub(super) fn alternate(mut branches: Vec<Ast>) -> Ast {
        match branches.len() {
            1 => branches.remove(0),
            _ => Ast::Alternate(branches),
        }
    }

    /// Whether any assertion in the tree satisfies `test`.
    pub(super) fn any_assertion(&self, test: &impl Fn(Assertion) -> bool) -> bool {
        match self {
            Ast::Empty | Ast::Set(_) => false,
            Ast::Assert(assertion) => test(*assertion),
            Ast::Concat(parts) | Ast::Alternate(parts) => parts.iter().any(|part| part.any_assertion(test)),
            Ast::Repeat { node, .. } => node.any_assertion(test),
        }
    }

    /// Whether a character may come before an assertion of a line's start. With `-z` the C library takes a
    /// newline that it has just passed for one: `\s(^|q)` matches it.
    pub(super) fn starts_line_inside(&self) -> bool {
        let starts = |ast: &Ast| ast.any_assertion(&|assertion| assertion == Assertion::LineStart);
        match self {
            Ast::Empty | Ast::Set(_) | Ast::Assert(_) => false,
            Ast::Concat(parts) => {
                let first = parts.iter().position(Ast::has_characters).unwrap_or(parts.len());
                parts.iter().skip(first + 1).any(starts) || parts.iter().any(Ast::starts_line_inside)
            }
            Ast::Alternate(branches) => branches.iter().any(Ast::starts_line_inside),
            Ast::Repeat { node, max, .. } => {
                node.starts_line_inside() || (*max != Some(1) && node.has_characters() && starts(node))
            }
        }
    }

    fn has_characters(&self) -> bool {
        match self {
            Ast::Empty | Ast::Assert(_) => false,
            Ast::Set(_) => true,
            Ast::Concat(parts) | Ast::Alternate(parts) => parts.iter().any(Ast::has_characters),
            Ast::Repeat { node, .. } => node.has_characters(),
        }
    }

    /// Whether an assertion is repeated. The C library loses track of those: `(($b)?|c)+` matches all
    /// of `cb`.
    pub(super) fn repeats_assertion(&self) -> bool {
        match self {
            Ast::Empty | Ast::Set(_) | Ast::Assert(_) => false,
            Ast::Concat(parts) | Ast::Alternate(parts) => parts.iter().any(Ast::repeats_assertion),
            Ast::Repeat { node, max: Some(1), .. } => node.repeats_assertion(),
            Ast::Repeat { node, .. } => node.any_assertion(&|_| true),
        }
    }
}

impl Assertion {
    /// Whether it looks at word characters.
    pub(super) fn is_word(self) -> bool {
        matches!(
            self,
            Assertion::WordStart | Assertion::WordEnd | Assertion::WordEdge | Assertion::NotWordEdge
        )
    }
}
