//! Line and byte totals of text, in the units that truncation uses.
//!
//! Truncation itself needs only a small window at one end of a text; what costs time is the totals
//! it reports. They are counted here, for each form in which text arrives: UTF-8 bytes, the one-byte
//! (Latin-1) and the two-byte (UTF-16) strings of a JavaScript engine.

mod count;
mod file;
mod stream;

pub use count::{TextCount, count_latin1, count_utf8, count_utf16};
pub(crate) use count::{char_boundary, decoded_len};
pub use file::{FileText, Keep, read_window};
pub use stream::StreamCount;
