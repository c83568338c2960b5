//! The searching player: the staged search of `barrow_core` joined with the planner of `barrow_solver` and a taste,
//! under the clock of this machine.

mod room;

use barrow_core::bots::{Brain, Greedy, Taste};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::search::ports::{CERTAIN, Clock};
use barrow_core::search::staged::{Line, Options, Report, Search, Team};
use barrow_solver::attack::Planner;

pub use room::{MOST_MIB, Room};

use crate::umi::limits::Limits;

/// The ports as this player fulfils them.
pub type Joined<'p> = Search<'p, Taste, Taste, Planner<'p>, Taste, Taste>;

/// A player that searches.
pub struct Mind {
    room: Room,
    options: Options,
}

/// A turn that the search considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The turn.
    pub turn: GameTurn,
    /// Win chance of the side that plays it, 0 to 1.
    pub value: f64,
    /// Standard error of the value.
    pub error: f64,
    /// How often it was visited.
    pub visits: u64,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Candidates, the one to play first; never empty.
    pub candidates: Vec<Candidate>,
    /// How the search went.
    pub report: Report,
}

/// Most candidates that are listed.
const CANDIDATES: usize = 16;

impl Mind {
    /// A player with this much memory.
    pub fn new(hash_mib: usize, options: Options) -> Mind {
        Mind { room: Room::new(hash_mib), options }
    }

    /// The switches and constants of its search.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Searches a position of a game that is not over.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Found {
        let (memory, words) = self.room.lend();
        let team = Team {
            evaluator: Taste::default(),
            prophet: Taste::default(),
            planner: Planner::new(words),
            spawner: Taste::default(),
            general: Taste::default(),
        };
        let mut candidates = Vec::new();
        let mut report = Report::default();
        if let Some(mut search) = Joined::new(memory, team, self.options, game) {
            search.run(&mut Watch(limits));
            report = search.report();
            let mut lines = [Line::default(); CANDIDATES];
            let count = search.lines(&mut lines);
            candidates = lines[..count].iter().filter_map(|line| candidate(&search, line, game)).collect();
        }
        if candidates.is_empty() {
            // Nothing composed: whatever the position, there is a turn.
            let turn = Greedy::new(self.options.seed).choose(game);
            candidates.push(Candidate { turn, value: 0.5, error: 0.5, visits: 1 });
        }
        Found { candidates, report }
    }
}

fn candidate(search: &Joined<'_>, line: &Line, game: &Game) -> Option<Candidate> {
    let turn = search.turn(line)?;
    // What the search composed it has played, so this holds; a mistake here must not cost a game.
    game.clone().play(&turn).ok()?;
    let certain = f64::from(CERTAIN);
    let visits = u64::from(line.stats.visits());
    let error = f64::from(line.stats.deviation()) / certain / (visits.max(1) as f64).sqrt();
    Some(Candidate { turn, value: f64::from(line.stats.mean()) / certain, error, visits })
}

/// The clock of this machine, asked now and then.
struct Watch<'a>(&'a Limits);

impl Clock for Watch<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        self.0.reached(nodes) || crate::interrupt::requested()
    }
}

/// A mind with a fixed effort, as a player of matches.
pub struct Player {
    /// The mind.
    pub mind: Mind,
    /// Time and nodes for a turn.
    pub effort: crate::analysis::Effort,
}

impl Brain for Player {
    fn choose(&mut self, game: &Game) -> GameTurn {
        let limits = Limits::new(self.effort.time, self.effort.nodes);
        let mut found = self.mind.search(game, &limits);
        found.candidates.swap_remove(0).turn
    }
}
