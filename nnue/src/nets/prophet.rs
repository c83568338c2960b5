//! Death Prophet: which enemies an attack of the side to move removes, and which pieces of the side to move take no
//! part in the attack.
//!
//! A prediction is a logit: the sum, over the contexts of a piece, of the context's row times the [`BoardLayer`].
//! Only pieces on the board have predictions. A piece has one context of each group, the same in training
//! ([`Survey`]):
//!
//! | group | contexts | of an enemy | of a friend |
//! |---|---|---|---|
//! | place | 100 | its hex as the side to move sees the board | the same |
//! | unit | 34, and one for each later type | its type | the same |
//! | number | 8 | friends that could attack it: 0 to 5, 6 or 7, more | enemies it could attack |
//! | force | 8 | the damage they could do, in shares of the defense it has left: none, less than half, less than all, less than 3/2, less than 2, less than 3, less than 4, more | the largest such share that it could do to an enemy |
//! | state | 8 | damaged or not, times friends that could unsummon it: none, 1, 2, more | fresh, moved, attacked or exhausted, times on a graveyard or not |
//!
//! A network may have modes as well. A mode adds rows of its own to those of the marginal predictions, and has a logit
//! that says how large its share is: a mixture of a few attacks that differ as wholes, where the marginal predictions
//! blur them. A context that the network has no row for adds nothing.
//!
//! "Could attack" depends on steps, range and attacks left and on terrain and enemies in the way, not on friends that
//! occupy a hex. A deathtouch counts as all of the defense, an unsummoning of a persistent piece as one damage.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Attack, Piece, TileType, View};
use fixed::types::I16F16;

use super::board_layer::BoardLayer;
use super::layer::{Layer, to_fixed};
use super::network::Network;
use crate::kernels::Weight;
use crate::layout::seen_from;
use crate::shape::{CONTEXT_GROUPS, CONTEXTS, PREDICTIONS, Profile, later_unit, mode_rows, prophet_rows};

/// Kind of a prediction about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum PredictionKind {
    /// An enemy is killed.
    Killed = 0,
    /// An enemy returns to its owner's reinforcements.
    Unsummoned = 1,
    /// A friend does not attack.
    Passive = 2,
}

/// Contexts of a piece, one of each group: numbers below [`CONTEXTS`], and from there on those of later unit types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Contexts(pub [u16; 5]);

impl Contexts {
    /// Rows of Death Prophet for a kind of prediction.
    pub fn rows(&self, kind: PredictionKind) -> [u16; 5] {
        let (base, kinds, kind) = (CONTEXTS as u16, PREDICTIONS as u16, kind as u16);
        self.0.map(|context| match context.checked_sub(base) {
            None => context + kind * base,
            // Beyond the unit types there are no rows.
            Some(later) => kinds.saturating_mul(base.saturating_add(later)).saturating_add(kind),
        })
    }
}

/// Context of a unit type, by its index in the unit table.
fn unit_context(unit: usize) -> u16 {
    let [places, ..] = CONTEXT_GROUPS;
    match later_unit(unit) {
        None => (places + unit) as u16,
        Some(later) => (CONTEXTS + later) as u16,
    }
}

/// Survey of a board: who could attack whom.
#[derive(Clone, Copy)]
pub struct Survey<'a> {
    view: View<'a>,
    graveyards: HexSet,
    prospects: [Prospect; Hex::COUNT],
}

/// Attacks that an enemy could suffer, or that a friend could make.
#[derive(Clone, Copy, Default)]
struct Prospect {
    /// Attackers or targets.
    number: u8,
    /// Attackers that unsummon.
    unsummoners: u8,
    /// Level of force of a friend.
    force: u8,
    /// Damage to an enemy, all attackers together.
    damage: u16,
}

impl<'a> Survey<'a> {
    /// Survey of all pieces of a board.
    pub fn new(view: View<'a>) -> Survey<'a> {
        let graveyards = view.map.all(TileType::Graveyard);
        let mut survey = Survey { view, graveyards, prospects: [Prospect::default(); Hex::COUNT] };
        for (from, friend) in view.board.iter(view.side) {
            survey.add_attacker(from, friend);
        }
        survey
    }

    /// Adds the attacks that a friend could make.
    fn add_attacker(&mut self, from: Hex, friend: Piece) {
        let view = self.view;
        let Ok(now) = view.ready_to_attack(friend) else { return };
        let enemies = view.board.pieces(view.side.opponent());
        let walks = if now.lumbering { HexSet::EMPTY } else { view.walks(from, friend) - enemies };
        let mut near = walks.with(from);
        // Fliers and others may be within different ranges of the same attacker.
        let [mut in_range, mut in_range_flying] = [HexSet::EMPTY; 2];
        for radius in 1..=now.range.max(now.range_flying) {
            near = near.grown();
            if radius == now.range {
                in_range = near;
            }
            if radius == now.range_flying {
                in_range_flying = near;
            }
        }
        let mut own = Prospect::default();
        for to in near & enemies {
            let Some(enemy) = view.board.piece(to) else { continue };
            let unit = view.unit(enemy);
            let reaches = if unit.flying { in_range_flying } else { in_range }.contains(to);
            let deathtouch = now.attack == Attack::Deathtouch;
            if !reaches || (deathtouch && unit.necromancer) {
                continue;
            }
            let left = defense_left(&view, enemy);
            let damage = match now.attack {
                Attack::None => 0,
                Attack::Damage(amount) => u16::from(amount),
                Attack::Unsummon => u16::from(unit.persistent),
                Attack::Deathtouch => left,
            };
            let damage = damage.saturating_mul(u16::from(now.num_attacks.saturating_sub(friend.attacks())));
            own.number = own.number.saturating_add(1);
            own.force = own.force.max(level_of_force(damage, left));
            if let Some(prospect) = self.prospects.get_mut(to.index()) {
                prospect.number = prospect.number.saturating_add(1);
                prospect.damage = prospect.damage.saturating_add(damage);
                prospect.unsummoners += u8::from(now.attack == Attack::Unsummon && !unit.persistent);
            }
        }
        if let Some(prospect) = self.prospects.get_mut(from.index()) {
            *prospect = own;
        }
    }

    /// Contexts of a piece that stands on a hex.
    pub fn contexts(&self, at: Hex, piece: Piece) -> Contexts {
        let prospect = self.prospects.get(at.index()).copied().unwrap_or_default();
        let (force, state) = if piece.side() == self.view.side {
            let doing = match piece {
                piece if piece.exhausted() => 3,
                piece if piece.attacks() > 0 => 2,
                piece if piece.moved() => 1,
                _ => 0,
            };
            (prospect.force, doing * 2 + u8::from(self.graveyards.contains(at)))
        } else {
            let force = level_of_force(prospect.damage, defense_left(&self.view, piece));
            (force, prospect.unsummoners.min(3) * 2 + u8::from(piece.damage() > 0))
        };
        let [places, units, numbers, forces, _] = CONTEXT_GROUPS;
        let first_number = places + units;
        let [first_force, first_state] = [first_number + numbers, first_number + numbers + forces];
        Contexts([
            seen_from(self.view.side, at).index() as u16,
            unit_context(piece.unit().index()),
            first_number as u16 + u16::from(level_of_number(prospect.number)),
            first_force as u16 + u16::from(force),
            first_state as u16 + u16::from(state),
        ])
    }
}

impl<P: Profile> Network<'_, P> {
    /// Logit of a prediction about a piece with these contexts.
    pub fn predict(&self, board_layer: &BoardLayer, contexts: &Contexts, kind: PredictionKind) -> I16F16 {
        let rows = contexts.rows(kind);
        let bias = rows.iter().fold(0, |sum: i32, row| {
            sum.wrapping_add(self.prophet.bias.get(usize::from(*row)).copied().unwrap_or(0))
        });
        let products = P::Weight::dot_rows(board_layer.neurons::<P>(), self.prophet.weights, &rows);
        to_fixed::<P>(bias.wrapping_add(products))
    }

    /// Number of modes: attacks that differ because the future does, beside the marginal predictions. 0 for a network
    /// without.
    pub fn modes(&self) -> usize {
        self.header.extent().modes
    }

    /// Logit of a mode, the share of attacks that follow it by the softmax over all modes; 0 when there is no such mode.
    pub fn mode_logit(&self, board_layer: &BoardLayer, mode: usize) -> I16F16 {
        if mode >= self.modes() {
            return I16F16::ZERO;
        }
        let row = mode_rows(mode + 1, self.header.units()) - 1;
        let bias = self.modes.bias.get(row).copied().unwrap_or(0);
        let product = P::Weight::dot(board_layer.neurons::<P>(), self.modes.row(row));
        to_fixed::<P>(bias.wrapping_add(product))
    }

    /// Logit of a prediction about a piece with these contexts in one mode: the sum of the marginal prediction's rows and
    /// the mode's own; the marginal prediction when there is no such mode.
    pub fn predict_in_mode(
        &self,
        board_layer: &BoardLayer,
        contexts: &Contexts,
        kind: PredictionKind,
        mode: usize,
    ) -> I16F16 {
        let rows = contexts.rows(kind);
        let (first, known) = (mode_rows(mode, self.header.units()), prophet_rows(self.header.units()));
        let sum = rows.iter().map(|row| usize::from(*row)).fold(0, |sum: i32, row| {
            // Behind the rows of a mode, those of types that the network does not know would be the next one's.
            let own = if row < known { first.saturating_add(row) } else { usize::MAX };
            let bias = |layer: &Layer<'_, P>, row: usize| layer.bias.get(row).copied().unwrap_or(0);
            sum.wrapping_add(bias(&self.prophet, row))
                .wrapping_add(bias(&self.modes, own))
                .wrapping_add(P::Weight::dot(board_layer.neurons::<P>(), self.modes.row(own)))
        });
        let marginal = P::Weight::dot_rows(board_layer.neurons::<P>(), self.prophet.weights, &rows);
        to_fixed::<P>(sum.wrapping_add(marginal))
    }

    /// Calls `visit` with the hex, kind and logit of each prediction about a piece of a board, in a mode or, with `None`,
    /// over all attacks: two for an enemy, one for a friend.
    pub fn prophesy(
        &self,
        board_layer: &BoardLayer,
        view: View<'_>,
        mode: Option<usize>,
        mut visit: impl FnMut(Hex, PredictionKind, I16F16),
    ) {
        let survey = Survey::new(view);
        for (at, piece) in view.board.iter_all() {
            let contexts = survey.contexts(at, piece);
            let kinds: &[PredictionKind] = if piece.side() == view.side {
                &[PredictionKind::Passive]
            } else {
                &[PredictionKind::Killed, PredictionKind::Unsummoned]
            };
            for &kind in kinds {
                let logit = match mode {
                    Some(mode) => self.predict_in_mode(board_layer, &contexts, kind, mode),
                    None => self.predict(board_layer, &contexts, kind),
                };
                visit(at, kind, logit);
            }
        }
    }
}

/// Defense that damage has left to a piece.
fn defense_left(view: &View<'_>, piece: Piece) -> u16 {
    view.current(piece).defense.saturating_sub(piece.damage())
}

/// Level of a number of attackers or targets.
pub(super) fn level_of_number(number: u8) -> u8 {
    match number {
        0..=5 => number,
        6 | 7 => 6,
        _ => 7,
    }
}

/// Level of force of this damage against the defense left.
pub(super) fn level_of_force(damage: u16, left: u16) -> u8 {
    let (damage, left) = (u32::from(damage), u32::from(left.max(1)));
    match 2 * damage {
        0 => 0,
        double if double < left => 1,
        double if double < 2 * left => 2,
        double if double < 3 * left => 3,
        double if double < 4 * left => 4,
        double if double < 6 * left => 5,
        double if double < 8 * left => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::minions::text::fen;
    use barrow_core::minions::{Board, GameConfig, Ruleset, UnitLabel};
    use barrow_core::rng::Rng;

    use super::*;
    use crate::format::{Extent, Line, file_len};
    use crate::random_net;
    use crate::shape::{BASE_UNITS, Lanes, Tiny};

    use barrow_testing::MIDGAME;

    /// Whether a friend could attack an enemy: it is put on every hex it can walk to, with nobody of its side in the
    /// way, and asked.
    fn could_attack(view: View<'_>, from: Hex, to: Hex) -> bool {
        let mut alone = view.board.clone();
        for hex in view.board.pieces(view.side).without(from) {
            alone.set_piece(hex, None);
        }
        let piece = view.board.piece(from).unwrap();
        let walks = View { board: &alone, ..view }.reach(from);
        walks.with(from).into_iter().any(|hex| {
            let mut moved = alone.clone();
            moved.set_piece(from, None);
            moved.set_piece(hex, Some(if hex == from { piece } else { piece.with_walk(1) }));
            View { board: &moved, ..view }.attack(hex, to).is_ok()
        })
    }

    fn slow_contexts(view: View<'_>, at: Hex, piece: Piece) -> [usize; 5] {
        let (us, them) = (view.board.pieces(view.side), view.board.pieces(view.side.opponent()));
        let damage = |from: Hex, to: Hex| -> u32 {
            let (friend, enemy) = (view.board.piece(from).unwrap(), view.board.piece(to).unwrap());
            let attacks = u32::from(view.current(friend).num_attacks - friend.attacks());
            let left = u32::from(view.current(enemy).defense - enemy.damage());
            attacks
                * match view.current(friend).attack {
                    Attack::Damage(amount) => u32::from(amount),
                    Attack::Deathtouch => left,
                    Attack::Unsummon if view.unit(enemy).persistent => 1,
                    Attack::Unsummon | Attack::None => 0,
                }
        };
        // Shares of the defense left at which the levels begin.
        let level = |damage: u32, to: Hex| {
            let enemy = view.board.piece(to).unwrap();
            let share = f64::from(damage) / f64::from(view.current(enemy).defense - enemy.damage());
            [f64::MIN_POSITIVE, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0]
                .iter()
                .filter(|border| share >= **border)
                .count()
        };
        let number = |count: usize| if count > 7 { 7 } else { count.min(6) };
        let (count, force, state) = if piece.side() == view.side {
            let targets: Vec<Hex> = them.into_iter().filter(|to| could_attack(view, at, *to)).collect();
            let force = targets.iter().map(|to| level(damage(at, *to), *to)).max().unwrap_or(0);
            let state = [piece.moved(), piece.attacks() > 0, piece.exhausted()];
            let state = state.iter().rposition(|done| *done).map_or(0, |last| last + 1);
            let grave = view.map.fixed_tile(at) == TileType::Graveyard;
            (targets.len(), force, 2 * state + usize::from(grave))
        } else {
            let attackers: Vec<Hex> = us.into_iter().filter(|from| could_attack(view, *from, at)).collect();
            let force = level(attackers.iter().map(|from| damage(*from, at)).sum(), at);
            let unsummoners = attackers.iter().filter(|from| {
                let friend = view.board.piece(**from).unwrap();
                view.current(friend).attack == Attack::Unsummon && !view.unit(piece).persistent
            });
            (attackers.len(), force, 2 * unsummoners.count().min(3) + usize::from(piece.damage() > 0))
        };
        let place =
            if view.side == barrow_core::minions::Side::Yellow { at.index() } else { 99 - at.index() };
        // The first 34 types stand among the groups, later ones behind all of them.
        let unit = piece.unit().index();
        let unit = if unit < 34 { 100 + unit } else { 158 + unit - 34 };
        [place, unit, 134 + number(count), 142 + force, 150 + state]
    }

    /// The board with units of all types and pieces that have done something.
    fn shaken(board: &Board, rng: &mut Rng) -> Board {
        let mut board = board.clone();
        for (at, piece) in board.clone().iter_all() {
            let unit = if rng.chance(1, 2) { *rng.choose(&UnitLabel::ALL).unwrap() } else { piece.unit() };
            let piece = Piece::fresh(piece.side(), unit, at);
            let [steps, attacks, damage] = [0; 3].map(|_: u8| rng.below(8).saturating_sub(5) as u8);
            let record = piece.with_record(steps, attacks, steps > 0, rng.chance(1, 10));
            // Less damage than the weakest unit endures.
            board.set_piece(at, Some(record.with_damage(u16::from(damage.min(unit.spooky().defense - 1)))));
        }
        board
    }

    #[test]
    fn a_type_without_rows_adds_nothing_in_any_mode() {
        let extent = Extent { modes: 2, ..BASE_UNITS.into() };
        let mut lines = std::vec![Line::ZERO; file_len::<Tiny>(extent) / 64];
        random_net::fill::<Tiny>(Line::bytes_mut(&mut lines), extent, 4).unwrap();
        let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
        let layer = network.board_layer(&Lanes([50; 32]), &Lanes([20; 32]));
        // Types behind the first 34, and a context beyond all types.
        let of_unit = |unit: u16| Contexts([7, unit, 137, 143, 152]);
        for kind in [PredictionKind::Killed, PredictionKind::Unsummoned, PredictionKind::Passive] {
            let marginal = network.predict(&layer, &of_unit(u16::MAX), kind);
            for mode in 0..3 {
                let predict = |unit| network.predict_in_mode(&layer, &of_unit(unit), kind, mode);
                let nothing = predict(u16::MAX);
                assert_eq!(nothing == marginal, mode == 2, "{kind:?} {mode}");
                assert_eq!([158, 159, 200].map(predict), [nothing; 3], "{kind:?} {mode}");
            }
        }
    }

    #[test]
    fn contexts_are_what_trying_every_walk_gives() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut rng = Rng::new(5);
        let mut seen = std::collections::BTreeSet::new();
        for line in MIDGAME.lines().step_by(20) {
            let game = fen::parse(line, &config).unwrap();
            for index in 0..game.state().boards().len() {
                let view = game.view(index).unwrap();
                let shaken = shaken(view.board, &mut rng);
                for view in [view, View { board: &shaken, ..view }] {
                    let survey = Survey::new(view);
                    for (at, piece) in view.board.iter_all() {
                        let contexts = survey.contexts(at, piece).0.map(usize::from);
                        assert_eq!(contexts, slow_contexts(view, at, piece), "{at:?} {piece:?} {line}");
                        seen.extend(
                            contexts.into_iter().skip(2).map(|context| (piece.side() == view.side, context)),
                        );
                    }
                }
            }
        }
        // Nearly all small contexts of both sides were met.
        assert!(seen.len() >= 44, "{seen:?}");
    }
}
