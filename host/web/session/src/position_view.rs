//! A position as a page shows it.

use barrow_core::hex::Hex;
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::text::fen::Extended;
use barrow_core::minions::{
    Action, Attack, BoardState, Game, GeneralAction, Movable, Piece, Side, Tech, TechStatus, TileType, View,
};

use crate::general_lines::{line_with, march_line};
use crate::messages::{
    BoardView, CardView, MovableView, PieceView, PositionView, ReinforcementView, TechState, TechView,
    TileView, WaitingModifier,
};
use crate::notation::EndingReason;
use crate::table::Table;
use crate::text::counted::counted;
use crate::text::narrate::Narration;
use crate::text::turn_entry::TurnEntry;
use crate::words::{tech_effect, tile_name};

/// The position as entered, or the one after so many turns.
pub fn position_view(table: &Table, after: Option<usize>) -> Result<PositionView, String> {
    let latest = table.turns();
    let number = after.unwrap_or(latest);
    let start = &table.after(number).ok_or_else(|| format!("the game has {latest} turns"))?;
    let empty = TurnEntry::new(start);
    let entry = if number == latest { table.entry() } else { &empty };
    let shown = entry.shown();
    let turn = entry.turn()?;
    let (config, state) = (shown.config(), shown.state());
    let is_over = number == latest && table.is_over();
    let can = !is_over && number == latest;
    let mut ended = start.clone();
    let end_refused = ended.play(&turn).err().map(|error| match error.board {
        Some(board) => format!("board {board}: {}", error.reason),
        None => error.reason.text().to_owned(),
    });
    let (result, result_reason) = if number == latest { result_of(table) } else { (None, None) };
    let mut view = PositionView {
        ruleset: config.ruleset.name().to_owned(),
        turn: state.turn(),
        after: number,
        is_latest: number == latest,
        side: state.side_to_move().name().to_owned(),
        result,
        result_reason,
        points_to_win: config.points_needed,
        points: Side::ALL.map(|side| state.points(side)),
        souls: Side::ALL.map(|side| state.souls(side)),
        pending: Side::ALL.map(|side| state.pending(side)),
        income: [0; 2],
        tech_points: state.budget().tech_points,
        spell_price: config.spell_price(),
        techs: techs(&shown, entry, can),
        march: march_line(&shown, entry).filter(|_| can),
        buy_spell: ["buy_spell"].into_iter().find(|line| can && entry.check(line).is_ok()).map(str::to_owned),
        sell: sells(&shown).then(|| "sell".to_owned()).filter(|_| can),
        row: row(&shown, can),
        boards: (0..config.num_boards()).filter_map(|board| board_view(&shown, board)).collect(),
        lines: entry.lines().to_vec(),
        sentences: Narration::new(start, &turn).sentences(),
        end_refused,
        reminders: Vec::new(),
        history: table.history().to_vec(),
        fen: Extended(start).to_string(),
    };
    let boards = &view.boards;
    view.income = [0, 1].map(|side| boards.iter().filter_map(|board| board.income.get(side)).sum());
    if can {
        view.reminders = reminders(&shown, &view);
    }
    Ok(view)
}

fn result_of(table: &Table) -> (Option<String>, Option<String>) {
    let state = table.now().state();
    if let Some(side) = table.resigned() {
        let reason = EndingReason::Resignation.name().to_owned();
        return (Some(side.opponent().name().to_owned()), Some(reason));
    }
    let result = match state.winner() {
        Some(side) => Some(side.name()),
        None => state.is_drawn().then_some("draw"),
    };
    (result.map(str::to_owned), None)
}

fn sells(game: &Game) -> bool {
    let mut sells = false;
    game.legal_general_actions(|action| sells |= action == Action::General(GeneralAction::Sell));
    sells
}

fn techs(game: &Game, entry: &TurnEntry, can: bool) -> Vec<TechView> {
    let (config, state) = (game.config(), game.state());
    let side = state.side_to_move();
    let view = |(index, &tech): (u8, &Tech)| {
        let step = GeneralAction::Advance { index };
        let line = line_with(game, entry, step).ok_or_else(|| "the turn has no room".to_owned());
        let line = line.and_then(|line| entry.check(&line).map(|()| line));
        let owned = state.tech(side).status(index) == TechStatus::Acquired;
        TechView {
            index,
            letter: char::from(tech.letter()),
            name: tech.name().to_owned(),
            unit: match tech {
                Tech::UnitTech(unit) => Some(unit.name().to_owned()),
                _ => None,
            },
            effect: tech_effect(tech).map(str::to_owned),
            state: Side::ALL.map(|side| match state.tech(side).status(index) {
                TechStatus::Locked => TechState::Locked,
                TechStatus::Unlocked => TechState::Unlocked,
                TechStatus::Acquired => TechState::Acquired,
            }),
            why: line.as_ref().err().filter(|_| can && !owned).cloned(),
            line: line.ok().filter(|_| can && !owned),
        }
    };
    (0..).zip(config.techline.techs()).map(view).collect()
}

fn row(game: &Game, can: bool) -> Vec<CardView> {
    let (config, state) = (game.config(), game.state());
    let mut cards: Vec<CardView> = state
        .row()
        .iter()
        .enumerate()
        .map(|(place, spell)| CardView {
            spell: spell.name().to_owned(),
            taken: state.is_taken(place),
            lines: vec![None; config.num_boards()],
        })
        .collect();
    if can {
        game.legal_general_actions(|action| {
            if let Action::General(GeneralAction::Assign { board, card }) = action
                && let Some(view) = cards.get_mut(usize::from(card))
            {
                let line = format!("give_spell {board} {} {card}", view.spell);
                if let Some(place) = view.lines.get_mut(usize::from(board)) {
                    *place = Some(line);
                }
            }
        });
    }
    cards
}

/// Hints at what a player may have overlooked.
fn reminders(game: &Game, view: &PositionView) -> Vec<String> {
    let mut all = Vec::new();
    for (index, board) in view.boards.iter().enumerate() {
        let waiting: usize = game.view(index).map_or(0, |view| {
            view.board
                .reserves(view.side)
                .filter(|(unit, _)| !view.spawn_hexes(*unit).is_empty())
                .map(|(_, count)| usize::from(count))
                .sum()
        });
        if waiting > 0 && !board.resigned {
            all.push(format!("board {index}: {} could be placed", counted(waiting, "unit")));
        }
    }
    let left = view.tech_points;
    if left > 0 && view.techs.iter().any(|tech| tech.line.is_some()) {
        let points = if left == 1 { "a tech point is".to_owned() } else { format!("{left} tech points are") };
        all.push(format!("{points} left"));
    }
    all
}

fn board_view(game: &Game, index: usize) -> Option<BoardView> {
    let view = game.view(index)?;
    let board = view.board;
    let marks = board.marks();
    let state = match board.state() {
        BoardState::FirstTurn => "first_turn",
        BoardState::Normal => "normal",
        BoardState::Reset1 => "reset_first",
        BoardState::Reset2 => "reset_second",
    };
    let tiles = Hex::all().filter_map(|hex| {
        let tile = view.map.fixed_tile(hex);
        (tile != TileType::Ground)
            .then(|| TileView { hex: hex.to_string(), kind: tile_name(tile).to_owned() })
    });
    let movables = Movable::ALL.into_iter().filter_map(|kind| {
        let hex = board.movable(kind)?.to_string();
        Some(MovableView { hex, kind: kind.name().to_owned() })
    });
    Some(BoardView {
        map: game.config().maps().get(index)?.name().to_owned(),
        state: state.to_owned(),
        tiles: tiles.collect(),
        movables: movables.collect(),
        pieces: board.iter_all().map(|(hex, piece)| piece_view(&view, hex, piece)).collect(),
        reinforcements: Side::ALL.map(|side| {
            let count = |(unit, count): (barrow_core::minions::UnitLabel, u8)| ReinforcementView {
                unit: unit.name().to_owned(),
                letter: letter_of(unit),
                count,
                places: if side == view.side { view.spawn_hexes(unit).into_iter().count() } else { 0 },
            };
            board.reserves(side).map(count).collect()
        }),
        hands: Side::ALL.map(|side| board.hand(side).iter().map(|spell| spell.name().to_owned()).collect()),
        mana: board.mana(),
        graveyards: Side::ALL.map(|side| board.graveyards(view.map, side).into_iter().count() as u8),
        graveyards_to_win: GRAVEYARDS_TO_WIN as u8,
        income: Side::ALL.map(|side| u32::from(game.income(index, side))),
        spawn_phase: marks.spawn_phase,
        won: marks.won,
        lost: marks.lost,
        resigned: marks.resigned,
        awaits_setup: view.awaits_setup(),
    })
}

/// Letter of a unit as a page shows it; that of necromancers is `N` whatever their kind.
pub(crate) fn letter_of(unit: barrow_core::minions::UnitLabel) -> String {
    unit.letter().map_or_else(|| "N".to_owned(), |letter| char::from(letter).to_string())
}

/// Attack of a unit as a word: a number of damage, `unsummon`, `deathtouch` or `none`.
pub(crate) fn attack_word(attack: Attack) -> String {
    match attack {
        Attack::None => "none".to_owned(),
        Attack::Damage(damage) => damage.to_string(),
        Attack::Unsummon => "unsummon".to_owned(),
        Attack::Deathtouch => "deathtouch".to_owned(),
    }
}

fn piece_view(view: &View<'_>, hex: Hex, piece: Piece) -> PieceView {
    let (unit, now) = (view.unit(piece), view.current(piece));
    let ready = piece.side() == view.side
        && !view.board.marks().spawn_phase
        && (!view.reach(hex).is_empty() || !view.targets(hex).is_empty());
    PieceView {
        hex: hex.to_string(),
        side: piece.side().name().to_owned(),
        unit: piece.unit().name().to_owned(),
        letter: letter_of(piece.unit()),
        attack: attack_word(now.attack),
        attacks: now.num_attacks,
        attacks_made: piece.attacks(),
        defense: now.defense,
        damage: piece.damage(),
        speed: now.speed,
        steps_made: piece.steps(),
        range: now.range,
        necromancer: unit.necromancer,
        flying: unit.flying,
        exhausted: piece.exhausted(),
        moved: piece.moved(),
        spawn_range: now.spawn_range,
        modifiers: piece
            .modifiers()
            .iter()
            .map(|(modifier, turns)| WaitingModifier { name: modifier.name().to_owned(), turns })
            .collect(),
        ready,
    }
}
