//! Commits: changes of the store in the order in which they come, on a thread of their own. What waits while the disk is busy
//! is committed together, so that many changes at once cost one wait for the disk. A change is answered once it is committed.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Changes that are committed together at most.
const TOGETHER: usize = 64;

/// Work of a change, which is given the change's number; false where it has changed nothing after all.
type Work = Box<dyn FnOnce(&Connection, i64) -> Result<bool> + Send>;

struct Change {
    work: Work,
    answer: SyncSender<Result<bool>>,
}

/// Queue of changes. Dropping it waits until everything in it is committed and the connection is closed: the last one to close
/// takes the journal away.
pub(super) struct Commits {
    /// Taken away when no more changes come.
    changes: Option<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

impl Commits {
    /// Queue of changes by this connection.
    pub(super) fn new(mut connection: Connection) -> Result<Commits> {
        let (sender, changes) = channel();
        let run = move || {
            while let Some(together) = next(&changes) {
                commit(&mut connection, together);
            }
        };
        let thread = thread::Builder::new().name("commits".to_owned()).spawn(run);
        Ok(Commits { changes: Some(sender), thread: Some(thread.context("a thread for changes")?) })
    }

    /// Carries out a change and waits until it is on the disk. What is refused or fails leaves nothing behind.
    pub(super) fn change(
        &self,
        work: impl FnOnce(&Connection, i64) -> Result<bool> + Send + 'static,
    ) -> Result<bool> {
        let (answer, answered) = sync_channel(1);
        let gone = || anyhow!("the store takes no changes");
        let changes = self.changes.as_ref().ok_or_else(gone)?;
        changes.send(Change { work: Box::new(work), answer }).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

impl Drop for Commits {
    fn drop(&mut self) {
        self.changes = None;
        if let Some(thread) = self.thread.take() {
            // What it has committed is on the disk, however it has ended.
            let _ = thread.join();
        }
    }
}

/// Waits for a change, and takes with it what has come meanwhile.
fn next(changes: &Receiver<Change>) -> Option<Vec<Change>> {
    let first = changes.recv().ok()?;
    Some([first].into_iter().chain(changes.try_iter()).take(TOGETHER).collect())
}

fn commit(connection: &mut Connection, together: Vec<Change>) {
    let (works, answers): (Vec<Work>, Vec<_>) =
        together.into_iter().map(|Change { work, answer }| (work, answer)).unzip();
    let results = match commit_all(connection, works) {
        Ok(results) => results,
        Err(error) => answers.iter().map(|_| Err(anyhow!("{error:#}"))).collect(),
    };
    for (answer, result) in answers.into_iter().zip(results) {
        // Whoever asked may have gone.
        let _ = answer.send(result);
    }
}

/// Results of all changes, each by itself; an error where nothing is committed.
fn commit_all(connection: &mut Connection, works: Vec<Work>) -> Result<Vec<Result<bool>>> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let results = works.into_iter().map(|work| carry_out(&mut transaction, work)).collect();
    transaction.commit()?;
    Ok(results)
}

/// Carries out a change within a transaction. Dropped before its commit, the savepoint is rolled back.
fn carry_out(transaction: &mut Transaction<'_>, work: Work) -> Result<bool> {
    let savepoint = transaction.savepoint()?;
    let next = "UPDATE change SET number = number + 1 RETURNING number";
    let number = savepoint.prepare(next)?.query_row([], |row| row.get(0))?;
    let done = work(&savepoint, number)?;
    if done {
        savepoint.commit()?;
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    fn counter() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE change (number INTEGER); INSERT INTO change VALUES (0);")
            .unwrap();
        connection
    }

    #[test]
    fn the_end_of_the_queue_is_waited_for() {
        let commits = Commits::new(counter()).unwrap();
        let (answer, answered) = sync_channel(1);
        let slow: Work = Box::new(|_, _| {
            thread::sleep(Duration::from_millis(50));
            Ok(true)
        });
        commits.changes.as_ref().unwrap().send(Change { work: slow, answer }).unwrap();
        drop(commits);
        assert!(answered.try_recv().unwrap().unwrap());
    }

    #[test]
    fn changes_that_wait_are_committed_together_and_those_that_fail_leave_nothing() {
        let mut connection = counter();
        let (sender, changes) = channel();
        let mut answered = Vec::new();
        for index in 0..TOGETHER + 3 {
            let (answer, receiver) = sync_channel(1);
            let work: Work = Box::new(move |_, number| match index % 3 {
                0 => Ok(number > 0),
                1 => Ok(false),
                _ => bail!("no"),
            });
            sender.send(Change { work, answer }).unwrap();
            answered.push(receiver);
        }
        let (first, second) = (next(&changes).unwrap(), next(&changes).unwrap());
        assert_eq!((first.len(), second.len()), (TOGETHER, 3));
        commit(&mut connection, first);
        commit(&mut connection, second);
        let results: Vec<Option<bool>> =
            answered.into_iter().map(|receiver| receiver.recv().unwrap().ok()).collect();
        for (index, result) in results.iter().enumerate() {
            assert_eq!(*result, [Some(true), Some(false), None][index % 3], "{index}");
        }
        let number: i64 = connection.query_row("SELECT number FROM change", [], |row| row.get(0)).unwrap();
        let done = results.iter().filter(|result| **result == Some(true)).count();
        assert_eq!(number, done as i64);
        drop(sender);
        assert!(next(&changes).is_none());
    }

    #[test]
    fn a_transaction_that_fails_answers_everybody() {
        let connection = Connection::open_in_memory().unwrap();
        let commits = Commits::new(connection).unwrap();
        assert!(commits.change(|_, _| Ok(true)).is_err());
        assert!(commits.change(|_, _| Ok(true)).is_err());
    }
}
