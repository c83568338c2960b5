//! The `config` line of fen §5: `<points> <map>,<map>,... <tech>,<tech>,...`.

use core::fmt;

use heapless::Vec;

use super::error::{FenError, FenReason};
use super::token::{Token, Tokens};
use crate::minions::tables::capacities::{BOARD_CAP, TECH_CAP};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::map::MapLabel;
use crate::minions::tables::ruleset::Ruleset;
use crate::minions::tables::tech::{Tech, Techline};
use crate::minions::tables::unit::UnitLabel;

/// Writes a configuration as the arguments of a `config` line: `2 AllLand S,P,W`.
///
/// Maps go by the names of the web server, which Barrow reads as well; that of Sorcerer's Lair has an apostrophe.
#[derive(Clone, Copy, Debug)]
pub struct ConfigLine<'a>(pub &'a GameConfig);

impl fmt::Display for ConfigLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.0.points_needed)?;
        write_maps(f, self.0.maps())?;
        f.write_str(" ")?;
        for (index, tech) in self.0.techline.techs().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}", char::from(tech.letter()))?;
        }
        Ok(())
    }
}

/// Reads the arguments of a `config` line under a preset of rules. Further words are ignored.
///
/// ```
/// use barrow_core::minions::{Ruleset, fen};
/// let config = fen::parse_config("1 MidnightLake,Sorcerer'sLair S,P,W", Ruleset::Server).unwrap();
/// assert_eq!((config.points_needed, config.num_boards(), config.techline.len()), (1, 2, 3));
/// assert_eq!(fen::ConfigLine(&config).to_string(), "1 MidnightLake,Sorcerer'sLair S,P,W");
/// let error = fen::parse_config("1 MidnightLake,Atlantis S,P,W", Ruleset::Server).unwrap_err();
/// assert_eq!(error.to_string(), "column 16: no such map");
/// ```
pub fn parse_config(line: &str, ruleset: Ruleset) -> Result<GameConfig, FenError> {
    let mut tokens = Tokens::new(line)?;
    let points = read_points(tokens.require("the board points that win")?)?;
    let maps = tokens.require("map names")?;
    let maps = read_maps(maps)?;
    let line = tokens.require("tech letters")?;
    let mut techs: Vec<Tech, TECH_CAP, u8> = Vec::new();
    for item in line.split(',') {
        // Only the first character of an item counts (fen §5).
        let (letter, at) = item.letters().next().ok_or(item.expected("a tech letter"))?;
        techs.push(read_tech(letter, at)?).map_err(|_| item.error(FenReason::Capacity))?;
    }
    let techline = Techline::new(&techs).ok_or(line.error(FenReason::Capacity))?;
    let config = GameConfig::new(ruleset, &maps).unwrap_or_default();
    Ok(config.with_points(points).with_techline(techline))
}

pub(super) fn read_points(token: Token<'_>) -> Result<u8, FenError> {
    match token.number()? {
        0 => Err(token.error(FenReason::Number)),
        points => Ok(points),
    }
}

pub(super) fn read_maps(token: Token<'_>) -> Result<Vec<MapLabel, BOARD_CAP, u8>, FenError> {
    let mut maps = Vec::new();
    for name in token.split(',') {
        let map = MapLabel::from_name(name.text).ok_or(name.error(FenReason::UnknownMap))?;
        maps.push(map).map_err(|_| name.error(FenReason::Capacity))?;
    }
    Ok(maps)
}

pub(super) fn write_maps(f: &mut fmt::Formatter<'_>, maps: &[MapLabel]) -> fmt::Result {
    for (index, map) in maps.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let name = if *map == MapLabel::SorcerersLair { "Sorcerer'sLair" } else { map.name() };
        write!(f, "{comma}{name}")?;
    }
    Ok(())
}

/// Reads the letter of a tech. Any minion's letter is a tech, even one that the default line lacks.
pub(super) fn read_tech(letter: u8, at: Token<'_>) -> Result<Tech, FenError> {
    let minion = || UnitLabel::from_letter(letter).filter(|unit| !unit.is_necromancer());
    Tech::from_letter(letter).or_else(|| minion().map(Tech::UnitTech)).ok_or(at.error(FenReason::UnknownTech))
}
