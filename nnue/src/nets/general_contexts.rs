//! Contexts of a tech for the general's net: which rows of its table a position has, and a tech in it.
//!
//! A tech with the number N of the default line beats those with N-1, N-2 and N+3 (rules §6), wherever the techs lie in
//! the line of the game. So the contexts of a tech are those of its neighbours by number, with the same rows for
//! every tech: who owns N+3 or has units of it counts in the same way along the whole line.

use core::num::NonZero;

use barrow_core::minions::tables::unit::UNIT_COUNT;
use barrow_core::minions::{Game, GameConfig, Ruleset, Side, Tech, TechLevels, TechStatus, UnitLabel};

use crate::features::{BASE_TECHS, later_tech, tech_number};
use crate::shape::{GENERAL_ROWS, NEIGHBOUR_GROUPS, NEIGHBOURS, POSITION_GROUPS, TECH_GROUPS, sum};

/// First row of the contexts of a tech that are not those of a neighbour.
const TECH_START: usize = NEIGHBOURS * sum(&NEIGHBOUR_GROUPS);

/// First row of the contexts of a position.
const POSITION_START: usize = TECH_START + sum(&TECH_GROUPS);

/// Steps of the numbers of units: context k from the step of this index on.
const COUNTS: [u32; 5] = [1, 2, 3, 5, 9];

/// Steps of souls for each board.
const SOULS: [u32; 10] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24];

/// Steps of the souls that the units for each board cost.
const ARMY: [u32; 8] = [0, 4, 8, 12, 16, 24, 32, 48];

/// Steps of completed turns.
const TURNS: [u32; 8] = [0, 2, 4, 8, 16, 24, 32, 64];

/// Survey of a position: what the contexts of its techs are made of.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Tech levels of the side to move and of its opponent.
    levels: [TechLevels; 2],
    /// Units by type, of the side to move and of its opponent; reinforcements count.
    units: [[u32; UNIT_COUNT]; 2],
}

impl Survey {
    /// Survey of a position, usually before the general has acted.
    pub fn new(game: &Game) -> Survey {
        let units = sides(game).map(|side| {
            let mut counts = [0; UNIT_COUNT];
            for board in game.state().boards() {
                for (slot, &waiting) in counts.iter_mut().zip(board.reserve_counts(side)) {
                    *slot += u32::from(waiting);
                }
                for (_, piece) in board.iter(side) {
                    if let Some(slot) = counts.get_mut(piece.unit().index()) {
                        *slot += 1;
                    }
                }
            }
            counts
        });
        Survey { levels: sides(game).map(|side| game.state().tech(side)), units }
    }

    /// Calls `visit` with the rows of the position, at most one of each group. `game` is the position of the survey.
    pub fn position(&self, game: &Game, visit: impl FnMut(u16)) {
        let mut rows = Rows { next: POSITION_START, visit };
        let (config, state) = (game.config(), game.state());
        let others = config.num_boards().saturating_sub(1);
        let boards = NonZero::<u32>::MIN.saturating_add(others as u32);
        let [of_boards, ruleset, groups @ .., turns, points] = POSITION_GROUPS;
        rows.add(of_boards, Some(others));
        rows.add(ruleset, (config.ruleset == Ruleset::Spooky).then_some(0));
        let mut group = groups.into_iter();
        let mut both = |value: &dyn Fn(usize, Side) -> Option<usize>| {
            for (place, side) in sides(game).into_iter().enumerate() {
                rows.add(group.next().unwrap_or(0), value(place, side));
            }
        };
        both(&|_, side| reached(&SOULS, state.souls(side) / boards));
        let unit_techs = config.techline.all_units();
        both(&|_, side| Some((state.tech(side).acquired_bits() & unit_techs).count_ones() as usize));
        both(&|_, side| Some(specials(config, state.tech(side).acquired_bits())));
        both(&|_, side| Some(usize::from(config.points_needed.saturating_sub(state.points(side)))));
        both(&|_, side| Some(state.tech(side).unlocked_bits().trailing_ones() as usize));
        both(&|place, _| {
            let units = self.units.get(place)?;
            let cost = |(unit, &count): (UnitLabel, &u32)| u32::from(config.rules.unit(unit).cost) * count;
            let army: u32 = UnitLabel::ALL.into_iter().zip(units).map(cost).sum();
            reached(&ARMY, army / boards)
        });
        rows.add(turns, reached(&TURNS, state.turn()));
        rows.add(points, Some(usize::from(state.budget().tech_points)));
    }

    /// Calls `visit` with the rows of the tech at a place of the line, at most one of each group; none beyond the line.
    pub fn tech(&self, config: &GameConfig, place: u8, mut visit: impl FnMut(u16)) {
        let Some(&tech) = config.techline.techs().get(usize::from(place)) else { return };
        for neighbour in 0..NEIGHBOURS {
            let Some((place, unit)) = neighbour_of(config, place, tech, neighbour) else { continue };
            let mut rows = Rows { next: neighbour * sum(&NEIGHBOUR_GROUPS), visit: &mut visit };
            let [levels, friends, enemies] = NEIGHBOUR_GROUPS;
            let [own, other] = self.levels.map(|levels| level(levels.status(place)));
            rows.add(levels, Some(3 * own + other));
            let counts = self.units.each_ref().map(|units| {
                let count = unit.and_then(|unit| units.get(unit.index())).copied().unwrap_or(0);
                reached(&COUNTS, count)
            });
            let [own, other] = counts;
            rows.add(friends, own);
            rows.add(enemies, other);
        }
        let number = tech_number(tech);
        if let Some(later) = later_tech(number) {
            visit((GENERAL_ROWS + later) as u16);
        }
        let mut rows = Rows { next: TECH_START, visit };
        let [kinds, distances] = TECH_GROUPS;
        rows.add(kinds, (u16::from(number) < BASE_TECHS).then_some(usize::from(number)));
        let [own, _] = self.levels;
        let front = own.unlocked_bits().trailing_ones();
        // Beyond the front by two or more, by one, at the front; then how far before it.
        let distance = i32::from(place) - front as i32;
        rows.add(distances, Some((2 - distance).max(0) as usize));
    }
}

/// Side to move and its opponent.
fn sides(game: &Game) -> [Side; 2] {
    let us = game.side_to_move();
    [us, us.opponent()]
}

/// Place in the line and unit type of a neighbour of the tech at a place; `None` where the line has no such tech. Special
/// techs have no neighbours but themselves.
fn neighbour_of(
    config: &GameConfig,
    place: u8,
    tech: Tech,
    neighbour: usize,
) -> Option<(u8, Option<UnitLabel>)> {
    let own = NEIGHBOURS / 2;
    let Tech::UnitTech(unit) = tech else { return (neighbour == own).then_some((place, None)) };
    if neighbour == own {
        return Some((place, Some(unit)));
    }
    let number = (usize::from(tech.number()) + neighbour).checked_sub(own)?;
    let other = Tech::with_number(u8::try_from(number).ok()?)?;
    let Tech::UnitTech(unit) = other else { return None };
    Some((config.techline.position(other)?, Some(unit)))
}

/// Walk along groups of rows.
struct Rows<F> {
    /// First row of the next group.
    next: usize,
    visit: F,
}

impl<F: FnMut(u16)> Rows<F> {
    /// Visits the row of a context in the next group, which has this size; contexts past its end count as the last one.
    fn add(&mut self, size: usize, context: Option<usize>) {
        if let Some(context) = context {
            (self.visit)((self.next + context.min(size.saturating_sub(1))) as u16);
        }
        self.next += size;
    }
}

/// Index of the last step that a number has reached; `None` below the first.
fn reached(steps: &[u32], number: u32) -> Option<usize> {
    steps.iter().take_while(|&&step| step <= number).count().checked_sub(1)
}

fn level(status: TechStatus) -> usize {
    match status {
        TechStatus::Locked => 0,
        TechStatus::Unlocked => 1,
        TechStatus::Acquired => 2,
    }
}

/// Special techs among acquired places of the line, as three bits.
fn specials(config: &GameConfig, acquired: u32) -> usize {
    let has = |tech| usize::from(config.tech_bits(tech) & acquired != 0);
    has(Tech::Copycat) | has(Tech::Thaumaturgy) << 1 | has(Tech::Metamagic) << 2
}
