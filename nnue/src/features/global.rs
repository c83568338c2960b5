//! Features of the general's part of a position.

use barrow_core::minions::tables::ruleset::{IncomeFormula, ResetChoice, TieWinner};
use barrow_core::minions::tables::tech::DEFAULT_LINE;
use barrow_core::minions::{
    Budget, Game, GameConfig, GameState, Rules, Ruleset, Side, Spell, Tech, TechLevels, TechStatus,
};

use super::feature::GlobalFeature as Feature;
use super::scale::Scale;
use crate::shape::{BASE_LINE_PLACES, BASE_UNITS, UNIT_CAP, later_unit};

/// Switches of the rules that have two settings.
pub(crate) const SWITCHES: usize = 20;

/// Techs for which every network has rows: one for each of the first [`BASE_UNITS`] unit types, and the three others.
pub(crate) const BASE_TECHS: u16 = BASE_UNITS as u16 + 3;

// A set of tech numbers fits 128 bits.
const _: () = assert!(UNIT_CAP + 3 <= 128);

/// Largest number of missing points that has a feature of its own; more count as this number.
pub(crate) const MISSING: u8 = 8;

/// Calls `visit` with every feature of a position apart from its boards.
pub fn global(game: &Game, mut visit: impl FnMut(Feature)) {
    for part in Part::ALL {
        part.visit(game, true, &mut visit);
    }
}

/// Part of the general's features, so that some can be computed anew without the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Configuration: rules, tech line, points needed.
    Config,
    /// Tech levels of a side.
    Levels(Side),
    /// Souls and points of a side.
    Purse(Side),
    /// Tech points and spells that the side to move has spent or has left.
    Budget,
    /// The spell row.
    Row,
    /// Cards still to come to a side.
    Deck(Side),
    /// Turns completed, and the end of the game.
    Clock,
}

impl Part {
    /// Every part in the order of the features.
    pub(crate) const ALL: [Part; 10] = [
        Part::Config,
        Part::Levels(Side::Yellow),
        Part::Levels(Side::Blue),
        Part::Purse(Side::Yellow),
        Part::Purse(Side::Blue),
        Part::Budget,
        Part::Row,
        Part::Deck(Side::Yellow),
        Part::Deck(Side::Blue),
        Part::Clock,
    ];

    /// Calls `visit` with the features of this part, and those for which only layouts with details have rows
    /// ([`Layout::DETAILS`](crate::layout::Layout::DETAILS)) if they are asked for.
    pub(crate) fn visit(self, game: &Game, details: bool, visit: &mut impl FnMut(Feature)) {
        let (config, state) = (game.config(), game.state());
        match self {
            Part::Config => {
                rules(config, visit);
                if details {
                    switches_set(config, visit);
                    line(config, visit);
                    let needed = u32::from(config.points_needed);
                    Scale::POINTS.visit(needed, |level| visit(Feature::Needed(level)));
                }
            }
            Part::Levels(side) => levels(config, state, side, visit),
            Part::Purse(side) => purse(config, state, side, details, visit),
            Part::Budget => {
                let budget = state.budget();
                Scale::FEW.visit(u32::from(budget.tech_points), |level| visit(Feature::TechPoints(level)));
                if details {
                    spent(budget, visit);
                }
            }
            Part::Row => row(state, visit),
            Part::Deck(side) if details => deck(state, side, visit),
            Part::Deck(_) => {}
            Part::Clock => clock(state, visit),
        }
    }
}

fn clock(state: &GameState, visit: &mut impl FnMut(Feature)) {
    Scale::TURN.visit(state.turn(), |level| visit(Feature::Turn(level)));
    if state.turn() % 2 == 1 {
        visit(Feature::Odd);
    }
    if let Some(winner) = state.winner() {
        visit(Feature::Winner(winner));
    }
    if state.is_drawn() {
        visit(Feature::Drawn);
    }
}

fn rules(config: &GameConfig, visit: &mut impl FnMut(Feature)) {
    visit(Feature::Boards(config.num_boards() as u8));
    if config.ruleset == Ruleset::Spooky {
        visit(Feature::Spooky);
    }
}

/// Features of what differs from the ruleset.
fn switches_set(config: &GameConfig, visit: &mut impl FnMut(Feature)) {
    let preset = config.ruleset.rules();
    if config.rules == preset {
        return;
    }
    for (place, (now, usual)) in switches(&config.rules).into_iter().zip(switches(&preset)).enumerate() {
        if now != usual {
            visit(Feature::Switch(place as u8));
        }
    }
    if config.rules.start_reserve != preset.start_reserve {
        visit(Feature::StartReserve(config.rules.start_reserve.index() as u8));
    }
    if let Some(limit) = config.rules.draw_after_turns {
        visit(Feature::TurnLimit(0));
        (0..16).filter(|bit| limit & (1 << bit) != 0).for_each(|bit| visit(Feature::TurnLimit(1 + bit)));
    }
}

/// Switches with two settings. Destructured by name, so that a new switch cannot be forgotten.
fn switches(rules: &Rules) -> [bool; SWITCHES] {
    let Rules {
        unit_table,
        income_formula,
        buy_same_turn,
        buy_in_no_spawn_states,
        auto_march,
        acquire_unlocked_only,
        copycat_immediate,
        thaumaturgy,
        metamagic,
        spells,
        game_tie_winner,
        turn_passes_after_win,
        split_moves,
        open_chain_moves,
        spawn_terrain_all,
        chain_spawn,
        special_tiles,
        kill_beats_graveyard,
        resign_drops_actions,
        start_reserve: _,
        reset_choice,
        draw_after_turns: _,
    } = *rules;
    [
        unit_table == Ruleset::Spooky,
        income_formula == IncomeFormula::FlatTwo,
        buy_same_turn,
        buy_in_no_spawn_states,
        auto_march,
        acquire_unlocked_only,
        copycat_immediate,
        thaumaturgy,
        metamagic,
        spells,
        game_tie_winner == TieWinner::Mover,
        turn_passes_after_win,
        split_moves,
        open_chain_moves,
        spawn_terrain_all,
        chain_spawn,
        special_tiles,
        kill_beats_graveyard,
        resign_drops_actions,
        reset_choice == ResetChoice::Mandatory,
    ]
}

fn line(config: &GameConfig, visit: &mut impl FnMut(Feature)) {
    let techs = config.techline.techs();
    for (place, (&tech, usual)) in techs.iter().zip(DEFAULT_LINE).enumerate() {
        if tech != usual {
            visit(Feature::Line(place as u8, tech_number(tech)));
        }
    }
    if techs.len() < BASE_LINE_PLACES {
        visit(Feature::LineLength(techs.len() as u8));
    }
}

fn levels(config: &GameConfig, state: &GameState, side: Side, visit: &mut impl FnMut(Feature)) {
    let levels = LevelPair { now: state.tech(side), began: state.tech_at_start(side) };
    let techs = config.techline.techs();
    // What was and is locked has no features, and most techs are.
    let mut places = levels.now.unlocked_bits() | levels.began.unlocked_bits();
    while places != 0 {
        let place = places.trailing_zeros();
        places &= places - 1;
        let Some((earlier, [tech, ..])) = techs.split_at_checked(place as usize) else { return };
        levels.visit(side, (place as u8, *tech), earlier.contains(tech), visit);
    }
}

/// Places of the tech line whose tech stands at an earlier place, too.
pub(crate) fn repeated(config: &GameConfig) -> u32 {
    let (mut seen, mut again) = (0u128, 0);
    for (place, &tech) in config.techline.techs().iter().enumerate() {
        let tech = 1 << tech_number(tech);
        again |= u32::from(seen & tech != 0) << place;
        seen |= tech;
    }
    again
}

/// Tech levels of a side, and those it had when the turn began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LevelPair {
    pub(crate) now: TechLevels,
    pub(crate) began: TechLevels,
}

impl LevelPair {
    /// Calls `visit` with the features of one place of the line; `again` says whether its tech stands earlier, too.
    pub(crate) fn visit(
        self,
        side: Side,
        (place, tech): (u8, Tech),
        again: bool,
        visit: &mut impl FnMut(Feature),
    ) {
        let (tech, now, began) = (tech_number(tech), self.now.status(place), self.began.status(place));
        if now != TechStatus::Locked {
            visit(if again { Feature::LevelAt(side, place, now) } else { Feature::Level(side, tech, now) });
        }
        if began != now {
            visit(if again {
                Feature::BeganAt(side, place, began)
            } else {
                Feature::Began(side, tech, began)
            });
        }
    }

    /// Places where two pairs may differ, as a bit set.
    pub(crate) fn differences(self, other: LevelPair) -> u32 {
        let differ = |a: TechLevels, b: TechLevels| {
            (a.unlocked_bits() ^ b.unlocked_bits()) | (a.acquired_bits() ^ b.acquired_bits())
        };
        differ(self.now, other.now) | differ(self.began, other.began)
    }
}

/// Number of a tech, the same whatever types the unit table has: the index of its unit type below 34, then 34
/// Copycat, 35 Thaumaturgy and 36 Metamagic, then the later unit types from 37 on.
pub const fn tech_number(tech: Tech) -> u8 {
    let number = match tech {
        Tech::UnitTech(unit) => match later_unit(unit.index()) {
            None => unit.index(),
            Some(later) => BASE_TECHS as usize + later,
        },
        Tech::Copycat => BASE_UNITS,
        Tech::Thaumaturgy => BASE_UNITS + 1,
        Tech::Metamagic => BASE_UNITS + 2,
    };
    number as u8
}

/// Place among the later unit types of the type whose tech has this number; `None` below [`BASE_TECHS`].
pub(crate) const fn later_tech(number: u8) -> Option<usize> {
    (number as usize).checked_sub(BASE_TECHS as usize)
}

fn purse(config: &GameConfig, state: &GameState, side: Side, details: bool, visit: &mut impl FnMut(Feature)) {
    Scale::SOULS.visit(state.souls(side), |level| visit(Feature::Souls(side, level)));
    let points = state.points(side);
    if details {
        Scale::POINTS.visit(u32::from(points), |level| visit(Feature::Points(side, level)));
    }
    visit(Feature::Missing(side, config.points_needed.saturating_sub(points).min(MISSING)));
    if details {
        let extra = u32::from(config.extra_souls[side]);
        Scale::SOME.visit(extra, |level| visit(Feature::Extra(side, level)));
    }
}

fn spent(budget: Budget, visit: &mut impl FnMut(Feature)) {
    Scale::FEW.visit(u32::from(budget.bought), |level| visit(Feature::Bought(level)));
    if budget.sold {
        visit(Feature::Sold);
    }
}

fn row(state: &GameState, visit: &mut impl FnMut(Feature)) {
    let row = state.row();
    let same = |card: usize, other: usize| {
        row.get(card) == row.get(other) && state.is_taken(card) == state.is_taken(other)
    };
    for (place, &spell) in row.iter().enumerate() {
        if !(0..place).any(|earlier| same(place, earlier)) {
            let count = (place..row.len()).filter(|&later| same(place, later)).count();
            let taken = state.is_taken(place);
            Scale::CARDS.visit(count as u32, |level| visit(Feature::Card(spell, taken, level)));
        }
    }
}

fn deck(state: &GameState, side: Side, visit: &mut impl FnMut(Feature)) {
    let deck = state.deck(side);
    for (place, &spell) in deck.queue().iter().enumerate() {
        visit(Feature::Next(side, place as u8, spell));
    }
    for (spell, &left) in Spell::ALL.into_iter().zip(deck.left()) {
        let dealt = spell.copies().saturating_sub(left);
        if dealt > 0 {
            visit(Feature::Dealt(side, spell, dealt));
        }
    }
}
