//! What is true of the general's part of a position.

use barrow_core::minions::tables::capacities::TECH_CAP;
use barrow_core::minions::tables::ruleset::{IncomeFormula, ResetChoice, TieWinner};
use barrow_core::minions::tables::tech::DEFAULT_LINE;
use barrow_core::minions::tables::unit::UNIT_COUNT;
use barrow_core::minions::{Game, GameConfig, GameState, Rules, Ruleset, Side, Spell, Tech, TechStatus};

use super::{GlobalFeature as Feature, Scale};

/// Switches of the rules that have two settings.
pub(crate) const SWITCHES: usize = 20;

/// Techs that can be in a line: one for each unit, and the three others.
pub(crate) const TECHS: u16 = UNIT_COUNT as u16 + 3;

/// More missing points than this count as this.
pub(crate) const MISSING: u8 = 8;

/// Calls `visit` with everything that is true of a position apart from its boards.
pub fn global(game: &Game, mut visit: impl FnMut(Feature)) {
    for part in Part::ALL {
        part.visit(game, &mut visit);
    }
}

/// Part of the general's part of a position, so that positions can be compared piecemeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// What stays the same through a game.
    Config,
    /// A side's tech levels.
    Levels(Side),
    /// A side's souls and points.
    Purse(Side),
    /// What the general has spent.
    Budget,
    /// The spell row.
    Row,
    /// A side's cards to come.
    Deck(Side),
    /// Turns completed, and how the game ended.
    Clock,
}

impl Part {
    /// All of them.
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

    pub(crate) fn visit(self, game: &Game, visit: &mut impl FnMut(Feature)) {
        let (config, state) = (game.config(), game.state());
        match self {
            Part::Config => {
                rules(config, visit);
                line(config, visit);
                Scale::POINTS.visit(u32::from(config.points_needed), |level| visit(Feature::Needed(level)));
            }
            Part::Levels(side) => levels(config, state, side, visit),
            Part::Purse(side) => purse(config, state, side, visit),
            Part::Budget => budget(state, visit),
            Part::Row => row(state, visit),
            Part::Deck(side) => deck(state, side, visit),
            Part::Clock => clock(state, visit),
        }
    }

    /// Whether this part of two positions has the same features, as far as that is quickly seen.
    pub(crate) fn same(self, one: &Game, other: &Game) -> bool {
        match self {
            Part::Config => one.config() == other.config(),
            Part::Levels(side) => {
                let levels = |game: &Game| (game.state().tech(side), game.state().tech_at_start(side));
                levels(one) == levels(other) && one.config().techline == other.config().techline
            }
            Part::Purse(side) => {
                let purse = |game: &Game| {
                    let (config, state) = (game.config(), game.state());
                    (state.souls(side), state.points(side), config.points_needed, config.extra_souls[side])
                };
                purse(one) == purse(other)
            }
            Part::Budget => one.state().budget() == other.state().budget(),
            Part::Row => {
                let (one, other) = (one.state(), other.state());
                one.row() == other.row()
                    && (0..one.row().len()).all(|card| one.is_taken(card) == other.is_taken(card))
            }
            Part::Deck(side) => {
                let (one, other) = (one.state().deck(side), other.state().deck(side));
                one.queue() == other.queue() && one.left() == other.left()
            }
            Part::Clock => {
                let clock = |game: &Game| {
                    let state = game.state();
                    (state.turn(), state.winner(), state.is_drawn())
                };
                clock(one) == clock(other)
            }
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
        visit(Feature::StartReserve(config.rules.start_reserve));
    }
    if let Some(limit) = config.rules.draw_after_turns {
        visit(Feature::TurnLimit(0));
        (0..16).filter(|bit| limit & (1 << bit) != 0).for_each(|bit| visit(Feature::TurnLimit(1 + bit)));
    }
}

/// The switches with two settings. Taken apart by name, so that a new switch does not go unseen.
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
            visit(Feature::Line(place as u8, tech));
        }
    }
    if techs.len() < TECH_CAP {
        visit(Feature::LineLength(techs.len() as u8));
    }
}

fn levels(config: &GameConfig, state: &GameState, side: Side, visit: &mut impl FnMut(Feature)) {
    let (now, began) = (state.tech(side), state.tech_at_start(side));
    let mut seen = 0u64;
    for (place, &tech) in config.techline.techs().iter().enumerate() {
        let place = place as u8;
        let again = seen & (1 << number(tech)) != 0;
        seen |= 1 << number(tech);
        let (now, began) = (now.status(place), began.status(place));
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
}

/// A number for each tech that can be in a line: the unit's, or 34..37.
pub(crate) const fn number(tech: Tech) -> u16 {
    match tech {
        Tech::UnitTech(unit) => unit.index() as u16,
        Tech::Copycat => 34,
        Tech::Thaumaturgy => 35,
        Tech::Metamagic => 36,
    }
}

fn purse(config: &GameConfig, state: &GameState, side: Side, visit: &mut impl FnMut(Feature)) {
    Scale::SOULS.visit(state.souls(side), |level| visit(Feature::Souls(side, level)));
    let points = state.points(side);
    Scale::POINTS.visit(u32::from(points), |level| visit(Feature::Points(side, level)));
    visit(Feature::Missing(side, config.points_needed.saturating_sub(points).min(MISSING)));
    let extra = u32::from(config.extra_souls[side]);
    Scale::SOME.visit(extra, |level| visit(Feature::Extra(side, level)));
}

fn budget(state: &GameState, visit: &mut impl FnMut(Feature)) {
    let budget = state.budget();
    Scale::FEW.visit(u32::from(budget.tech_points), |level| visit(Feature::TechPoints(level)));
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
