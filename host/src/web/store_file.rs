//! The file of the store: its tables, and connections to it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use rusqlite::{Connection, TransactionBehavior};

/// Version of the tables.
const TABLES: i64 = 1;

/// Time that a change waits for one of another server.
const BUSY: Duration = Duration::from_secs(5);

/// Pages of the journal from which on a change itself brings them into the file. Before, that is done beside the changes.
const JOURNAL_PAGES: u32 = 16_000;

const CREATE: &str = "
    CREATE TABLE game (
        play BLOB PRIMARY KEY,
        watch BLOB NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        change INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        record TEXT NOT NULL,
        lines TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX game_change ON game (change);
    CREATE INDEX game_touched ON game (touched);
    CREATE TABLE change (number INTEGER NOT NULL) STRICT;
    INSERT INTO change VALUES (0);
    PRAGMA user_version = 1;";

/// Connection that changes the file, which is made if there is none.
pub(super) fn writer(file: &Path) -> Result<Connection> {
    let mut connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    // Readers never wait for a writer, and what was committed is there after a kill; FULL keeps it through a loss of power.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch(&format!(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
         PRAGMA wal_autocheckpoint = {JOURNAL_PAGES};"
    ))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if tables == 0 {
        transaction.execute_batch(CREATE)?;
    } else {
        ensure!(tables == TABLES, "tables of version {tables}, which this program does not know");
    }
    transaction.commit()?;
    Ok(connection)
}

/// Connection that reads the file beside its writer.
pub(super) fn reader(file: &Path) -> Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;")?;
    Ok(connection)
}
