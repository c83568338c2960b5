//! The slow obvious answer: everything that can be done in an attack phase, by trying every action that the game
//! accepts, and small crowded boards to ask about.

pub(crate) mod questions;

use std::collections::HashSet;

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Attack, BoardAction, Builder, Change, Game, GameConfig, MapLabel, Modifier, Piece, Ruleset, Side,
    UndoLog, UnitLabel,
};
use barrow_core::rng::Rng;

/// Most pieces of a side that can act or be hurt.
pub(crate) const PIECES: usize = 6;

/// Outcome of an attack. Bit or entry `i` is about piece `i` of [`Cast`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) killed: u8,
    pub(crate) unsummoned: u8,
    /// Stand that each friend attacked from, as index plus one; 0 for those that did not.
    pub(crate) stands: [u8; PIECES],
    /// Number of times that each friend attacked each enemy, if that is asked for.
    pub(crate) hits: [[u8; PIECES]; PIECES],
    /// Hex of each friend in the end, as index plus one, if that is asked for; 0 for those that blinked away.
    pub(crate) ends: [u8; PIECES],
}

/// Distinctions beside removals and from where friends fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    Nothing,
    Hits,
    Ends,
}

impl Outcome {
    /// Pieces killed and unsummoned.
    pub(crate) fn removals(&self) -> (u8, u8) {
        (self.killed, self.unsummoned)
    }

    /// The same, and who fought.
    pub(crate) fn fighters(&self) -> (u8, u8, u8) {
        let fought = self.stands.iter().enumerate().filter(|(_, stand)| **stand != 0);
        (self.killed, self.unsummoned, fought.fold(0, |all, (index, _)| all | 1 << index))
    }
}

impl Outcome {
    /// Pieces killed and unsummoned, and fighters with their stands.
    pub(crate) fn stands(&self) -> (u8, u8, [u8; PIECES]) {
        (self.killed, self.unsummoned, self.stands)
    }

    /// Whether every hit was needed: without it one of the removed would not be.
    pub(crate) fn is_minimal(&self, game: &Game, cast: &Cast) -> bool {
        let view = game.view(0).unwrap();
        cast.foes.iter().enumerate().all(|(foe, &at)| {
            let target = view.board.piece(at).unwrap();
            let need = i64::from(view.current(target).defense) - i64::from(target.damage());
            let mut blows = Vec::new();
            for (friend, &from) in cast.friends.iter().enumerate() {
                let attack = view.current(view.board.piece(from).unwrap()).attack;
                let blow = match attack {
                    Attack::None => 0,
                    Attack::Damage(amount) => i64::from(amount),
                    Attack::Unsummon if view.unit(target).persistent => 1,
                    Attack::Unsummon | Attack::Deathtouch => 1 << 40,
                };
                blows.extend(vec![blow; usize::from(self.hits[friend][foe])]);
            }
            let removed = (self.killed | self.unsummoned) >> foe & 1 == 1;
            let weakest = blows.iter().min().copied().unwrap_or(0);
            if removed { blows.iter().sum::<i64>() - weakest < need } else { blows.is_empty() }
        })
    }
}

/// Pieces of a model: friends that may act, and enemies, by the hexes they stand on at first.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) friends: Vec<Hex>,
    pub(crate) foes: Vec<Hex>,
}

impl Cast {
    pub(crate) fn new(game: &Game) -> Cast {
        let view = game.view(0).unwrap();
        let acts = |piece: &Piece| !piece.exhausted() || view.unit(*piece).blink;
        let friends = view.board.iter(view.side).filter(|(_, piece)| acts(piece)).map(|(hex, _)| hex);
        let foes = view.board.iter(view.side.opponent()).map(|(hex, _)| hex);
        Cast { friends: friends.collect(), foes: foes.collect() }
    }
}

/// A crowd in a corner: up to `most` pieces a side close together, most of the room around them taken by exhausted
/// friends, some pieces damaged, modified, or part of the way through their turn.
pub(crate) fn crowd(rng: &mut Rng, most: u32) -> Game {
    let ruleset = if rng.chance(1, 2) { Ruleset::Server } else { Ruleset::Spooky };
    let map = *rng.choose(&MapLabel::ALL).unwrap();
    let config = GameConfig::new(ruleset, &[map]).unwrap();
    let terrain = config.map(0);
    let mut builder = Builder::new(config, rng.next_u64());
    let centre = Hex::new(rng.below(100) as u8).unwrap();
    let board = builder.board(0).unwrap();
    if rng.chance(1, 4) {
        board.lay_movable(terrain);
    }
    let radius = 1 + rng.below(2) as u8;
    let spots: Vec<Hex> = Hex::all().filter(|hex| hex.distance(centre) <= radius).collect();
    for side in Side::ALL {
        for _ in 0..2 + rng.below(most) {
            let hex = *rng.choose(&spots).unwrap();
            let mut unit = *rng.choose(&UnitLabel::ALL).unwrap();
            if side == Side::Yellow && unit.server().speed < 2 {
                unit = *rng.choose(&UnitLabel::ALL).unwrap();
            }
            if board.piece(hex).is_some() || (ruleset == Ruleset::Spooky && unit == UnitLabel::Acolyte) {
                continue;
            }
            board.set_piece(hex, Some(random_piece(rng, ruleset, side, unit, hex)));
        }
    }
    let room = rng.below(9);
    for hex in Hex::all().filter(|hex| hex.distance(centre) <= radius + 3) {
        if board.piece(hex).is_none() && rng.chance(room, 8) {
            board.set_piece(hex, Some(Piece::created(Side::Yellow, UnitLabel::Zombie)));
        }
    }
    builder.build().unwrap()
}

fn random_piece(rng: &mut Rng, ruleset: Ruleset, side: Side, unit: UnitLabel, hex: Hex) -> Piece {
    let mut piece = Piece::fresh(side, unit, hex);
    if ruleset == Ruleset::Server && rng.chance(1, 5) {
        let modifier = *rng.choose(&Modifier::ALL).unwrap();
        piece = piece.with_modifiers(piece.modifiers().with(modifier, 1).unwrap());
    }
    if side == Side::Yellow && rng.chance(1, 8) {
        let attacks = u8::from(rng.chance(1, 3) && unit.server().attack != Attack::None);
        piece.with_record(rng.below(3) as u8, attacks, rng.chance(1, 2), rng.chance(1, 4))
    } else if side == Side::Blue && rng.chance(1, 2) {
        // Mostly all but dead, so that there is something to achieve.
        let defense = u32::from(unit.server().defense.min(unit.spooky().defense));
        piece.with_damage((rng.below(defense).max(rng.below(defense))) as u16)
    } else {
        piece
    }
}

/// Everything that can be achieved, or nothing when there are more than `budget` situations to look at.
pub(crate) fn brute_force(
    game: &Game,
    cast: &Cast,
    budget: usize,
    detail: Detail,
) -> Option<HashSet<Outcome>> {
    let mut game = game.clone();
    let mut changes = vec![Change::default(); 1 << 12];
    let (seen, found) = (HashSet::new(), HashSet::new());
    let mut search = Search { cast, seen, found, budget, detail, log: UndoLog::new(&mut changes) };
    search.visit(&mut game, Outcome::default())?;
    Some(search.found)
}

struct Search<'a, 'm> {
    cast: &'a Cast,
    seen: HashSet<(u64, Outcome)>,
    found: HashSet<Outcome>,
    budget: usize,
    detail: Detail,
    log: UndoLog<'m>,
}

impl Search<'_, '_> {
    /// Looks at a situation and at all that can follow.
    fn visit(&mut self, game: &mut Game, so_far: Outcome) -> Option<()> {
        let view = game.view(0)?;
        if !self.seen.insert((view.board.key(), so_far)) {
            return Some(());
        }
        if self.seen.len() > self.budget {
            return None;
        }
        let ends = self.detail == Detail::Ends;
        self.found.insert(if ends { at_the_end(game, self.cast, so_far) } else { so_far });
        // Without anybody who could still attack nothing more can be achieved, but that friends go elsewhere.
        if !ends && !view.board.iter(view.side).any(|(_, piece)| view.ready_to_attack(piece).is_ok()) {
            return Some(());
        }
        let mut actions = Vec::new();
        view.attack_phase_actions(|action| actions.push(vec![action]));
        rings(game, &mut actions);
        for action in actions {
            let mut after = so_far;
            if let [BoardAction::Attack { from, to }] = action.as_slice() {
                after = attack(game, self.cast, so_far, *from, *to, self.detail, &mut self.log);
            }
            let mark = self.log.mark();
            let used = game.apply_next(0, &action, &mut self.log).unwrap();
            assert_eq!(used, action.len());
            self.visit(game, after)?;
            game.undo(mark, &mut self.log);
        }
        Some(())
    }
}

/// Gain of an attack over what was achieved before. The game is left as it is.
fn attack(
    game: &mut Game,
    cast: &Cast,
    mut so_far: Outcome,
    from: Hex,
    to: Hex,
    detail: Detail,
    log: &mut UndoLog<'_>,
) -> Outcome {
    let board = game.view(0).unwrap().board;
    let (friend, target) = (board.piece(from).unwrap(), board.piece(to).unwrap());
    let friend = cast.friends.iter().position(|&hex| Some(hex) == friend.origin()).unwrap();
    let foe = cast.foes.iter().position(|&hex| hex == to).unwrap();
    so_far.stands[friend] = from.index() as u8 + 1;
    so_far.hits[friend][foe] += u8::from(detail == Detail::Hits);
    let reserve = |game: &Game| game.view(0).unwrap().board.reserve(target.side(), target.unit());
    let before = reserve(game);
    let mark = log.mark();
    game.apply_next(0, &[BoardAction::Attack { from, to }], log).unwrap();
    if game.view(0).unwrap().board.piece(to).is_none() {
        if reserve(game) > before {
            so_far.unsummoned |= 1 << foe;
        } else {
            so_far.killed |= 1 << foe;
        }
    }
    game.undo(mark, log);
    so_far
}

/// Outcome of a list of actions, each of which the game must accept, and where friends are in the end.
pub(crate) fn replay(game: &Game, cast: &Cast, actions: &[BoardAction]) -> Outcome {
    let (mut game, mut index, mut so_far) = (game.clone(), 0, Outcome::default());
    while index < actions.len() {
        if let BoardAction::Attack { from, to } = actions[index] {
            let mut changes = [Change::default(); 64];
            so_far =
                attack(&mut game, cast, so_far, from, to, Detail::Nothing, &mut UndoLog::new(&mut changes));
        }
        let used = game.apply_next(0, &actions[index..], &mut UndoLog::off());
        index += used.unwrap_or_else(|reason| panic!("{actions:?}: {index}: {reason}"));
    }
    at_the_end(&game, cast, so_far)
}

/// The same outcome with where friends are now.
fn at_the_end(game: &Game, cast: &Cast, mut so_far: Outcome) -> Outcome {
    let view = game.view(0).unwrap();
    so_far.ends = [0; PIECES];
    for (hex, piece) in view.board.iter(view.side) {
        if let Some(friend) = cast.friends.iter().position(|&at| Some(at) == piece.origin()) {
            so_far.ends[friend] = hex.index() as u8 + 1;
        }
    }
    so_far
}

/// Adds every ring of friends in which each moves to the hex of the next. Any simultaneous move consists of such
/// rings and of moves that can be made one after the other.
fn rings(game: &Game, actions: &mut Vec<Vec<BoardAction>>) {
    let view = game.view(0).unwrap();
    let friends = view.board.pieces(view.side);
    let goals: Vec<(Hex, _)> = view
        .board
        .iter(view.side)
        .map(|(hex, piece)| (hex, (view.walks(hex, piece) & friends).without(hex)))
        .collect();
    let of = |hex: Hex| goals.iter().find(|(from, _)| *from == hex).map(|(_, to)| *to).unwrap();
    let mut open: Vec<Vec<Hex>> = goals.iter().map(|(hex, _)| vec![*hex]).collect();
    while let Some(chain) = open.pop() {
        let (first, last) = (chain[0], *chain.last().unwrap());
        for next in of(last) {
            if next == first {
                let ends = chain.iter().skip(1).chain([&first]);
                let moves = chain.iter().zip(ends).map(|(&from, &to)| BoardAction::Move {
                    from,
                    to,
                    joined: to != first,
                });
                actions.push(moves.collect());
            } else if next > first && !chain.contains(&next) {
                let mut longer = chain.clone();
                longer.push(next);
                open.push(longer);
            }
        }
    }
}
