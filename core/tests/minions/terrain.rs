//! Terrain rules without a worked example: which units each terrain admits (rules §12), on every hex of a path (§9.1).

use barrow_core::minions::tables::terrain::walker_class;
use barrow_core::minions::{IllegalReason, Movable, Side, TileType, UnitLabel};

use crate::notation::hex;
use crate::table::Table;

const NECROMANCERS: &str = "necromancer arcane_necromancer ranged_necromancer mounted_necromancer mana_necromancer \
    deadly_necromancer battle_necromancer zombie_necromancer";

/// Returns the names of the unit types of ruleset `server` that a tile admits, in master-list order.
fn admitted(tile: TileType) -> Vec<&'static str> {
    let registered = UnitLabel::ALL.into_iter().filter(|&label| label != UnitLabel::TerrainNecromancer);
    registered.filter(|label| tile.admits(walker_class(label.server()))).map(UnitLabel::name).collect()
}

#[test]
fn minions_rule_12_who_may_enter_what() {
    let lists = [
        (
            TileType::Water,
            "mounted_necromancer skeleton ghost spectre vampire sorcerer wraith banshee harpy shadowlord"
                .to_owned(),
        ),
        (
            TileType::Earthquake,
            "mounted_necromancer acolyte initiate serpent warg wight haunt shrieker spectre sorcerer void \
             cerberus wraith banshee harpy shadowlord"
                .to_owned(),
        ),
        (
            TileType::Firestorm,
            format!("{NECROMANCERS} ghost spectre vampire mummy wraith horror harpy shadowlord"),
        ),
        (
            TileType::Whirlwind,
            format!(
                "{NECROMANCERS} skeleton ghost haunt rat vampire sorcerer cerberus wraith banshee shadowlord"
            ),
        ),
    ];
    for (tile, names) in lists {
        let mut expected: Vec<&str> = names.split_whitespace().collect();
        expected.sort_by_key(|name| UnitLabel::from_name(name));
        assert_eq!(admitted(tile), expected, "{tile:?}");
    }
    assert_eq!(admitted(TileType::Wall), [""; 0]);
    for tile in [TileType::Ground, TileType::Graveyard, TileType::SorceryNode, TileType::Mist] {
        assert_eq!(admitted(tile).len(), 33);
    }
}

#[test]
fn minions_rule_09_every_hex_of_a_path_must_admit_the_piece() {
    // d0 and e0 are water.
    let mut table = Table::on("MidnightLake", "Y warg c0, Y zombie e0, Y spectre c1");
    table.illegal("c0-d0-d1", IllegalReason::Terrain);
    table.illegal("e0-e1", IllegalReason::Terrain);
    table.legal("c1-d0-d1");
    table.legal("c0-c1");
}

#[test]
fn minions_rule_12_a_movable_tile_leaves_from_under_a_piece() {
    let mut table = Table::new("Y ghost c2, Y warg f5").with_hand(Side::Yellow, "flood");
    table = table.with(|builder| {
        builder.board(0).unwrap().set_movable(Movable::Water, Some(hex("c2")));
    });
    table.illegal("play flood c2", IllegalReason::Occupied);
    table.legal("play flood f6");
    assert_eq!((table.tile("c2"), table.tile("f6")), (TileType::Ground, TileType::Water));
}
