//! `--color=always` and `GREP_COLORS`.

/// The colours of grep's output. Values are SGR parameters, `01;31`; an empty one switches its colour off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepColors {
    /// `ms`: matches in selected lines.
    pub selected_match: String,
    /// `mc`: matches in context lines.
    pub context_match: String,
    /// `fn`: the name of the input.
    pub filename: String,
    /// `ln`: line numbers.
    pub line_number: String,
    /// `bn`: byte offsets.
    pub byte_offset: String,
    /// `se`: separators.
    pub separator: String,
    /// `sl`: the rest of selected lines.
    pub selected_line: String,
    /// `cx`: the rest of context lines.
    pub context_line: String,
    /// `rv`: with `-v`, `sl` and `cx` change places.
    pub reverse: bool,
    /// Unset by `ne`: whether the rest of the terminal's line is erased after each change of colour.
    pub erase: bool,
}

impl Default for GrepColors {
    fn default() -> Self {
        GrepColors {
            selected_match: "01;31".into(),
            context_match: "01;31".into(),
            filename: "35".into(),
            line_number: "32".into(),
            byte_offset: "32".into(),
            separator: "36".into(),
            selected_line: String::new(),
            context_line: String::new(),
            reverse: false,
            erase: true,
        }
    }
}

impl GrepColors {
    /// The colours that `GREP_COLOR` (the older variable, for matches only) and `GREP_COLORS` ask for, and the
    /// warning that grep 3.8 has for the older one if it counts, without the name of the program.
    #[must_use]
    pub fn from_env(grep_color: Option<&str>, grep_colors: Option<&str>) -> (Self, Option<String>) {
        let mut colors = GrepColors::default();
        let old = grep_color
            .filter(|value| !value.is_empty() && value.bytes().all(|b| b == b';' || b.is_ascii_digit()));
        // Whether each of the match colours still is the old variable's.
        let mut old_counts = [false; 2];
        if let Some(value) = old {
            colors.selected_match = value.to_owned();
            colors.context_match = value.to_owned();
            old_counts = [true; 2];
        }
        colors.apply(grep_colors.unwrap_or_default(), &mut old_counts);
        let warning = old.filter(|_| old_counts.contains(&true)).map(|value| {
            format!("warning: GREP_COLOR='{value}' is deprecated; use GREP_COLORS='mt={value}'")
        });
        (colors, warning)
    }

    /// Applies the capabilities up to the first malformed one, as grep does. Unknown names have no effect.
    fn apply(&mut self, text: &str, old_counts: &mut [bool; 2]) {
        if text.is_empty() {
            return;
        }
        for capability in text.split(':') {
            let (name, value) = match capability.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (capability, None),
            };
            let sane = |value: &str| value.bytes().all(|b| b == b';' || b.is_ascii_digit());
            if value.is_some_and(|value| name.is_empty() || !sane(value)) {
                return;
            }
            let field = match name {
                "rv" => {
                    self.reverse = true;
                    continue;
                }
                "ne" => {
                    self.erase = false;
                    continue;
                }
                "mt" | "ms" => &mut self.selected_match,
                "mc" => &mut self.context_match,
                "fn" => &mut self.filename,
                "ln" => &mut self.line_number,
                "bn" => &mut self.byte_offset,
                "se" => &mut self.separator,
                "sl" => &mut self.selected_line,
                "cx" => &mut self.context_line,
                _ => continue,
            };
            if let Some(value) = value {
                value.clone_into(field);
                match name {
                    "mt" | "ms" => old_counts[0] = false,
                    "mc" => old_counts[1] = false,
                    _ => {}
                }
            }
            if name == "mt" {
                // Even without a value.
                self.context_match.clone_from(&self.selected_match);
                old_counts[1] = old_counts[0];
            }
        }
    }

    /// Appends what switches `color` on; nothing if it is empty.
    pub(super) fn start(&self, out: &mut Vec<u8>, color: &str) {
        if !color.is_empty() {
            out.extend_from_slice(b"\x1b[");
            out.extend_from_slice(color.as_bytes());
            out.extend_from_slice(if self.erase { b"m\x1b[K" } else { b"m" });
        }
    }

    /// Appends what switches `color` off; nothing if it is empty.
    pub(super) fn end(&self, out: &mut Vec<u8>, color: &str) {
        if !color.is_empty() {
            out.extend_from_slice(if self.erase { b"\x1b[m\x1b[K" } else { b"\x1b[m" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(text: &str) -> GrepColors {
        GrepColors::from_env(None, Some(text)).0
    }

    #[test]
    fn capabilities() {
        let all = colors("ms=1:mc=2:fn=3:ln=4:bn=5:se=6:sl=7:cx=8:rv:ne");
        assert_eq!([&all.selected_match, &all.context_match, &all.filename], ["1", "2", "3"]);
        assert_eq!([&all.line_number, &all.byte_offset, &all.separator], ["4", "5", "6"]);
        assert_eq!([&all.selected_line, &all.context_line], ["7", "8"]);
        assert!(all.reverse && !all.erase);
        assert_eq!(colors(""), GrepColors::default());
        assert_eq!(colors("mt=7").context_match, "7");
        assert_eq!(colors("ms=4:mt").context_match, "4");
        assert_eq!(colors("mt=").selected_match, "");
        assert!(colors("rv=1").reverse);
    }

    #[test]
    fn a_malformed_capability_ends_the_list() {
        assert_eq!(colors("sl=1:ms=x:cx=2").selected_line, "1");
        assert_eq!(colors("sl=1:ms=x:cx=2").context_line, "");
        assert_eq!(colors("=1:sl=1").selected_line, "");
        assert_eq!(colors("sl=1=2:cx=1").selected_line, "");
        assert_eq!(colors("xx=1::sl=1").selected_line, "1");
    }

    #[test]
    fn the_older_variable_warns_only_if_it_counts() {
        let warns = |colors| GrepColors::from_env(Some("7"), colors).1.is_some();
        assert!(warns(None) && warns(Some("ms=1")) && warns(Some("mc=1")) && warns(Some("mt")));
        assert!(!warns(Some("mt=1")) && !warns(Some("ms=1:mc=1")) && !warns(Some("ms=7:mt")));
        assert_eq!(GrepColors::from_env(Some("x"), None), (GrepColors::default(), None));
    }
}
