//! Going on from what is known: a search of the next position, or of the same one in larger memory, keeps the part
//! of the tree that it can use. The tree moves its root in place (see [`Tree::reroot`]), and the candidates behind it
//! make room in the same way: marked, renamed, slid to the front in their old order.

use crate::minions::Game;
use crate::search::tree::{Saved, Tree};

use super::Memory;
use super::candidates::{Choice, NONE, Pool, Stages};
use super::shared_tree::Forest;

/// How far a search has filled its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    tree: Saved,
    pool: [usize; 3],
}

impl<'m> Forest<'m> {
    /// What [`Forest::resume`] needs to know of this forest.
    pub fn keep(&self) -> Kept {
        Kept { tree: self.tree.saved(), pool: self.pool.used }
    }

    /// Goes on in the memory in which a forest was kept; slices may have grown at their ends since. What it knew of
    /// this position and of those that can follow stays, everything else makes room. When it knew nothing of this
    /// position, this is [`Forest::new`]. The configuration of the game must be the same.
    pub fn resume(memory: Memory<'m>, game: &Game, kept: Kept) -> Option<Forest<'m>> {
        if game.state().is_over() {
            return None;
        }
        let Memory { nodes, edges, table, stages, choices, actions } = memory;
        let mut tree = Tree::resume(nodes, edges, table, kept.tree);
        let mut pool = Pool::new(stages, choices, actions);
        pool.used = kept.pool;
        let [stages, choices, actions] = &mut pool.used;
        *stages = (*stages).min(pool.stages.len());
        *choices = (*choices).min(pool.choices.len());
        *actions = (*actions).min(pool.actions.len());
        // The table has lost its order if its length has changed, so it is not asked.
        let key = game.state().key();
        let known = (0..tree.node_count() as u32).find(|&node| tree.key(node) == key);
        let root = if let Some(node) = known {
            move_root(&mut tree, &mut pool, node)?
        } else {
            tree.clear();
            pool.clear();
            tree.node_of(key)?.0
        };
        Some(Forest::around(tree, pool, root))
    }
}

/// Keeps what can be reached from this node; its new index.
fn move_root(tree: &mut Tree<'_, super::Picks>, pool: &mut Pool<'_>, node: u32) -> Option<u32> {
    pool.unmark();
    let root = tree.reroot(node, |payload, _, new| {
        if new.is_some() {
            pool.mark(payload);
        }
    })?;
    pool.number();
    for edge in 0..tree.edge_count() as u32 {
        let Some(edge) = tree.edge_mut(edge) else { break };
        edge.payload.general = pool.renamed(edge.payload.general);
        for (attack, finish) in &mut edge.payload.boards {
            (*attack, *finish) = (pool.renamed(*attack), pool.renamed(*finish));
        }
    }
    for node in 0..tree.node_count() as u32 {
        let stages = tree.payload(node);
        tree.set_payload(node, pool.stages.get(stages as usize).map_or(NONE, |stages| stages.link));
    }
    pool.slide();
    Some(root)
}

impl Pool<'_> {
    fn used_stages(&mut self) -> impl Iterator<Item = &mut Stages> {
        self.stages.iter_mut().take(self.used[0])
    }

    fn used_choices(&mut self) -> impl Iterator<Item = &mut Choice> {
        self.choices.iter_mut().take(self.used[1])
    }

    fn unmark(&mut self) {
        self.used_stages().for_each(|stages| stages.link = NONE);
        self.used_choices().for_each(|choice| choice.link = NONE);
    }

    /// Marks the stages of a position and all their candidates.
    fn mark(&mut self, stages: u32) {
        let Some(entry) = self.stages_mut(stages) else { return };
        entry.link = 0;
        let entry = *entry;
        self.mark_list(entry.general);
        for board in entry.boards {
            self.mark_list(board.attacks);
            self.mark_list(board.money);
        }
    }

    fn mark_list(&mut self, first: u32) {
        let mut at = first;
        while let Some(choice) = self.choice_mut(at).filter(|choice| choice.link == NONE) {
            choice.link = 0;
            let mut below = choice.below;
            at = choice.next;
            while let Some(finish) = self.choice_mut(below).filter(|finish| finish.link == NONE) {
                finish.link = 0;
                below = finish.next;
            }
        }
    }

    /// Turns the marks into new indices.
    fn number(&mut self) {
        let marked = self.used_stages().filter(|stages| stages.link != NONE);
        marked.zip(0..).for_each(|(stages, index)| stages.link = index);
        let marked = self.used_choices().filter(|choice| choice.link != NONE);
        marked.zip(0..).for_each(|(choice, index)| choice.link = index);
    }

    /// The new index of a candidate; `NONE` when it does not stay.
    fn renamed(&self, choice: u32) -> u32 {
        self.choice(choice).link
    }

    /// Finishes know the general's choice that they were made for by the low bits of its name.
    fn rename_generals(&mut self, stages: u32) {
        let entry = *self.stages(stages);
        if entry.link == NONE {
            return;
        }
        for board in entry.boards {
            let mut attack = board.attacks;
            while attack != NONE {
                let mut finish = self.choice(attack).below;
                while finish != NONE {
                    let Choice { prior, next, .. } = *self.choice(finish);
                    let general = self.list(entry.general).find(|&(index, _)| index as u16 == prior);
                    let renamed = general.map_or(prior, |(_, choice)| choice.link as u16);
                    if let Some(finish) = self.choice_mut(finish) {
                        finish.prior = renamed;
                    }
                    finish = next;
                }
                attack = self.choice(attack).next;
            }
        }
    }

    /// Renames what candidates and stages name, and slides what stays to the front.
    fn slide(&mut self) {
        let [used_stages, used_choices, _] = self.used;
        // No name may be looked up once its place has been taken, so everything is renamed first.
        for index in 0..used_stages {
            self.rename_generals(index as u32);
        }
        for index in 0..used_choices {
            let Some(choice) = self.choices.get(index) else { break };
            let (next, below) = (self.renamed(choice.next), self.renamed(choice.below));
            if let Some(choice) = self.choices.get_mut(index) {
                (choice.next, choice.below) = (next, below);
            }
        }
        let mut kept = [0; 3];
        for index in 0..used_stages {
            let Some(mut entry) = self.stages.get(index).copied().filter(|entry| entry.link != NONE) else {
                continue;
            };
            entry.general = self.renamed(entry.general);
            for board in &mut entry.boards {
                (board.attacks, board.money) = (self.renamed(board.attacks), self.renamed(board.money));
            }
            if let Some(slot) = self.stages.get_mut(kept[0]) {
                *slot = Stages { link: NONE, ..entry };
                kept[0] += 1;
            }
        }
        for index in 0..used_choices {
            let Some(choice) = self.choices.get(index).copied().filter(|choice| choice.link != NONE) else {
                continue;
            };
            let (first, len) = (choice.first as usize, usize::from(choice.len));
            // The actions of candidates lie in the order of the candidates, so they only ever move forwards.
            for step in 0..len {
                let action = self.actions.get(first + step).copied();
                if let (Some(action), Some(slot)) = (action, self.actions.get_mut(kept[2] + step)) {
                    *slot = action;
                }
            }
            if let Some(slot) = self.choices.get_mut(kept[1]) {
                *slot = Choice { first: kept[2] as u32, link: NONE, ..choice };
                kept[1] += 1;
                kept[2] += len;
            }
        }
        self.used = kept;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::super::{Line, Options, Picks, Search, Team};
    use super::*;
    use crate::minions::players::Taste;
    use crate::minions::turn_search::ports::{Aim, Attack, AttackPlanner, Outline, Planned};
    use crate::minions::{Action, GameConfig, GeneralAction, View};
    use crate::search::tree::{Edge, Node};
    use crate::search::value::Clock;

    /// Knows no attack.
    struct Peaceful;

    impl AttackPlanner for Peaceful {
        fn plan(&mut self, _: &View<'_>, _: &[Aim], _: &[Outline], _: &mut Attack) -> Planned {
            Planned::NoMore
        }
    }

    struct Nodes(u64);

    impl Clock for Nodes {
        fn is_over(&mut self, nodes: u64) -> bool {
            nodes >= self.0
        }
    }

    #[derive(Default)]
    struct Room(Vec<Node>, Vec<Edge<Picks>>, Vec<u32>, Vec<Stages>, Vec<Choice>, Vec<Action>);

    impl Room {
        fn resize(&mut self, nodes: usize) {
            self.0.resize(nodes, Node::EMPTY);
            self.1.resize(nodes, Edge::vacant(Picks::default()));
            self.2.resize(2 * nodes, 0);
            self.3.resize(nodes, Stages::EMPTY);
            self.4.resize(16 * nodes, Choice::EMPTY);
            self.5.resize(160 * nodes, Action::General(GeneralAction::March));
        }

        fn lend(&mut self) -> Memory<'_> {
            let Room(nodes, edges, table, stages, choices, actions) = self;
            Memory { nodes, edges, table, stages, choices, actions }
        }
    }

    type Found<'m> = Search<Forest<'m>, Taste, Taste, Peaceful, Taste, Taste>;

    fn go_on<'m>(room: &'m mut Room, game: &Game, kept: Kept) -> Found<'m> {
        let (evaluator, prophet, spawner, general) = Default::default();
        let team = Team { evaluator, prophet, planner: Peaceful, spawner, general };
        Found::resume(room.lend(), team, Options::default(), game, kept).unwrap()
    }

    fn lines(search: &Found<'_>) -> Vec<Line> {
        let mut lines = [Line::default(); 64];
        let count = search.forest().lines(&mut lines);
        lines[..count].to_vec()
    }

    #[test]
    fn a_search_goes_on_in_larger_memory_as_if_it_had_always_had_it() {
        let game = Game::new(GameConfig::default(), 3);
        let told = |search: &Found<'_>| {
            let told = |line: &Line| (line.edge, line.stats, search.forest().turn(line).unwrap());
            lines(search).iter().map(told).collect::<Vec<_>>()
        };
        let mut large = Room::default();
        large.resize(400);
        let mut search = go_on(&mut large, &game, Kept::default());
        search.run(&mut Nodes(120));
        let expected = told(&search);
        let mut small = Room::default();
        small.resize(100);
        let mut search = go_on(&mut small, &game, Kept::default());
        search.run(&mut Nodes(50));
        let kept = search.forest().keep();
        small.resize(400);
        let mut search = go_on(&mut small, &game, kept);
        search.run(&mut Nodes(70));
        assert_eq!(told(&search), expected);
    }

    #[test]
    fn the_next_position_keeps_what_was_known_of_it() {
        let mut game = Game::new(GameConfig::default(), 3);
        let mut room = Room::default();
        room.resize(400);
        let mut search = go_on(&mut room, &game, Kept::default());
        search.run(&mut Nodes(200));
        let most = lines(&search).into_iter().max_by_key(|line| line.stats.visits()).unwrap();
        let mut replies = [Line::default(); 64];
        let count = search.forest().replies(&most, &mut replies);
        let expected: Vec<_> =
            replies[..count].iter().map(|line| (line.stats, search.forest().turn(line).unwrap())).collect();
        assert!(expected.len() > 1);
        game.play(&search.forest().turn(&most).unwrap()).unwrap();
        let (full, kept) = (search.forest().keep(), search.forest().keep());
        let search = go_on(&mut room, &game, kept);
        let known: Vec<_> =
            lines(&search).iter().map(|line| (line.stats, search.forest().turn(line).unwrap())).collect();
        assert_eq!(known, expected);
        assert!(search.forest().keep().pool.iter().zip(full.pool).all(|(&now, then)| 0 < now && now < then));
        let (pool, stages) = search.forest().stages();
        let entry = *pool.stages(stages);
        let mut finishes = 0;
        for (_, attack) in pool.list(entry.boards[0].attacks) {
            for (_, finish) in pool.list(attack.below) {
                assert!(pool.list(entry.general).any(|(index, _)| index as u16 == finish.prior));
                finishes += 1;
            }
        }
        assert!(finishes > 1);
        // Every turn that was kept can be played, and the search goes on from it.
        for (_, turn) in &known {
            game.clone().play(turn).unwrap();
        }
        let visits = search.forest().value().visits();
        let mut search = search;
        search.run(&mut Nodes(30));
        assert_eq!(search.forest().value().visits(), visits + 30);
    }

    #[test]
    fn of_a_strange_position_nothing_is_kept() {
        let mut room = Room::default();
        room.resize(100);
        let game = Game::new(GameConfig::default(), 3);
        let mut search = go_on(&mut room, &game, Kept::default());
        search.run(&mut Nodes(40));
        let kept = search.forest().keep();
        let search = go_on(&mut room, &Game::new(GameConfig::default(), 4), kept);
        assert_eq!((search.forest().value().visits(), search.forest().keep().pool), (0, [0; 3]));
    }
}
