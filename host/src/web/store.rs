//! Store: games in one SQLite file. Each change is on the disk before it is answered, so that a killed server has lost nothing
//! that a player was told; readers have connections of their own and never wait for that. Several servers may share the file.
//!
//! A game has a version, which every change raises: who changes a game names the version that he has seen, and is refused if
//! somebody was faster. All changes of all games are numbered in one row, so a server learns what the others have changed by
//! asking for what is newer than the last number that it has seen.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::commits::Commits;
use super::link::{Link, LinkHash};
use super::store_file;
use crate::io::make_folder;

/// Name of the file in the folder of the store.
const FILE: &str = "games.sqlite";

/// Bytes of the text of a game: thousands of turns.
const TEXT_BYTES: usize = 4 << 20;

/// Text of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoredText {
    /// Annotated game.
    pub(super) record: String,
    /// Lines of the turn that is being entered.
    pub(super) lines: Vec<String>,
}

/// Game of the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoredGame {
    /// Hash of the link to play.
    pub(super) id: LinkHash,
    /// Version: number of changes of this game.
    pub(super) version: u64,
    /// Text.
    pub(super) text: StoredText,
}

/// Right that a link gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// To play and to watch.
    Player,
    /// Only to watch.
    Watcher,
}

/// Seconds since 1970, by which games are as old as they are.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Games in a file.
pub(super) struct Store {
    file: PathBuf,
    commits: Commits,
    /// Connections for reading that nobody uses at the moment.
    readers: Mutex<Vec<Connection>>,
    games: u64,
}

impl Store {
    /// Opens the store in a folder, which is made if there is none. It takes up to `games` games.
    pub(super) fn open(folder: &Path, games: u64) -> Result<Store> {
        make_folder(folder).with_context(|| folder.display().to_string())?;
        let file = folder.join(FILE);
        let writer = store_file::writer(&file).with_context(|| file.display().to_string())?;
        Ok(Store { commits: Commits::new(writer)?, file, readers: Mutex::default(), games })
    }

    /// Stores a new game under a link. False if the store is full.
    pub(super) fn create(&self, link: Link, text: &StoredText, now: u64) -> Result<bool> {
        check_length(text)?;
        let (most, record, lines) = (self.games, text.record.clone(), lines_text(text)?);
        let (play, watch) = (link.hash(), link.to_watch().hash());
        self.commits.change(move |connection, change| {
            let count = "SELECT count(*) FROM game";
            let games: i64 = connection.prepare(count)?.query_row([], |row| row.get(0))?;
            if games as u64 >= most {
                return Ok(false);
            }
            connection
                .prepare("INSERT INTO game VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6)")?
                .execute(params![play.0, watch.0, change, now as i64, record, lines])?;
            Ok(true)
        })
    }

    /// Game of a link, with what the link allows.
    pub(super) fn find(&self, link: Link) -> Result<Option<(StoredGame, Role)>> {
        let hash = link.hash();
        self.read(|connection| {
            let query =
                "SELECT play, version, record, lines, play = ?1 FROM game WHERE play = ?1 OR watch = ?1";
            let found = connection.prepare(query)?.query_row([hash.0], |row| {
                Ok((stored(row)?, if row.get(4)? { Role::Player } else { Role::Watcher }))
            });
            Ok(found.optional()?)
        })
    }

    /// Game of an identity.
    pub(super) fn load(&self, id: LinkHash) -> Result<Option<StoredGame>> {
        self.read(|connection| {
            let query = "SELECT play, version, record, lines FROM game WHERE play = ?1";
            Ok(connection.prepare(query)?.query_row([id.0], stored).optional()?)
        })
    }

    /// Version of a game that is stored.
    pub(super) fn version(&self, id: LinkHash) -> Result<Option<u64>> {
        self.read(|connection| {
            let query = "SELECT version FROM game WHERE play = ?1";
            let mut statement = connection.prepare(query)?;
            let version = statement.query_row([id.0], |row| row.get::<_, i64>(0)).optional()?;
            Ok(version.map(|version| version as u64))
        })
    }

    /// Changes a game of which `seen` is the version. False if it has another one by now.
    pub(super) fn update(&self, id: LinkHash, seen: u64, text: &StoredText, now: u64) -> Result<bool> {
        check_length(text)?;
        let (record, lines) = (text.record.clone(), lines_text(text)?);
        self.commits.change(move |connection, change| {
            let mut statement = connection.prepare(
                "UPDATE game SET version = version + 1, change = ?3, touched = ?4, record = ?5, lines = ?6
                 WHERE play = ?1 AND version = ?2",
            )?;
            let changed = statement.execute(params![id.0, seen as i64, change, now as i64, record, lines])?;
            Ok(changed == 1)
        })
    }

    /// Number of the last change.
    pub(super) fn last_change(&self) -> Result<i64> {
        self.read(|connection| {
            let query = "SELECT number FROM change";
            Ok(connection.prepare(query)?.query_row([], |row| row.get(0))?)
        })
    }

    /// Games changed after the change of a number, with the number of each change, oldest first.
    pub(super) fn changed_after(&self, number: i64) -> Result<Vec<(LinkHash, i64)>> {
        self.read(|connection| {
            let query = "SELECT play, change FROM game WHERE change > ?1 ORDER BY change";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([number], |row| Ok((LinkHash(row.get(0)?), row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Number of games.
    pub(super) fn count(&self) -> Result<u64> {
        let query = "SELECT count(*) FROM game";
        let count: i64 =
            self.read(|connection| Ok(connection.prepare(query)?.query_row([], |row| row.get(0))?))?;
        Ok(count as u64)
    }

    /// Removes games that nobody has changed since a time. Returns their number.
    pub(super) fn remove_untouched(&self, since: u64) -> Result<usize> {
        let removed = Arc::new(AtomicUsize::new(0));
        let count = removed.clone();
        self.commits.change(move |connection, _| {
            let games = connection.execute("DELETE FROM game WHERE touched < ?1", [since as i64])?;
            count.store(games, Relaxed);
            Ok(games > 0)
        })?;
        Ok(removed.load(Relaxed))
    }

    /// Writes what is only in the journal to the file itself, beside the changes: none waits for it.
    pub(super) fn flush(&self) -> Result<()> {
        self.read(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
            Ok(())
        })
    }

    /// Reads by a connection that nobody else uses.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let spare = self.readers().pop();
        let connection = match spare {
            Some(connection) => connection,
            None => store_file::reader(&self.file)?,
        };
        let result = work(&connection)?;
        self.readers().push(connection);
        Ok(result)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let lines: String = row.get(3)?;
    Ok(StoredGame {
        id: LinkHash(row.get(0)?),
        version: row.get::<_, i64>(1)? as u64,
        text: StoredText { record: row.get(2)?, lines: lines.lines().map(str::to_owned).collect() },
    })
}

fn lines_text(text: &StoredText) -> Result<String> {
    ensure!(!text.lines.iter().any(|line| line.contains('\n')), "a line of a turn has two lines");
    Ok(text.lines.join("\n"))
}

fn check_length(text: &StoredText) -> Result<()> {
    let lines: usize = text.lines.iter().map(String::len).sum();
    ensure!(text.record.len() + lines <= TEXT_BYTES, "a game of more than {} MiB", TEXT_BYTES >> 20);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(record: &str, lines: &[&str]) -> StoredText {
        StoredText { record: record.to_owned(), lines: lines.iter().map(|line| (*line).to_owned()).collect() }
    }

    fn link() -> Link {
        Link::random().unwrap()
    }

    #[test]
    fn a_game_is_found_by_both_links_and_by_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (store, mine) = (Store::open(folder.path(), 9).unwrap(), link());
        let first = text("a game", &["one", "two"]);
        assert!(store.create(mine, &first, 1).unwrap());
        let (game, role) = store.find(mine).unwrap().unwrap();
        assert_eq!((&game.text, game.version, role), (&first, 1, Role::Player));
        let (same, role) = store.find(mine.to_watch()).unwrap().unwrap();
        assert_eq!((same.id, role), (game.id, Role::Watcher));
        assert_eq!(store.find(link()).unwrap(), None);
        assert_eq!(store.find(mine.to_watch().to_watch()).unwrap(), None);
        // Neither link can be read in the files, as a text or as the number that it is; its hash can.
        let files = [FILE.to_owned(), format!("{FILE}-wal")];
        let bytes = files.map(|file| std::fs::read(folder.path().join(file)).unwrap()).concat();
        let holds = |what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
        for link in [mine, mine.to_watch()] {
            let text = link.to_string();
            let number = u128::from_str_radix(&text, 16).unwrap().to_be_bytes();
            assert!(holds(&link.hash().0) && !holds(text.as_bytes()) && !holds(&number));
        }
    }

    #[test]
    fn two_servers_share_a_store_and_the_slower_change_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = [(); 2].map(|()| Store::open(folder.path(), 9).unwrap());
        let mine = link();
        a.create(mine, &text("0", &[]), 1).unwrap();
        let seen = b.last_change().unwrap();
        let id = mine.hash();
        assert!(b.update(id, 1, &text("b", &["x"]), 2).unwrap());
        assert!(!a.update(id, 1, &text("a", &[]), 2).unwrap());
        let game = a.load(id).unwrap().unwrap();
        assert_eq!((game.version, game.text), (2, text("b", &["x"])));
        assert_eq!(a.changed_after(seen).unwrap(), [(id, seen + 1)]);
        assert!(a.update(id, 2, &text("a", &[]), 3).unwrap());
        assert_eq!((b.version(id).unwrap(), b.last_change().unwrap()), (Some(3), seen + 2));
        assert_eq!(b.changed_after(seen + 2).unwrap(), []);
    }

    #[test]
    fn a_full_store_refuses_and_forgotten_games_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 2).unwrap();
        let made: Vec<bool> =
            (0..3).map(|time| store.create(link(), &text("", &[]), time).unwrap()).collect();
        assert_eq!((made, store.count().unwrap()), (vec![true, true, false], 2));
        assert_eq!(store.remove_untouched(1).unwrap(), 1);
        assert!(store.create(link(), &text("", &[]), 9).unwrap());
        assert!(store.create(link(), &text(&"x".repeat(TEXT_BYTES + 1), &[]), 9).is_err());
    }

    #[test]
    fn what_was_stored_is_there_in_another_program_and_unknown_tables_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mine = link();
        Store::open(folder.path(), 2).unwrap().create(mine, &text("kept", &["line"]), 1).unwrap();
        let again = Store::open(folder.path(), 2).unwrap();
        assert_eq!(again.find(mine).unwrap().unwrap().0.text, text("kept", &["line"]));
        again.flush().unwrap();
        let file = folder.path().join(FILE);
        Connection::open(file).unwrap().execute_batch("PRAGMA user_version = 7").unwrap();
        let error = Store::open(folder.path(), 2).err().unwrap();
        assert!(format!("{error:#}").contains("version 7"), "{error:#}");
    }
}
