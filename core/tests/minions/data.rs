//! Tables of units, spells, techs and maps, compared with the vendored files in `core/tests/data`.

use std::collections::BTreeMap;

use barrow_core::hex::Hex;
use barrow_core::minions::tables::map::MAP_COUNT;
use barrow_core::minions::tables::spell::{DECK_SIZE, SPELL_COUNT};
use barrow_core::minions::tables::unit::UNIT_COUNT;
use barrow_core::minions::{
    Attack, Board, MapLabel, Ruleset, Spell, SpellClass, TargetShape, Tech, Techline, TileType, Unit,
    UnitLabel,
};

/// Splits a CSV file into rows of fields, without its heading.
fn rows(file: &str) -> impl Iterator<Item = Vec<&str>> {
    file.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect())
}

fn attack_text(unit: &Unit) -> String {
    let kind = match unit.attack {
        Attack::None => "-".to_owned(),
        Attack::Damage(amount) => amount.to_string(),
        Attack::Unsummon => "u".to_owned(),
        Attack::Deathtouch => "k".to_owned(),
    };
    format!("{kind}x{}", unit.num_attacks)
}

fn keyword_text(unit: &Unit) -> String {
    let keywords = [
        ('n', unit.necromancer),
        ('f', unit.flying),
        ('l', unit.lumbering),
        ('p', unit.persistent),
        ('b', unit.blink),
        ('z', unit.zombie_each_turn),
    ];
    let text: String = keywords.iter().filter(|(_, has)| *has).map(|(letter, _)| letter).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Formats the figures of a unit as in the file, from attack to ability.
fn figures(unit: &Unit) -> String {
    let numbers = [unit.defense, unit.speed, unit.range, unit.cost, unit.rebate].map(|n| n.to_string());
    let gains = [unit.spawn_range, unit.extra_souls, unit.extra_mana].map(|n| n.to_string());
    let ability = unit.ability.map_or("-", |ability| ability.name());
    [attack_text(unit), numbers.join(","), keyword_text(unit), gains.join(","), ability.to_owned()].join(",")
}

#[test]
fn unit_tables_match_the_vendored_csv() {
    let mut figures_of: BTreeMap<(UnitLabel, bool), String> = BTreeMap::new();
    for row in rows(include_str!("../data/units.csv")) {
        let label = UnitLabel::from_name(row[0]).unwrap();
        let letter = label.letter().map_or('-', char::from).to_string();
        assert_eq!(row[1], letter, "{row:?}");
        match row[2] {
            "-" => assert_eq!(label, UnitLabel::TerrainNecromancer),
            place => assert_eq!(place.parse(), Ok(label.index())),
        }
        let number = Tech::UnitTech(label).number();
        assert_eq!(row[3], if number == 0 { "-".to_owned() } else { number.to_string() }, "{row:?}");
        let (for_server, for_spooky) = match row[4] {
            "both" => (true, true),
            name => {
                let ruleset = Ruleset::from_name(name).unwrap();
                (ruleset == Ruleset::Server, ruleset == Ruleset::Spooky)
            }
        };
        for (spooky, wanted) in [(false, for_server), (true, for_spooky)] {
            if wanted {
                assert!(figures_of.insert((label, spooky), row[5..].join(",")).is_none(), "{row:?} twice");
            }
        }
    }
    for ((label, spooky), expected) in &figures_of {
        let unit = if *spooky { label.spooky() } else { label.server() };
        assert_eq!(figures(unit), *expected, "{} spooky: {spooky}", label.name());
        assert_eq!(unit.necromancer, label.is_necromancer(), "{}", label.name());
    }
    // Each ruleset lacks one type of the other.
    for (spooky, absent) in [(false, UnitLabel::TerrainNecromancer), (true, UnitLabel::Acolyte)] {
        for label in UnitLabel::ALL {
            assert_eq!(figures_of.contains_key(&(label, spooky)), label != absent, "{}", label.name());
        }
    }
    assert_eq!(UnitLabel::ALL.len(), UNIT_COUNT);
}

fn spell_row(spell: Spell) -> String {
    let class = match spell.class() {
        SpellClass::Normal => "normal",
        SpellClass::Cantrip => "cantrip",
        SpellClass::DoubleCantrip => "double_cantrip",
        SpellClass::Sorcery => "sorcery",
    };
    let target = match spell.shape() {
        TargetShape::None => "none",
        TargetShape::Piece => "piece",
        TargetShape::PieceHex => "piece+hex",
        TargetShape::Hex => "hex",
        TargetShape::TerrainHex => "terrain+hex",
    };
    let phase = if spell.is_spawn_phase() { "spawn" } else { "any" };
    let (play, discard) = (spell.mana_on_play(), spell.mana_on_discard());
    format!("{},{class},{play},{discard},{},{phase},{target}", spell.name(), spell.copies())
}

#[test]
fn spell_table_matches_the_vendored_csv() {
    let expected: Vec<String> = rows(include_str!("../data/spells.csv")).map(|row| row.join(",")).collect();
    assert_eq!(expected.len(), SPELL_COUNT);
    assert_eq!(Spell::ALL.map(spell_row).to_vec(), expected);
    let copies: u16 = Spell::ALL.iter().map(|spell| u16::from(spell.copies())).sum();
    assert_eq!(copies, DECK_SIZE);
}

#[test]
fn default_tech_line_matches_the_vendored_csv() {
    let line = Techline::default();
    let techs = line
        .techs()
        .iter()
        .map(|tech| format!("{},{},{}", tech.number(), tech.name(), char::from(tech.letter())));
    let expected: Vec<String> = rows(include_str!("../data/techs.csv")).map(|row| row.join(",")).collect();
    assert_eq!(techs.collect::<Vec<_>>(), expected);
}

/// Returns the terrain letter of a hex, upper case for a movable tile.
fn terrain_letter(board: &Board, label: MapLabel, hex: Hex) -> char {
    if let Some(kind) = board.movable_at(hex) {
        return char::from(kind.letter());
    }
    match board.tile(label.map(), hex) {
        TileType::Ground => '.',
        TileType::Graveyard => 'g',
        TileType::Water => 'w',
        TileType::Earthquake => 'e',
        TileType::Firestorm => 'f',
        TileType::Whirlwind => 'a',
        TileType::SorceryNode => 's',
        TileType::Teleporter => 't',
        TileType::Spawner => 'z',
        TileType::Mist => 'm',
        TileType::Wall => '#',
    }
}

fn pool(label: MapLabel) -> &'static str {
    if MapLabel::BASIC.contains(&label) {
        "basic"
    } else if MapLabel::ADVANCED.contains(&label) {
        "advanced"
    } else {
        "unlisted"
    }
}

#[test]
fn maps_match_the_vendored_csv() {
    let mut count = 0;
    for row in rows(include_str!("../data/maps.csv")) {
        let label = MapLabel::from_name(row[0]).unwrap();
        assert_eq!(row[1], pool(label), "{}", label.name());
        let mut expected = ['.'; Hex::COUNT];
        for group in row[3].split_whitespace() {
            let (letter, names) = group.split_once(':').unwrap();
            for hex in names.split('+').map(|name| Hex::named(name).unwrap()) {
                expected[hex.index()] = letter.parse().unwrap();
            }
        }
        let mut board = Board::empty();
        board.lay_movable(label.map());
        let tiles: Vec<char> = Hex::all().map(|hex| terrain_letter(&board, label, hex)).collect();
        assert_eq!(tiles, expected, "{}", label.name());

        let reflected = |hex: Hex| Hex::at(9 - hex.y(), 9 - hex.x()).unwrap();
        let is_rotated = Hex::all().all(|hex| tiles[hex.index()] == tiles[hex.rotated().index()]);
        let is_reflected = Hex::all().all(|hex| tiles[hex.index()] == tiles[reflected(hex).index()]);
        let symmetry = match (is_rotated, is_reflected) {
            (true, true) => "both",
            (true, false) => "rotation",
            (false, true) => "reflection",
            (false, false) => "none",
        };
        assert_eq!(row[2], symmetry, "{}", label.name());
        count += 1;
    }
    assert_eq!(count, MAP_COUNT);
}
