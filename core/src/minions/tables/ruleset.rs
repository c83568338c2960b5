//! Rulesets as data: a preset is a [`Rules`] value, and the code reads its named switches only.
//!
//! Source: divergences §G. There is no `if ruleset` anywhere else.

use super::figures::Unit;
use super::unit::UnitLabel;

/// Ruleset: a preset of the switches in [`Rules`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Ruleset {
    /// The full game of the Minions web server, spells included.
    #[default]
    Server = 0,
    /// The subset that Spooky plays over UMI.
    Spooky = 1,
}

impl Ruleset {
    /// Name of the preset, `server` or `spooky`.
    pub const fn name(self) -> &'static str {
        match self {
            Ruleset::Server => "server",
            Ruleset::Spooky => "spooky",
        }
    }

    /// The preset with this name.
    pub fn from_name(name: &str) -> Option<Ruleset> {
        [Ruleset::Server, Ruleset::Spooky].into_iter().find(|ruleset| ruleset.name() == name)
    }

    /// The switches of this preset.
    pub const fn rules(self) -> Rules {
        match self {
            Ruleset::Server => Rules::SERVER,
            Ruleset::Spooky => Rules::SPOOKY,
        }
    }
}

/// Formula of a board's income (divergence 11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IncomeFormula {
    /// Graveyards plus the extra souls of every piece.
    ExtraSouls,
    /// Graveyards plus 2, plus 1 while a necromancer with extra souls lives.
    FlatTwo,
}

/// Winner when both sides reach the target in one step (divergence 24, quirk Q6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TieWinner {
    /// The side whose deciding board has the higher index.
    HigherBoard,
    /// The side that just moved.
    Mover,
}

/// Choice of the unit that is kept when a board is reset (divergences 40 to 42).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResetChoice {
    /// A separate candidate list; choosing is optional and brings a zombie; else the dearest without one.
    Optional,
    /// The candidates are the reinforcements; a setup action is mandatory and always brings a zombie.
    Mandatory,
}

/// The named switches in which rulesets differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Table of printed figures in force (divergences 1 to 10).
    pub unit_table: Ruleset,
    /// Formula of a board's income (divergence 11).
    pub income_formula: IncomeFormula,
    /// A unit may be bought in the turn its tech is acquired (divergence 15).
    pub buy_same_turn: bool,
    /// Units may be bought on boards whose state forbids placing (divergence 16, quirk Q12).
    pub buy_in_no_spawn_states: bool,
    /// Unused tech points march (divergence 17).
    pub auto_march: bool,
    /// Acquiring a tech follows Spooky's `tech` command: unlocked techs only; on an owned one the point is wasted (divergence 18).
    pub acquire_unlocked_only: bool,
    /// Copycat counts from the moment it is acquired (divergence 19).
    pub copycat_immediate: bool,
    /// Thaumaturgy has its effect (divergence 20).
    pub thaumaturgy: bool,
    /// Metamagic has its effect (divergence 20).
    pub metamagic: bool,
    /// Spells, hands, mana and abilities exist (divergence 22).
    pub spells: bool,
    /// Winner of a tie (divergence 24).
    pub game_tie_winner: TieWinner,
    /// The turn passes even when the game has just been won (divergence 25).
    pub turn_passes_after_win: bool,
    /// A move may be made in several parts (divergence 27).
    pub split_moves: bool,
    /// Simultaneous moves need not be closed cycles (divergence 28).
    pub open_chain_moves: bool,
    /// All terrain restricts placing, not just water (divergence 30).
    pub spawn_terrain_all: bool,
    /// Exhausted pieces, such as those placed in the same turn, let others be placed (divergence 31).
    pub chain_spawn: bool,
    /// Teleporters, spawner tiles and mist work (divergence 32).
    pub special_tiles: bool,
    /// A necromancer kill counts before an enemy graveyard win on the same board (divergence 36).
    pub kill_beats_graveyard: bool,
    /// Resigning drops the board's other actions of the turn (divergence 38).
    pub resign_drops_actions: bool,
    /// The unit in each side's reinforcements at game start (divergence 39).
    pub start_reserve: UnitLabel,
    /// Choice of the unit kept at a reset (divergences 40 to 42).
    pub reset_choice: ResetChoice,
    /// Game drawn after this many turns, if set (divergence 45); off in both presets.
    pub draw_after_turns: Option<u16>,
}

impl Rules {
    /// Switches of the web server, as in the rules specification.
    pub const SERVER: Rules = Rules {
        unit_table: Ruleset::Server,
        income_formula: IncomeFormula::ExtraSouls,
        buy_same_turn: false,
        buy_in_no_spawn_states: true,
        auto_march: true,
        acquire_unlocked_only: false,
        copycat_immediate: false,
        thaumaturgy: true,
        metamagic: true,
        spells: true,
        game_tie_winner: TieWinner::HigherBoard,
        turn_passes_after_win: true,
        split_moves: true,
        open_chain_moves: true,
        spawn_terrain_all: true,
        chain_spawn: false,
        special_tiles: true,
        kill_beats_graveyard: true,
        resign_drops_actions: false,
        start_reserve: UnitLabel::Zombie,
        reset_choice: ResetChoice::Optional,
        draw_after_turns: None,
    };

    /// Switches of Spooky: the right-hand column of the table of divergences.
    pub const SPOOKY: Rules = Rules {
        unit_table: Ruleset::Spooky,
        income_formula: IncomeFormula::FlatTwo,
        buy_same_turn: true,
        buy_in_no_spawn_states: false,
        auto_march: false,
        acquire_unlocked_only: true,
        copycat_immediate: true,
        thaumaturgy: false,
        metamagic: false,
        spells: false,
        game_tie_winner: TieWinner::Mover,
        turn_passes_after_win: false,
        split_moves: false,
        open_chain_moves: false,
        spawn_terrain_all: false,
        chain_spawn: true,
        special_tiles: false,
        kill_beats_graveyard: false,
        resign_drops_actions: true,
        start_reserve: UnitLabel::Initiate,
        reset_choice: ResetChoice::Mandatory,
        draw_after_turns: None,
    };

    /// Printed figures of a unit type under these rules.
    #[inline]
    pub fn unit(&self, label: UnitLabel) -> &'static Unit {
        match self.unit_table {
            Ruleset::Server => label.server(),
            Ruleset::Spooky => label.spooky(),
        }
    }
}
