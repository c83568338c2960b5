//! Printed figures of every unit type under both rulesets, in master-list order (`UnitLabel as usize`).
//!
//! Data only. The test `unit_tables_match_the_vendored_csv` holds it to `core/tests/data/units.csv`.

use super::unit::{Ability, Attack, Unit};
use crate::minions::position::modifier::SPAWNER_RANGE;

const NO: Attack = Attack::None;
const UN: Attack = Attack::Unsummon;
const KI: Attack = Attack::Deathtouch;
const NEC: u8 = 1;
const FLY: u8 = 2;
const LUM: u8 = 4;
const PER: u8 = 8;
const BLI: u8 = 16;
const ZPT: u8 = 32;

const fn dmg(amount: u8) -> Attack {
    Attack::Damage(amount)
}

// Columns: attack, number of attacks, defense, speed, range, cost, rebate, keywords, spawn range,
// extra souls, extra mana, ability.
#[allow(clippy::too_many_arguments)]
const fn row(
    attack: Attack,
    num_attacks: u8,
    defense: u8,
    speed: u8,
    range: u8,
    cost: u8,
    rebate: u8,
    keywords: u8,
    spawn_range: u8,
    extra_souls: u8,
    extra_mana: u8,
    ability: Option<Ability>,
) -> Unit {
    Unit {
        attack,
        num_attacks,
        defense,
        speed,
        range,
        cost,
        rebate,
        necromancer: keywords & NEC != 0,
        flying: keywords & FLY != 0,
        lumbering: keywords & LUM != 0,
        persistent: keywords & PER != 0,
        blink: keywords & BLI != 0,
        zombie_each_turn: keywords & ZPT != 0,
        spawn_range,
        extra_souls,
        extra_mana,
        ability,
    }
}

/// Longest distance within which any type lets units be placed, modifiers included.
pub(crate) const WIDEST_SPAWN: u8 = {
    let mut widest = SPAWNER_RANGE;
    let mut index = 0;
    while index < SERVER.len() {
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

#[rustfmt::skip]
pub(crate) static SERVER: [Unit; 34] = [
    row(UN, 1, 7, 1, 1, 0, 0, NEC|PER, 1, 3, 0, None), // necromancer
    row(UN, 1, 7, 1, 1, 0, 0, NEC|PER, 1, 4, 0, None), // arcane_necromancer
    row(UN, 1, 10, 1, 2, 0, 0, NEC|PER, 1, 3, 0, None), // ranged_necromancer
    row(UN, 1, 10, 2, 0, 0, 0, NEC|FLY|LUM|PER, 1, 3, 0, None), // mounted_necromancer
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 3, 10, None), // mana_necromancer
    row(KI, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 3, 0, None), // deadly_necromancer
    row(dmg(1), 3, 10, 1, 1, 0, 0, NEC|PER, 1, 3, 0, None), // battle_necromancer
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER|ZPT, 1, 3, 0, None), // zombie_necromancer
    row(dmg(1), 1, 1, 1, 1, 2, 0, LUM, 1, 0, 0, None), // zombie
    row(NO, 1, 2, 2, 0, 4, 2, 0, 1, 0, 0, None), // acolyte
    row(dmg(2), 1, 2, 2, 1, 3, 1, LUM, 1, 0, 0, Some(Ability::MoveFlood)), // initiate
    row(dmg(5), 1, 2, 1, 1, 4, 2, FLY|PER, 0, 0, 0, None), // skeleton
    row(dmg(3), 1, 1, 2, 1, 4, 2, 0, 0, 0, 0, None), // serpent
    row(dmg(1), 1, 1, 3, 1, 4, 2, 0, 0, 0, 0, None), // warg
    row(dmg(1), 1, 4, 1, 1, 3, 1, FLY|PER, 0, 0, 0, None), // ghost
    row(dmg(1), 5, 3, 2, 2, 4, 1, LUM, 0, 0, 0, None), // wight
    row(dmg(2), 1, 2, 2, 3, 5, 1, PER|BLI, 0, 0, 0, Some(Ability::MoveEarthquake)), // haunt
    row(dmg(3), 1, 1, 3, 1, 4, 1, 0, 0, 0, 0, None), // shrieker
    row(dmg(1), 1, 5, 2, 1, 5, 3, FLY, 0, 0, 0, None), // spectre
    row(dmg(1), 5, 1, 1, 1, 2, 1, PER, 1, 0, 0, None), // rat
    row(dmg(1), 1, 1, 1, 3, 4, 1, 0, 0, 0, 0, None), // witch
    row(dmg(3), 1, 5, 1, 1, 4, 2, FLY|PER, 0, 0, 0, None), // vampire
    row(dmg(5), 1, 7, 1, 1, 5, 2, 0, 1, 0, 0, None), // mummy
    row(KI, 1, 2, 1, 2, 4, 1, 0, 0, 0, 0, None), // lich
    row(UN, 2, 3, 2, 1, 6, 3, FLY|PER|BLI, 0, 0, 0, None), // sorcerer
    row(UN, 1, 2, 3, 1, 4, 0, BLI, 0, 0, 0, Some(Ability::MoveWhirlwind)), // void
    row(dmg(1), 2, 3, 3, 1, 5, 3, PER, 0, 0, 0, Some(Ability::MoveFirestorm)), // cerberus
    row(dmg(3), 1, 8, 2, 2, 5, 2, FLY|LUM|PER, 1, 0, 0, None), // wraith
    row(dmg(1), 20, 6, 1, 1, 3, 0, BLI, 0, 0, 0, None), // horror
    row(KI, 1, 2, 2, 1, 5, 3, FLY|PER|BLI, 0, 0, 0, None), // banshee
    row(dmg(1), 3, 2, 1, 3, 8, 4, 0, 0, 0, 0, Some(Ability::MoveTerrain)), // elemental
    row(dmg(2), 1, 5, 2, 2, 7, 4, FLY, 0, 0, 0, None), // harpy
    row(dmg(7), 1, 10, 2, 1, 9, 5, FLY|PER, 0, 0, 0, None), // shadowlord
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 0, 0, None), // terrain_necromancer (absent here)
];

#[rustfmt::skip]
pub(crate) static SPOOKY: [Unit; 34] = [
    row(UN, 1, 7, 1, 1, 0, 0, NEC|PER, 1, 1, 0, None), // necromancer
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 1, 0, None), // arcane_necromancer
    row(UN, 1, 7, 1, 2, 0, 0, NEC|PER, 1, 0, 0, None), // ranged_necromancer
    row(UN, 1, 10, 2, 0, 0, 0, NEC|FLY|LUM|PER, 1, 0, 0, None), // mounted_necromancer
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 0, 0, None), // mana_necromancer
    row(KI, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 0, 0, None), // deadly_necromancer
    row(dmg(1), 3, 10, 1, 1, 0, 0, NEC|PER, 1, 0, 0, None), // battle_necromancer
    row(UN, 1, 10, 1, 1, 0, 0, NEC|LUM|PER, 1, 0, 0, None), // zombie_necromancer
    row(dmg(1), 1, 1, 1, 1, 2, 0, LUM, 1, 0, 0, None), // zombie
    row(NO, 1, 2, 2, 0, 4, 2, 0, 1, 0, 0, None), // acolyte (absent here)
    row(dmg(2), 1, 2, 2, 1, 3, 1, LUM, 1, 0, 0, None), // initiate
    row(dmg(5), 1, 2, 1, 1, 4, 2, FLY|PER, 0, 0, 0, None), // skeleton
    row(dmg(3), 1, 1, 2, 1, 4, 2, 0, 0, 0, 0, None), // serpent
    row(dmg(1), 1, 1, 3, 1, 4, 2, 0, 0, 0, 0, None), // warg
    row(dmg(1), 1, 4, 1, 1, 3, 1, FLY|PER, 0, 0, 0, None), // ghost
    row(dmg(1), 5, 3, 2, 2, 4, 1, LUM, 0, 0, 0, None), // wight
    row(dmg(2), 1, 2, 2, 3, 5, 1, PER|BLI, 0, 0, 0, None), // haunt
    row(dmg(3), 1, 1, 3, 1, 4, 1, 0, 0, 0, 0, None), // shrieker
    row(dmg(1), 1, 5, 2, 1, 5, 3, FLY, 0, 0, 0, None), // spectre
    row(dmg(1), 5, 1, 1, 1, 2, 1, PER, 1, 0, 0, None), // rat
    row(dmg(1), 1, 1, 1, 3, 4, 1, 0, 0, 0, 0, None), // witch
    row(dmg(3), 1, 5, 1, 1, 4, 2, FLY|PER, 0, 0, 0, None), // vampire
    row(dmg(5), 1, 7, 1, 1, 5, 2, 0, 1, 0, 0, None), // mummy
    row(KI, 1, 2, 1, 2, 4, 1, 0, 0, 0, 0, None), // lich
    row(UN, 2, 3, 1, 2, 6, 3, PER|BLI, 0, 0, 0, None), // sorcerer
    row(UN, 1, 2, 3, 1, 4, 0, BLI, 0, 0, 0, None), // void
    row(dmg(1), 2, 3, 3, 1, 5, 3, PER, 0, 0, 0, None), // cerberus
    row(dmg(3), 1, 8, 2, 2, 5, 2, FLY|LUM|PER, 1, 0, 0, None), // wraith
    row(dmg(1), 20, 6, 1, 1, 3, 0, BLI, 0, 0, 0, None), // horror
    row(KI, 1, 2, 2, 1, 5, 3, FLY|PER, 0, 0, 0, None), // banshee
    row(dmg(1), 3, 2, 1, 3, 8, 4, 0, 0, 0, 0, None), // elemental
    row(dmg(2), 1, 5, 2, 2, 7, 4, FLY, 0, 0, 0, None), // harpy
    row(dmg(7), 1, 10, 2, 1, 9, 5, FLY|PER, 0, 0, 0, None), // shadowlord
    row(UN, 1, 10, 1, 1, 0, 0, NEC|PER, 1, 0, 0, None), // terrain_necromancer
];
