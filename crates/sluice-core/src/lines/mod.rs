//! Windows of lines out of files of any size.
//!
//! The first read of a file counts its newlines per block, on two threads, and keeps the counts: a
//! sparse [`LineIndex`], 16 bytes per 256 KiB. Later reads of the unchanged file (same device, inode, size,
//! modification and change time) find any line by reading one block. Files are read with `pread`, never
//! mapped, so a file that shrinks meanwhile is an error and not a crash.

mod cache;
mod index;
mod source;
mod window;

pub use index::LineIndex;
pub use source::Source;
pub use window::{LineWindow, Selection, read_window};
