//! Cards: what the rules say of one unit, spell or tech, for people.

use std::fmt::Write;

use barrow_core::minions::tables::figures::{Ability, Attack, Unit};
use barrow_core::minions::tables::ruleset::Rules;
use barrow_core::minions::tables::spell::SpellClass;
use barrow_core::minions::{Game, Side, Spell, Tech, TechStatus, UnitLabel};

use crate::text::counted::counted;

/// Card of a unit under a ruleset: figures, keywords, and which units it is made to beat.
pub fn unit_card(rules: &Rules, label: UnitLabel) -> String {
    let unit = rules.unit(label);
    let letter = label.letter().map_or(String::new(), |letter| format!(" ({})", char::from(letter)));
    let mut card = format!("{}{letter}\n", label.name());
    let price = match unit.cost {
        0 => "not for sale".to_owned(),
        cost => format!("costs {}", souls(cost)),
    };
    let rebate = match unit.rebate {
        0 => String::new(),
        rebate => format!(", of which {rebate} come back when it dies"),
    };
    let _ = writeln!(card, "  {price}{rebate}");
    let _ = writeln!(card, "  attack {}", attack(unit));
    let _ = writeln!(card, "  defense {}: as much damage in one turn kills it", unit.defense);
    let _ = writeln!(card, "  speed {}", unit.speed);
    for keyword in keywords(unit) {
        let _ = writeln!(card, "  {keyword}");
    }
    match label.tech_number() {
        0 => {}
        number => {
            let near = |offset: i16| {
                let other = u8::try_from(i16::from(number) + offset).ok().and_then(Tech::with_number);
                other.filter(|tech| matches!(tech, Tech::UnitTech(_))).map(Tech::name)
            };
            let names =
                |offsets: [i16; 3]| offsets.into_iter().filter_map(near).collect::<Vec<_>>().join(", ");
            let _ = writeln!(card, "  tech {number} of the default line");
            let _ = writeln!(card, "  made to beat {}", names([-1, -2, 3]));
            let _ = writeln!(card, "  made to lose to {}", names([1, 2, -3]));
        }
    }
    card
}

fn souls(count: u8) -> String {
    counted(count, "soul")
}

fn attack(unit: &Unit) -> String {
    let what = match unit.attack {
        Attack::None => return "none".to_owned(),
        Attack::Damage(damage) => format!("{damage} damage"),
        Attack::Unsummon => {
            "sends the target back to its reinforcements, or 1 damage where it is persistent".to_owned()
        }
        Attack::Deathtouch => {
            "kills any minion, or sends it back where it is shielded; no use against necromancers".to_owned()
        }
    };
    let times = match unit.num_attacks {
        1 => "once a turn".to_owned(),
        times => format!("{times} times a turn"),
    };
    format!("{what}, {times}, at range {}", unit.range)
}

fn keywords(unit: &Unit) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |has: bool, text: &str| all.extend(has.then(|| text.to_owned()));
    add(unit.necromancer, "necromancer: its death loses the board");
    add(unit.flying, "flying: passes over enemies and water");
    add(unit.lumbering, "lumbering: no attack in a turn in which it moved");
    add(
        unit.persistent,
        "persistent: no attack, mist or spell takes it off the board alive, unless a shield saves it",
    );
    add(unit.blink, "blink: may go back to the reinforcements in the attack phase");
    add(unit.zombie_each_turn, "brings a zombie to the reinforcements each turn");
    if unit.spawn_range > 0 {
        add(true, &format!("spawner: units are placed up to {} away from it", unit.spawn_range));
    }
    if unit.extra_souls > 0 {
        add(true, &format!("earns {} each turn", souls(unit.extra_souls)));
    }
    if unit.extra_mana > 0 {
        add(true, &format!("brings {} mana each turn", unit.extra_mana));
    }
    if let Some(ability) = unit.ability {
        let terrain = match ability {
            Ability::MoveFlood => "the movable water",
            Ability::MoveEarthquake => "the movable earthquake",
            Ability::MoveWhirlwind => "the movable whirlwind",
            Ability::MoveFirestorm => "the movable firestorm",
            Ability::MoveTerrain => "any movable terrain",
        };
        add(
            true,
            &format!("for 1 mana in the spawn phase it moves {terrain} to a hex at most 1 away from it"),
        );
    }
    all
}

/// All units under a ruleset, a line each.
pub fn unit_table(rules: &Rules) -> String {
    let mut table = format!(
        "{:<20}{:>6}{:>9}{:>7}{:>9}{:>6}{:>6}\n",
        "unit", "price", "attack", "times", "defense", "speed", "range"
    );
    for label in UnitLabel::ALL {
        let unit = rules.unit(label);
        let attack = match unit.attack {
            Attack::None => "-".to_owned(),
            Attack::Damage(damage) => damage.to_string(),
            Attack::Unsummon => "unsummon".to_owned(),
            Attack::Deathtouch => "death".to_owned(),
        };
        let _ = writeln!(
            table,
            "{:<20}{:>6}{attack:>9}{:>7}{:>9}{:>6}{:>6}",
            label.name(),
            unit.cost,
            unit.num_attacks,
            unit.defense,
            unit.speed,
            unit.range
        );
    }
    table
}

/// Card of a spell: mana, phase, copies and effect.
pub fn spell_card(spell: Spell) -> String {
    let mana = match spell.class() {
        SpellClass::Normal => "costs no mana and brings none",
        SpellClass::Cantrip => "cantrip: brings 1 mana",
        SpellClass::DoubleCantrip => "double cantrip: brings 2 mana",
        SpellClass::Sorcery => "sorcery: costs 1 mana",
    };
    let phase =
        if spell.is_spawn_phase() { "in the spawn phase" } else { "in the attack or the spawn phase" };
    let copies = match spell.copies() {
        0 => "never dealt".to_owned(),
        copies => format!("{copies} copies in the deck"),
    };
    format!("{}\n  {}\n  {mana}; {phase}; {copies}\n", spell.name(), spell_effect(spell))
}

/// Effect of a spell in words.
pub fn spell_effect(spell: Spell) -> &'static str {
    match spell {
        Spell::Fester => "1 damage to a damaged minion",
        Spell::Unsummon => "a damaged minion that is not persistent goes back to its reinforcements",
        Spell::Reposition => {
            "a friendly minion, even an exhausted or new one, moves one hex and is exhausted"
        }
        Spell::Shield => {
            "a friendly minion has twice its defense and is soulbound until the caster's next turn"
        }
        Spell::Stumble => "a damaged enemy minion moves one hex and keeps its damage",
        Spell::Dismember => "3 damage to a damaged minion",
        Spell::UnholyMight => "a friendly necromancer has at least two attacks this turn",
        Spell::Protection => "a friendly minion has 2 more defense until the caster's next turn",
        Spell::FreezeRay => "an enemy minion has no attack until the caster's next turn",
        Spell::Weaken => {
            "an enemy minion loses an attack, or 1 damage of its only one, until the caster's next turn; \
             unsummoning and killing attacks stay"
        }
        Spell::Lumbering => "an enemy minion is lumbering until the caster's next turn",
        Spell::Shackle => "an enemy minion has speed and range of at most 1 until the caster's next turn",
        Spell::Spawn => "a friendly minion that is not exhausted is a spawner this turn",
        Spell::RaiseZombie => "an exhausted zombie rises on a free hex beside a friend that is not exhausted",
        Spell::DoubleCantrip => "nothing but its mana",
        Spell::Earthquake => "the movable earthquake goes to a hex",
        Spell::Firestorm => "the movable firestorm goes to a hex",
        Spell::Flood => "the movable water goes to a hex",
        Spell::Whirlwind => "the movable whirlwind goes to a hex",
        Spell::Normalize => "a hex of movable terrain becomes ground",
        Spell::Terraform => "one of the four movable terrains goes to a hex",
        Spell::Cleave => {
            "1 damage to an enemy minion in range of a friendly minion that attacked another piece this turn"
        }
        Spell::Sunder => {
            "2 damage to an enemy minion in range of a friendly minion that attacked another piece this turn"
        }
        Spell::LightningBolt => "1 damage to an enemy minion",
        Spell::Displace => "an enemy minion moves one hex",
        Spell::RisingHorde => "every friend is a spawner this turn",
        Spell::Blink => {
            "a friendly minion goes back to the reinforcements; a persistent one has 1 damage instead"
        }
    }
}

/// All spells, a line each.
pub fn spell_table() -> String {
    let mut table = format!("{:<16}{:>6}{:>8}  effect\n", "spell", "mana", "copies");
    for spell in Spell::ALL {
        let mana = match spell.mana_on_play() {
            0 => "0".to_owned(),
            mana => format!("{mana:+}"),
        };
        let _ =
            writeln!(table, "{:<16}{mana:>6}{:>8}  {}", spell.name(), spell.copies(), spell_effect(spell));
    }
    table
}

/// Tech line of a position: index as in `action tech`, letter, tech, and what each side has of it; `<` marks what a march
/// would unlock.
pub fn tech_line(game: &Game) -> String {
    let (config, state) = (game.config(), game.state());
    let mut table = format!("{:>5}  {:<20}{:<12}{}\n", "index", "tech", "Yellow", "Blue");
    let line = &config.techline;
    let next = Side::ALL.map(|side| state.tech(side).first_locked(line.len()));
    for (index, tech) in (0..).zip(line.techs()) {
        let level = |side: Side, next: Option<u8>| {
            let status = match state.tech(side).status(index) {
                TechStatus::Locked => "locked",
                TechStatus::Unlocked => "unlocked",
                TechStatus::Acquired => "acquired",
            };
            format!("{status}{}", if next == Some(index) { " <" } else { "" })
        };
        let [yellow, blue] = [level(Side::Yellow, next[0]), level(Side::Blue, next[1])];
        let row = format!(
            "{index:>5}  {:<20}{yellow:<12}{blue:<12}",
            format!("{} {}", char::from(tech.letter()), tech.name())
        );
        let _ = writeln!(table, "{}", row.trim_end());
    }
    table
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;

    fn rules(ruleset: Ruleset) -> GameConfig {
        GameConfig::default().with_ruleset(ruleset)
    }

    #[test]
    fn a_card_says_what_the_rules_say() {
        let config = rules(Ruleset::Server);
        assert_eq!(
            unit_card(&config.rules, UnitLabel::Zombie),
            "zombie (Z)\n  costs 2 souls\n  attack 1 damage, once a turn, at range 1\n  defense 1: as much damage in one turn kills it\n  \
             speed 1\n  lumbering: no attack in a turn in which it moved\n  spawner: units are placed up to 1 away from it\n"
        );
        let necromancer = unit_card(&config.rules, UnitLabel::Necromancer);
        assert!(necromancer.contains("not for sale") && necromancer.contains("earns 3 souls each turn"));
        assert!(
            unit_card(&rules(Ruleset::Spooky).rules, UnitLabel::Necromancer)
                .contains("earns 1 soul each turn")
        );
        assert!(
            spell_card(Spell::Dismember)
                .contains("sorcery: costs 1 mana; in the attack or the spawn phase; 2 copies")
        );
    }

    #[test]
    fn a_card_names_the_exceptions() {
        let config = rules(Ruleset::Server);
        for unit in [UnitLabel::Skeleton, UnitLabel::Lich, UnitLabel::Banshee] {
            assert!(unit_card(&config.rules, unit).contains("shield"), "{}", unit.name());
        }
        assert!(spell_card(Spell::Weaken).contains("unsummoning and killing attacks stay"));
    }

    #[test]
    fn the_design_of_the_line_shows_on_both_cards() {
        let config = rules(Ruleset::Server);
        let names = |card: &str, start: &str| {
            let line = card.lines().find_map(|line| line.trim().strip_prefix(start)).unwrap_or_default();
            line.split(", ").map(str::to_owned).collect::<Vec<_>>()
        };
        let units = || UnitLabel::ALL.into_iter().filter(|unit| unit.tech_number() > 0);
        for unit in units() {
            let card = unit_card(&config.rules, unit);
            for other in units() {
                let beats = names(&card, "made to beat ").iter().any(|name| name == other.name());
                let loses = names(&unit_card(&config.rules, other), "made to lose to ")
                    .iter()
                    .any(|name| name == unit.name());
                assert_eq!(beats, loses, "{} {}", unit.name(), other.name());
            }
        }
    }

    #[test]
    fn tables_have_a_line_for_everything() {
        let config = rules(Ruleset::Server);
        let game = Game::new(config.clone(), 1);
        assert_eq!(unit_table(&config.rules).lines().count(), UnitLabel::ALL.len() + 1);
        assert_eq!(spell_table().lines().count(), Spell::ALL.len() + 1);
        let line = tech_line(&game);
        assert_eq!(line.lines().count(), config.techline.len() + 1);
        assert_eq!(line.matches('<').count(), 2, "{line}");
    }
}
