//! Death Prophet: which enemies an attack of the side to move removes, and which of its own pieces stay out of it.
//!
//! A prediction is a logit: the sum, over the contexts of a piece, of the context's row times the board's [`Scene`].
//! Only pieces that exist are asked about. The contexts ([`Survey`]) are cheap to come by and the same for training:
//! one of each group.
//!
//! | group | contexts | of an enemy | of a friend |
//! |---|---|---|---|
//! | place | 100 | its hex as the side to move sees the board | the same |
//! | unit | 34 | its type | the same |
//! | number | 8 | friends that could attack it: 0 to 5, 6 or 7, more | enemies it could attack |
//! | force | 8 | the damage they could do, in shares of the defense it has left: none, less than half, less than all, less than 3/2, less than 2, less than 3, less than 4, more | the largest such share that it could do to an enemy |
//! | state | 8 | damaged or not, times friends that could unsummon it: none, 1, 2, more | fresh, moved, attacked or exhausted, times on a graveyard or not |
//!
//! "Could attack" looks at steps, range and attacks left and at terrain and enemies in the way, not at the places
//! that friends take from each other. A deathtouch counts as all of the defense, an unsummoning of a persistent
//! piece as one damage.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Attack, Piece, TileType, View};
use fixed::types::I16F16;

use crate::kernels::Weight;
use crate::network::Network;
use crate::oracle::to_fixed;
use crate::profile::Profile;
use crate::scene::{Scene, seen_from};

/// Contexts in each group: places, units, numbers, forces, states.
pub const GROUP_SIZES: [usize; 5] = [100, 34, 8, 8, 8];

/// Contexts of all groups.
pub const CONTEXTS: usize = {
    let [places, units, numbers, forces, states] = GROUP_SIZES;
    places + units + numbers + forces + states
};

/// Rows of Death Prophet: the contexts for each of its three outputs.
pub const PROPHET_ROWS: usize = 3 * CONTEXTS;

/// What is foretold of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Fate {
    /// An enemy dies.
    Killed = 0,
    /// An enemy returns to its owner's reinforcements.
    Unsummoned = 1,
    /// A friend does not attack.
    Passive = 2,
}

/// A piece's context of each group, each in `0..CONTEXTS`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Contexts(pub [u16; 5]);

impl Contexts {
    /// Rows of Death Prophet for a fate.
    pub fn rows(&self, fate: Fate) -> [u16; 5] {
        self.0.map(|context| context + fate as u16 * CONTEXTS as u16)
    }
}

/// Who could attack whom on a board.
#[derive(Clone, Copy)]
pub struct Survey<'a> {
    view: View<'a>,
    graveyards: HexSet,
    prospects: [Prospect; Hex::COUNT],
}

/// What could happen to an enemy, or what a friend could do.
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
    /// Looks at every piece of a board once.
    pub fn new(view: View<'a>) -> Survey<'a> {
        let graveyards = view.map.all(TileType::Graveyard);
        let mut survey = Survey { view, graveyards, prospects: [Prospect::default(); Hex::COUNT] };
        for (from, friend) in view.board.iter(view.side) {
            survey.look(from, friend);
        }
        survey
    }

    /// Counts what a friend could do.
    fn look(&mut self, from: Hex, friend: Piece) {
        let view = self.view;
        let Ok(now) = view.ready_to_attack(friend) else { return };
        let enemies = view.board.pieces(view.side.opponent());
        let walks = if now.lumbering { HexSet::EMPTY } else { view.walks(from, friend) - enemies };
        let (mut near, mut radius) = (walks.with(from), 0);
        let mut in_range = HexSet::EMPTY;
        while radius < now.range.max(now.range_flying) {
            near = near.grown();
            radius += 1;
            if radius == now.range {
                in_range = near;
            }
        }
        let mut own = Prospect::default();
        for to in near & enemies {
            let Some(enemy) = view.board.piece(to) else { continue };
            let unit = view.unit(enemy);
            // Fliers and others may be within different ranges of the same attacker.
            let reaches = match unit.flying {
                false => in_range.contains(to),
                true if now.range == now.range_flying => true,
                true => within(walks.with(from), now.range_flying).contains(to),
            };
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

    /// A piece's contexts.
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
        let place = seen_from(self.view.side, at).index() as u16;
        let small = [level_of_number(prospect.number), force, state].map(u16::from);
        let mut contexts = Contexts::default();
        let mut start = 0;
        let inside = [place, piece.unit().index() as u16].into_iter().chain(small);
        for ((context, inside), size) in contexts.0.iter_mut().zip(inside).zip(GROUP_SIZES) {
            *context = start + inside;
            start += size as u16;
        }
        contexts
    }
}

impl<P: Profile> Network<'_, P> {
    /// Logit of a fate of a piece with these contexts.
    pub fn fate(&self, scene: &Scene, contexts: &Contexts, fate: Fate) -> I16F16 {
        let rows = contexts.rows(fate);
        let bias = rows.iter().fold(0, |sum: i32, row| {
            sum.wrapping_add(self.prophet.bias.get(usize::from(*row)).copied().unwrap_or(0))
        });
        let products = P::Weight::dot_rows(scene.neurons::<P>(), self.prophet.weights, &rows);
        to_fixed::<P>(bias.wrapping_add(products))
    }

    /// Calls `tell` with each piece of a board, its fate and the fate's logit: enemies with two fates, friends with
    /// one.
    pub fn prophesy(&self, scene: &Scene, view: View<'_>, mut tell: impl FnMut(Hex, Fate, I16F16)) {
        let survey = Survey::new(view);
        for (at, piece) in view.board.iter_all() {
            let contexts = survey.contexts(at, piece);
            let fates: &[Fate] =
                if piece.side() == view.side { &[Fate::Passive] } else { &[Fate::Killed, Fate::Unsummoned] };
            for fate in fates {
                tell(at, *fate, self.fate(scene, &contexts, *fate));
            }
        }
    }
}

/// All hexes within a distance of a set.
fn within(set: HexSet, distance: u8) -> HexSet {
    (0..distance).fold(set, |set, _| set.grown())
}

fn defense_left(view: &View<'_>, piece: Piece) -> u16 {
    view.current(piece).defense.saturating_sub(piece.damage())
}

fn level_of_number(number: u8) -> u8 {
    match number {
        0..=5 => number,
        6 | 7 => 6,
        _ => 7,
    }
}

/// Damage in shares of what it takes.
fn level_of_force(damage: u16, left: u16) -> u8 {
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
