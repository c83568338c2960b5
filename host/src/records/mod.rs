//! Game records, and the files of them that self-play writes and training reads.

mod damage;
pub mod game_record;
mod joined_records;
mod record_file;
mod record_lines;
pub mod root_record;

pub use damage::Damage;
pub use joined_records::{JoinedRecords, join_records};
pub use record_file::{RecordFile, RecordTail, record_block, start_checksum};
pub use record_lines::RecordLines;
