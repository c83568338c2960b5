//! Signatures of whole games: what is legal, why the rest is not, what actions change, keys, turns and positions as text,
//! and what is said of faulty text. They change with the rules, the tables, the texts or the generators.

use std::fmt::Write;

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Action, BoardAction, Change, Game, GameConfig, MapLabel, Ruleset, Side, Techline, TurnEntry, UndoLog,
    UnitLabel, fen, umi,
};
use barrow_core::rng::Rng;
use barrow_testing::Signature;
use barrow_testing::generators::actions::{Step, step};
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::generators::turns::turn;
use barrow_testing::print_parse::read_turn;

fn bytes(rng: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| rng.below(256) as u8).collect()
}

/// A game that begins, on maps and with techs of chance, or a position of chance.
fn first_position(rng: &mut Rng, seed: u64) -> Game {
    let ruleset = if seed.is_multiple_of(3) { Ruleset::Spooky } else { Ruleset::Server };
    if seed.is_multiple_of(4) {
        let maps: Vec<MapLabel> = (0..=rng.below(3)).map(|_| *rng.choose(&MapLabel::ALL).unwrap()).collect();
        let config = GameConfig::new(ruleset, &maps).unwrap();
        return Game::new(config.with_techline(Techline::random(rng)), seed);
    }
    position(&mut Choices::new(&bytes(rng, 400)), ruleset)
}

/// A position with all that can be asked about it.
fn mix_position(signature: &mut Signature, game: &Game) {
    write!(signature, "{}\n{}\n", fen::Extended(game), fen::Display(game)).unwrap();
    let state = game.state();
    signature.mix((
        state.key(),
        state.budget(),
        state.row(),
        state.num_taken(),
        state.is_over(),
        state.turn(),
    ));
    signature.mix((state.row_after(game.config(), 1), state.row_after(game.config(), 3)));
    game.legal_general_actions(|action| signature.mix(action));
    for index in 0..game.config().num_boards() {
        let view = game.view(index).unwrap();
        signature.mix((view.board.key(), view.board.marks(), view.board.state(), view.awaits_setup()));
        signature.mix((view.spawn_zone(), view.terrain_hexes(), view.active_friends(), view.mana_reserve()));
        signature.mix(Side::ALL.map(|side| (game.income(index, side), view.board.candidate_bits(side))));
        view.swaps(|one, two| signature.mix((one, two)));
        game.legal_board_actions(index, |action| signature.mix(action));
        for unit in UnitLabel::ALL {
            signature.mix((view.placeable(unit), game.may_buy(index, unit)));
        }
        for hex in Hex::all() {
            let cleavable = view.board.piece(hex).map(|piece| view.is_cleavable(hex, piece));
            let own = view.board.piece(hex).filter(|piece| piece.side() == view.side);
            let ready =
                own.map(|piece| (view.ready_to_attack(piece), view.steps_left(piece), view.current(piece)));
            signature.mix((view.is_in_spawn_zone(hex), cleavable, ready));
        }
    }
}

fn play(seed: u64, signature: &mut Signature) {
    let mut rng = Rng::new(seed);
    let mut game = first_position(&mut rng, seed);
    let mut memory = vec![Change::default(); 4096];
    // Now and then there is hardly any room to note changes.
    let room = if rng.chance(1, 4) { 8 + rng.below(100) as usize } else { memory.len() };
    let mut log = UndoLog::new(&mut memory[..room]);
    mix_position(signature, &game);
    for round in 0..60 {
        let drawn = bytes(&mut rng, 40);
        let mark = log.mark();
        match step(&mut Choices::new(&drawn), &game) {
            Step::General(action) => signature.mix(game.apply(Action::General(action), &mut log)),
            Step::Board(board, actions) => signature.mix(game.apply_next(board, &actions, &mut log)),
        }
        signature.mix(game.state().key());
        if rng.chance(1, 12) {
            game.undo(mark, &mut log);
            signature.mix(game.state().key());
        }
        if rng.chance(1, 12) {
            signature.mix(game.end_turn());
            log.clear();
        }
        if round % 12 == 11 {
            mix_position(signature, &game);
        }
    }
}

#[test]
fn games_have_their_known_signature() {
    let mut signature = Signature::default();
    (0..120).for_each(|seed| play(seed, &mut signature));
    signature.check(0x8557_baf8_7ced_1110);
}

/// A text with a sign or a word changed, left out or repeated.
fn damaged(rng: &mut Rng, text: &str) -> String {
    let place = rng.below(text.len() as u32) as usize;
    if !text.is_ascii() {
        return String::new();
    }
    let mut signs = text.as_bytes().to_vec();
    match rng.below(5) {
        0 => signs[place] = *rng.choose(b"0123456789abxyzABXYZ -+|:.,=/~*!").unwrap(),
        1 => _ = signs.remove(place),
        2 => signs.insert(place, *rng.choose(b"0123456789abxyzABXYZ -+|:.,=/").unwrap()),
        3 => {
            let mut words: Vec<&str> = text.split(' ').collect();
            words.remove(rng.below(words.len() as u32) as usize);
            return words.join(" ");
        }
        _ => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let word = words[rng.below(words.len() as u32) as usize];
            words.insert(rng.below(words.len() as u32) as usize, word);
            return words.join(" ");
        }
    }
    String::from_utf8(signs).unwrap()
}

fn read_texts(seed: u64, signature: &mut Signature) {
    let mut rng = Rng::new(seed);
    let mut game = first_position(&mut rng, seed);
    for _ in 0..4 {
        let line = fen::Extended(&game).to_string();
        let spookys = fen::Display(&game).to_string();
        for _ in 0..12 {
            let form = if rng.chance(1, 4) { &spookys } else { &line };
            let text = damaged(&mut rng, form);
            let read = Game::from_fen(&text).map(Box::new);
            for read in [read, fen::parse_seeded(&text, game.config(), seed).map(Box::new)] {
                match read {
                    Ok(read) => signature.mix((read.state().key(), fen::Extended(&read).to_string())),
                    Err(error) => write!(signature, "{error}\n{error:?}").unwrap(),
                }
            }
        }
        let config = damaged(&mut rng, &fen::ConfigLine(game.config()).to_string());
        match fen::parse_config(&config, game.config().ruleset) {
            Ok(config) => signature.mix(fen::ConfigLine(&config).to_string()),
            Err(error) => write!(signature, "{error}\n{error:?}").unwrap(),
        }
        let drawn = bytes(&mut rng, 300);
        let turn = turn(&mut Choices::new(&drawn), &game, 12);
        let lines = umi::TurnText::new(&game, &turn).to_string();
        signature.mix(&lines);
        for _ in 0..8 {
            match read_turn(&game, &damaged(&mut rng, &lines)) {
                Ok(turn) => signature.mix(umi::TurnText::new(&game, &turn).to_string()),
                Err(error) => write!(signature, "{error}\n{error:?}").unwrap(),
            }
        }
        let mut next = game.clone();
        signature.mix(next.play(&turn));
        signature.mix(next.end_turn());
        game = next;
    }
}

#[test]
fn texts_and_what_is_said_of_faulty_ones_have_their_known_signature() {
    let mut signature = Signature::default();
    (0..100).for_each(|seed| read_texts(seed, &mut signature));
    signature.check(0x3cb2_d30d_6e32_d838);
}

/// Plays in free entry (rules §4): attacks that come after placements, and what they do to these.
fn enter(seed: u64, signature: &mut Signature) {
    let mut rng = Rng::new(seed);
    let mut game = first_position(&mut rng, seed);
    let mut entry = TurnEntry::new(&game);
    for _ in 0..50 {
        let drawn = bytes(&mut rng, 40);
        match step(&mut Choices::new(&drawn), &game) {
            Step::General(action) => signature.mix(entry.enter_general(&mut game, action)),
            Step::Board(board, _) if rng.chance(1, 60) => {
                signature.mix(entry.enter(&mut game, board, &[BoardAction::Resign]));
            }
            Step::Board(board, actions) => signature.mix(entry.enter(&mut game, board, &actions)),
        }
        signature.mix(game.state().key());
        for board in 0..game.config().num_boards() {
            entry.spawn_phase(board).for_each(|action| signature.mix(action));
        }
        if rng.chance(1, 20) {
            signature.mix(game.end_turn());
            entry = TurnEntry::new(&game);
        }
    }
    write!(signature, "{}", fen::Extended(&game)).unwrap();
}

#[test]
fn turns_in_free_entry_have_their_known_signature() {
    let mut signature = Signature::default();
    (1_000..1_160).for_each(|seed| enter(seed, &mut signature));
    signature.check(0x567c_3451_ec89_96ab);
}
