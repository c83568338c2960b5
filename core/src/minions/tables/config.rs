//! Configuration of a game: rules, maps, tech line, target (rules §3; seed 000 "GameConfig").

use heapless::Vec;

use super::capacities::BOARD_CAP;
use super::map::{Map, MapLabel};
use super::ruleset::{Rules, Ruleset};
use super::side::SideArray;
use super::tech::{Tech, Techline};
use super::unit::UnitLabel;

/// Graveyards that win a board (rules §15).
pub const GRAVEYARDS_TO_WIN: usize = 8;

/// Configuration of one game; it stays the same throughout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameConfig {
    /// Preset from which the switches came.
    pub ruleset: Ruleset,
    /// Switches in force.
    pub rules: Rules,
    maps: Vec<MapLabel, BOARD_CAP, u8>,
    /// Tech line: the techs in order.
    pub techline: Techline,
    /// Board points that win the game.
    pub points_needed: u8,
    /// Souls each side gets at the start of each own turn, whatever the number of boards.
    pub extra_souls: SideArray<u16>,
}

impl Default for GameConfig {
    /// Two boards, Blackened Shores and Midnight Lake, two points, default tech line, ruleset `server`.
    fn default() -> Self {
        let mut maps = Vec::new();
        for map in [MapLabel::BlackenedShores, MapLabel::MidnightLake] {
            let _ = maps.push(map);
        }
        GameConfig {
            ruleset: Ruleset::Server,
            rules: Rules::SERVER,
            maps,
            techline: Techline::default(),
            points_needed: 2,
            extra_souls: SideArray::default(),
        }
    }
}

impl GameConfig {
    /// A configuration with these 1..=[`BOARD_CAP`] maps, the customary target, the default tech line and a preset's switches. `None`
    /// when there are no maps or too many.
    pub fn new(ruleset: Ruleset, maps: &[MapLabel]) -> Option<GameConfig> {
        if maps.is_empty() {
            return None;
        }
        let maps = Vec::from_slice(maps).ok()?;
        let points_needed = GameConfig::customary_points(maps.len() as u8);
        Some(GameConfig { ruleset, rules: ruleset.rules(), maps, points_needed, ..GameConfig::default() })
    }

    /// Configuration with another target of board points, otherwise the same; 0 is read as 1.
    pub fn with_points(mut self, points_needed: u8) -> Self {
        self.points_needed = points_needed.max(1);
        self
    }

    /// Configuration with another tech line, otherwise the same.
    pub fn with_techline(mut self, techline: Techline) -> Self {
        self.techline = techline;
        self
    }

    /// Configuration under another preset's switches, otherwise the same.
    pub fn with_ruleset(mut self, ruleset: Ruleset) -> Self {
        self.ruleset = ruleset;
        self.rules = ruleset.rules();
        self
    }

    /// The customary target, `n - floor(n / 4)` (rules §3).
    pub const fn customary_points(boards: u8) -> u8 {
        let points = boards - boards / 4;
        if points == 0 { 1 } else { points }
    }

    /// Maps of the boards in order.
    pub fn maps(&self) -> &[MapLabel] {
        &self.maps
    }

    /// Number of boards, 1..=[`BOARD_CAP`].
    pub fn num_boards(&self) -> usize {
        self.maps.len()
    }

    /// Fixed terrain of a board; an index out of range reads as the map without features.
    pub fn map(&self, board: usize) -> &'static Map {
        self.maps.get(board).copied().unwrap_or(MapLabel::AllLand).map()
    }

    /// Price in souls of one extra spell and tech, 4n.
    pub fn spell_price(&self) -> u32 {
        4 * self.num_boards() as u32
    }

    /// Line positions of a tech, as a bit set (a custom line may repeat techs).
    pub fn tech_bits(&self, tech: Tech) -> u32 {
        self.techline.bits(tech)
    }

    /// Line positions of the unit's tech, as a bit set.
    pub fn unit_bits(&self, unit: UnitLabel) -> u32 {
        self.techline.unit_bits(unit)
    }
}
