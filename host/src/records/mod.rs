//! Game records in files, as self-play writes and training reads them.

pub mod game_record;
