//! The searches of a session, each on a thread of its own: start, stop, and what is done with the turn found.

use std::io::{self, Write};
use std::sync::mpsc::SyncSender;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::umi::{EndLine, TurnText};
use barrow_core::minions::{Game, GameTurn};

use super::at_once::at_once;
use super::brain::{HandWritten, TimedBrain};
use super::event::{AUTO_TURNS, Answer, Event, Purpose, RunningSearch};
use super::go::{GoDefaults, clock_left, read_limits};
use super::info::{Permille, Speed, candidate_lines, ponder_line};
use super::options::{Heuristic, Options};
use super::session::{CommandError, CommandResult, Session};
use super::spooky_subset::{drop_unneeded_spells, spooky_subset};
use crate::engine::{Breakdown, Engine, Limits, SearchResult, or_simple_turn, simple_turn};
use crate::notation::{TurnNotes, notes_of_search};

/// Name of the program as a player of recorded games.
const ENGINE: &str = concat!("Barrow ", env!("CARGO_PKG_VERSION"));

/// Stack of the search thread, in bytes.
pub(super) const STACK: usize = 16 << 20;

impl<W: Write> Session<W> {
    /// Starts the search of a command `go`, `play` or `auto` with these limits.
    pub(super) fn begin_search(&mut self, rest: &str, purpose: Purpose) -> CommandResult {
        let (move_time, overhead) = (self.move_time(), self.options.overhead);
        let side = self.game.side_to_move();
        let limits = read_limits(rest, &GoDefaults { move_time, overhead, side })?;
        self.clock = clock_left(rest, side);
        if self.game.state().is_over() {
            return Err("the game is over".into());
        }
        // A clock, and an opponent who thinks, belong to one turn.
        if matches!(purpose, Purpose::Auto { .. })
            && (limits.soft_bound.is_some() || limits.signals.is_waiting())
        {
            return Err("auto: only nodes and movetime".into());
        }
        self.start_search(purpose, limits)
    }

    /// Makes the brain and warms it up, so that the next search is as punctual as those after it.
    pub(super) fn prepare(&mut self) {
        if self.brain.is_none() && !self.is_searching() {
            let mut brain = self.new_brain();
            thread::scope(|scope| {
                let work = || brain.warm_up();
                // Without a thread for it the first search is late, or refused for want of a thread as well.
                let _ = thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, work)
                    .map(ScopedJoinHandle::join);
            });
            self.brain = Some(brain);
        }
    }

    /// The brain that the options name, at the start of a game.
    fn new_brain(&self) -> Box<dyn TimedBrain> {
        let Options { seed, hash, threads, network, .. } = self.options;
        match self.options.heuristic {
            Heuristic::Mcts => {
                let search = barrow_core::minions::turn_search::SearchOptions { seed, ..Default::default() };
                let mut engine = Engine::with_threads(hash, search, threads);
                engine.set_network(network);
                Box::new(engine)
            }
            Heuristic::Greedy => Box::new(HandWritten(Greedy::new(seed))),
            Heuristic::Random => Box::new(HandWritten(Random::new(seed))),
        }
    }

    /// Starts a search of the position on a thread of its own.
    fn start_search(&mut self, purpose: Purpose, limits: Limits) -> CommandResult {
        let mut brain = self.brain.take().unwrap_or_else(|| self.new_brain());
        let game = self.game_of_brain();
        let (outbox, given) = (self.outbox.clone(), limits.clone());
        let Options { multi_pv, ponder, seed, .. } = self.options;
        let quiet = self.faces_web_server();
        let work = move || {
            let mut observer = |result: &SearchResult| {
                for line in candidate_lines(&game, result, if quiet { 0 } else { multi_pv }) {
                    send(&outbox, Event::Info(line));
                }
            };
            let result = or_simple_turn(&game, seed, || brain.search(&game, &given, &mut observer));
            let told = Some(&result).filter(|_| ponder && !quiet);
            if let Some(line) = told.and_then(|result| ponder_line(&game, result)) {
                send(&outbox, Event::Info(line));
            }
            given.wait_to_answer();
            // A brain that panicked is not asked again.
            let brain = Some(brain).filter(|_| !matches!(result.breakdown, Some(Breakdown::Panic(_))));
            let answer = Answer { result, time: given.started.elapsed(), brain };
            send(&outbox, Event::Answer(Box::new(answer)));
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work);
        let thread = thread.map_err(|error| format!("no thread for the search: {error}"))?;
        self.search = Some(RunningSearch { purpose, limits, thread });
        Ok(())
    }

    /// The game as the brain sees it: without what Spooky's lines cannot express, where the host reads only those.
    fn game_of_brain(&self) -> Game {
        if self.plays_spooky_subset() { spooky_subset(&self.game) } else { self.game.clone() }
    }

    /// Whether the engine keeps to turns that Spooky's lines can express.
    fn plays_spooky_subset(&self) -> bool {
        (self.spooky_form || self.faces_web_server()) && self.game.config().rules.spells
    }

    /// The turn in a form that the host can carry out.
    fn for_host(&self, mut turn: GameTurn) -> GameTurn {
        if self.plays_spooky_subset() {
            drop_unneeded_spells(&self.game, &mut turn);
        }
        if self.faces_web_server() { at_once(&self.game, &turn) } else { turn }
    }

    /// Stops the search that runs, if one does.
    pub(super) fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.limits.signals.stop();
        }
    }

    /// Stops a search that waits for `stop` or `ponderhit`, for the end of the input, after which neither can come.
    pub(super) fn stop_waiting(&mut self) {
        if self.search.as_ref().is_some_and(|search| search.limits.signals.is_waiting()) {
            self.stop();
        }
    }

    /// Starts the clock of the search that ponders, or prints an error.
    pub(super) fn ponder_hit(&mut self) -> io::Result<()> {
        if self.search.as_ref().is_some_and(|search| search.limits.ponder_hit()) {
            return Ok(());
        }
        self.print_error("ponderhit: no search ponders")
    }

    /// Ends a search: prints its turn, plays the turn if the command says so, and runs the commands that waited.
    pub(super) fn conclude(&mut self, answer: Answer) -> io::Result<()> {
        let Some(RunningSearch { purpose, limits, thread }) = self.search.take() else { return Ok(()) };
        // The answer is the last thing that the thread sends.
        let _ = thread.join();
        let Answer { result, time, brain } = answer;
        self.brain = brain;
        if let Some(breakdown) = &result.breakdown {
            writeln!(self.out, "info string {breakdown}")?;
        }
        self.print_turn(purpose, &limits, &result, time)?;
        self.obey_waiting()
    }

    /// Runs the commands that waited for the end of a search, up to one that begins another.
    pub(super) fn obey_waiting(&mut self) -> io::Result<()> {
        while !self.is_searching()
            && let Some(line) = self.waiting.pop()
        {
            self.obey(&line)?;
        }
        self.out.flush()
    }

    /// Prints the best turn of a search with its value and speed, and plays the turn unless it was only asked for.
    fn print_turn(
        &mut self,
        purpose: Purpose,
        limits: &Limits,
        result: &SearchResult,
        time: Duration,
    ) -> io::Result<()> {
        let nodes = result.statistics.nodes.max(1);
        let best = result.best();
        let mut turn = self.for_host(best.turn.clone());
        let mut after = self.game.clone();
        let mut outcome = after.play(&turn);
        if let Err(error) = outcome {
            writeln!(self.out, "info string the brain's turn is illegal: {error}")?;
            turn = self.for_host(simple_turn(&self.game_of_brain(), self.options.seed));
            outcome = after.play(&turn);
        }
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return self.print_error(&format!("no legal turn: {error}")),
        };
        write!(self.out, "info eval winprob {}", Permille::of(best.value))?;
        // The web server's chat has room for one line.
        self.out.write_all(if self.faces_web_server() { b" " } else { b"\ninfo " })?;
        writeln!(self.out, "nps {} nodes {nodes} time {:.6}", Speed { nodes, time }, time.as_secs_f64())?;
        let text = TurnText { tech_offset: self.tech_offset(), ..TurnText::new(&self.game, &turn) };
        writeln!(self.out, "{text}")?;
        let clock = self.clock.map(|left| left.saturating_sub(time).as_millis() as u64);
        let notes = TurnNotes { clock, ..notes_of_search(&self.game, result) };
        let notes = TurnNotes { time: TurnNotes::timed(time).time, ..notes };
        if purpose == Purpose::Show {
            let player = (ENGINE, self.options.network);
            self.recording.propose([&self.game, &after], &turn, player, notes);
            return writeln!(self.out, "{}", EndLine(None));
        }
        writeln!(self.out, "{}", EndLine(outcome.winner))?;
        let before = std::mem::replace(&mut self.game, after);
        self.record(&before, &turn, ENGINE, notes)?;
        self.entering = None;
        if let Purpose::Auto { turns_left } = purpose {
            self.continue_auto(limits, turns_left.saturating_sub(1))?;
        }
        Ok(())
    }

    /// Starts the search of the next turn of `auto`, unless the game is over.
    fn continue_auto(&mut self, limits: &Limits, turns_left: u32) -> io::Result<()> {
        if let Err(CommandError::Output(error)) = self.display() {
            return Err(error);
        }
        if self.game.state().is_over() {
            return self.announce_end();
        }
        if limits.signals.is_stopped() {
            return writeln!(self.out, "info string stopped");
        }
        if turns_left == 0 {
            return writeln!(self.out, "info string no winner after {AUTO_TURNS} turns");
        }
        let limits = Limits { started: Instant::now(), ..limits.clone() };
        match self.start_search(Purpose::Auto { turns_left }, limits) {
            Ok(()) => Ok(()),
            Err(CommandError::Refused(text)) => self.print_error(&text),
            Err(CommandError::Output(error)) => Err(error),
        }
    }
}

/// Sends an event to the session. After `quit` no session receives it, which is no error.
pub(super) fn send(outbox: &SyncSender<Event>, event: Event) {
    let _ = outbox.send(event);
}
