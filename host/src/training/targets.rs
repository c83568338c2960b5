//! From a game to lessons: positions at the stages of a turn, with what a network should have said about them.
//!
//! A turn is seen three times: when it begins, when its attacks are done, and when its units are placed. The second
//! picture is taken either as the game had it or with those who walked without attacking put back, because that is
//! what an engine looks at before it decides where they go.

use std::ops::Range;

use anyhow::Result;
use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::{
    Action, Board, BoardAction, Builder, Game, GameTurn, Piece, Side, UndoLog, UnitLabel, View,
};
use barrow_core::rng::Rng;

use super::money_curve;
use super::money_curve::Curve;
use super::selfplay::{Hand, Record};

/// When in a turn a position is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Nothing has been done.
    Start,
    /// The attacks are done.
    Attacked,
    /// The units are placed; only the end of the turn is missing.
    Placed,
}

/// What became of a piece in the attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lot {
    /// An enemy that stayed.
    Stayed,
    /// An enemy that died.
    Killed,
    /// An enemy that was sent to the reinforcements.
    Unsummoned,
    /// A friend that attacked nobody.
    Passive,
    /// A friend that attacked.
    Fought,
}

/// Pieces by their hexes and what became of them.
pub type Lots = Vec<(Hex, Lot)>;

/// A friend that could walk, where it could have gone, and where it went.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Its type.
    pub unit: UnitLabel,
    /// Hexes it might have ended on, its own included.
    pub choices: HexSet,
    /// The one it ended on.
    pub chosen: Hex,
}

/// Units that could have been placed, and those that were.
#[derive(Clone, Debug, Default)]
pub struct Spawns {
    /// Types at hand or for sale, with the hexes open to them.
    pub choices: Vec<(UnitLabel, HexSet)>,
    /// What was placed where.
    pub placed: Vec<(UnitLabel, Hex)>,
}

/// What is known about one board of a lesson.
#[derive(Clone, Debug, Default)]
pub struct BoardLesson {
    /// Whether the side to move scored the next point here; `None` when nobody scored any more.
    pub next_point: Option<bool>,
    /// Change of the win logit when money is spent here.
    pub curve: Option<Curve>,
    /// What became of the pieces; only at the start of a turn.
    pub lots: Lots,
    /// Units placed; only after attacks.
    pub spawns: Option<Spawns>,
    /// Walks; only after attacks with the walkers put back.
    pub walks: Vec<Walk>,
}

/// A position with what a network should say about it. All values are those of the side to move.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The position.
    pub game: Game,
    /// When in the turn.
    pub stage: Stage,
    /// The teacher's chance to win, 0 to 1.
    pub teacher: f32,
    /// What the game brought: 1, 0, or 1/2 for a game that found no end.
    pub result: f32,
    /// The teacher's chance at the start of this side's next turn, or the result.
    pub later: f32,
    /// Final difference of board points.
    pub points: f32,
    /// The boards in order.
    pub boards: Vec<BoardLesson>,
}

/// How many lessons are drawn from a game: each as a chance in 256.
#[derive(Clone, Copy, Debug)]
pub struct Thrift {
    /// A turn is used at all.
    pub turn: u32,
    /// A turn's end is a lesson too.
    pub placed: u32,
    /// The worth of money is measured.
    pub curve: u32,
}

impl Default for Thrift {
    fn default() -> Thrift {
        Thrift { turn: 128, placed: 96, curve: 96 }
    }
}

/// One turn of the game as it went.
struct Moment {
    before: Game,
    /// Who scored on which board at its end.
    scored: Vec<Option<Side>>,
}

/// All lessons of a game. What is left out follows from the seed.
pub fn lessons(record: &Record, thrift: Thrift, seed: u64) -> Result<Vec<Lesson>> {
    let mut dice = Rng::new(seed);
    let (moments, last) = replay(record)?;
    let futures = futures(&moments, &last);
    let mut all = Vec::new();
    for (index, (moment, ply)) in moments.iter().zip(&record.plies).enumerate() {
        if !dice.chance(thrift.turn, 256) {
            continue;
        }
        let side = moment.before.side_to_move();
        let result = result(&last, side);
        let later = moments.get(index + 2).map_or(result, |moment| chance(&moment.before));
        let points = f32::from(last.state().points(side)) - f32::from(last.state().points(side.opponent()));
        let lesson = |game: Game, stage: Stage, boards: Vec<BoardLesson>| Lesson {
            teacher: chance(&game),
            game,
            stage,
            result,
            later,
            points,
            boards,
        };
        let mut plain: Vec<BoardLesson> = Vec::new();
        for owner in &futures[index] {
            plain
                .push(BoardLesson { next_point: owner.map(|owner| owner == side), ..BoardLesson::default() });
        }
        if ply.hand == Hand::Random {
            all.push(lesson(moment.before.clone(), Stage::Start, plain));
            continue;
        }
        let (attacked, lots) = attack(&moment.before, &ply.turn)?;
        let mut boards = plain.clone();
        for (board, lots) in boards.iter_mut().zip(lots) {
            board.lots = lots;
        }
        all.push(lesson(moment.before.clone(), Stage::Start, boards));

        let mut boards = plain.clone();
        for (index, board) in boards.iter_mut().enumerate() {
            board.spawns = spawns(&attacked, index, &ply.turn);
        }
        let mut scene = attacked.clone();
        if dice.chance(1, 2)
            && let Some((back, walks)) = put_back(&attacked)
        {
            scene = back;
            for (board, walks) in boards.iter_mut().zip(walks) {
                board.walks = walks;
            }
        }
        if dice.chance(thrift.curve, 256) {
            for (index, board) in boards.iter_mut().enumerate() {
                board.curve = money_curve::measure(&scene, index, dice.next_u64());
            }
        }
        all.push(lesson(scene, Stage::Attacked, boards));

        if dice.chance(thrift.placed, 256) {
            let mut placed = moment.before.clone();
            placed.enter(&ply.turn, &mut UndoLog::off())?;
            all.push(lesson(placed, Stage::Placed, plain));
        }
    }
    Ok(all)
}

/// The teacher's chance to win for the side to move.
fn chance(game: &Game) -> f32 {
    f32::from(eval::win_permille(eval::score(game))) / 1000.0
}

fn result(last: &Game, side: Side) -> f32 {
    match last.state().winner() {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

fn replay(record: &Record) -> Result<(Vec<Moment>, Game)> {
    let mut game = record.start.clone();
    let mut moments = Vec::new();
    for ply in &record.plies {
        let before = game.clone();
        game.enter(&ply.turn, &mut UndoLog::off())?;
        let mover = game.side_to_move();
        let kill_first = game.config().rules.kill_beats_graveyard;
        let scorer = |board: &Board| {
            let marks = board.marks();
            match (marks.won, marks.lost || marks.resigned) {
                (true, true) if !kill_first => Some(mover.opponent()),
                (true, _) => Some(mover),
                (false, true) => Some(mover.opponent()),
                (false, false) => None,
            }
        };
        let scored = game.state().boards().iter().map(scorer).collect();
        game.end_turn()?;
        moments.push(Moment { before, scored });
    }
    Ok((moments, game))
}

/// For every turn, who scores the next point on each board from then on.
fn futures(moments: &[Moment], last: &Game) -> Vec<Vec<Option<Side>>> {
    let mut next = vec![None; last.config().num_boards()];
    let mut all = Vec::new();
    for moment in moments.iter().rev() {
        for (next, scored) in next.iter_mut().zip(&moment.scored) {
            *next = scored.or(*next);
        }
        all.push(next.clone());
    }
    all.reverse();
    all
}

/// The actions of a board up to the first that places or buys something.
fn attack_part(turn: &GameTurn, board: usize) -> Range<usize> {
    let places = |action: &BoardAction| action.is_spawn_phase() || matches!(action, BoardAction::Buy { .. });
    let actions = turn.board(board);
    0..actions.iter().position(places).unwrap_or(actions.len())
}

/// The position after the general's part and all attacks, and what became of the pieces.
fn attack(before: &Game, turn: &GameTurn) -> Result<(Game, Vec<Lots>)> {
    let mut game = before.clone();
    let log = &mut UndoLog::off();
    for action in turn.general_actions() {
        game.apply(Action::General(action), log)?;
    }
    let mut lots = Vec::new();
    for board in 0..game.config().num_boards() {
        let actions = &turn.board(board)[attack_part(turn, board)];
        lots.push(attack_board(&mut game, board, actions, log)?);
    }
    Ok((game, lots))
}

fn attack_board(
    game: &mut Game,
    board: usize,
    actions: &[BoardAction],
    log: &mut UndoLog<'_>,
) -> Result<Lots> {
    let enemy = game.side_to_move().opponent();
    let pictured = |game: &Game| game.state().boards()[board].clone();
    let mut shown = pictured(game);
    let mut lots: Lots = shown.iter(enemy).map(|(hex, _)| (hex, Lot::Stayed)).collect();
    let friends: Vec<Hex> = shown.iter(enemy.opponent()).map(|(hex, _)| hex).collect();
    let start = shown.clone();
    let mut fought = HexSet::EMPTY;
    let mut next = 0;
    while let Some(rest) = actions.get(next..).filter(|rest| !rest.is_empty()) {
        if let BoardAction::Attack { from, .. } = rest[0]
            && let Some(origin) = shown.piece(from).and_then(Piece::origin)
        {
            fought.insert(origin);
        }
        next += game.apply_next(board as u8, rest, log)?.max(1);
        let after = pictured(game);
        if after.pieces(enemy) != shown.pieces(enemy) {
            let there: HexSet = after.iter(enemy).filter_map(|(_, piece)| piece.origin()).collect();
            for (hex, lot) in lots.iter_mut().filter(|(_, lot)| *lot == Lot::Stayed) {
                let Some(piece) = start.piece(*hex).filter(|_| !there.contains(*hex)) else { continue };
                let returned = after.reserve(enemy, piece.unit()) > shown.reserve(enemy, piece.unit());
                *lot = if returned { Lot::Unsummoned } else { Lot::Killed };
            }
        }
        shown = after;
    }
    let lot = |hex: Hex| if fought.contains(hex) { Lot::Fought } else { Lot::Passive };
    lots.extend(friends.into_iter().map(|hex| (hex, lot(hex))));
    Ok(lots)
}

/// What could be placed after the attacks, and what was.
fn spawns(attacked: &Game, board: usize, turn: &GameTurn) -> Option<Spawns> {
    let view = attacked.view(board)?;
    if !view.board.state().allows_spawn() || view.board.marks().won {
        return None;
    }
    let mut spawns = Spawns::default();
    for unit in UnitLabel::ALL {
        let at_hand = view.board.reserve(view.side, unit) > 0 || attacked.may_buy(board, unit).is_ok();
        let hexes = if at_hand { view.spawn_hexes(unit) } else { HexSet::EMPTY };
        if !hexes.is_empty() {
            spawns.choices.push((unit, hexes));
        }
    }
    for action in turn.board(board) {
        if let BoardAction::Spawn { unit, at } = *action {
            spawns.placed.push((unit, at));
        }
    }
    (!spawns.choices.is_empty()).then_some(spawns)
}

/// The position with those who walked without attacking back where they came from, and their walks. `None` when
/// no such position can be made.
fn put_back(attacked: &Game) -> Option<(Game, Vec<Vec<Walk>>)> {
    let mut builder = Builder::from_game(attacked.clone());
    let mut homes = Vec::new();
    for index in 0..attacked.config().num_boards() {
        let view = attacked.view(index)?;
        let returning = returning(&view);
        let target = builder.board(index)?;
        for &(hex, _) in &returning {
            target.set_piece(hex, None);
        }
        for &(hex, origin) in &returning {
            let piece = view.board.piece(hex)?.with_record(0, 0, false, false);
            target.set_piece(origin, Some(piece));
        }
        homes.push(returning);
    }
    let game = builder.build().ok()?;
    let walks = homes.iter().enumerate().map(|(index, homes)| {
        let view = game.view(index)?;
        if view.board.marks().won {
            return Some(Vec::new());
        }
        Some(walks(&view, homes))
    });
    let walks = walks.collect::<Option<_>>()?;
    Some((game, walks))
}

/// Friends that walked and did not attack and whose first hexes are free, as pairs of present and first hex.
fn returning(view: &View<'_>) -> Vec<(Hex, Hex)> {
    let mut walkers = Vec::new();
    for (hex, piece) in view.board.iter(view.side) {
        if let Some(origin) = piece.origin()
            && piece.moved()
            && piece.attacks() == 0
            && !piece.exhausted()
            && origin != hex
        {
            walkers.push((hex, origin));
        }
    }
    // Whoever cannot go back stays, which may keep others from going back.
    loop {
        let gone: HexSet = walkers.iter().map(|&(hex, _)| hex).collect();
        let standing = view.board.all_pieces() - gone;
        let before = walkers.len();
        walkers.retain(|&(_, origin)| !standing.contains(origin));
        if walkers.len() == before {
            return walkers;
        }
    }
}

/// The walks that were open to all friends that attacked nobody. `homes` are those that have walked.
fn walks(view: &View<'_>, homes: &[(Hex, Hex)]) -> Vec<Walk> {
    let idle = |hex: Hex| view.friend(hex).is_ok_and(|piece| piece.attacks() == 0 && piece.steps() == 0);
    let movers: HexSet = view.board.pieces(view.side).into_iter().filter(|&hex| idle(hex)).collect();
    let standing = view.board.all_pieces() - movers;
    let mut walks = Vec::new();
    for from in movers {
        let Ok(piece) = view.friend(from) else { continue };
        let choices = (view.walks(from, piece) - standing).with(from);
        let chosen = homes.iter().find(|&&(_, origin)| origin == from).map_or(from, |&(hex, _)| hex);
        if choices.len() > 1 && choices.contains(chosen) {
            walks.push(Walk { unit: piece.unit(), choices, chosen });
        }
    }
    walks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::SelfPlay;

    const EVERYTHING: Thrift = Thrift { turn: 256, placed: 256, curve: 0 };

    fn each(check: impl Fn(&Lesson)) {
        let games = SelfPlay::new(11).unwrap();
        for number in 0..9 {
            let record = games.play(number).unwrap().unwrap();
            lessons(&record, EVERYTHING, 1).unwrap().iter().for_each(&check);
        }
    }

    #[test]
    fn lessons_stay_in_their_bounds_and_their_positions_are_valid() {
        each(|lesson| {
            lesson.game.validate().unwrap();
            assert_eq!(lesson.boards.len(), lesson.game.config().num_boards());
            for value in [lesson.teacher, lesson.result, lesson.later] {
                assert!((0.0..=1.0).contains(&value));
            }
            assert!((lesson.result - 0.5) * lesson.points >= 0.0);
        });
    }

    #[test]
    fn every_piece_has_a_fate_that_suits_its_side() {
        let games = SelfPlay::new(12).unwrap();
        let mut seen = [0; 5];
        for number in 0..9 {
            let record = games.play(number).unwrap().unwrap();
            for lesson in lessons(&record, EVERYTHING, 1).unwrap() {
                for (board, known) in lesson.game.state().boards().iter().zip(&lesson.boards) {
                    if lesson.stage == Stage::Start && !known.lots.is_empty() {
                        assert_eq!(known.lots.len(), board.all_pieces().len());
                    }
                    for &(hex, lot) in &known.lots {
                        let own = board.piece(hex).unwrap().side() == lesson.game.side_to_move();
                        assert_eq!(own, matches!(lot, Lot::Passive | Lot::Fought));
                        seen[lot as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn what_was_done_is_among_what_could_be_done() {
        each(|lesson| {
            for board in &lesson.boards {
                for walk in &board.walks {
                    assert!(walk.choices.contains(walk.chosen) && walk.choices.len() > 1);
                }
                let Some(spawns) = &board.spawns else { continue };
                let choices = |unit, at| {
                    spawns.choices.iter().any(|(other, hexes)| *other == unit && hexes.contains(at))
                };
                let foreseen = spawns.placed.iter().filter(|&&(unit, at)| choices(unit, at)).count();
                // New necromancers widen the zone, and charms make room; both are rare.
                assert!(foreseen * 2 >= spawns.placed.len());
            }
        });
    }

    #[test]
    fn the_next_point_goes_to_whoever_scores_it() {
        let record = SelfPlay::new(13).unwrap().play(2).unwrap().unwrap();
        let (moments, last) = replay(&record).unwrap();
        let futures = futures(&moments, &last);
        let gained = |side| {
            moments.iter().flat_map(|moment| &moment.scored).filter(|&&scorer| scorer == Some(side)).count()
        };
        for side in Side::ALL {
            assert_eq!(gained(side), usize::from(last.state().points(side)));
        }
        assert_eq!(futures.len(), moments.len());
        assert!(futures[0].iter().any(Option::is_some));
    }
}
