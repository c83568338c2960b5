//! Generated positions: the start of a game, or any position that validation admits, at the start or in the middle of a
//! turn, whether play can reach it or not.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{
    Board, BoardState, Budget, Builder, Game, GameConfig, Map, MapLabel, Marks, Modifier, Movable, Piece,
    Ruleset, Side, SideArray, Spell, TechLevels, TechStatus, Techline, TileType, UnitLabel,
};
use barrow_core::rng::Rng;

use super::choices::Choices;

/// States of a board; the normal state is twice as likely.
const STATES: [BoardState; 5] =
    [BoardState::Normal, BoardState::Normal, BoardState::FirstTurn, BoardState::Reset1, BoardState::Reset2];

/// Generates the configuration of a game on one to three boards.
fn config(choices: &mut Choices<'_>, ruleset: Ruleset) -> GameConfig {
    let maps: Vec<MapLabel> = (0..=choices.below(3)).filter_map(|_| choices.pick(&MapLabel::ALL)).collect();
    let mut config = GameConfig::new(ruleset, &maps).expect("one to three maps");
    if choices.chance(8) {
        config.techline = Techline::random(&mut Rng::new(u64::from(choices.byte())));
    }
    // Spooky has no such parameter (divergence 14).
    if choices.chance(4) && ruleset == Ruleset::Server {
        config.extra_souls = SideArray::new(choices.below(4) as u16, choices.below(4) as u16);
    }
    config
}

/// Generates a position: the start of a game in one case of four, an arbitrary valid position in the others.
pub fn position(choices: &mut Choices<'_>, ruleset: Ruleset) -> Game {
    let config = config(choices, ruleset);
    let seed = u64::from(choices.byte());
    if choices.below(4) == 0 { Game::new(config, seed) } else { arbitrary_position(choices, &config, seed) }
}

fn arbitrary_position(choices: &mut Choices<'_>, config: &GameConfig, seed: u64) -> Game {
    let spells = config.ruleset == Ruleset::Server;
    let mid_turn = choices.chance(6);
    let side = if choices.chance(8) { Side::Blue } else { Side::Yellow };
    let mut builder = Builder::new(config.clone(), seed);
    builder.turn(side, 20 + side as u32);
    builder.souls(SideArray::new(choices.below(50) as u32, choices.below(50) as u32));
    let highest = usize::from(config.points_needed);
    builder.points(SideArray::new(choices.below(highest) as u8, choices.below(highest) as u8));
    let length = config.techline.len() as u8;
    let levels = SideArray::new(levels(choices, length), levels(choices, length));
    builder.tech(levels, if mid_turn { SideArray::default() } else { levels });
    let mut row: Vec<Spell> = Vec::new();
    let mut taken = 0;
    if spells {
        row = (0..=config.num_boards()).filter_map(|_| choices.pick(&Spell::ALL)).collect();
        taken = if mid_turn { choices.below(1 << config.num_boards()) as u64 } else { 0 };
    }
    builder.row(&row, taken).expect("a short row");
    if mid_turn {
        let bought = choices.below(3) as u8;
        let sold = spells && choices.chance(4);
        let tech_points = (1 + bought).saturating_sub(choices.below(3) as u8);
        builder.budget(Budget { tech_points, bought, sold });
    }
    let mut picks = taken.count_ones() as u8;
    for index in 0..config.num_boards() {
        let Some(board) = builder.board(index) else { continue };
        fill_board(choices, board, config.map(index), side, spells, mid_turn);
        if mid_turn {
            let mine = choices.below(usize::from(picks) + 1) as u8;
            picks -= mine;
            board.set_marks(Marks { picks: mine, ..marks(choices) });
        }
    }
    builder.build().expect("generated positions are valid")
}

fn marks(choices: &mut Choices<'_>) -> Marks {
    Marks {
        spawn_phase: choices.chance(3),
        won: choices.chance(1),
        lost: choices.chance(1),
        resigned: choices.chance(1),
        tile_used: choices.chance(4),
        set_up: choices.chance(6),
        picks: 0,
    }
}

fn levels(choices: &mut Choices<'_>, length: u8) -> TechLevels {
    let mut levels = TechLevels::default();
    let reached = choices.below(usize::from(length) + 1) as u8;
    for index in 0..length {
        let status = match choices.below(16) {
            0 => TechStatus::Locked,
            // A level beyond the point reached is a gap, which normal play does not make: it is rare.
            2..16 if index >= reached => TechStatus::Locked,
            1..9 => TechStatus::Unlocked,
            _ => TechStatus::Acquired,
        };
        levels.set(index, status);
    }
    levels
}

fn fill_board(
    choices: &mut Choices<'_>,
    board: &mut Board,
    map: &Map,
    mover: Side,
    spells: bool,
    mid_turn: bool,
) {
    let state = choices.pick(&STATES).unwrap_or(BoardState::Normal);
    board.set_state(state);
    if choices.chance(8) {
        lay_movable_terrain(choices, board, map);
    } else {
        board.lay_movable(map);
    }
    let middle = choices.hex();
    let spread = 2 + choices.below(4) as u8;
    for _ in 0..choices.below(32) {
        let at = if choices.chance(3) {
            choices.hex()
        } else {
            choices.member(HexSet::ball(middle, spread)).unwrap_or(middle)
        };
        if board.piece(at).is_none() {
            let piece = piece(choices, at, mover, mid_turn);
            board.set_piece(at, Some(piece));
        }
    }
    for tile in [TileType::Teleporter, TileType::Spawner, TileType::Mist, TileType::SorceryNode] {
        let free = map.all(tile) - board.all_pieces();
        if choices.chance(8)
            && let Some(at) = choices.member(free)
        {
            let piece = piece(choices, at, mover, mid_turn);
            board.set_piece(at, Some(piece));
        }
    }
    if choices.chance(1) {
        occupy_graveyards(choices, board, map);
    }
    for side in Side::ALL {
        for _ in 0..choices.below(4) {
            if let Some(unit) = choices.pick(&UnitLabel::ALL) {
                board.set_reserve(side, unit, 1 + choices.below(3) as u8);
            }
        }
        board.set_pending(side, choices.below(8) as u16);
        if spells {
            for _ in 0..choices.below(6) {
                let card = choices.pick(&Spell::ALL).unwrap_or(Spell::Fester);
                board.push_card(side, card).expect("a small hand");
            }
        }
        if state.is_reset() && spells {
            board.set_free(side, choices.below(2) as u8);
            for _ in 0..choices.below(4) {
                let unit = choices.pick(&UnitLabel::ALL).unwrap_or(UnitLabel::Zombie);
                board.add_candidate(side, unit);
            }
        }
    }
    if spells {
        let debt = i16::from(mid_turn && !board.hand(mover).is_empty());
        board.set_mana(choices.below(5) as i16 - debt);
    }
}

fn lay_movable_terrain(choices: &mut Choices<'_>, board: &mut Board, map: &Map) {
    for kind in Movable::ALL {
        let hex = choices.hex();
        if choices.chance(12) && map.fixed_tile(hex) == TileType::Ground && board.movable_at(hex).is_none() {
            board.set_movable(kind, Some(hex));
        }
    }
}

/// Sets zombies of one side on seven, eight or nine graveyards.
fn occupy_graveyards(choices: &mut Choices<'_>, board: &mut Board, map: &Map) {
    let side = if choices.chance(8) { Side::Blue } else { Side::Yellow };
    for hex in map.all(TileType::Graveyard).iter().take(7 + choices.below(3)) {
        board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Zombie, hex)));
    }
}

fn piece(choices: &mut Choices<'_>, at: Hex, mover: Side, mid_turn: bool) -> Piece {
    let side = if choices.chance(8) { Side::Blue } else { Side::Yellow };
    let unit = match choices.below(8) {
        0 => UnitLabel::Necromancer,
        1 => UnitLabel::Zombie,
        _ => choices.pick(&UnitLabel::ALL).unwrap_or(UnitLabel::Zombie),
    };
    let mut modifiers = barrow_core::minions::Modifiers::EMPTY;
    if choices.chance(5) {
        for _ in 0..=choices.below(3) {
            let kind = choices.pick(&Modifier::ALL).unwrap_or(Modifier::Frozen);
            modifiers = modifiers.with(kind, 1 + choices.below(2) as u8).unwrap_or(modifiers);
        }
    }
    let mut piece = Piece::fresh(side, unit, at).with_modifiers(modifiers);
    if mid_turn && choices.chance(6) {
        piece = piece.with_damage(choices.below(4) as u16);
        if side == mover {
            piece = with_turn_record(choices, piece, at);
        }
    }
    piece
}

/// Generates the steps, attacks and origin of a piece that has acted this turn.
fn with_turn_record(choices: &mut Choices<'_>, piece: Piece, at: Hex) -> Piece {
    let steps = choices.below(4) as u8;
    let attacks = choices.below(8).saturating_sub(4) as u8;
    let exhausted = choices.chance(3);
    let origin = if exhausted && choices.chance(8) { None } else { Some(at) };
    let attacked = (attacks > 0).then(|| choices.near(at));
    let several = attacks > 1 && choices.chance(8);
    let moved = steps > 0;
    piece.with_record(steps, attacks, moved, exhausted).with_history(origin, attacked, several)
}
