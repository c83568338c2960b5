//! A search in the caller's memory, by slices.

use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, Line, MemoryUsage, MoneyCandidate, Picks, Search, SearchCapacity,
    SearchOptions, SearchScratch, SearchSlices, SearchStatistics, SharedTree, Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, BOARD_CAP, Game, GameCopy, GameTurn, GeneralAction};
use barrow_core::search::clock::{Clock, share};
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::{OrdinaryRoom, Planner};

use crate::game::check_going;
use crate::memory::{Lent, Region};
use crate::message::{Failure, Message};
use crate::ports::{Net, Oracle, Policies, SearchPorts};
use crate::status::{
    BARROW_CAPACITY, BARROW_FINISHED, BARROW_OK, BARROW_RANGE, BARROW_STOPPED, BARROW_TOO_EARLY, BarrowStatus,
};
use crate::word::Word;

/// Fewest nodes for which a search has memory: a turn on eight boards needs as many.
const FEWEST_NODES: usize = 16;

/// Turns of the root that are listed at most.
pub(crate) const LINE_CAP: usize = 64;

/// The slices of a search in the caller's memory.
struct Buffers {
    nodes: Lent<Node>,
    edges: Lent<Edge<Picks>>,
    table: Lent<u32>,
    stages: Lent<Stages>,
    generals: Lent<Slot<GeneralCandidate>>,
    attacks: Lent<Slot<AttackCandidate>>,
    money: Lent<Slot<MoneyCandidate>>,
    spawns: Lent<Slot<SpawnCandidate>>,
    actions: Lent<Action>,
    parts: Parts,
}

/// Memory that a search borrows beside its slices. Each is made by itself, since it passes over the stack.
struct Parts {
    game: Lent<GameCopy>,
    scratch: Lent<SearchScratch>,
    evaluator: Lent<Oracle>,
    policies: Lent<Policies>,
    words: Lent<u32>,
    room: Lent<OrdinaryRoom>,
}

impl Buffers {
    /// Slices for so many nodes, as the engine of `host` divides its memory.
    fn take(region: &mut Region, nodes: usize, words: usize) -> Option<Buffers> {
        let capacity = SearchCapacity::balanced(nodes.max(FEWEST_NODES))?;
        let least = SearchCapacity::least_actions(BOARD_CAP, capacity.generals);
        Some(Buffers {
            nodes: region.take(capacity.nodes, Node::EMPTY)?,
            edges: region.take(capacity.edges, Edge::vacant(Picks::default()))?,
            table: region.take(capacity.table, 0)?,
            stages: region.take(capacity.stages, Stages::EMPTY)?,
            generals: region.take(capacity.generals, Slot::<GeneralCandidate>::EMPTY)?,
            attacks: region.take(capacity.attacks, Slot::<AttackCandidate>::EMPTY)?,
            money: region.take(capacity.money, Slot::<MoneyCandidate>::EMPTY)?,
            spawns: region.take(capacity.spawns, Slot::<SpawnCandidate>::EMPTY)?,
            actions: region.take(capacity.actions.max(least), Action::General(GeneralAction::March))?,
            parts: Parts {
                words: region.take(words, 0)?,
                game: region.take_one(GameCopy::new)?,
                scratch: region.take_one(SearchScratch::new)?,
                evaluator: region.take_one(|| Oracle::new(None))?,
                policies: region.take_one(|| Policies::new(None))?,
                room: region.take_one(OrdinaryRoom::new)?,
            },
        })
    }

    /// Lends the slices to a search.
    ///
    /// # Safety
    /// No search that they were lent to is used any more.
    unsafe fn lend(&mut self) -> SearchSlices<'static> {
        // SAFETY: as the caller says.
        unsafe {
            SearchSlices {
                nodes: self.nodes.borrow(),
                edges: self.edges.borrow(),
                table: self.table.borrow(),
                stages: self.stages.borrow(),
                generals: self.generals.borrow(),
                attacks: self.attacks.borrow(),
                money: self.money.borrow(),
                spawns: self.spawns.borrow(),
                actions: self.actions.borrow(),
            }
        }
    }
}

impl Parts {
    /// Lends the place of a game, scratch, and ports for a network or for none to a search.
    ///
    /// # Safety
    /// No search that they were lent to is used any more.
    unsafe fn lend(
        &mut self,
        net: Option<Net>,
    ) -> Option<(&'static mut GameCopy, &'static mut SearchScratch, SearchPorts)> {
        // SAFETY: as the caller says.
        unsafe {
            let (evaluator, policies) = (self.evaluator.borrow_one()?, self.policies.borrow_one()?);
            *evaluator = Oracle::new(net);
            *policies = Policies::new(net);
            let attack_planner = Planner::with_room(self.words.borrow(), self.room.borrow_one()?);
            let ports = SharedPorts { evaluator, policies, attack_planner };
            Some((self.game.borrow_one()?, self.scratch.borrow_one()?, ports))
        }
    }
}

/// Counts what [`Searching::new`] takes.
pub(crate) fn count(region: &mut Region, nodes: usize, words: usize) -> Option<()> {
    Buffers::take(region, nodes, words).map(|_| ())
}

/// End of a slice of work: its nodes are done, or the stop flag is set.
struct SliceEnd<'a> {
    nodes: u64,
    /// Nodes of the whole search; `u64::MAX` for no limit.
    limit: u64,
    stop: &'a Word,
}

impl Clock for SliceEnd<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stop.get() != 0
    }

    fn spent(&mut self, nodes: u64) -> Option<i32> {
        share(nodes, self.limit)
    }
}

/// A search with its memory and options.
pub(crate) struct Searching {
    buffers: Buffers,
    search: Option<Search<'static, SharedTree<'static>, SearchPorts>>,
    /// Position of the search, once one was begun.
    game: Option<&'static Game>,
    /// Network of the next search.
    net: Option<Net>,
    seed: u64,
    /// Whether network or seed were set since the last search, whose values and turns are then not those of the next.
    is_changed: bool,
    /// Nodes at most; 0 for no limit.
    pub(crate) limit: u64,
}

impl Searching {
    pub(crate) fn new(region: &mut Region, nodes: usize, words: usize) -> Option<Searching> {
        let buffers = Buffers::take(region, nodes, words)?;
        Some(Searching { buffers, search: None, game: None, net: None, seed: 0, is_changed: false, limit: 0 })
    }

    /// Sets the network of the next search.
    pub(crate) fn set_net(&mut self, net: Option<Net>) {
        (self.net, self.is_changed) = (net, true);
    }

    /// Sets the seed of the next search.
    pub(crate) const fn set_seed(&mut self, seed: u64) {
        (self.seed, self.is_changed) = (seed, true);
    }

    /// Begins a search. With `keep` the part of the last tree stays that can follow from the position.
    pub(crate) fn begin(
        &mut self,
        game: &Game,
        keep: bool,
        stop: &Word,
        message: &mut Message,
    ) -> Result<BarrowStatus, Failure> {
        check_going(game)?;
        // Not at the end: whoever stops the search while its tree is made means this one.
        stop.set(0);
        let is_changed = core::mem::take(&mut self.is_changed);
        let same = self.game.take().is_some_and(|last| last.config() == game.config()) && !is_changed;
        let usage = self.search.take().filter(|_| keep && same).map(|last| last.tree().usage());
        // SAFETY: the last search, the only one that these parts were lent to, has just been dropped, and so has the
        // reference to its position.
        let slices = unsafe { self.buffers.lend() };
        // SAFETY: as above.
        let lent = unsafe { self.buffers.parts.lend(self.net) };
        let (place, scratch, ports) = lent.ok_or(Failure(BARROW_CAPACITY))?;
        let game: &'static Game = place.copy(game).ok_or(Failure(BARROW_CAPACITY))?;
        let options = SearchOptions { seed: self.seed, ..SearchOptions::with_little_stack() };
        let usage: MemoryUsage = usage.unwrap_or_default();
        let search = Search::resume(slices, scratch, ports, options, game, usage)
            .map_err(|error| message.fail(BARROW_CAPACITY, error))?;
        self.search = Some(search);
        self.game = Some(game);
        Ok(BARROW_OK)
    }

    /// Searches so many nodes more at most.
    pub(crate) fn run(
        &mut self,
        nodes: u64,
        stop: &Word,
        message: &mut Message,
    ) -> Result<BarrowStatus, Failure> {
        let limit = if self.limit == 0 { u64::MAX } else { self.limit };
        let search = self.search.as_mut().ok_or(Failure(BARROW_TOO_EARLY))?;
        let before = search.statistics().nodes;
        if stop.get() != 0 {
            return Ok(BARROW_STOPPED);
        }
        if before >= limit {
            return Ok(BARROW_FINISHED);
        }
        if nodes == 0 {
            return Err(Failure(BARROW_RANGE));
        }
        let end = before.saturating_add(nodes).min(limit);
        search.run(&mut SliceEnd { nodes: end, limit, stop });
        let after = search.statistics().nodes;
        if after >= limit {
            Ok(BARROW_FINISHED)
        } else if after >= end {
            Ok(BARROW_OK)
        } else if stop.get() != 0 {
            Ok(BARROW_STOPPED)
        } else if after == 0 {
            Err(message
                .fail(BARROW_CAPACITY, "the search has too little memory for one turn of this position"))
        } else {
            Ok(BARROW_FINISHED)
        }
    }

    /// Statistics of the search so far; all 0 before it was begun.
    pub(crate) fn statistics(&mut self) -> SearchStatistics {
        self.search.as_mut().map(Search::statistics).unwrap_or_default()
    }

    /// Win chance of the side to move by all turns together, once there is one.
    pub(crate) fn win(&self) -> Option<i32> {
        self.search
            .as_ref()
            .map(|search| search.tree().value())
            .filter(|value| value.visits() > 0)
            .map(|value| value.mean())
    }

    /// Number of turns found.
    pub(crate) fn count_lines(&self) -> usize {
        let mut lines = [Line::default(); LINE_CAP];
        self.search.as_ref().map_or(0, |search| search.tree().lines(&mut lines))
    }

    /// The turn at a rank, 0 for the best, with its statistics.
    pub(crate) fn turn(&self, rank: u32) -> Result<(Line, GameTurn, &'static Game), Failure> {
        let search = self.search.as_ref().ok_or(Failure(BARROW_TOO_EARLY))?;
        let mut lines = [Line::default(); LINE_CAP];
        let count = search.tree().lines(&mut lines);
        if count == 0 {
            return Err(Failure(BARROW_TOO_EARLY));
        }
        let found =
            lines.get(..count).and_then(|found| found.get(rank as usize)).ok_or(Failure(BARROW_RANGE))?;
        let game = self.game.ok_or(Failure(BARROW_TOO_EARLY))?;
        let turn = search.tree().turn(game, found).ok_or(Failure(BARROW_CAPACITY))?;
        Ok((*found, turn, game))
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{BoardAction, GameConfig, MapLabel, Ruleset, UndoLog};

    use super::*;
    use crate::status::BARROW_GAME_OVER;

    #[test]
    fn the_stop_flag_is_cleared_before_the_tree_is_made() {
        let mut game = Game::new(GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap(), 0);
        // Without memory a search ends where its tree would be made.
        let mut searching = Searching::new(&mut Region::counting(), 16, 100).unwrap();
        let (stop, mut message) = (Word::new(1), Message::EMPTY);
        let begun = searching.begin(&game, false, &stop, &mut message);
        assert_eq!((begun, stop.get()), (Err(Failure(BARROW_CAPACITY)), 0));
        // A call that is refused leaves the flag alone.
        game.apply(Action::Board(0, BoardAction::Resign), &mut UndoLog::off()).unwrap();
        game.end_turn().unwrap();
        stop.set(1);
        let begun = searching.begin(&game, false, &stop, &mut message);
        assert_eq!((begun, stop.get()), (Err(Failure(BARROW_GAME_OVER)), 1));
    }
}
