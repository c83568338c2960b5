//! Techs: which exist, their order in the line of a game, and the level that each side has (rules §6).

use heapless::Vec;

use super::capacities::TECH_CAP;
use super::unit::{UNIT_COUNT, UnitLabel};
use crate::list;
use crate::rng::Rng;
use crate::sort::sort;

/// Tech, a technology that a side unlocks and acquires (seed 000 "Tech").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tech {
    /// Allows buying this unit.
    UnitTech(UnitLabel),
    /// Lets its owner acquire what the opponent has acquired.
    Copycat,
    /// Lets its owner sell the free tech point.
    Thaumaturgy,
    /// Lets one board take several spells.
    Metamagic,
}

impl Tech {
    /// Name of the tech in data files, such as `skeleton` or `copycat`.
    pub const fn name(self) -> &'static str {
        match self {
            Tech::UnitTech(unit) => unit.name(),
            Tech::Copycat => "copycat",
            Tech::Thaumaturgy => "thaumaturgy",
            Tech::Metamagic => "metamagic",
        }
    }

    /// The tech with this data-file name; units that are no tech of the default line are refused.
    pub fn from_name(name: &str) -> Option<Tech> {
        DEFAULT_LINE.into_iter().find(|tech| tech.name() == name)
    }

    /// Character of the tech, as in a UMI `config` line: the unit letter, or `1`, `2`, `3` for the special techs.
    pub fn letter(self) -> u8 {
        match self {
            Tech::UnitTech(unit) => unit.letter().unwrap_or(b'?'),
            Tech::Copycat => b'1',
            Tech::Thaumaturgy => b'2',
            Tech::Metamagic => b'3',
        }
    }

    /// The tech with this `config` character. Any purchasable unit's letter is a tech.
    pub fn from_letter(letter: u8) -> Option<Tech> {
        DEFAULT_LINE.into_iter().find(|tech| tech.letter() == letter.to_ascii_uppercase())
    }

    /// 1-based number in the default line. Unit N is meant to beat N-1, N-2 and N+3.
    pub fn number(self) -> u8 {
        match self {
            Tech::UnitTech(unit) => unit.tech_number(),
            Tech::Copycat => COPYCAT,
            Tech::Thaumaturgy => THAUMATURGY,
            Tech::Metamagic => METAMAGIC,
        }
    }

    /// The tech with a number.
    pub fn with_number(number: u8) -> Option<Tech> {
        DEFAULT_LINE.get(usize::from(number).wrapping_sub(1)).copied()
    }
}

/// Numbers of the special techs in the default line; the units' numbers stand in the unit table.
const COPYCAT: u8 = 23;
const THAUMATURGY: u8 = 24;
const METAMAGIC: u8 = 25;

/// The default order of the techs (rules §6.1). A number that is missing or taken twice does not compile.
pub const DEFAULT_LINE: [Tech; TECH_CAP] = {
    let mut line = [Tech::Copycat; TECH_CAP];
    line[THAUMATURGY as usize - 1] = Tech::Thaumaturgy;
    line[METAMAGIC as usize - 1] = Tech::Metamagic;
    let mut taken = 1_u32 << COPYCAT | 1 << THAUMATURGY | 1 << METAMAGIC;
    let mut index = 0;
    while index < UNIT_COUNT {
        let unit = UnitLabel::ALL[index];
        let number = unit.tech_number();
        if number > 0 {
            assert!(taken & (1 << number) == 0, "two techs have the same number");
            taken |= 1 << number;
            line[number as usize - 1] = Tech::UnitTech(unit);
        }
        index += 1;
    }
    assert!(taken.count_ones() as usize == TECH_CAP && taken < 2 << TECH_CAP, "a number is missing");
    line
};

/// Level of a side in a tech (seed 000 "TechStatus").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TechStatus {
    /// Not unlocked yet.
    Locked,
    /// Unlocked by a march or a step, not acquired.
    Unlocked,
    /// Acquired: the side owns the tech.
    Acquired,
}

impl TechStatus {
    /// Letter of the level in a FEN: `L`, `U` or `A`.
    pub const fn letter(self) -> u8 {
        match self {
            TechStatus::Locked => b'L',
            TechStatus::Unlocked => b'U',
            TechStatus::Acquired => b'A',
        }
    }

    /// Level after one more step; Acquired is the last.
    pub const fn next(self) -> TechStatus {
        match self {
            TechStatus::Locked => TechStatus::Unlocked,
            TechStatus::Unlocked | TechStatus::Acquired => TechStatus::Acquired,
        }
    }
}

/// Tech line: the techs of one game in order (seed 000 "Techline"). Positions are 0-based as in UMI; the zombie, which
/// both sides own, is not listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Techline {
    techs: Vec<Tech, TECH_CAP, u8>,
    /// Positions of each tech by its number, as bit sets.
    positions: [u32; TECH_CAP + 1],
}

impl Default for Techline {
    fn default() -> Self {
        Techline::of(list::first(DEFAULT_LINE))
    }
}

impl Techline {
    fn of(techs: Vec<Tech, TECH_CAP, u8>) -> Techline {
        let mut positions = [0; TECH_CAP + 1];
        for (index, &tech) in techs.iter().enumerate() {
            if let Some(positions) = positions.get_mut(usize::from(tech.number())) {
                *positions |= 1 << index;
            }
        }
        Techline { techs, positions }
    }

    /// A line of 1..=[`TECH_CAP`] techs in this order. `None` when `techs` is empty or too long.
    pub fn new(techs: &[Tech]) -> Option<Techline> {
        if techs.is_empty() {
            return None;
        }
        Some(Techline::of(Vec::from_slice(techs).ok()?))
    }

    /// The randomised layout of rules §6.1: the first two techs stay; the rest is shuffled, split into a first
    /// pack of 12 and a second of 11, each sorted by default number, and dealt alternately.
    pub fn random(rng: &mut Rng) -> Techline {
        let mut numbers = [0u8; TECH_CAP - 2];
        for (offset, number) in numbers.iter_mut().enumerate() {
            *number = offset as u8 + 3;
        }
        rng.shuffle(&mut numbers);
        Techline::from_shuffle(&numbers)
    }

    /// The layout that a given shuffle of the default numbers 3..=25 leads to.
    pub fn from_shuffle(shuffled: &[u8; TECH_CAP - 2]) -> Techline {
        let mut packs = *shuffled;
        let (first, second) = packs.split_at_mut(TECH_CAP.div_ceil(2) - 1);
        sort(first);
        sort(second);
        let first_two = DEFAULT_LINE.get(..2).unwrap_or_default();
        let mut techs: Vec<Tech, TECH_CAP, u8> = Vec::from_slice(first_two).unwrap_or_default();
        for (rank, &number) in first.iter().enumerate() {
            let pair = [Some(number), second.get(rank).copied()];
            for number in pair.into_iter().flatten() {
                if let Some(tech) = Tech::with_number(number) {
                    // Capacity is exact: 2 + 12 + 11.
                    let _ = techs.push(tech);
                }
            }
        }
        Techline::of(techs)
    }

    /// Techs of the line in order.
    pub fn techs(&self) -> &[Tech] {
        &self.techs
    }

    /// Positions of a tech, as a bit set (a custom line may repeat techs).
    pub fn bits(&self, tech: Tech) -> u32 {
        match tech {
            Tech::UnitTech(unit) => self.unit_bits(unit),
            _ => self.positions.get(usize::from(tech.number())).copied().unwrap_or(0),
        }
    }

    /// Positions of a unit's tech, as a bit set.
    pub fn unit_bits(&self, unit: UnitLabel) -> u32 {
        let number = unit.tech_number();
        let positions = self.positions.get(usize::from(number)).copied().unwrap_or(0);
        if number == 0 && positions != 0 {
            // Units that the default line does not have share the number 0.
            return self.bits_where(|tech| tech == Tech::UnitTech(unit));
        }
        positions
    }

    /// Positions of all units' techs, as a bit set.
    pub fn all_units(&self) -> u32 {
        self.bits_where(|tech| matches!(tech, Tech::UnitTech(_)))
    }

    fn bits_where(&self, mut wanted: impl FnMut(Tech) -> bool) -> u32 {
        let positions = self.techs.iter().enumerate();
        positions.filter(|&(_, &tech)| wanted(tech)).fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// Number of techs.
    pub fn len(&self) -> usize {
        self.techs.len()
    }

    /// Whether the line is empty, which no line made by the constructors is.
    pub fn is_empty(&self) -> bool {
        self.techs.is_empty()
    }

    /// The first position of a tech.
    pub fn position(&self, tech: Tech) -> Option<u8> {
        let bits = self.bits(tech);
        (bits != 0).then(|| bits.trailing_zeros() as u8)
    }
}

/// Tech levels of one side, as two sets of line positions. Invariant: `acquired` is a subset of `unlocked`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TechLevels {
    pub(crate) unlocked: u32,
    pub(crate) acquired: u32,
}

impl TechLevels {
    /// Level of the tech at this line position; `Locked` beyond the line.
    pub const fn status(self, index: u8) -> TechStatus {
        if index >= 32 || self.unlocked & (1 << index) == 0 {
            TechStatus::Locked
        } else if self.acquired & (1 << index) == 0 {
            TechStatus::Unlocked
        } else {
            TechStatus::Acquired
        }
    }

    /// Whether the tech at this position is Acquired.
    pub const fn owns(self, index: u8) -> bool {
        index < 32 && self.acquired & (1 << index) != 0
    }

    /// Sets the level; positions of 32 and more are ignored.
    pub const fn set(&mut self, index: u8, status: TechStatus) {
        if index >= 32 {
            return;
        }
        let bit = 1 << index;
        self.unlocked &= !bit;
        self.acquired &= !bit;
        match status {
            TechStatus::Locked => {}
            TechStatus::Unlocked => self.unlocked |= bit,
            TechStatus::Acquired => {
                self.unlocked |= bit;
                self.acquired |= bit;
            }
        }
    }

    /// The first Locked position of a line of `len` techs.
    pub const fn first_locked(self, len: usize) -> Option<u8> {
        let first = (!self.unlocked).trailing_zeros();
        if (first as usize) < len { Some(first as u8) } else { None }
    }

    /// Positions Acquired, as a bit set.
    pub const fn acquired_bits(self) -> u32 {
        self.acquired
    }

    /// Positions Unlocked or Acquired, as a bit set.
    pub const fn unlocked_bits(self) -> u32 {
        self.unlocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_a_tech_are_where_the_line_has_it() {
        let all = UnitLabel::ALL.map(Tech::UnitTech);
        let specials = [Tech::Copycat, Tech::Thaumaturgy, Tech::Metamagic];
        let mut rng = Rng::new(8);
        for _ in 0..200 {
            let any = |rng: &mut Rng| {
                let index = rng.below((all.len() + specials.len()) as u32) as usize;
                *all.iter().chain(&specials).nth(index).unwrap()
            };
            let techs: [Tech; TECH_CAP] = core::array::from_fn(|_| any(&mut rng));
            let line = Techline::new(&techs[..=rng.below(TECH_CAP as u32) as usize]).unwrap();
            let has = |index: usize, tech: Tech| line.techs().get(index) == Some(&tech);
            for tech in all.into_iter().chain(specials) {
                let bits = (0..32).filter(|&index| has(index, tech)).fold(0, |bits, index| bits | 1 << index);
                assert_eq!(line.bits(tech), bits, "{tech:?}");
            }
            let units = all.iter().fold(0, |bits, &tech| bits | line.bits(tech));
            assert_eq!(line.all_units(), units);
        }
    }

    #[test]
    fn a_tech_is_owned_when_it_is_acquired() {
        let mut levels = TechLevels::default();
        levels.set(3, TechStatus::Unlocked);
        levels.set(5, TechStatus::Acquired);
        levels.set(31, TechStatus::Acquired);
        levels.set(32, TechStatus::Acquired);
        for index in 0..=u8::MAX {
            assert_eq!(levels.owns(index), [5, 31].contains(&index), "{index}");
            assert_eq!(levels.owns(index), levels.status(index) == TechStatus::Acquired, "{index}");
        }
    }
}
