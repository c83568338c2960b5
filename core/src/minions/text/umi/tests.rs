extern crate std;

use std::string::{String, ToString};

use super::*;
use crate::hex::Hex;
use crate::minions::rules::action::{BoardAction, CastParams, GameTurn, Path};
use crate::minions::{Game, GameConfig, Ruleset, Side, Spell, UnitLabel};

fn hex(name: &str) -> Hex {
    Hex::named(name).unwrap()
}

fn game(ruleset: Ruleset) -> Game {
    Game::new(GameConfig::default().with_ruleset(ruleset), 5)
}

fn read(game: &Game, lines: &[&str]) -> Result<GameTurn, UmiError> {
    let mut reader = TurnReader::new(game, "turn")?;
    lines.iter().try_for_each(|line| reader.read(line))?;
    reader.finish(game)
}

/// Reads one board line and prints it again.
fn echo(act: &str) -> Result<String, UmiError> {
    let game = game(Ruleset::Server);
    let turn = read(&game, &[&std::format!("action board 1 {act}")])?;
    let text = TurnText::new(&game, &turn).to_string();
    let acts: std::vec::Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("action board 1 ")).collect();
    Ok(acts.join("; "))
}

#[test]
fn what_is_printed_is_what_was_read() {
    for act in [
        "resign",
        "setup N",
        "setup N L",
        "setup N acolyte",
        "move c2d2",
        "move_cyclic c2 c3",
        "move_cyclic c2 d2 d1",
        "attack c2d2",
        "blink c2",
        "buy Z",
        "spawn Z c2",
        "spawn mana_necromancer c2",
        "walk c2c3",
        "walk c2c3d3d4",
        "move_group c2-d2-e2 e2-d2-c2",
        "move_group c2-d2 d2c2",
        "teleport h1h6",
        "tile a9",
        "cast fester d2",
        "cast stumble d2 d3",
        "cast doubleCantrip",
        "cast terraform whirlwind b3",
        "discard unholy_might",
        "ability d1 move_earthquake e1",
        "ability c5 move_terrain water d5",
        "end_phase",
    ] {
        assert_eq!(echo(act).as_deref(), Ok(act));
    }
}

#[test]
fn looser_forms_are_read_and_printed_strictly() {
    for (act, strict) in [
        ("resign x", "resign"),
        ("resign 0 0", "resign"),
        ("setup n l", "setup N L"),
        ("buy necromancer", "buy N"),
        ("spawn   z\tc2", "spawn Z c2"),
        ("walk c2-c3-d3", "walk c2c3d3"),
        ("move_group c2d2 d2e2", "move d2e2; move c2d2"),
        ("move_group c2d2 e2f2 d2c2", "move_cyclic c2 d2; move e2f2"),
        ("move_group d2c2 c2d2 f2e2 e2f2", "move_cyclic d2 c2; move_cyclic f2 e2"),
        ("move_group c2-c3 b2c2", "walk c2c3; move b2c2"),
    ] {
        assert_eq!(echo(act).as_deref(), Ok(strict), "{act}");
    }
}

#[test]
fn bad_lines_are_refused_with_a_reason() {
    use UmiError as E;
    for (act, error) in [
        ("", E::Expected("an action of the board")),
        ("dance", E::UnknownAction),
        ("move", E::Expected("two hexes, such as c2d2")),
        ("move c2 d2", E::Expected("two hexes, such as c2d2")),
        ("move c2k2", E::UnknownHex),
        ("move c2d2 d3", E::TooLong),
        ("move_cyclic", E::Expected("a hex")),
        ("move_cyclic c2", E::Expected("at least two movers")),
        ("move_group c2d2", E::Expected("at least two movers")),
        ("walk c2c3c4c5c6", E::Expected("two to four hexes, such as c2c3d3")),
        ("walk c2c", E::Expected("two to four hexes, such as c2c3d3")),
        ("setup Z", E::Expected("N")),
        ("buy z z", E::TooLong),
        ("buy x1", E::UnknownUnit),
        ("spawn -c2 c2", E::UnknownUnit),
        ("cast blank", E::UnknownSpell),
        ("cast terraform ground b3", E::UnknownTerrain),
        ("ability d1 dance e1", E::UnknownAbility),
    ] {
        assert_eq!(echo(act), Err(error), "{act}");
    }
    let game = game(Ruleset::Server);
    for (line, error) in [
        ("action board 2 resign", E::UnknownBoard),
        ("action board -1 resign", E::Number),
        ("action board 99999 resign", E::Number),
        ("action tech", E::Expected("the number of techs to unlock")),
        ("action tech 1 +2", E::Number),
        ("action", E::Expected("an action")),
        ("actions tech 1", E::Expected("action")),
        ("action give_spell 0 lightning_bolt", E::NoSuchCard),
    ] {
        assert_eq!(read(&game, &[line]), Err(error), "{line}");
    }
    assert_eq!(
        TurnReader::new(&game, "turn spells blank").err(),
        Some(E::Expected("one spell more than boards"))
    );
    assert!(TurnReader::new(&game, "turn spells blank shield unknown").is_ok());
}

#[test]
fn extra_spells_follow_from_the_tech_line() {
    let game = game(Ruleset::Server);
    for (lines, bought) in [
        (&["action tech 0"][..], 0),
        (&["action tech 1"], 0),
        (&["action tech 1 0"], 1),
        (&["action tech 3 0 2"], 4),
        (&["action tech 2", "action sell"], 2),
        (&["action buy_spell", "action tech 2", "action buy_spell shield"], 3),
        (&["action tech 9 1 1", "action tech 0"], 0),
    ] {
        let turn = read(&game, lines).unwrap();
        assert_eq!(turn.num_spells_bought, bought, "{lines:?}");
        let text = TurnText::new(&game, &turn).to_string();
        let printed: std::vec::Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(read(&game, &printed).unwrap(), turn);
    }
}

#[test]
fn a_tech_offset_shifts_what_is_printed_only() {
    let game = game(Ruleset::Spooky);
    let turn = read(&game, &["action tech 3 0 2"]).unwrap();
    let text = TurnText { tech_offset: 1, ..TurnText::new(&game, &turn) };
    assert_eq!(text.to_string(), "turn\naction tech 3 -1 1");
}

#[test]
fn cards_are_given_by_name_lowest_position_first() {
    let game = game(Ruleset::Server);
    let upcoming = game.state().deck(Side::Yellow).queue();
    let row: std::vec::Vec<Spell> = game.state().row().iter().chain(upcoming).copied().collect();
    let line = |board: usize, card: usize| std::format!("action give_spell {board} {}", row[card].name());
    let turn = read(&game, &["action tech 2", &line(0, 3), &line(1, 3)]);
    // The fourth card is there only if a spell is bought; a twin of it may lie earlier, or be missing.
    let twins: std::vec::Vec<u8> = (0..4).filter(|&card| row[usize::from(card)] == row[3]).collect();
    match turn {
        Ok(turn) => {
            let given: std::vec::Vec<u8> = turn.board_spells.iter().map(|gift| gift.1).collect();
            assert_eq!(given, twins);
        }
        Err(error) => assert_eq!((error, twins.len()), (UmiError::NoSuchCard, 1)),
    }
    let turn = read(&game, &["action tech 2", &line(0, 3)]).unwrap();
    assert_eq!(turn.board_spells[0], (0, twins[0]));
}

#[test]
fn phases_are_sorted_where_every_action_has_one() {
    let lines = [
        "action board 0 spawn Z c2",
        "action board 0 move c2d2",
        "action board 0 setup N S",
        "action board 0 buy Z",
        "action board 0 move_cyclic c2 c3",
        "action board 0 setup N Z",
    ];
    let turn = read(&game(Ruleset::Spooky), &lines).unwrap();
    let [c2, c3, d2] = ["c2", "c3", "d2"].map(hex);
    let expected = [
        BoardAction::Keep { unit: Some(UnitLabel::Zombie) },
        BoardAction::walk(c2, d2),
        BoardAction::Move { from: c2, to: c3, joined: true },
        BoardAction::Move { from: c3, to: c2, joined: false },
        BoardAction::Spawn { unit: UnitLabel::Zombie, at: c2 },
        BoardAction::Buy { unit: UnitLabel::Zombie },
    ];
    assert_eq!(turn.board(0), expected);
    let server = read(&game(Ruleset::Server), &lines).unwrap();
    assert_eq!(server.board(0)[0], expected[4]);
}

#[test]
fn resigning_drops_what_comes_before_and_after_under_spooky_only() {
    let lines = ["action board 0 move c2d2", "action board 0 resign x", "action board 0 buy Z"];
    assert_eq!(read(&game(Ruleset::Spooky), &lines).unwrap().board(0), [BoardAction::Resign]);
    assert_eq!(read(&game(Ruleset::Server), &lines).unwrap().board(0).len(), 3);
}

#[test]
fn printing_survives_groups_that_are_no_moves() {
    let game = game(Ruleset::Server);
    let [c2, d2, e2] = ["c2", "d2", "e2"].map(hex);
    let step = |from, to| BoardAction::Move { from, to, joined: true };
    for group in [
        &[step(c2, d2)][..],
        &[step(c2, d2), step(c2, e2), step(d2, c2)],
        &[step(c2, c2), step(d2, e2), step(e2, d2), step(e2, c2)],
        &[step(c2, d2), BoardAction::Resign],
        &[step(c2, e2), step(d2, e2), step(e2, d2)],
    ] {
        let mut turn = GameTurn::new();
        for &action in group {
            turn.push(0, action).unwrap();
        }
        let text = TurnText::new(&game, &turn).to_string();
        assert!(text.lines().count() <= 2 + group.len(), "{text}");
    }
}

#[test]
fn casts_without_a_fitting_target_still_print() {
    let action = BoardAction::Cast { spell: Spell::Fester, params: CastParams::None };
    assert_eq!(BoardActText(&action).to_string(), "cast fester");
    let path = Path::new(&[hex("c2"), hex("d2")]).unwrap();
    assert_eq!(BoardActText(&BoardAction::Walk { path, joined: true }).to_string(), "walk c2d2");
    assert_eq!(EndLine(Some(Side::Blue)).to_string(), "endturn winner Blue");
    assert_eq!(EndLine(None).to_string(), "endturn");
}
