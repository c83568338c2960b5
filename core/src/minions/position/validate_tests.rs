//! Each invariant broken as little as can be, and kept as narrowly as can be.

extern crate std;

use super::*;
use crate::minions::position::board::Marks;
use crate::minions::position::piece::Piece;
use crate::minions::position::state::{Budget, Deck};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::map::MapLabel;
use crate::minions::tables::ruleset::Ruleset;
use crate::minions::tables::spell::{SPELL_COUNT, Spell};
use crate::minions::tables::tech::{Tech, TechLevels, Techline};
use crate::minions::tables::unit::UnitLabel;

/// Techs of the line.
const TECHS: usize = 4;

/// An empty position on two boards without terrain, Yellow to move, with a line of [`TECHS`] techs.
fn bare(ruleset: Ruleset) -> Game {
    let line: std::vec::Vec<Tech> = GameConfig::default().techline.techs()[..TECHS].to_vec();
    let config = GameConfig::new(ruleset, &[MapLabel::AllLand; 2]).unwrap();
    let config = config.with_techline(Techline::new(&line).unwrap());
    let state = crate::minions::position::state::GameState::bare(&config, 1);
    Game { config, state }
}

/// Verdict of [`Game::validate`] on the bare position after a change.
fn after(change: impl FnOnce(&mut Game)) -> Result<(), Invalid> {
    let mut game = bare(Ruleset::Server);
    assert_eq!(game.validate(), Ok(()));
    change(&mut game);
    game.validate()
}

/// Verdict of [`Game::validate`] on the bare position after a change of the second board.
fn board_after(change: impl FnOnce(&mut Board)) -> Result<(), Invalid> {
    after(|game| change(&mut game.state.boards[1]))
}

fn hex(name: &str) -> Hex {
    Hex::named(name).unwrap()
}

fn levels(unlocked: u32, acquired: u32) -> TechLevels {
    TechLevels { unlocked, acquired }
}

/// The bare position with these levels of a side now and when the turn began.
fn tech_after(now: TechLevels, start: TechLevels) -> [Result<(), Invalid>; 2] {
    Side::ALL.map(|side| {
        after(|game| {
            game.state.tech[side] = now;
            game.state.tech_start[side] = start;
        })
    })
}

#[test]
fn there_are_as_many_boards_as_maps() {
    assert_eq!(after(|game| drop(game.state.boards.pop())), Err(Invalid::BoardCount));
    let one_more = |game: &mut Game| game.state.boards.push(Board::empty()).unwrap();
    assert_eq!(after(one_more), Err(Invalid::BoardCount));
}

#[test]
fn tech_levels_fit_the_line_and_each_other() {
    let line = (1 << TECHS) - 1;
    let all = levels(line, line);
    for (now, start) in [(all, all), (levels(line, 0), levels(0, 0)), (levels(3, 1), levels(3, 1))] {
        assert_eq!(tech_after(now, start), [Ok(()); 2]);
    }
    let beyond = levels(1 << TECHS, 0);
    let unlocked_not = levels(2, 1);
    for wrong in [beyond, unlocked_not, levels(0, 1 << TECHS)] {
        assert_eq!(tech_after(wrong, levels(0, 0)), [Err(Invalid::Tech); 2], "{wrong:?}");
        assert_eq!(tech_after(all, wrong), [Err(Invalid::Tech); 2], "{wrong:?}");
    }
    for (now, start) in
        [(levels(1, 0), levels(3, 0)), (levels(3, 1), levels(3, 3)), (levels(2, 0), levels(1, 0))]
    {
        assert_eq!(tech_after(now, start), [Err(Invalid::TechStart); 2], "{start:?} to {now:?}");
    }
}

#[test]
fn the_generals_numbers_have_bounds() {
    for side in Side::ALL {
        assert_eq!(after(|game| game.state.souls[side] = SOULS_CAP), Ok(()));
        assert_eq!(after(|game| game.state.souls[side] = SOULS_CAP + 1), Err(Invalid::Souls));
        let queue_of = |cards| {
            let deck = Deck::with(&[Spell::Shield; 32][..cards], [0; SPELL_COUNT], 1).unwrap();
            after(|game| game.state.decks[side] = deck)
        };
        assert_eq!(queue_of(2 + QUEUE_EXTRA), Ok(()));
        assert_eq!(queue_of(2 + QUEUE_EXTRA + 1), Err(Invalid::Queue));
    }
    let spent =
        |tech_points, bought| after(|game| game.state.budget = Budget { tech_points, bought, sold: false });
    assert_eq!([spent(0, 0), spent(1, 0), spent(3, 2), spent(255, 255)], [Ok(()); 4]);
    assert_eq!([spent(2, 0), spent(4, 2), spent(255, 253)], [Err(Invalid::Budget); 3]);
}

#[test]
fn cards_that_are_taken_are_in_the_row_and_one_for_each_board() {
    let row = |cards: usize, taken: u64| {
        after(|game| {
            game.state.row.clear();
            (0..cards).for_each(|_| game.state.row.push(Spell::Shield).unwrap());
            game.state.taken = taken;
        })
    };
    for (cards, taken) in [(0, 0), (1, 1), (3, 0b101), (63, 1 << 62), (64, 1 << 63 | 1)] {
        assert_eq!(row(cards, taken), Ok(()), "{taken:b} of {cards}");
    }
    for (cards, taken) in [(0, 1), (1, 2), (3, 0b111), (63, 1 << 63), (64, 7)] {
        assert_eq!(row(cards, taken), Err(Invalid::Row), "{taken:b} of {cards}");
    }
    let picked = |picks, taken| {
        after(|game| {
            game.state.taken = taken;
            game.state.boards[1].set_marks(Marks { picks, ..Marks::default() });
        })
    };
    assert_eq!([picked(1, 1), picked(0, 1), picked(2, 3)], [Ok(()); 3]);
    assert_eq!([picked(1, 0), picked(3, 3)], [Err(Invalid::Picks(1)); 2]);
    let both_picked = |taken| {
        after(|game| {
            game.state.taken = taken;
            game.state
                .boards
                .iter_mut()
                .for_each(|board| board.set_marks(Marks { picks: 1, ..Marks::default() }));
        })
    };
    assert_eq!([both_picked(3), both_picked(1)], [Ok(()), Err(Invalid::Picks(1))]);
}

#[test]
fn a_piece_of_the_side_that_waits_has_done_nothing() {
    let fresh = |side| Piece::fresh(side, UnitLabel::Zombie, hex("c3"));
    let acts: [fn(Piece) -> Piece; 5] = [
        |piece| piece.with_record(1, 0, false, false),
        |piece| piece.with_record(0, 1, false, false),
        |piece| piece.with_record(0, 0, true, false),
        |piece| piece.with_record(0, 0, false, true),
        |piece| piece.with_history(None, None, false),
    ];
    for act in acts {
        let [mover, waiting] =
            Side::ALL.map(|side| board_after(|board| _ = board.set_piece(hex("c3"), Some(act(fresh(side))))));
        assert_eq!((mover, waiting), (Ok(()), Err(Invalid::PieceRecord(1))));
    }
    let waiting = fresh(Side::Blue).with_damage(1);
    assert_eq!(board_after(|board| _ = board.set_piece(hex("c3"), Some(waiting))), Ok(()));
    for side in Side::ALL {
        // Two pieces that began the turn on the same hex.
        let twice = board_after(|board| {
            board.set_piece(hex("c3"), Some(fresh(Side::Yellow)));
            board.set_piece(hex("d4"), Some(fresh(side)));
        });
        assert_eq!(twice, Err(Invalid::PieceRecord(1)));
    }
}

#[test]
fn movable_tiles_lie_on_ground_each_on_its_own_hex() {
    let two = |one: &str, other: &str| {
        board_after(|board| {
            board.set_movable(Movable::Water, Some(hex(one)));
            board.set_movable(Movable::Firestorm, Some(hex(other)));
        })
    };
    assert_eq!((two("e5", "e6"), two("e5", "e5")), (Ok(()), Err(Invalid::MovableTile(1))));
    let map = MapLabel::MidnightLake.map();
    let wet = Hex::all().find(|&hex| map.fixed_tile(hex) != TileType::Ground).unwrap();
    let mut game = bare(Ruleset::Server);
    game.config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand, MapLabel::MidnightLake]).unwrap();
    assert_eq!(game.validate(), Ok(()));
    game.state.boards[1].set_movable(Movable::Water, Some(wet));
    assert_eq!(game.validate(), Err(Invalid::MovableTile(1)));
}

#[test]
fn cards_and_mana_are_for_rules_with_spells_and_a_hand_covers_its_mana() {
    let mut spooky = bare(Ruleset::Spooky);
    assert_eq!(spooky.validate(), Ok(()));
    spooky.state.boards[1].set_mana(1);
    assert_eq!(spooky.validate(), Err(Invalid::NoSpells(1)));
    for side in Side::ALL {
        let mut spooky = bare(Ruleset::Spooky);
        spooky.state.boards[1].push_card(side, Spell::Shield).unwrap();
        assert_eq!(spooky.validate(), Err(Invalid::NoSpells(1)));
    }
    let owing = |mana, side| {
        board_after(|board| {
            board.set_mana(mana);
            board.push_card(side, Spell::Shield).unwrap();
            board.push_card(side, Spell::Shield).unwrap();
        })
    };
    let covered = 2 * Spell::Shield.mana_on_discard();
    assert_eq!((owing(0, Side::Yellow), owing(-covered, Side::Yellow)), (Ok(()), Ok(())));
    assert_eq!(owing(-covered - 1, Side::Yellow), Err(Invalid::Mana(1)));
    // Cards of the other side cover nothing.
    assert_eq!((owing(0, Side::Blue), owing(-1, Side::Blue)), (Ok(()), Err(Invalid::Mana(1))));
}

#[test]
fn a_board_has_one_free_unit_a_side_at_most() {
    for side in Side::ALL {
        assert_eq!(board_after(|board| board.set_free(side, 1)), Ok(()));
        assert_eq!(board_after(|board| board.set_free(side, 2)), Err(Invalid::FreeUnits(1)));
    }
}
