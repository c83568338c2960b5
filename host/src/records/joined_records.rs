//! Union of files of game records: every game once, in the order of the files.

use anyhow::{Context, Result, bail};
use hashbrown::HashSet;
use indicatif::ProgressBar;
use sha2::{Digest, Sha256};

use super::damage::Damage;
use super::game_record::outline;
use super::record_file::record_block;
use super::record_lines::RecordLines;
use crate::io::{OutputFile, is_gzip};

/// Games of a block of the joined file.
const BLOCK: usize = 64;

/// Counts of a union of files of game records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JoinedRecords {
    /// Games that were written.
    pub games: usize,
    /// Games that came again and were left out.
    pub twice: usize,
    /// Damage that was left out, each with the file and the place.
    pub damage: Damage,
}

/// Writes the games of files of game records, each once, in their order, to a file that gets its name when it is whole; a
/// name that ends in `.gz` makes a compressed one. Games are equal when their lines are, so the same shard read twice counts
/// once. Fails when a file cannot be read at all, or the output not be written.
pub fn join_records(names: &[String], output: &str, force: bool, bar: &ProgressBar) -> Result<JoinedRecords> {
    let named = || output.to_owned();
    let mut file = OutputFile::create(output, force).with_context(named)?;
    let (mut joined, mut known, mut block) = (JoinedRecords::default(), HashSet::new(), Vec::new());
    for name in names {
        let mut lines = RecordLines::open(name, bar)?;
        while let Some((number, line)) = lines.next_line() {
            if let Err(error) = outline(&line) {
                joined.damage.push(format!("{name}: line {number}: {error:#}"));
                continue;
            }
            if !known.insert(<[u8; 32]>::from(Sha256::digest(&line))) {
                joined.twice += 1;
                continue;
            }
            joined.games += 1;
            block.push(line);
            if block.len() == BLOCK {
                file.write_part(&record_block(&block, is_gzip(output))?).with_context(named)?;
                block.clear();
            }
        }
        joined.damage.append(lines.take_damage());
    }
    if joined.games == 0 {
        let found = joined.damage.told().first().cloned().unwrap_or_else(|| names.join(", "));
        bail!("{found}: no games, so that {output} is not written");
    }
    let rest = if block.is_empty() { Vec::new() } else { record_block(&block, is_gzip(output))? };
    file.save(&rest).with_context(named)?;
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::io::open;
    use crate::records::RecordFile;

    fn line(number: u32) -> String {
        format!("{{\"start\":\"{number}\",\"turns\":[\"a\"],\"by\":\"g\"}}")
    }

    #[test]
    fn games_count_once_and_damage_is_left_out_with_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let files = ["a.jsonl", "b.jsonl.gz", "c.jsonl"].map(path);
        for (name, games) in files.iter().zip([0..100, 50..170, 0..0]) {
            let mut file = RecordFile::create(name, false).unwrap();
            file.write_block(&games.map(line).collect::<Vec<_>>()).unwrap();
        }
        fs::write(&files[2], format!("{}\n{{\"turns\":1}}\n", line(7))).unwrap();
        let names = [&files[..], &files[..1]].concat();
        for out in ["out.jsonl", "out.jsonl.gz"] {
            let out = path(out);
            let joined = join_records(&names, &out, false, &ProgressBar::hidden()).unwrap();
            assert_eq!(
                (joined.games, joined.twice, joined.damage.len()),
                (170, 50 + 1 + 100, 1),
                "{joined:?}"
            );
            assert!(joined.damage.told()[0].starts_with(&format!("{}: line 2: ", files[2])), "{joined:?}");
            let mut lines = open(&out).unwrap();
            for number in 0..170 {
                assert_eq!(lines.next_line().unwrap().unwrap(), line(number));
            }
            assert_eq!(lines.next_line().unwrap(), None);
            // What exists is not replaced, and a file that was joined before may be joined again.
            assert!(join_records(&names, &out, false, &ProgressBar::hidden()).is_err());
            let again = join_records(std::slice::from_ref(&out), &out, true, &ProgressBar::hidden()).unwrap();
            assert_eq!((again.games, again.twice), (170, 0));
        }
        assert!(join_records(&[path("none")], &path("new"), false, &ProgressBar::hidden()).is_err());
        assert!(!fs::exists(path("new")).unwrap());
    }
}
