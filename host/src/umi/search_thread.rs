//! The session's searches: begun, concluded, shown and played.

use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::umi::{EndLine, TurnText};

use super::brain::{Audience, HandWritten, Thought, TimedBrain, modest_turn};
use super::options::{Heuristic, Options};
use super::session::{Event, Obeyed, Refusal, Session};
use super::spooky_subset::{drop_unneeded_spells, plain_game};
use crate::engine::Engine;
use crate::engine::limits::{Asked, Limits};

/// Turns after which `auto` gives a game up.
pub(super) const AUTO_TURNS: u32 = 400;

/// Stack of the search's thread, in bytes.
const STACK: usize = 16 << 20;

/// What is done with the turn that a search finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Show,
    Play,
    Auto { turns_left: u32 },
}

/// A search that runs.
pub(super) struct Search {
    purpose: Purpose,
    limits: Limits,
    thread: JoinHandle<()>,
}

/// What comes back from a search.
pub(super) struct Answer {
    thought: Thought,
    time: Duration,
    thinker: Box<dyn TimedBrain>,
}

impl<W: Write> Session<W> {
    pub(super) fn begin_search(&mut self, rest: &str, purpose: Purpose) -> Obeyed {
        let limits = Limits::read(&Asked {
            default_time: self.options.move_time,
            overhead: self.options.overhead,
            side: self.game.side_to_move(),
            words: rest,
        })?;
        if self.game.state().is_over() {
            return Err("the game is over".into());
        }
        // A clock, and an opponent who thinks, belong to one turn.
        if matches!(purpose, Purpose::Auto { .. }) && (limits.enough.is_some() || limits.signals.waits()) {
            return Err("auto: only nodes and movetime".into());
        }
        self.think(purpose, limits)
    }

    /// Makes the brain ready, so that a search need not wait for its memory.
    pub(super) fn prepare(&mut self) {
        if self.thinker.is_none() && !self.is_searching() {
            self.thinker = Some(self.fresh_thinker());
        }
    }

    /// The brain that the options name, as it is at the start of a game.
    fn fresh_thinker(&self) -> Box<dyn TimedBrain> {
        let Options { seed, hash, threads, .. } = self.options;
        match self.options.heuristic {
            Heuristic::Mcts => {
                let search = barrow_core::minions::turn_search::Options { seed, ..Default::default() };
                Box::new(Engine::with_threads(hash, search, threads))
            }
            Heuristic::Greedy => Box::new(HandWritten(Greedy::new(seed))),
            Heuristic::Random => Box::new(HandWritten(Random::new(seed))),
        }
    }

    /// Lets the brain think about the position on a thread of its own.
    fn think(&mut self, purpose: Purpose, limits: Limits) -> Obeyed {
        let mut thinker = self.thinker.take().unwrap_or_else(|| self.fresh_thinker());
        let game = if self.answers_plainly() { plain_game(&self.game) } else { self.game.clone() };
        let (outbox, given) = (self.outbox.clone(), limits.clone());
        let Options { multi_pv, ponder, .. } = self.options;
        let work = move || {
            let mut tell = |line| send(&outbox, Event::Info(line));
            let mut audience = Audience { multi_pv, ponder, tell: &mut tell };
            let thought = catch_unwind(AssertUnwindSafe(|| thinker.think(&game, &given, &mut audience)));
            given.hold();
            let answer =
                thought.ok().map(|thought| Answer { thought, time: given.started.elapsed(), thinker });
            send(&outbox, Event::Answer(answer.map(Box::new)));
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work);
        let thread = thread.map_err(|error| format!("no thread for the search: {error}"))?;
        self.search = Some(Search { purpose, limits, thread });
        Ok(())
    }

    /// Whether turns are kept to what Spooky's lines can tell.
    fn answers_plainly(&self) -> bool {
        self.plain && self.game.config().rules.spells
    }

    pub(super) fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.limits.signals.stop();
        }
    }

    /// A search that waits for a word ends when nobody is left to say it.
    pub(super) fn stop_waiting(&mut self) {
        if self.search.as_ref().is_some_and(|search| search.limits.signals.waits()) {
            self.stop();
        }
    }

    /// The opponent has played what was expected.
    pub(super) fn ponder_hit(&mut self) -> io::Result<()> {
        if self.search.as_ref().is_some_and(|search| search.limits.ponder_hit()) {
            return Ok(());
        }
        self.complain("ponderhit: no search ponders")
    }

    /// Prints what a search has found, does with it what was asked, and goes on with the commands that waited.
    pub(super) fn conclude(&mut self, answer: Option<Box<Answer>>) -> io::Result<()> {
        let Some(Search { purpose, limits, thread }) = self.search.take() else { return Ok(()) };
        // It has nothing left to do but to end; nothing of it outlives its answer.
        let _ = thread.join();
        match answer {
            Some(answer) => {
                let Answer { thought, time, thinker } = *answer;
                self.thinker = Some(thinker);
                self.present(purpose, &limits, thought, time)?;
            }
            None => self.complain("the search broke down")?,
        }
        while !self.is_searching()
            && let Some(line) = self.waiting.pop_front()
        {
            self.handle(&line)?;
        }
        self.out.flush()
    }

    fn present(
        &mut self,
        purpose: Purpose,
        limits: &Limits,
        thought: Thought,
        time: Duration,
    ) -> io::Result<()> {
        let nodes = thought.nodes;
        let mut turn = thought.turn;
        if self.answers_plainly() {
            drop_unneeded_spells(&mut turn);
        }
        let mut after = self.game.clone();
        let mut outcome = after.play(&turn);
        if let Err(error) = outcome {
            writeln!(self.out, "info string the brain's turn is illegal: {error}")?;
            turn = modest_turn(&self.game);
            outcome = after.play(&turn);
        }
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return self.complain(&format!("no legal turn: {error}")),
        };
        writeln!(self.out, "info eval winprob {}", Chance(thought.win_permille))?;
        writeln!(
            self.out,
            "info nps {} nodes {nodes} time {:.6}",
            Speed { nodes, time },
            time.as_secs_f64()
        )?;
        let text = TurnText { tech_offset: self.options.tech_offset, ..TurnText::new(&self.game, &turn) };
        writeln!(self.out, "{text}")?;
        if purpose == Purpose::Show {
            return writeln!(self.out, "{}", EndLine(None));
        }
        writeln!(self.out, "{}", EndLine(outcome.winner))?;
        self.game = after;
        self.entering = None;
        if let Purpose::Auto { turns_left } = purpose {
            self.go_on(limits, turns_left.saturating_sub(1))?;
        }
        Ok(())
    }

    /// The next turn of `auto`, unless the game is over.
    fn go_on(&mut self, limits: &Limits, turns_left: u32) -> io::Result<()> {
        if let Err(Refusal::Mute(error)) = self.display() {
            return Err(error);
        }
        if self.game.state().is_over() {
            return self.announce_end();
        }
        if limits.signals.stopped() {
            return writeln!(self.out, "info string stopped");
        }
        if turns_left == 0 {
            return writeln!(self.out, "info string no winner after {AUTO_TURNS} turns");
        }
        let limits = Limits { started: Instant::now(), ..limits.clone() };
        match self.think(Purpose::Auto { turns_left }, limits) {
            Ok(()) => Ok(()),
            Err(Refusal::Bad(text)) => self.complain(&text),
            Err(Refusal::Mute(error)) => Err(error),
        }
    }
}

/// Nobody waits for it once the engine has quit.
fn send(outbox: &Sender<Event>, event: Event) {
    let _ = outbox.send(event);
}

/// Nodes per second, printed with one decimal.
struct Speed {
    nodes: u64,
    time: Duration,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = u128::from(self.nodes) * 10_000_000_000 / self.time.as_nanos().max(1);
        write!(f, "{}.{}", tenths / 10, tenths % 10)
    }
}

/// A chance in permille, printed as a fraction.
pub(super) struct Chance(pub(super) u16);

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}
