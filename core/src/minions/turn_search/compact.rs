//! Compaction: a search of the next position, or of the same one in larger memory, keeps the part of the tree that it
//! can use. The tree is re-rooted in place (see [`Tree::reroot`]), and the candidates are compacted in the same way:
//! marked, renumbered, slid to the front in their old order.

use core::slice;

use crate::minions::{Action, Game};
use crate::search::tree::{self, NONE, Stripe, Tree};

use super::candidates::{ActionRange, Candidates, Stages};
use super::picks::Picks;
use super::search_error::SearchError;
use super::shared_tree::SharedTree;
use super::slices::{MemoryUsage, SearchSlices};

/// Fullness from which memory is scarce, in thousandths.
const SCARCE: u32 = 750;

impl<'m> SharedTree<'m> {
    /// Fill of the memory, for [`SharedTree::resume`].
    pub fn usage(&self) -> MemoryUsage {
        MemoryUsage { tree: self.tree.usage(), candidates: self.candidates.usage() }
    }

    /// Resumes in the memory of an earlier tree that was filled as far as `usage` says; slices may have grown at
    /// their ends since. The statistics of this position and of all that can follow stay, everything else is freed.
    /// When the position is not in the tree, this is [`SharedTree::new`]. The configuration of the game must be the
    /// same.
    ///
    /// # Errors
    /// As [`SharedTree::new`].
    pub fn resume(
        memory: SearchSlices<'m>,
        game: &Game,
        usage: MemoryUsage,
    ) -> Result<SharedTree<'m>, SearchError> {
        SharedTree::resume_moving(usize::MAX, memory, game, usage)
    }

    /// Resumes as [`SharedTree::resume`] does, but frees nothing when the tree has more nodes than `most` and memory is
    /// not yet scarce: compaction takes time in proportion to the nodes, which a short search may not have. What stays
    /// is freed by the next compaction. The memory must not have grown since.
    ///
    /// # Errors
    /// As [`SharedTree::new`].
    pub fn resume_moving(
        most: usize,
        memory: SearchSlices<'m>,
        game: &Game,
        usage: MemoryUsage,
    ) -> Result<SharedTree<'m>, SearchError> {
        let mut tree = SharedTree::stripe(Stripe::WHOLE, memory, game, usage)?;
        resume_stripes(slice::from_mut(&mut tree), most, game)?;
        Ok(tree)
    }
}

/// Resumes the stripes of a tree, which stand at the places of their numbers, as [`SharedTree::resume_moving`] does a whole
/// tree; `usize::MAX` for `most` is [`SharedTree::resume`]. Empty stripes become a tree of one position.
///
/// # Errors
/// As [`SharedTree::new`].
pub fn resume_stripes(stripes: &mut [SharedTree<'_>], most: usize, game: &Game) -> Result<(), SearchError> {
    let key = game.state().key();
    let own = |tree: &SharedTree<'_>| tree.tree.stripe().holds(key as u32);
    let nodes: usize = stripes.iter().map(|stripe| stripe.tree.node_count()).sum();
    let scarce = stripes.iter().any(|stripe| stripe.fullness() >= SCARCE);
    let of = stripes.iter().find(|&tree| own(tree)).ok_or(SearchError::NO_NODE)?;
    let found = if nodes > most && !scarce { of.tree.find(key) } else { None };
    let root = if let Some(root) = found {
        root
    // The table has lost its order if its length has changed, so it is not asked.
    } else if let Some(known) = of.tree.indices().find(|&node| of.tree.key(node) == key) {
        move_root(stripes, known).ok_or(SearchError::NO_NODE)?
    } else {
        for stripe in stripes.iter_mut() {
            stripe.tree.clear();
            stripe.candidates.clear();
        }
        let of = stripes.iter_mut().find(|tree| own(tree)).ok_or(SearchError::NO_NODE)?;
        of.tree.node_of(key).ok_or(SearchError::NO_NODE)?.0
    };
    for stripe in stripes {
        stripe.root = root;
        if stripe.tree.stripe().holds(root) {
            stripe.count_visits(root);
        }
    }
    Ok(())
}

/// Keeps what can be reached from this node, frees the rest, and returns the new index of the node.
pub(super) fn move_root(stripes: &mut [SharedTree<'_>], node: u32) -> Option<u32> {
    tree::mark_reachable(stripes, node)?;
    for SharedTree { tree, candidates, .. } in stripes.iter_mut() {
        candidates.unmark();
        for node in tree.indices().filter(|&node| tree.is_marked(node)) {
            candidates.mark(tree.payload(node));
        }
        candidates.number();
    }
    let root = tree::slide_marked(stripes, node)?;
    for SharedTree { tree, candidates, .. } in stripes {
        renumber(tree, candidates);
        candidates.relink();
        candidates.slide();
    }
    Some(root)
}

/// Puts the new indices of candidates in place of the old ones in the turns and positions of a stripe.
fn renumber(tree: &mut Tree<'_, Picks>, candidates: &Candidates<'_>) {
    for edge in 0..tree.edge_count() as u32 {
        let Some(edge) = tree.edge_mut(edge) else { break };
        let Picks { general, boards, .. } = &mut edge.payload;
        *general = candidates.generals.renumbered(*general);
        for (attack, spawn) in boards {
            *attack = candidates.attacks.renumbered(*attack);
            *spawn = candidates.spawns.renumbered(*spawn);
        }
    }
    for node in tree.indices() {
        let stages = tree.payload(node);
        tree.set_payload(node, candidates.stages.get(stages as usize).map_or(NONE, |stages| stages.forward));
    }
}

impl Candidates<'_> {
    fn stages_in_use(&mut self) -> impl Iterator<Item = &mut Stages> {
        self.stages.iter_mut().take(self.used_stages)
    }

    fn unmark(&mut self) {
        self.stages_in_use().for_each(|stages| stages.forward = NONE);
        self.generals.unmark();
        self.attacks.unmark();
        self.money.unmark();
        self.spawns.unmark();
    }

    /// Marks the stages of a position and all their candidates.
    fn mark(&mut self, stages: u32) {
        let Some(entry) = self.stages_mut(stages) else { return };
        entry.forward = 0;
        let entry = *entry;
        self.generals.mark_list(entry.general, |_| ());
        for board in entry.boards {
            let spawns = &mut self.spawns;
            self.attacks.mark_list(board.attacks, |attack| spawns.mark_list(attack.spawns, |_| ()));
            self.money.mark_list(board.money, |_| ());
        }
    }

    /// Turns the marks into new indices.
    fn number(&mut self) {
        let marked = self.stages_in_use().filter(|stages| stages.forward != NONE);
        marked.zip(0..).for_each(|(stages, index)| stages.forward = index);
        self.generals.number();
        self.attacks.number();
        self.money.number();
        self.spawns.number();
    }

    /// Puts new indices in place of the old ones. No index may be looked up once its slot has been taken, so this
    /// comes before anything slides.
    fn relink(&mut self) {
        let Candidates { stages, used_stages, generals, attacks, money, spawns, .. } = self;
        for entry in stages.iter_mut().take(*used_stages) {
            entry.general = generals.renumbered(entry.general);
            for board in &mut entry.boards {
                board.attacks = attacks.renumbered(board.attacks);
                board.money = money.renumbered(board.money);
            }
        }
        attacks.relink(|attack| attack.spawns = spawns.renumbered(attack.spawns));
        spawns.relink(|spawn| spawn.general = generals.renumbered(spawn.general));
        generals.relink(|_| ());
        money.relink(|_| ());
    }

    /// Moves what is marked to the front of its slice.
    fn slide(&mut self) {
        self.slide_actions();
        let mut kept = 0;
        for index in 0..self.used_stages {
            let Some(&entry) = self.stages.get(index).filter(|entry| entry.forward != NONE) else { continue };
            if let Some(slot) = self.stages.get_mut(kept) {
                *slot = Stages { forward: NONE, ..entry };
                kept += 1;
            }
        }
        self.used_stages = kept;
        self.generals.slide();
        self.attacks.slide();
        self.money.slide();
        self.spawns.slide();
    }

    /// Moves the actions of marked candidates to the front. In each slice, actions lie in the order of their
    /// candidates, so merging the three slices by place moves every action towards the front.
    fn slide_actions(&mut self) {
        let Candidates { generals, attacks, spawns, actions, used_actions, .. } = self;
        let (mut general, mut attack, mut spawn) = (0, 0, 0);
        let mut kept = 0;
        loop {
            let firsts = [
                generals.marked_from(&mut general).map(|known| known.actions.first),
                attacks.marked_from(&mut attack).map(|known| known.actions.first),
                spawns.marked_from(&mut spawn).map(|known| known.actions.first),
            ];
            let Some(first) = firsts.into_iter().flatten().min() else { break };
            let is_next = |other: Option<u32>| other == Some(first);
            let (range, place) = match firsts.map(is_next) {
                [true, ..] => {
                    (generals.marked_from(&mut general).map(|known| &mut known.actions), &mut general)
                }
                [_, true, _] => {
                    (attacks.marked_from(&mut attack).map(|known| &mut known.actions), &mut attack)
                }
                _ => (spawns.marked_from(&mut spawn).map(|known| &mut known.actions), &mut spawn),
            };
            let Some(range) = range else { break };
            *range = slide_range(actions, *range, kept);
            kept += usize::from(range.len);
            *place += 1;
        }
        *used_actions = kept;
    }
}

/// Moves a range of actions towards the front, to `first`, and returns the moved range.
fn slide_range(actions: &mut [Action], range: ActionRange, first: usize) -> ActionRange {
    let from = range.first as usize;
    let end = from + usize::from(range.len);
    if first <= from && end <= actions.len() {
        actions.copy_within(from..end, first);
    }
    ActionRange { first: first as u32, ..range }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::boxed::Box;
    use std::vec::Vec;

    use super::super::arena::Slot;
    use super::super::candidate_usage::CandidateUsage;
    use super::super::candidates::{AttackCandidate, GeneralCandidate, MoneyCandidate, SpawnCandidate};
    use super::super::options::SearchOptions;
    use super::super::ports::JoinedPorts;
    use super::super::search::Search;
    use super::super::shared_tree::Line;
    use super::*;
    use crate::minions::players::{FallbackPolicies, Greedy};
    use crate::minions::tables::capacities::GENERAL_ACTION_CAP;
    use crate::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, Outline, Planned};
    use crate::minions::{Builder, GameConfig, GeneralAction, MapLabel, Ruleset, SideArray, View};
    use crate::search::clock::NodeLimit;
    use crate::search::tree::{Edge, Node};

    /// Knows no attack.
    #[derive(Default)]
    struct Peaceful;

    impl AttackPlanner for Peaceful {
        fn plan(&mut self, _: &View<'_>, _: &[AttackGoal], _: &[Outline], _: &mut Attack) -> Planned {
            Planned::NoMore
        }
    }

    #[derive(Default)]
    struct Room {
        nodes: Vec<Node>,
        edges: Vec<Edge<Picks>>,
        table: Vec<u32>,
        stages: Vec<Stages>,
        generals: Vec<Slot<GeneralCandidate>>,
        attacks: Vec<Slot<AttackCandidate>>,
        money: Vec<Slot<MoneyCandidate>>,
        spawns: Vec<Slot<SpawnCandidate>>,
        actions: Vec<Action>,
    }

    impl Room {
        fn resize(&mut self, nodes: usize) {
            self.nodes.resize(nodes, Node::EMPTY);
            self.edges.resize(nodes, Edge::vacant(Picks::default()));
            self.table.resize(2 * nodes, 0);
            self.stages.resize(nodes, Stages::EMPTY);
            self.generals.resize(4 * nodes, Slot::<GeneralCandidate>::EMPTY);
            self.attacks.resize(4 * nodes, Slot::<AttackCandidate>::EMPTY);
            self.money.resize(4 * nodes, Slot::<MoneyCandidate>::EMPTY);
            self.spawns.resize(4 * nodes, Slot::<SpawnCandidate>::EMPTY);
            self.actions.resize(160 * nodes, Action::General(GeneralAction::March));
        }

        fn borrow(&mut self) -> SearchSlices<'_> {
            SearchSlices {
                nodes: &mut self.nodes,
                edges: &mut self.edges,
                table: &mut self.table,
                stages: &mut self.stages,
                generals: &mut self.generals,
                attacks: &mut self.attacks,
                money: &mut self.money,
                spawns: &mut self.spawns,
                actions: &mut self.actions,
            }
        }
    }

    type Found<'m> = Search<
        'm,
        SharedTree<'m>,
        JoinedPorts<FallbackPolicies, FallbackPolicies, Peaceful, FallbackPolicies, FallbackPolicies>,
    >;

    fn go_on<'m>(room: &'m mut Room, game: &'m Game, usage: MemoryUsage) -> Found<'m> {
        let ports = JoinedPorts { attack_planner: Peaceful, ..Default::default() };
        let scratch = Box::leak(Box::default());
        // Slices of a search whose end nobody knows.
        let options = SearchOptions { halving: false, ..SearchOptions::default() };
        Found::resume(room.borrow(), scratch, ports, options, game, usage).unwrap()
    }

    fn lines(search: &Found<'_>) -> Vec<Line> {
        let mut lines = [Line::default(); 64];
        let count = search.tree().lines(&mut lines);
        lines[..count].to_vec()
    }

    #[test]
    fn a_search_goes_on_in_larger_memory_as_if_it_had_always_had_it() {
        let game = Game::new(GameConfig::default(), 3);
        let told = |search: &Found<'_>| {
            let told = |line: &Line| (line.edge, line.stats, search.tree().turn(&game, line).unwrap());
            lines(search).iter().map(told).collect::<Vec<_>>()
        };
        let mut large = Room::default();
        large.resize(400);
        let mut search = go_on(&mut large, &game, MemoryUsage::default());
        search.run(&mut NodeLimit(120));
        let expected = told(&search);
        let mut small = Room::default();
        small.resize(100);
        let mut search = go_on(&mut small, &game, MemoryUsage::default());
        search.run(&mut NodeLimit(50));
        let usage = search.tree().usage();
        small.resize(400);
        let mut search = go_on(&mut small, &game, usage);
        search.run(&mut NodeLimit(70));
        assert_eq!(told(&search), expected);
    }

    #[test]
    fn the_next_position_keeps_what_was_known_of_it() {
        let before = Game::new(GameConfig::default(), 3);
        let mut game = before.clone();
        let mut room = Room::default();
        room.resize(400);
        let mut search = go_on(&mut room, &before, MemoryUsage::default());
        search.run(&mut NodeLimit(200));
        let most = lines(&search).into_iter().max_by_key(|line| line.stats.visits()).unwrap();
        let mut replies = [Line::default(); 64];
        let count = search.tree().replies(&most, &mut replies);
        game.play(&search.tree().turn(&game, &most).unwrap()).unwrap();
        let expected: Vec<_> = replies[..count]
            .iter()
            .map(|line| (line.stats, search.tree().turn(&game, line).unwrap()))
            .collect();
        assert!(expected.len() > 1);
        let (full, usage) = (search.tree().usage(), search.tree().usage());
        let search = go_on(&mut room, &game, usage);
        let known: Vec<_> = lines(&search)
            .iter()
            .map(|line| (line.stats, search.tree().turn(&game, line).unwrap()))
            .collect();
        assert_eq!(known, expected);
        let [now, full] = [search.tree().usage(), full].map(|usage| {
            let CandidateUsage { stages, generals, attacks, money, spawns, actions } = usage.candidates;
            [stages, generals, attacks, money, spawns, actions]
        });
        assert!(now.iter().zip(full).all(|(&now, full)| 0 < now && now < full), "{now:?} {full:?}");
        let (candidates, stages) = search.tree().stages();
        let entry = *candidates.stages(stages);
        let mut spawns = 0;
        for (_, attack) in candidates.list(entry.boards[0].attacks) {
            for (_, spawn) in candidates.list(attack.spawns) {
                assert!(candidates.list(entry.general).any(|(index, _)| index == spawn.general));
                spawns += 1;
            }
        }
        assert!(spawns > 1);
        // Every turn that was kept can be played, and the search goes on from it.
        for (_, turn) in &known {
            game.clone().play(turn).unwrap();
        }
        let visits = search.tree().value().visits();
        let mut search = search;
        search.run(&mut NodeLimit(30));
        assert_eq!(search.tree().value().visits(), visits + 30);
    }

    #[test]
    fn a_large_tree_is_left_in_place_until_memory_is_scarce() {
        let mut game = Game::new(GameConfig::default(), 3);
        let told = |tree: &SharedTree<'_>, game: &Game| {
            let mut lines = [Line::default(); 64];
            let count = tree.lines(&mut lines);
            let told = |line: &Line| (line.stats, tree.turn(game, line).unwrap());
            lines[..count].iter().map(told).collect::<Vec<_>>()
        };
        for (size, stays) in [(400, true), (130, false)] {
            let mut room = Room::default();
            room.resize(size);
            let mut search = go_on(&mut room, &game, MemoryUsage::default());
            search.run(&mut NodeLimit(120));
            let best = lines(&search).into_iter().max_by_key(|line| line.stats.visits()).unwrap();
            let turn = search.tree().turn(&game, &best).unwrap();
            let before = search.tree().usage();
            let mut next = game.clone();
            next.play(&turn).unwrap();
            let tree = SharedTree::resume_moving(10, room.borrow(), &next, before).unwrap();
            let (after, known) = (tree.usage(), told(&tree, &next));
            // Visits that turns have kept are counted now, which may list a split of money more.
            assert!(after.candidates.money >= before.candidates.money || !stays);
            let apart = |usage: MemoryUsage| (usage.tree, CandidateUsage { money: 0, ..usage.candidates });
            assert_eq!(apart(after) == apart(before), stays);
            assert_eq!(told(&SharedTree::resume(room.borrow(), &next, after).unwrap(), &next), known);
            // A small tree is compacted in any case.
            let tree = SharedTree::resume_moving(1_000, room.borrow(), &next, after).unwrap();
            assert!(tree.usage().tree != before.tree);
            if stays {
                game = next;
            }
        }
    }

    #[test]
    fn a_turn_with_more_tech_steps_than_a_candidate_holds_is_left_to_the_stages() {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::from_game(Game::new(config, 1));
        builder.souls(SideArray::new(1_000, 1_000));
        let game = builder.build().unwrap();
        let turn = Greedy::new(0).choose(&game);
        assert!(turn.general_actions(game.state().budget()).count() > GENERAL_ACTION_CAP);
        let mut room = Room::default();
        room.resize(100);
        let mut search = go_on(&mut room, &game, MemoryUsage::default());
        search.run(&mut NodeLimit(10));
        assert_eq!(search.tree().value().visits(), 10);
    }

    #[test]
    fn a_search_in_full_memory_finds_more_turns_by_freeing_those_of_other_positions() {
        let game = Game::new(GameConfig::default(), 3);
        let mut room = Room::default();
        room.resize(24);
        let mut search = go_on(&mut room, &game, MemoryUsage::default());
        let mut known = 0;
        let mut freed = false;
        for round in 1..=40 {
            let before = search.tree().usage().candidates.stages;
            search.run(&mut NodeLimit(10 * round));
            freed |= search.tree().usage().candidates.stages < before;
            let found = lines(&search);
            assert!(found.len() >= known);
            known = found.len();
            for line in found {
                game.clone().play(&search.tree().turn(&game, &line).unwrap()).unwrap();
            }
        }
        assert_eq!(search.tree().value().visits(), 400);
        assert!(freed);
        // The root has a quarter of the edges, and the answers the rest.
        assert_eq!(known, 6);
    }

    #[test]
    fn of_a_strange_position_nothing_is_kept() {
        let mut room = Room::default();
        room.resize(100);
        let game = Game::new(GameConfig::default(), 3);
        let mut search = go_on(&mut room, &game, MemoryUsage::default());
        search.run(&mut NodeLimit(40));
        let usage = search.tree().usage();
        let other = Game::new(GameConfig::default(), 4);
        let search = go_on(&mut room, &other, usage);
        assert_eq!(
            (search.tree().value().visits(), search.tree().usage().candidates),
            (0, CandidateUsage::default())
        );
    }
}
