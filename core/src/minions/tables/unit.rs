//! Unit types: one table row each, from which the label, the name, the FEN letter, the tech number and the printed
//! figures under both rulesets are derived (rules §6.1, §8, §10, §24).
//!
//! A new unit type is one row at the end of the table, so that the numbers of the others stay. The test
//! `unit_tables_match_the_vendored_csv` holds the figures to `core/tests/data/units.csv`.

use super::figures::Ability::{MoveEarthquake, MoveFirestorm, MoveFlood, MoveTerrain, MoveWhirlwind};
use super::figures::Attack::{self, Damage, Deathtouch, Unsummon};
use super::figures::{SPAWNER_RANGE, Unit};

/// Keyword bits of a row: necromancer, flying, lumbering, persistent, blink.
const NEC: u8 = 1;
const FLY: u8 = 2;
const LUM: u8 = 4;
const PER: u8 = 8;
const BLI: u8 = 16;
/// Keyword bit of a unit that brings a zombie each turn.
const ZPT: u8 = 32;

/// The figures of a unit from the columns of a row.
macro_rules! figures {
    ($attack:expr, $num_attacks:expr, $defense:expr, $speed:expr, $range:expr, $cost:expr, $rebate:expr,
     $keywords:expr, $spawn_range:expr, $extra_souls:expr, $extra_mana:expr, $ability:expr) => {
        Unit {
            attack: $attack,
            num_attacks: $num_attacks,
            defense: $defense,
            speed: $speed,
            range: $range,
            cost: $cost,
            rebate: $rebate,
            necromancer: $keywords & NEC != 0,
            flying: $keywords & FLY != 0,
            lumbering: $keywords & LUM != 0,
            persistent: $keywords & PER != 0,
            blink: $keywords & BLI != 0,
            zombie_each_turn: $keywords & ZPT != 0,
            spawn_range: $spawn_range,
            extra_souls: $extra_souls,
            extra_mana: $extra_mana,
            ability: $ability,
        }
    };
}

/// The figures of a row under the second ruleset: those of the first where the row has one line for both.
macro_rules! second {
    ($first:tt) => { figures!$first };
    ($first:tt $second:tt) => { figures!$second };
}

/// The unit label and the tables, one entry per row in the order of the rows.
macro_rules! unit_table {
    ($($label:ident, $name:literal, $letter:literal, tech $tech:literal,
       $first_ruleset:ident $first:tt $(spooky $second:tt)?;)*) => {
        /// A unit type. The discriminant is the position in the `server` master list (`piece_index`), which
        /// breaks ties when a kept unit is chosen automatically (rules §17).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum UnitLabel {
            $(#[doc = concat!("`", $name, "`.")] $label,)*
        }

        /// Number of unit types known to the rules: the 33 of the `server` master list and the
        /// `terrain_necromancer` that only `spooky` has.
        pub const UNIT_COUNT: usize = [$(UnitLabel::$label),*].len();

        /// Number of unit types that have a tech in the default line.
        pub const UNIT_TECH_COUNT: usize = UNIT_COUNT - zeros(&TECH_NUMBERS);

        const ALL: [UnitLabel; UNIT_COUNT] = [$(UnitLabel::$label),*];
        const NAMES: [&str; UNIT_COUNT] = [$($name),*];
        const TECH_NUMBERS: [u8; UNIT_COUNT] = [$($tech),*];
        static SERVER: [Unit; UNIT_COUNT] = [$(figures!$first),*];
        static SPOOKY: [Unit; UNIT_COUNT] = [$(second!($first $($second)?)),*];

        impl UnitLabel {
            /// The letter of the unit's row, `-` for none. No row can be missing, as an index of a table could.
            const fn letter_or_dash(self) -> u8 {
                match self {
                    $(UnitLabel::$label => $letter,)*
                }
            }
        }
    };
}

// First line: label, name in the data files, upper-case FEN letter (`-` for none; necromancers share `N`), number
// of the tech in the default line (0 for none; 23 to 25 are the special techs).
// Then the figures under `server` and `spooky`, or `both` where they are equal or a ruleset lacks the unit: attack,
// number of attacks, defense, speed, range, cost, rebate, keywords, spawn range, extra souls, extra mana, ability.
unit_table! {
    Necromancer, "necromancer", b'N', tech 0,
        server [Unsummon,      1,  7, 1, 1, 0, 0, NEC | PER,             1, 3,  0, None]
        spooky [Unsummon,      1,  7, 1, 1, 0, 0, NEC | PER,             1, 1,  0, None];
    ArcaneNecromancer, "arcane_necromancer", b'N', tech 0,
        server [Unsummon,      1,  7, 1, 1, 0, 0, NEC | PER,             1, 4,  0, None]
        spooky [Unsummon,      1, 10, 1, 1, 0, 0, NEC | PER,             1, 1,  0, None];
    RangedNecromancer, "ranged_necromancer", b'N', tech 0,
        server [Unsummon,      1, 10, 1, 2, 0, 0, NEC | PER,             1, 3,  0, None]
        spooky [Unsummon,      1,  7, 1, 2, 0, 0, NEC | PER,             1, 0,  0, None];
    MountedNecromancer, "mounted_necromancer", b'N', tech 0,
        server [Unsummon,      1, 10, 2, 0, 0, 0, NEC | FLY | LUM | PER, 1, 3,  0, None]
        spooky [Unsummon,      1, 10, 2, 0, 0, 0, NEC | FLY | LUM | PER, 1, 0,  0, None];
    ManaNecromancer, "mana_necromancer", b'N', tech 0,
        server [Unsummon,      1, 10, 1, 1, 0, 0, NEC | PER,             1, 3, 10, None]
        spooky [Unsummon,      1, 10, 1, 1, 0, 0, NEC | PER,             1, 0,  0, None];
    DeadlyNecromancer, "deadly_necromancer", b'N', tech 0,
        server [Deathtouch,    1, 10, 1, 1, 0, 0, NEC | PER,             1, 3,  0, None]
        spooky [Deathtouch,    1, 10, 1, 1, 0, 0, NEC | PER,             1, 0,  0, None];
    BattleNecromancer, "battle_necromancer", b'N', tech 0,
        server [Damage(1),     3, 10, 1, 1, 0, 0, NEC | PER,             1, 3,  0, None]
        spooky [Damage(1),     3, 10, 1, 1, 0, 0, NEC | PER,             1, 0,  0, None];
    ZombieNecromancer, "zombie_necromancer", b'N', tech 0,
        server [Unsummon,      1, 10, 1, 1, 0, 0, NEC | PER | ZPT,       1, 3,  0, None]
        spooky [Unsummon,      1, 10, 1, 1, 0, 0, NEC | LUM | PER,       1, 0,  0, None];
    Zombie, "zombie", b'Z', tech 0,
        both   [Damage(1),     1,  1, 1, 1, 2, 0, LUM,                   1, 0,  0, None];
    Acolyte, "acolyte", b'-', tech 0,
        both   [Attack::None,  1,  2, 2, 0, 4, 2, 0,                     1, 0,  0, None];
    Initiate, "initiate", b'I', tech 0,
        server [Damage(2),     1,  2, 2, 1, 3, 1, LUM,                   1, 0,  0, Some(MoveFlood)]
        spooky [Damage(2),     1,  2, 2, 1, 3, 1, LUM,                   1, 0,  0, None];
    Skeleton, "skeleton", b'S', tech 1,
        both   [Damage(5),     1,  2, 1, 1, 4, 2, FLY | PER,             0, 0,  0, None];
    Serpent, "serpent", b'P', tech 2,
        both   [Damage(3),     1,  1, 2, 1, 4, 2, 0,                     0, 0,  0, None];
    Warg, "warg", b'W', tech 3,
        both   [Damage(1),     1,  1, 3, 1, 4, 2, 0,                     0, 0,  0, None];
    Ghost, "ghost", b'G', tech 4,
        both   [Damage(1),     1,  4, 1, 1, 3, 1, FLY | PER,             0, 0,  0, None];
    Wight, "wight", b'T', tech 5,
        both   [Damage(1),     5,  3, 2, 2, 4, 1, LUM,                   0, 0,  0, None];
    Haunt, "haunt", b'H', tech 6,
        server [Damage(2),     1,  2, 2, 3, 5, 1, PER | BLI,             0, 0,  0, Some(MoveEarthquake)]
        spooky [Damage(2),     1,  2, 2, 3, 5, 1, PER | BLI,             0, 0,  0, None];
    Shrieker, "shrieker", b'K', tech 7,
        both   [Damage(3),     1,  1, 3, 1, 4, 1, 0,                     0, 0,  0, None];
    Spectre, "spectre", b'X', tech 8,
        both   [Damage(1),     1,  5, 2, 1, 5, 3, FLY,                   0, 0,  0, None];
    Rat, "rat", b'A', tech 9,
        both   [Damage(1),     5,  1, 1, 1, 2, 1, PER,                   1, 0,  0, None];
    Witch, "witch", b'J', tech 11,
        both   [Damage(1),     1,  1, 1, 3, 4, 1, 0,                     0, 0,  0, None];
    Vampire, "vampire", b'V', tech 12,
        both   [Damage(3),     1,  5, 1, 1, 4, 2, FLY | PER,             0, 0,  0, None];
    Mummy, "mummy", b'M', tech 13,
        both   [Damage(5),     1,  7, 1, 1, 5, 2, 0,                     1, 0,  0, None];
    Lich, "lich", b'L', tech 14,
        both   [Deathtouch,    1,  2, 1, 2, 4, 1, 0,                     0, 0,  0, None];
    Sorcerer, "sorcerer", b'U', tech 10,
        server [Unsummon,      2,  3, 2, 1, 6, 3, FLY | PER | BLI,       0, 0,  0, None]
        spooky [Unsummon,      2,  3, 1, 2, 6, 3, PER | BLI,             0, 0,  0, None];
    Void, "void", b'O', tech 15,
        server [Unsummon,      1,  2, 3, 1, 4, 0, BLI,                   0, 0,  0, Some(MoveWhirlwind)]
        spooky [Unsummon,      1,  2, 3, 1, 4, 0, BLI,                   0, 0,  0, None];
    Cerberus, "cerberus", b'C', tech 16,
        server [Damage(1),     2,  3, 3, 1, 5, 3, PER,                   0, 0,  0, Some(MoveFirestorm)]
        spooky [Damage(1),     2,  3, 3, 1, 5, 3, PER,                   0, 0,  0, None];
    Wraith, "wraith", b'R', tech 17,
        both   [Damage(3),     1,  8, 2, 2, 5, 2, FLY | LUM | PER,       1, 0,  0, None];
    Horror, "horror", b'Q', tech 18,
        both   [Damage(1),    20,  6, 1, 1, 3, 0, BLI,                   0, 0,  0, None];
    Banshee, "banshee", b'B', tech 19,
        server [Deathtouch,    1,  2, 2, 1, 5, 3, FLY | PER | BLI,       0, 0,  0, None]
        spooky [Deathtouch,    1,  2, 2, 1, 5, 3, FLY | PER,             0, 0,  0, None];
    Elemental, "elemental", b'E', tech 20,
        server [Damage(1),     3,  2, 1, 3, 8, 4, 0,                     0, 0,  0, Some(MoveTerrain)]
        spooky [Damage(1),     3,  2, 1, 3, 8, 4, 0,                     0, 0,  0, None];
    Harpy, "harpy", b'Y', tech 21,
        both   [Damage(2),     1,  5, 2, 2, 7, 4, FLY,                   0, 0,  0, None];
    Shadowlord, "shadowlord", b'D', tech 22,
        both   [Damage(7),     1, 10, 2, 1, 9, 5, FLY | PER,             0, 0,  0, None];
    TerrainNecromancer, "terrain_necromancer", b'N', tech 0,
        both   [Unsummon,      1, 10, 1, 1, 0, 0, NEC | PER,             1, 0,  0, None];
}

impl UnitLabel {
    /// Every unit type in master-list order.
    pub const ALL: [UnitLabel; UNIT_COUNT] = ALL;

    /// Index of the unit in the master list, `0..UNIT_COUNT`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Label with this index in the master list.
    pub const fn from_index(index: u8) -> Option<UnitLabel> {
        if (index as usize) < UNIT_COUNT { Some(ALL[index as usize]) } else { None }
    }

    /// Name of the unit in data files, such as `mana_necromancer`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Label with this name in data files.
    pub fn from_name(name: &str) -> Option<UnitLabel> {
        ALL.into_iter().find(|label| label.name() == name)
    }

    /// The upper-case FEN letter; all necromancers share `N`, the acolyte has none.
    pub const fn letter(self) -> Option<u8> {
        match self.letter_or_dash() {
            b'-' => None,
            letter => Some(letter),
        }
    }

    /// The unit with this FEN letter in either case; `N` reads as the basic necromancer (fen §6).
    pub fn from_letter(letter: u8) -> Option<UnitLabel> {
        let upper = letter.to_ascii_uppercase();
        if upper == b'-' {
            return None;
        }
        ALL.into_iter().find(|label| label.letter_or_dash() == upper)
    }

    /// Number of the unit's tech in the default line, from 1; 0 where the line has none (rules §6.1).
    pub const fn tech_number(self) -> u8 {
        // Out of a `Tech` the compiler does not know that no number is larger.
        let index = self as usize;
        if index < UNIT_COUNT { TECH_NUMBERS[index] } else { 0 }
    }

    /// Whether this type is any of the necromancers, under every ruleset.
    pub const fn is_necromancer(self) -> bool {
        SERVER[self as usize].necromancer
    }

    /// Printed figures under the `server` tables.
    pub fn server(self) -> &'static Unit {
        &SERVER[self as usize]
    }

    /// Printed figures under the `spooky` tables; types that ruleset lacks keep the `server` figures.
    pub fn spooky(self) -> &'static Unit {
        &SPOOKY[self as usize]
    }
}

const fn zeros(numbers: &[u8]) -> usize {
    let (mut zeros, mut index) = (0, 0);
    while index < numbers.len() {
        zeros += (numbers[index] == 0) as usize;
        index += 1;
    }
    zeros
}

/// Distance in hexes within which any type lets units be placed at most, modifiers included.
pub(crate) const WIDEST_SPAWN: u8 = {
    let mut widest = SPAWNER_RANGE;
    let mut index = 0;
    while index < UNIT_COUNT {
        if SERVER[index].spawn_range > widest {
            widest = SERVER[index].spawn_range;
        }
        if SPOOKY[index].spawn_range > widest {
            widest = SPOOKY[index].spawn_range;
        }
        index += 1;
    }
    widest
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_counts_is_counted_right() {
        assert_eq!([zeros(&[]), zeros(&[0]), zeros(&[3, 0, 1, 0])], [0, 1, 2]);
        let ranges = UnitLabel::ALL.into_iter().flat_map(|label| [label.server(), label.spooky()]);
        let widest = ranges.map(|unit| unit.spawn_range).chain([SPAWNER_RANGE]).max();
        assert_eq!(widest, Some(WIDEST_SPAWN));
        assert_eq!(
            UNIT_TECH_COUNT,
            UnitLabel::ALL.into_iter().filter(|label| label.tech_number() > 0).count()
        );
    }

    #[test]
    fn every_row_can_be_found_by_its_name_and_its_letter() {
        for (index, label) in UnitLabel::ALL.into_iter().enumerate() {
            assert_eq!(UnitLabel::from_index(index as u8), Some(label));
            assert_eq!(UnitLabel::from_name(label.name()), Some(label));
            assert_eq!(label.server().necromancer, label.spooky().necromancer, "{}", label.name());
            let Some(letter) = label.letter() else { continue };
            assert!(letter.is_ascii_uppercase(), "{}", label.name());
            let named = if label.is_necromancer() { UnitLabel::Necromancer } else { label };
            assert_eq!(UnitLabel::from_letter(letter), Some(named));
            assert_eq!(UnitLabel::from_letter(letter.to_ascii_lowercase()), Some(named));
        }
        assert_eq!(UnitLabel::from_letter(b'-'), None);
        assert_eq!(UnitLabel::from_index(UNIT_COUNT as u8), None);
    }
}
