//! Generated actions. Most are derived from the position, so that many are legal; the rest are arbitrary.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{
    Ability, Action, BoardAction, CastParams, Game, GeneralAction, Movable, Path, Spell, TargetShape,
    TileType, UnitLabel, View,
};

use super::choices::Choices;

/// A step of a turn.
#[derive(Clone, Debug)]
pub enum Step {
    /// An action of the general.
    General(GeneralAction),
    /// Index of a board and a list of actions there: one action, or the joined actions of a simultaneous move.
    Board(u8, Vec<BoardAction>),
}

/// Generates a step of a turn, legal or not.
pub fn step(choices: &mut Choices<'_>, game: &Game) -> Step {
    if choices.below(8) == 1 {
        return Step::General(general(choices, game));
    }
    let board = choices.below(game.config().num_boards()) as u8;
    Step::Board(board, board_actions(choices, game, usize::from(board)))
}

/// Generates an action of the general, legal or not.
pub fn general(choices: &mut Choices<'_>, game: &Game) -> GeneralAction {
    if choices.chance(4) {
        let mut legal = Vec::new();
        game.legal_general_actions(|action| legal.push(action));
        if let Some(Action::General(action)) = choices.pick(&legal) {
            return action;
        }
    }
    match choices.below(8) {
        0 => GeneralAction::March,
        1 => GeneralAction::BuySpell,
        2 => GeneralAction::Sell,
        3 | 4 => GeneralAction::Advance { index: choices.below(28) as u8 },
        _ => GeneralAction::Assign { board: choices.below(5) as u8, card: choices.below(8) as u8 },
    }
}

/// Generates the action list of a step on a board, legal or not: one action or one simultaneous move.
pub fn board_actions(choices: &mut Choices<'_>, game: &Game, board: usize) -> Vec<BoardAction> {
    let Some(view) = game.view(board) else { return vec![BoardAction::EndPhase] };
    let Some(friend) = choices.member(view.board.pieces(view.side)) else {
        return vec![arbitrary(choices)];
    };
    let single = match kind(choices, view.board.marks().spawn_phase) {
        Kind::Walk => walk(choices, &view, friend),
        Kind::SimultaneousMove => return simultaneous_move(choices, &view, friend),
        Kind::Attack => attack(choices, &view, friend),
        Kind::Spawn => spawn(choices, &view),
        Kind::Cast => cast(choices, &view),
        Kind::Discard => BoardAction::Discard { spell: card(choices, &view) },
        Kind::Ability => ability(choices, &view),
        Kind::Buy => BoardAction::Buy { unit: unit(choices) },
        Kind::Keep => keep(choices, &view),
        Kind::Teleport => {
            let tiles = view.map.all(TileType::Teleporter);
            let ready = tiles & view.board.pieces(view.side);
            BoardAction::Teleport { from: choices.member(ready).unwrap_or(friend), to: choices.hex() }
        }
        Kind::Tile => {
            let tile = choices.member(view.map.all(TileType::Spawner));
            BoardAction::UseTile { at: tile.unwrap_or(friend) }
        }
        Kind::Blink => {
            let able = view.board.iter(view.side).filter(|(_, piece)| view.unit(*piece).blink);
            let able: Vec<Hex> = able.map(|(hex, _)| hex).collect();
            BoardAction::Blink { at: choices.pick(&able).unwrap_or(friend) }
        }
        Kind::Enumerated => enumerated(choices, game, board),
        Kind::Arbitrary => arbitrary(choices),
    };
    vec![single]
}

/// A kind of generated action.
#[derive(Clone, Copy)]
enum Kind {
    Walk,
    SimultaneousMove,
    Attack,
    Spawn,
    Cast,
    Discard,
    Ability,
    Buy,
    Keep,
    Teleport,
    Tile,
    Blink,
    Enumerated,
    Arbitrary,
}

/// Generates a kind of action, mostly one that belongs to the phase.
fn kind(choices: &mut Choices<'_>, spawn_phase: bool) -> Kind {
    use Kind as K;
    const ATTACK_PHASE: [Kind; 24] = [
        K::Walk,
        K::Walk,
        K::Walk,
        K::Walk,
        K::Walk,
        K::SimultaneousMove,
        K::SimultaneousMove,
        K::Attack,
        K::Attack,
        K::Attack,
        K::Attack,
        K::Attack,
        K::Attack,
        K::Cast,
        K::Cast,
        K::Cast,
        K::Cast,
        K::Blink,
        K::Teleport,
        K::Discard,
        K::Enumerated,
        K::Enumerated,
        K::Arbitrary,
        K::Arbitrary,
    ];
    const SPAWN_PHASE: [Kind; 16] = [
        K::Spawn,
        K::Spawn,
        K::Spawn,
        K::Spawn,
        K::Cast,
        K::Cast,
        K::Cast,
        K::Tile,
        K::Ability,
        K::Ability,
        K::Discard,
        K::Buy,
        K::Keep,
        K::Enumerated,
        K::Arbitrary,
        K::Walk,
    ];
    const EITHER: [Kind; 8] =
        [K::Buy, K::Keep, K::Spawn, K::Tile, K::Ability, K::Discard, K::Enumerated, K::Arbitrary];
    if choices.chance(2) {
        return choices.pick(&EITHER).unwrap_or(K::Buy);
    }
    choices.pick(if spawn_phase { &SPAWN_PHASE } else { &ATTACK_PHASE }).unwrap_or(K::Walk)
}

fn keep(choices: &mut Choices<'_>, view: &View<'_>) -> BoardAction {
    let candidates = view.board.candidates(view.side);
    let offered: Vec<UnitLabel> =
        candidates.chain(view.board.reserves(view.side).map(|(unit, _)| unit)).collect();
    BoardAction::Keep { unit: choices.pick(&offered).filter(|_| choices.chance(13)) }
}

/// Generates an action out of the list of legal actions.
fn enumerated(choices: &mut Choices<'_>, game: &Game, board: usize) -> BoardAction {
    let mut legal = Vec::new();
    game.legal_board_actions(board, |action| legal.push(action));
    let number = choices.below(256) << 8 | choices.below(256);
    if legal.is_empty() { BoardAction::EndPhase } else { legal[number % legal.len()] }
}

fn walk(choices: &mut Choices<'_>, view: &View<'_>, from: Hex) -> BoardAction {
    if choices.chance(4) {
        return BoardAction::Walk { path: path(choices, from), joined: false };
    }
    let to = choices.member(view.reach(from)).filter(|_| choices.chance(13));
    BoardAction::walk(from, to.unwrap_or_else(|| choices.near(from)))
}

fn path(choices: &mut Choices<'_>, from: Hex) -> Path {
    let mut hexes = vec![from];
    for _ in 0..=choices.below(3) {
        let last = hexes[hexes.len() - 1];
        hexes.push(choices.pick(last.neighbours()).unwrap_or(last));
    }
    Path::new(&hexes).expect("one to three steps")
}

/// Generates a simultaneous move of up to four pieces, each to the place of the next. Some moves end beside a cycle,
/// and in some the last action is missing.
fn simultaneous_move(choices: &mut Choices<'_>, view: &View<'_>, first: Hex) -> Vec<BoardAction> {
    let friends = view.board.pieces(view.side);
    let mut movers = vec![first];
    for _ in 0..=choices.below(3) {
        let last = movers[movers.len() - 1];
        let near = HexSet::ball(last, 1 + choices.below(2) as u8) & friends;
        match choices.member(near.without(last)) {
            Some(next) if !movers.contains(&next) || choices.chance(1) => movers.push(next),
            _ => break,
        }
    }
    let closed = choices.below(4) > 0;
    let last = movers.len() - 1;
    let step = |choices: &mut Choices<'_>, index: usize, from: Hex| {
        let next = movers.get(index + 1).copied();
        let to = next.or(closed.then_some(first)).unwrap_or_else(|| choices.near(from));
        let joined = index < last;
        if choices.chance(2)
            && let Some(path) = Path::new(&[from, to])
        {
            return BoardAction::Walk { path, joined };
        }
        BoardAction::Move { from, to, joined }
    };
    let mut actions: Vec<BoardAction> =
        movers.iter().enumerate().map(|(index, &from)| step(choices, index, from)).collect();
    if choices.below(32) == 31 {
        actions.pop();
    }
    if actions.is_empty() { vec![BoardAction::EndPhase] } else { actions }
}

fn attack(choices: &mut Choices<'_>, view: &View<'_>, friend: Hex) -> BoardAction {
    let able: Vec<Hex> =
        view.board.pieces(view.side).into_iter().filter(|&from| !view.targets(from).is_empty()).collect();
    let from = choices.pick(&able).unwrap_or(friend);
    let to = choices.member(view.targets(from)).filter(|_| choices.chance(13));
    let near = HexSet::ball(from, 3) & view.board.all_pieces();
    BoardAction::Attack { from, to: to.or_else(|| choices.member(near)).unwrap_or(from) }
}

fn unit(choices: &mut Choices<'_>) -> UnitLabel {
    choices.pick(&UnitLabel::ALL).filter(|_| choices.chance(12)).unwrap_or(UnitLabel::Zombie)
}

fn spawn(choices: &mut Choices<'_>, view: &View<'_>) -> BoardAction {
    let waiting: Vec<UnitLabel> = view.board.reserves(view.side).map(|(unit, _)| unit).collect();
    let unit = choices.pick(&waiting).unwrap_or(UnitLabel::Zombie);
    let at = choices.member(view.spawn_hexes(unit)).filter(|_| choices.chance(13));
    BoardAction::Spawn { unit, at: at.unwrap_or_else(|| choices.hex()) }
}

fn card(choices: &mut Choices<'_>, view: &View<'_>) -> Spell {
    let held = choices.pick(view.board.hand(view.side)).filter(|_| choices.chance(14));
    held.or_else(|| choices.pick(&Spell::ALL)).unwrap_or(Spell::Fester)
}

/// Generates a target piece of a spell, usually a legal one.
fn target(choices: &mut Choices<'_>, view: &View<'_>, spell: Spell) -> Hex {
    let pieces = view.board.all_pieces();
    let fits = |&at: &Hex| view.can_cast(spell, CastParams::Piece(at));
    let fitting: Vec<Hex> = pieces.into_iter().filter(fits).collect();
    let chosen = choices.pick(&fitting).filter(|_| choices.chance(13));
    chosen.or_else(|| choices.member(pieces)).unwrap_or_else(|| choices.hex())
}

/// Generates the target of a spell that moves a piece, usually a legal one: piece and destination.
fn piece_and_hex(choices: &mut Choices<'_>, view: &View<'_>, spell: Spell) -> CastParams {
    let pieces = view.board.all_pieces();
    let fits =
        |&at: &Hex| at.neighbours().iter().any(|&to| view.can_cast(spell, CastParams::PieceHex(at, to)));
    let fitting: Vec<Hex> = pieces.into_iter().filter(fits).collect();
    let chosen = choices.pick(&fitting).filter(|_| choices.chance(13));
    let from = chosen.or_else(|| choices.member(pieces)).unwrap_or_else(|| choices.hex());
    CastParams::PieceHex(from, choices.near(from))
}

fn terrain(choices: &mut Choices<'_>) -> Movable {
    choices.pick(&Movable::ALL).unwrap_or(Movable::Water)
}

fn terrain_target(choices: &mut Choices<'_>, view: &View<'_>) -> Hex {
    let tiles: HexSet = Movable::ALL.into_iter().filter_map(|kind| view.board.movable(kind)).collect();
    let near = if choices.chance(4) { tiles } else { view.terrain_hexes() };
    choices.member(near).filter(|_| choices.chance(14)).unwrap_or_else(|| choices.hex())
}

fn cast(choices: &mut Choices<'_>, view: &View<'_>) -> BoardAction {
    let spell = card(choices, view);
    let params = match spell.shape() {
        TargetShape::None => CastParams::None,
        TargetShape::Piece => CastParams::Piece(target(choices, view, spell)),
        TargetShape::PieceHex => piece_and_hex(choices, view, spell),
        TargetShape::Hex => CastParams::Hex(terrain_target(choices, view)),
        TargetShape::TerrainHex => CastParams::TerrainHex(terrain(choices), terrain_target(choices, view)),
    };
    BoardAction::Cast { spell, params }
}

fn ability(choices: &mut Choices<'_>, view: &View<'_>) -> BoardAction {
    let able = view.board.iter(view.side).filter_map(|(hex, piece)| Some((hex, view.unit(piece).ability?)));
    let able: Vec<(Hex, Ability)> = able.collect();
    let (user, ability) = match choices.pick(&able) {
        Some(pair) => pair,
        None => (choices.hex(), choices.pick(&Ability::ALL).unwrap_or(Ability::MoveFlood)),
    };
    let any = (ability == Ability::MoveTerrain) != choices.chance(1);
    let terrain = any.then(|| terrain(choices));
    BoardAction::UseAbility { user, ability, terrain, to: choices.near(user) }
}

/// Generates any action at all, independent of the position.
pub fn arbitrary(choices: &mut Choices<'_>) -> BoardAction {
    let (here, there) = (choices.hex(), choices.hex());
    let spell = choices.pick(&Spell::ALL).unwrap_or(Spell::Fester);
    match choices.below(20) {
        0 => BoardAction::EndPhase,
        1 => BoardAction::Move { from: here, to: there, joined: choices.chance(4) },
        2 => BoardAction::Walk { path: path(choices, here), joined: choices.chance(4) },
        3 => BoardAction::Attack { from: here, to: there },
        4 => BoardAction::Teleport { from: here, to: there },
        5 => BoardAction::Blink { at: here },
        6 => BoardAction::Spawn { unit: unit(choices), at: here },
        7 => BoardAction::UseTile { at: here },
        8 => BoardAction::Cast { spell, params: CastParams::None },
        9 => BoardAction::Cast { spell, params: CastParams::Piece(here) },
        10 => BoardAction::Cast { spell, params: CastParams::PieceHex(here, there) },
        11 => BoardAction::Cast { spell, params: CastParams::Hex(here) },
        12 => BoardAction::Cast { spell, params: CastParams::TerrainHex(terrain(choices), here) },
        13 => BoardAction::Discard { spell },
        14 => BoardAction::Buy { unit: unit(choices) },
        15 => BoardAction::Keep { unit: choices.pick(&UnitLabel::ALL).filter(|_| choices.chance(12)) },
        16 if choices.chance(4) => BoardAction::Resign,
        _ => {
            let ability = choices.pick(&Ability::ALL).unwrap_or(Ability::MoveFlood);
            let terrain = choices.chance(8).then(|| terrain(choices));
            BoardAction::UseAbility { user: here, ability, terrain, to: there }
        }
    }
}
