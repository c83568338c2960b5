//! Game records: the reader panics on no text, and a record that it accepts is written and read back as the same.
//!
//! The input is a line of JSON.

#![no_main]

use barrow::records::game_record::GameRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let Ok(record) = GameRecord::from_line(&text) else { return };
    let line = record.to_line().expect("every turn of a record is legal");
    let again = GameRecord::from_line(&line).expect("its own line");
    assert_eq!(again.to_line().expect("every turn of a record is legal"), line);
    assert!(again.start == record.start && again.plies.len() == record.plies.len(), "{line}");
    let [mut one, mut other] = [record.start, again.start];
    for (ply, twin) in record.plies.iter().zip(&again.plies) {
        one.play(&ply.turn).expect("every turn of a record is legal");
        other.play(&twin.turn).expect("every turn of a record is legal");
        assert!(one == other && ply.policy == twin.policy, "{line}");
    }
});
