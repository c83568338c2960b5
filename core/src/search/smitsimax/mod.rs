//! SmitsiMax: games in which all players move at once, with a tree of its own for each player.
//!
//! A player's tree holds only that player's actions. In every simulation each walks down its own tree, one action per
//! turn; the actions of a turn are played together, and after the last turn the score of each player goes back along
//! the player's own path. All that the trees share is the simulation. The method is N. Smits' (2018), described for
//! his program in a contest of four players; the family is known as decoupled trees (M. Tak, M. Lanctot, M. Winands,
//! "Monte Carlo tree search variants for simultaneous move games", 2014).
//!
//! The actions of a node are listed once, in the world in which the node is first passed. That is exact where
//! others cannot keep a player from its actions; elsewhere [`Simultaneous::play`] must accept every action.
//!
//! UCB1 is deterministic, so players in mirrored situations can choose alike and find what is best for them together.

mod bandit;
#[cfg(test)]
mod tests;

use self::bandit::{ONE, bonus, eagerness};
use crate::rng::Rng;

/// Turns of a simulation at most.
pub const MAX_DEPTH: usize = 32;

/// Largest absolute score; larger scores are clamped, so that a sum of 2^32 scores fits.
pub const SCORE_LIMIT: i32 = 1 << 14;

const NONE: u32 = u32::MAX;

/// Actions of a node at most. A node with more gets no statistics: its actions are drawn at random.
pub const MAX_ACTIONS: usize = u16::MAX as usize;

/// A game of `P` players who move at once.
///
/// ```
/// use barrow_core::search::smitsimax::{Node, Settings, Simultaneous, SmitsiMax};
/// /// Two herds on one meadow, of up to three sheep: each sheep earns less the more there are.
/// struct Meadow;
/// impl Simultaneous<2> for Meadow {
///     type World = [i32; 2];
///     type Action = i32;
///     fn acts(&self, _: &[i32; 2], _: usize) -> bool {
///         true
///     }
///     fn actions(&self, _: &[i32; 2], _: usize, add: &mut dyn FnMut(i32)) {
///         (0..=3).for_each(add);
///     }
///     fn play(&self, earned: &mut [i32; 2], sheep: &[Option<i32>; 2]) {
///         let sheep = sheep.map(Option::unwrap_or_default);
///         let grass = 8 - sheep[0] - sheep[1];
///         *earned = [0, 1].map(|player| earned[player] + sheep[player] * grass);
///     }
///     fn score(&self, root: &[i32; 2], end: &[i32; 2], player: usize) -> i32 {
///         end[player] - root[player]
///     }
/// }
/// // Two roots, and of each player four nodes for the first turn and sixteen for the second.
/// let mut nodes = [Node::EMPTY; 2 + 2 * (4 + 16)];
/// let mut search = SmitsiMax::<_, 2>::new(&mut nodes, Settings::default(), 1);
/// search.run(&Meadow, &[0, 0], 2, 2_000);
/// let best = [0, 1].map(|player| search.best(player).unwrap().action);
/// assert_eq!((best, search.is_full()), ([3, 3], false));
/// ```
pub trait Simultaneous<const P: usize> {
    /// State of the game, everything that changes included.
    type World: Clone;
    /// Action of one player in one turn.
    type Action: Copy;

    /// Whether this player chooses an action in this world. A player who does not takes no part in the turn.
    fn acts(&self, world: &Self::World, player: usize) -> bool;

    /// Calls `add` with each action of a player, at most [`MAX_ACTIONS`]. The first ones win ties.
    fn actions(&self, world: &Self::World, player: usize, add: &mut dyn FnMut(Self::Action));

    /// Plays a turn. `None` is the action of a player who does not act. Turns are played up to the depth, also when
    /// nobody acts any more.
    fn play(&self, world: &mut Self::World, actions: &[Option<Self::Action>; P]);

    /// Score of a simulation for a player, within plus or minus [`SCORE_LIMIT`].
    fn score(&self, root: &Self::World, end: &Self::World, player: usize) -> i32;

    /// Reseeds the randomness of a copy of the root. Games without chance keep the empty default.
    fn reseed(&self, _world: &mut Self::World, _chance: u64) {}
}

/// Constants of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Visits of a node during which its child is drawn at random.
    pub random_visits: u32,
    /// The weight of UCB1's bonus in 1/65,536, against scores scaled to the range seen: at most 2^24.
    pub exploration: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { random_visits: 10, exploration: 1 << 16 }
    }
}

/// A node of a player's tree: an action with the sum of its scores. 24 bytes for actions of up to 3 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node<A> {
    sum: i64,
    visits: u32,
    /// Index of the first child; the other children follow it. [`NONE`] for a node without children.
    first: u32,
    children: u16,
    action: Option<A>,
}

impl<A> Node<A> {
    /// A node of no tree, to fill memory with.
    pub const EMPTY: Node<A> = Node { sum: 0, visits: 0, first: NONE, children: 0, action: None };
}

/// Statistics of an action at a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<A> {
    /// The action.
    pub action: A,
    /// Simulations that began with the action.
    pub visits: u32,
    /// Sum of the scores of these simulations.
    pub sum: i64,
}

impl<A> Choice<A> {
    /// Whether the average score is above that of `other`, or equal with more visits. Both need a visit.
    fn is_better(&self, other: &Choice<A>) -> bool {
        let left = i128::from(self.sum) * i128::from(other.visits);
        let right = i128::from(other.sum) * i128::from(self.visits);
        left > right || left == right && self.visits > other.visits
    }
}

/// The smallest and the largest score seen in a tree.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: i32,
    high: i32,
}

impl Range {
    fn scale(self) -> i64 {
        (i64::from(self.high) - i64::from(self.low)).max(1)
    }
}

/// The path of one player in one simulation: nodes below the root.
#[derive(Clone, Copy)]
struct Path {
    nodes: [u32; MAX_DEPTH],
    len: usize,
    /// Node where the player is in its tree; [`NONE`] once the memory was full there.
    at: u32,
}

/// The trees of all players in lent memory; the first `P` nodes are the roots. See the [module](self).
#[derive(Debug)]
pub struct SmitsiMax<'m, A, const P: usize> {
    nodes: &'m mut [Node<A>],
    used: usize,
    ranges: [Range; P],
    settings: Settings,
    rng: Rng,
    is_full: bool,
}

impl<'m, A: Copy, const P: usize> SmitsiMax<'m, A, P> {
    /// Trees of roots only. With memory for fewer than `P` nodes all actions are drawn at random, without statistics.
    pub fn new(nodes: &'m mut [Node<A>], settings: Settings, seed: u64) -> SmitsiMax<'m, A, P> {
        // Indices are 32 bits, one of which means none.
        let most = nodes.len().min(NONE as usize);
        let nodes = &mut nodes[..most];
        let used = P.min(most);
        nodes[..used].fill(Node::EMPTY);
        let unseen = Range { low: i32::MAX, high: i32::MIN };
        let is_full = used < P;
        SmitsiMax { nodes, used, ranges: [unseen; P], settings, rng: Rng::new(seed), is_full }
    }

    /// Runs that many simulations of `depth` turns (at most [`MAX_DEPTH`]) from a world, which must be the same each
    /// time.
    pub fn run<G>(&mut self, game: &G, root: &G::World, depth: usize, simulations: u32)
    where
        G: Simultaneous<P, Action = A>,
    {
        let depth = depth.min(MAX_DEPTH);
        let mut world = root.clone();
        let mut paths = [Path { nodes: [NONE; MAX_DEPTH], len: 0, at: NONE }; P];
        for _ in 0..simulations {
            world.clone_from(root);
            game.reseed(&mut world, self.rng.next_u64());
            for (player, path) in paths.iter_mut().enumerate() {
                path.len = 0;
                path.at = if player < self.used { player as u32 } else { NONE };
            }
            for _ in 0..depth {
                let mut actions = [None; P];
                for (player, path) in paths.iter_mut().enumerate() {
                    if game.acts(&world, player) {
                        actions[player] = self.choose(game, &world, player, path);
                    }
                }
                game.play(&mut world, &actions);
            }
            for (player, path) in paths.iter().enumerate() {
                let score = game.score(root, &world, player).clamp(-SCORE_LIMIT, SCORE_LIMIT);
                self.learn(player, path, score);
            }
        }
    }

    /// Selects the next action of a player and moves the player down its tree.
    fn choose<G>(&mut self, game: &G, world: &G::World, player: usize, path: &mut Path) -> Option<A>
    where
        G: Simultaneous<P, Action = A>,
    {
        let at = path.at as usize;
        if self.nodes.get(at).is_some_and(|node| node.first == NONE) {
            self.grow(game, world, player, at);
        }
        let node = self.nodes.get(at).filter(|node| node.first != NONE);
        let Some(node) = node else {
            path.at = NONE;
            return self.any_action(game, world, player);
        };
        let (first, count) = (node.first as usize, usize::from(node.children));
        let offset = self.pick(player, first, count);
        let child = self.nodes.get(first + offset)?;
        path.at = (first + offset) as u32;
        if let Some(place) = path.nodes.get_mut(path.len) {
            *place = path.at;
            path.len += 1;
        }
        child.action
    }

    /// Creates the children of a node, all of them or none.
    fn grow<G>(&mut self, game: &G, world: &G::World, player: usize, at: usize)
    where
        G: Simultaneous<P, Action = A>,
    {
        let first = self.used;
        let (mut used, mut count, mut has_room) = (first, 0_u16, true);
        let nodes = &mut *self.nodes;
        game.actions(world, player, &mut |action| match nodes.get_mut(used) {
            Some(node) if usize::from(count) < MAX_ACTIONS => {
                *node = Node { action: Some(action), ..Node::EMPTY };
                used += 1;
                count += 1;
            }
            _ => has_room = false,
        });
        if !has_room {
            self.is_full = true;
        } else if count > 0 {
            self.used = used;
            nodes[at].first = first as u32;
            nodes[at].children = count;
        }
    }

    /// A random action of a player, each equally likely, where there is no memory for nodes.
    fn any_action<G>(&mut self, game: &G, world: &G::World, player: usize) -> Option<A>
    where
        G: Simultaneous<P, Action = A>,
    {
        let (mut chosen, mut count) = (None, 0);
        let rng = &mut self.rng;
        game.actions(world, player, &mut |action| {
            count += 1;
            if rng.below(count) == 0 {
                chosen = Some(action);
            }
        });
        chosen
    }

    /// Selects the child that is visited next.
    fn pick(&mut self, player: usize, first: usize, count: usize) -> usize {
        let children = self.nodes.get(first..first + count).unwrap_or_default();
        let total = children.iter().fold(0_u32, |total, child| total.saturating_add(child.visits));
        if total < self.settings.random_visits {
            return self.rng.below(count as u32) as usize;
        }
        let scale = self.ranges[player].scale();
        let eagerness = eagerness(self.settings.exploration.min(1 << 24), total);
        let (mut best, mut most) = (0, i64::MIN);
        for (offset, child) in children.iter().enumerate() {
            if child.visits == 0 {
                return offset;
            }
            let value = child.sum * ONE / (i64::from(child.visits) * scale) + bonus(eagerness, child.visits);
            if value > most {
                best = offset;
                most = value;
            }
        }
        best
    }

    fn learn(&mut self, player: usize, path: &Path, score: i32) {
        let range = &mut self.ranges[player];
        range.low = range.low.min(score);
        range.high = range.high.max(score);
        for &index in &path.nodes[..path.len] {
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.visits = node.visits.saturating_add(1);
                node.sum += i64::from(score);
            }
        }
    }

    /// Statistics of a player's actions at the root, in the order in which the game lists them.
    pub fn choices(&self, player: usize) -> impl Iterator<Item = Choice<A>> + '_ {
        let root = self.nodes.get(player).filter(|node| node.first != NONE && player < P);
        let (first, count) = root.map_or((0, 0), |node| (node.first as usize, usize::from(node.children)));
        let children = self.nodes.get(first..first + count).unwrap_or_default();
        let choice =
            |node: &Node<A>| node.action.map(|action| Choice { action, visits: node.visits, sum: node.sum });
        children.iter().filter_map(choice)
    }

    /// The action at the root with the best average score; among equals the one with more visits, then the earlier
    /// one. `None` before the first simulation.
    pub fn best(&self, player: usize) -> Option<Choice<A>> {
        let visited = self.choices(player).filter(|choice| choice.visits > 0);
        visited.fold(None, |best, choice| match best {
            Some(best) if !choice.is_better(&best) => Some(best),
            _ => Some(choice),
        })
    }

    /// The line that most simulations of a player went, from the root on: of each node the child with the most visits,
    /// among equals the one with the better average, then the earlier one.
    pub fn line(&self, player: usize) -> impl Iterator<Item = Choice<A>> + '_ {
        let mut at = if player < P { player } else { usize::MAX };
        core::iter::from_fn(move || {
            let node = self.nodes.get(at).filter(|node| node.first != NONE)?;
            let (first, count) = (node.first as usize, usize::from(node.children));
            let children = self.nodes.get(first..first + count)?;
            let mut most: Option<(usize, Choice<A>)> = None;
            for (offset, child) in children.iter().enumerate().filter(|(_, child)| child.visits > 0) {
                let Some(action) = child.action else { continue };
                let choice = Choice { action, visits: child.visits, sum: child.sum };
                let beats = |best: &Choice<A>| {
                    choice.visits > best.visits || choice.visits == best.visits && choice.is_better(best)
                };
                if most.as_ref().is_none_or(|(_, best)| beats(best)) {
                    most = Some((offset, choice));
                }
            }
            let (offset, choice) = most?;
            at = first + offset;
            Some(choice)
        })
    }

    /// Tells all lines that simulations of a player went to their end, with the statistics of the last action.
    pub fn each_line(&self, player: usize, mut tell: impl FnMut(&[Option<A>], Choice<A>)) {
        if player < P {
            self.each_line_below(player, &mut [None; MAX_DEPTH], 0, &mut tell);
        }
    }

    fn each_line_below(
        &self,
        at: usize,
        line: &mut [Option<A>; MAX_DEPTH],
        depth: usize,
        tell: &mut impl FnMut(&[Option<A>], Choice<A>),
    ) {
        let Some(node) = self.nodes.get(at).filter(|node| node.first != NONE && depth < MAX_DEPTH) else {
            return;
        };
        let first = node.first as usize;
        for child in first..first + usize::from(node.children) {
            let Some(seen) = self.nodes.get(child).filter(|seen| seen.visits > 0) else { continue };
            line[depth] = seen.action;
            if seen.first != NONE {
                self.each_line_below(child, line, depth + 1, tell);
            } else if let Some(action) = seen.action {
                tell(&line[..=depth], Choice { action, visits: seen.visits, sum: seen.sum });
            }
        }
    }

    /// Number of nodes in use.
    pub fn node_count(&self) -> usize {
        self.used
    }

    /// Whether the memory ran out, so that some simulations ended in random actions.
    pub fn is_full(&self) -> bool {
        self.is_full
    }
}
