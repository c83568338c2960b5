//! Searches of all clients on a fixed number of threads. Clients take turns: one that asks for a thousand positions delays
//! another one's first by one search and no more.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use barrow_core::minions::turn_search::SearchOptions;

use super::client::Client;
use crate::engine::Engine;
use crate::engine::network::StaticNetwork;

/// Settings of all searches.
#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// Searches at the same time.
    pub workers: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Memory of each search in MiB.
    pub hash: usize,
    /// Network of the nets; `None` for the embedded one.
    pub network: Option<StaticNetwork>,
}

/// Searches that a client may have waiting.
pub(super) const WAITING_OF_CLIENT: usize = 1024;

/// Searches that may wait altogether.
const WAITING: usize = 4096;

/// Searches that a client may have waiting however many others wait: a few that ask for much keep nobody else out.
const WAITING_ALWAYS: usize = 8;

/// Niceness of threads that search, beyond that of those that answer.
#[cfg(target_os = "linux")]
const NICER: i32 = 10;

/// Search that waits for a worker.
pub(super) type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// Search that waits, with the number of the conversation that may take it back; 0 where none does.
struct Waiting {
    of: usize,
    job: Job,
}

#[derive(Default)]
struct Queue {
    /// Clients with searches that wait; the first is served next.
    turns: VecDeque<(Client, VecDeque<Waiting>)>,
    waiting: usize,
    running: usize,
    closed: bool,
}

/// Queue of searches.
#[derive(Default)]
pub(super) struct Searches {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Searches {
    /// Searches that a client may add now.
    pub(super) fn room(&self, client: Client) -> usize {
        let queue = self.queue();
        if queue.closed {
            return 0;
        }
        let own = queue.turns.iter().find(|(other, _)| *other == client).map_or(0, |(_, jobs)| jobs.len());
        let always = WAITING_ALWAYS.saturating_sub(own);
        WAITING_OF_CLIENT.saturating_sub(own).min(WAITING.saturating_sub(queue.waiting).max(always))
    }

    /// Adds a search behind those that the client has waiting.
    pub(super) fn add(&self, client: Client, job: Job) {
        self.add_of(0, client, job);
    }

    /// Adds a search that a conversation may take back by [`Searches::keep`].
    pub(super) fn add_of(&self, of: usize, client: Client, job: Job) {
        let mut queue = self.queue();
        if queue.closed {
            return;
        }
        queue.waiting += 1;
        match queue.turns.iter_mut().find(|(other, _)| *other == client) {
            Some((_, jobs)) => jobs.push_back(Waiting { of, job }),
            None => queue.turns.push_back((client, VecDeque::from([Waiting { of, job }]))),
        }
        drop(queue);
        self.changed.notify_one();
    }

    /// Takes searches of a conversation back, the newest first, until so many wait: those that were cancelled leave their room
    /// to others.
    pub(super) fn keep(&self, of: usize, client: Client, count: usize) {
        let mut queue = self.queue();
        let Some((_, jobs)) = queue.turns.iter_mut().find(|(other, _)| *other == client) else { return };
        let (before, mut left) = (jobs.len(), count);
        let mut dropped = Vec::new();
        for waiting in std::mem::take(jobs) {
            if waiting.of == of && left == 0 {
                dropped.push(waiting.job);
            } else {
                left -= usize::from(waiting.of == of);
                jobs.push_back(waiting);
            }
        }
        let after = jobs.len();
        queue.turns.retain(|(_, jobs)| !jobs.is_empty());
        queue.waiting -= before - after;
        drop(queue);
        drop(dropped);
    }

    /// Searches that wait, and searches that run.
    pub(super) fn load(&self) -> (usize, usize) {
        let queue = self.queue();
        (queue.waiting, queue.running)
    }

    /// Ends the work: nothing that waits is begun.
    pub(super) fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        let dropped = std::mem::take(&mut queue.turns);
        queue.waiting = 0;
        drop(queue);
        drop(dropped);
        self.changed.notify_all();
    }

    /// Does one search after another, until the queue is closed.
    pub(super) fn work(&self, settings: &SearchSettings) {
        yield_to_answers();
        let engine = || {
            let mut engine = Engine::with_threads(settings.hash, SearchOptions::default(), settings.threads);
            engine.set_network(settings.network);
            engine
        };
        let mut current = engine();
        while let Some(job) = self.next() {
            // What is found depends on what is asked alone.
            current.set_options(SearchOptions::default());
            current.set_explains(false);
            current.set_records(false);
            // A fault in a search is the end of that search, and of nothing else.
            if catch_unwind(AssertUnwindSafe(|| job(&mut current))).is_err() {
                current = engine();
            }
            self.queue().running -= 1;
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if let Some((client, mut jobs)) = queue.turns.pop_front() {
                let job = jobs.pop_front().map(|waiting| waiting.job);
                if !jobs.is_empty() {
                    queue.turns.push_back((client, jobs));
                }
                if job.is_some() {
                    queue.waiting -= 1;
                    queue.running += 1;
                    return job;
                }
            } else if queue.closed {
                return None;
            } else {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets every other thread of the program go first, so that answers do not wait for searches. What a search thread starts
/// inherits it.
#[cfg(target_os = "linux")]
fn yield_to_answers() {
    // Without it the server is slower to answer while all cores search, and no more than that.
    let nice = rustix::process::getpriority_process(None).unwrap_or(0);
    let _ = rustix::process::setpriority_process(None, (nice + NICER).min(19));
}

/// Elsewhere the system's own scheduling has to do.
#[cfg(not(target_os = "linux"))]
fn yield_to_answers() {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn client(number: u8) -> Client {
        Client::of([192, 0, 2, number].into())
    }

    #[test]
    fn clients_take_turns() {
        let searches = Searches::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        let note = |name: &'static str| -> Job {
            let log = log.clone();
            Box::new(move |_| log.lock().unwrap().push(name))
        };
        for (number, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            searches.add(client(number), note(name));
        }
        assert_eq!(searches.load(), (6, 0));
        let mut engine = Engine::new(1, SearchOptions::default());
        for _ in 0..6 {
            searches.next().unwrap()(&mut engine);
        }
        assert_eq!(*log.lock().unwrap(), ["a1", "b1", "c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn the_queue_is_bounded_for_each_client_and_altogether() {
        let searches = Searches::default();
        let nothing = || -> Job { Box::new(|_| {}) };
        for number in 0..4 {
            assert_eq!(searches.room(client(number)), WAITING_OF_CLIENT);
            (0..WAITING_OF_CLIENT).for_each(|_| searches.add(client(number), nothing()));
            assert_eq!(searches.room(client(number)), 0);
        }
        // Who has nothing waiting is let in all the same, with a few.
        for left in (1..=WAITING_ALWAYS).rev() {
            assert_eq!(searches.room(client(9)), left);
            searches.add(client(9), nothing());
        }
        assert_eq!(searches.room(client(9)), 0);
        (0..=WAITING_ALWAYS).for_each(|_| drop(searches.next().unwrap()));
        assert_eq!([9, 0, 5].map(|number| searches.room(client(number))), [1, 1, WAITING_ALWAYS]);
        searches.close();
        assert_eq!((searches.load().0, searches.room(client(9))), (0, 0));
        assert!(searches.next().is_none());
    }

    #[test]
    fn searches_that_were_cancelled_leave_their_room_to_others() {
        let searches = Searches::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        for (of, number) in [(7, 1), (0, 2), (7, 3), (8, 4), (7, 5)] {
            let log = log.clone();
            searches.add_of(of, client(1), Box::new(move |_| log.lock().unwrap().push(number)));
        }
        searches.keep(7, client(1), 1);
        searches.keep(7, client(1), 1);
        searches.keep(7, client(2), 0);
        assert_eq!((searches.load().0, searches.room(client(1))), (3, WAITING_OF_CLIENT - 3));
        let mut engine = Engine::new(1, SearchOptions::default());
        (0..3).for_each(|_| searches.next().unwrap()(&mut engine));
        assert_eq!(*log.lock().unwrap(), [1, 2, 4]);
        searches.add_of(8, client(1), Box::new(|_| {}));
        searches.keep(8, client(1), 0);
        assert_eq!((searches.load().0, searches.queue().turns.len()), (0, 0));
    }

    #[test]
    fn a_fault_in_a_search_ends_nothing_else() {
        let searches = Arc::new(Searches::default());
        let settings = SearchSettings { workers: 1, threads: 1, hash: 1, network: None };
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| searches.work(&settings));
            searches.add(client(1), Box::new(|_| std::panic::resume_unwind(Box::new("fault"))));
            searches.add(client(1), Box::new(move |_| sender.send(7).unwrap()));
            assert_eq!(receiver.recv(), Ok(7));
            searches.close();
        });
        assert_eq!(searches.load(), (0, 0));
    }
}
