//! Game records, and the files of them that self-play writes and training reads.

pub mod game_record;
mod record_file;
mod record_lines;
pub mod root_record;

pub use record_file::{RecordFile, RecordTail, start_checksum};
pub use record_lines::RecordLines;
