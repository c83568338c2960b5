//! Keys of positions: a position that differs in any one part has another key.

use std::collections::BTreeSet;

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Board, BoardState, Budget, Builder, Deck, Game, GameConfig, Marks, Movable, Piece, Side, SideArray,
    Spell, TechLevels, TechStatus, UnitLabel,
};

/// Returns the key of the start position after a change.
fn key(change: impl FnOnce(&mut Builder)) -> u64 {
    let mut builder = Builder::from_game(Game::new(GameConfig::default(), 1));
    change(&mut builder);
    builder.build().expect("still valid").state().key()
}

fn assert_distinct(keys: &[u64]) {
    let different: BTreeSet<u64> = keys.iter().copied().collect();
    assert_eq!(different.len(), keys.len(), "{keys:x?}");
}

#[test]
fn every_part_of_the_general_has_a_say_in_the_key() {
    let mut levels = TechLevels::default();
    levels.set(3, TechStatus::Unlocked);
    let (blue, yellow) =
        (SideArray::new(TechLevels::default(), levels), SideArray::new(levels, TechLevels::default()));
    let budget = |tech_points, bought, sold| Budget { tech_points, bought, sold };
    assert_distinct(&[
        key(|_| ()),
        key(|now| _ = now.turn(Side::Blue, 0)),
        key(|now| _ = now.winner(Some(Side::Yellow))),
        key(|now| _ = now.winner(Some(Side::Blue))),
        key(|now| _ = now.drawn(true)),
        key(|now| _ = now.souls(SideArray::new(1, 12))),
        key(|now| _ = now.souls(SideArray::new(12, 0))),
        key(|now| _ = now.points(SideArray::new(0, 1))),
        key(|now| _ = now.points(SideArray::new(1, 0))),
        key(|now| _ = now.tech(blue, SideArray::default())),
        key(|now| _ = now.tech(yellow, SideArray::default())),
        key(|now| _ = now.tech(blue, blue)),
        key(|now| _ = now.budget(budget(0, 0, false))),
        key(|now| _ = now.budget(budget(1, 1, false))),
        key(|now| _ = now.budget(budget(1, 0, true))),
        key(|now| _ = now.row(&[Spell::Shield], 0)),
        key(|now| _ = now.row(&[Spell::Shield], 1)),
        key(|now| _ = now.row(&[Spell::Weaken], 0)),
        key(|now| _ = now.deck(Side::Yellow, Deck::new(1))),
        key(|now| _ = now.deck(Side::Blue, Deck::new(1))),
    ]);
}

#[test]
fn every_part_of_each_board_has_a_say_in_the_key() {
    let hex = Hex::named("a0").expect("a hex");
    let piece = Piece::fresh(Side::Blue, UnitLabel::Warg, hex);
    let none = Marks::default();
    let mut keys = vec![key(|_| ())];
    for index in 0..2 {
        let mut note = |change: &dyn Fn(&mut Board)| {
            keys.push(key(|builder| change(builder.board(index).expect("two boards"))));
        };
        note(&|board| _ = board.set_piece(hex, Some(piece)));
        note(&|board| _ = board.set_piece(hex, Some(piece.with_damage(1))));
        note(&|board| _ = board.set_piece(hex, Some(Piece::fresh(Side::Yellow, UnitLabel::Warg, hex))));
        note(&|board| board.set_mana(1));
        note(&|board| board.set_movable(Movable::Water, Some(hex)));
        note(&|board| board.set_movable(Movable::Firestorm, Some(hex)));
        note(&|board| board.set_state(BoardState::Reset2));
        for side in Side::ALL {
            note(&|board| board.set_reserve(side, UnitLabel::Warg, 1));
            note(&|board| board.set_reserve(side, UnitLabel::Warg, 2));
            note(&|board| board.set_pending(side, 1));
            note(&|board| board.set_free(side, 0));
            note(&|board| board.add_candidate(side, UnitLabel::Warg));
            note(&|board| _ = board.push_card(side, Spell::Shield));
            note(&|board| _ = board.push_card(side, Spell::Weaken));
        }
        for marks in [
            Marks { spawn_phase: true, ..none },
            Marks { won: true, ..none },
            Marks { lost: true, ..none },
            Marks { resigned: true, ..none },
            Marks { tile_used: true, ..none },
            Marks { set_up: true, ..none },
        ] {
            note(&|board| board.set_marks(marks));
        }
    }
    assert_distinct(&keys);
}

#[test]
fn every_bit_of_a_key_is_set_in_about_half_of_the_positions() {
    let keys: Vec<u64> = (0..400).map(|souls| key(|now| _ = now.souls(SideArray::new(souls, 12)))).collect();
    for bit in 0..64 {
        let set = keys.iter().filter(|&&key| key >> bit & 1 == 1).count();
        assert!((130..270).contains(&set), "bit {bit} is set in {set} of 400 keys");
    }
}
