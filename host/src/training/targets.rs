//! Training targets: positions of a recorded game at the stages of a turn, with what each network output should be.
//!
//! A turn gives up to three positions: at its start, after its attacks, and after its spawns. The second one is taken
//! either as played or with the moves of pieces that did not attack undone, since the search evaluates a board before
//! it decides those moves.

use anyhow::Result;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::turn_search::ports::Stage;
use barrow_core::minions::{Board, Game, Side, UndoLog};
use barrow_core::rng::Rng;

use super::money_curve;
use super::money_curve::MoneyCurve;
use super::piece_outcomes::{PieceOutcomes, play_attacks};
use super::placements::{MoveChoice, SpawnChoices, spawn_choices, undo_moves};
use crate::records::game_record::{GameRecord, Ply, Policy};

/// Targets of one board of a position. All values are those of the side to move.
#[derive(Clone, Debug, Default)]
pub struct BoardTargets {
    /// Whether the side to move scored the next board point here; `None` when no point was scored any more.
    pub next_point: Option<bool>,
    /// Change of the win logit by souls spent here; measured in some positions after attacks only.
    pub curve: Option<MoneyCurve>,
    /// Outcomes of the pieces; at the start of a turn only.
    pub outcomes: PieceOutcomes,
    /// Spawns; after attacks only.
    pub spawns: Option<SpawnChoices>,
    /// Moves of pieces that did not attack; only after attacks with those moves undone.
    pub moves: Vec<MoveChoice>,
}

/// Position with its training targets. All values are those of the side to move.
#[derive(Clone, Debug)]
pub struct PositionTargets {
    /// Position.
    pub game: Game,
    /// Stage of the turn, the same on all boards.
    pub stage: Stage,
    /// Win chance by the hand-written evaluation, 0 to 1.
    pub teacher: f32,
    /// Result of the game: 1, 0, or 1/2 for a draw.
    pub result: f32,
    /// Win chance by the hand-written evaluation at the start of this side's next turn, or the result.
    pub later: f32,
    /// Difference of board points at the end of the game.
    pub points: f32,
    /// Targets of the boards in order.
    pub boards: Vec<BoardTargets>,
}

/// Sampling rates: how many positions a game gives, each as a chance in 256.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRates {
    /// Chance that a turn gives any position.
    pub turn: u32,
    /// Chance that such a turn also gives the position after its spawns.
    pub after_spawn: u32,
    /// Chance that the money curves of such a turn are measured.
    pub curve: u32,
}

impl Default for SamplingRates {
    fn default() -> SamplingRates {
        SamplingRates { turn: 128, after_spawn: 96, curve: 96 }
    }
}

/// Turn of a replayed game.
struct PlayedTurn {
    before: Game,
    /// Side that scored a point at the end of the turn, board by board.
    scored: Vec<Option<Side>>,
}

/// Positions of a recorded game with their training targets. Which ones are sampled follows from the seed.
pub fn position_targets(
    record: &GameRecord,
    rates: SamplingRates,
    seed: u64,
) -> Result<Vec<PositionTargets>> {
    let mut dice = Rng::new(seed);
    let (turns, last) = replay(record)?;
    let next_scorers = next_scorers(&turns, &last);
    let mut all = Vec::new();
    for (index, (turn, ply)) in turns.iter().zip(&record.plies).enumerate() {
        if !dice.chance(rates.turn, 256) {
            continue;
        }
        let side = turn.before.side_to_move();
        let result = result(&last, side);
        let point = |&scorer: &Option<Side>| BoardTargets {
            next_point: scorer.map(|scorer| scorer == side),
            ..BoardTargets::default()
        };
        let known = TurnTargets {
            result,
            later: turns.get(index + 2).map_or(result, |turn| teacher_chance(&turn.before)),
            points: f32::from(last.state().points(side)) - f32::from(last.state().points(side.opponent())),
            boards: next_scorers[index].iter().map(point).collect(),
        };
        match ply.policy {
            Policy::Random => all.push(known.at(turn.before.clone(), Stage::TurnStart, known.boards.clone())),
            Policy::Teacher => known.sample_turn(&turn.before, ply, rates, &mut dice, &mut all)?,
        }
    }
    Ok(all)
}

/// Targets that all positions of one turn share.
struct TurnTargets {
    result: f32,
    later: f32,
    points: f32,
    boards: Vec<BoardTargets>,
}

impl TurnTargets {
    fn at(&self, game: Game, stage: Stage, boards: Vec<BoardTargets>) -> PositionTargets {
        let Self { result, later, points, .. } = *self;
        PositionTargets { teacher: teacher_chance(&game), game, stage, result, later, points, boards }
    }

    /// Adds the positions of a turn of the teacher.
    fn sample_turn(
        &self,
        before: &Game,
        ply: &Ply,
        rates: SamplingRates,
        dice: &mut Rng,
        all: &mut Vec<PositionTargets>,
    ) -> Result<()> {
        let (attacked, outcomes) = play_attacks(before, &ply.turn)?;
        let mut boards = self.boards.clone();
        for (board, outcomes) in boards.iter_mut().zip(outcomes) {
            board.outcomes = outcomes;
        }
        all.push(self.at(before.clone(), Stage::TurnStart, boards));

        let mut boards = self.boards.clone();
        for (index, board) in boards.iter_mut().enumerate() {
            board.spawns = spawn_choices(&attacked, index, &ply.turn);
        }
        let mut game = attacked.clone();
        if dice.chance(1, 2)
            && let Some((unmoved, moves)) = undo_moves(&attacked)
        {
            game = unmoved;
            for (board, moves) in boards.iter_mut().zip(moves) {
                board.moves = moves;
            }
        }
        if dice.chance(rates.curve, 256) {
            for (index, board) in boards.iter_mut().enumerate() {
                board.curve = money_curve::measure(&game, index, dice.next_u64());
            }
        }
        all.push(self.at(game, Stage::AfterAttack, boards));

        if dice.chance(rates.after_spawn, 256) {
            let mut game = before.clone();
            game.enter(&ply.turn, &mut UndoLog::off())?;
            all.push(self.at(game, Stage::AfterSpawn, self.boards.clone()));
        }
        Ok(())
    }
}

/// Win chance of the side to move by the hand-written evaluation, 0 to 1.
fn teacher_chance(game: &Game) -> f32 {
    f32::from(eval::win_permille(eval::score(game))) / 1000.0
}

/// Result of a finished game for a side: 1, 0, or 1/2 for a draw.
fn result(last: &Game, side: Side) -> f32 {
    match last.state().winner() {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// Plays a recorded game. Returns its turns and the last position.
fn replay(record: &GameRecord) -> Result<(Vec<PlayedTurn>, Game)> {
    let mut game = record.start.clone();
    let mut turns = Vec::new();
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
        turns.push(PlayedTurn { before, scored });
    }
    Ok((turns, game))
}

/// Side that scores the next point on each board, from each turn on.
fn next_scorers(turns: &[PlayedTurn], last: &Game) -> Vec<Vec<Option<Side>>> {
    let mut next = vec![None; last.config().num_boards()];
    let mut all = Vec::new();
    for turn in turns.iter().rev() {
        for (next, scored) in next.iter_mut().zip(&turn.scored) {
            *next = scored.or(*next);
        }
        all.push(next.clone());
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::SelfPlay;
    use crate::training::piece_outcomes::PieceOutcome;

    const EVERYTHING: SamplingRates = SamplingRates { turn: 256, after_spawn: 256, curve: 0 };

    fn each(check: impl Fn(&PositionTargets)) {
        let games = SelfPlay::new(11).unwrap();
        for number in 0..9 {
            let record = games.play(number).unwrap().unwrap();
            position_targets(&record, EVERYTHING, 1).unwrap().iter().for_each(&check);
        }
    }

    #[test]
    fn targets_stay_in_their_bounds_and_their_positions_are_valid() {
        each(|position| {
            position.game.validate().unwrap();
            assert_eq!(position.boards.len(), position.game.config().num_boards());
            for value in [position.teacher, position.result, position.later] {
                assert!((0.0..=1.0).contains(&value));
            }
            assert!((position.result - 0.5) * position.points >= 0.0);
        });
    }

    #[test]
    fn every_piece_has_an_outcome_that_suits_its_side() {
        let games = SelfPlay::new(12).unwrap();
        let mut seen = [0; 5];
        for number in 0..9 {
            let record = games.play(number).unwrap().unwrap();
            for position in position_targets(&record, EVERYTHING, 1).unwrap() {
                for (board, known) in position.game.state().boards().iter().zip(&position.boards) {
                    if position.stage == Stage::TurnStart && !known.outcomes.is_empty() {
                        assert_eq!(known.outcomes.len(), board.all_pieces().len());
                    }
                    for &(hex, outcome) in &known.outcomes {
                        let own = board.piece(hex).unwrap().side() == position.game.side_to_move();
                        assert_eq!(own, matches!(outcome, PieceOutcome::Passive | PieceOutcome::Fought));
                        seen[outcome as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn what_was_done_is_among_what_could_be_done() {
        each(|position| {
            for board in &position.boards {
                for choice in &board.moves {
                    assert!(choice.choices.contains(choice.chosen) && choice.choices.len() > 1);
                }
                let Some(spawns) = &board.spawns else { continue };
                let choices = |unit, at| {
                    spawns.choices.iter().any(|(other, hexes)| *other == unit && hexes.contains(at))
                };
                let foreseen = spawns.placed.iter().filter(|&&(unit, at)| choices(unit, at)).count();
                // A new necromancer widens the spawn zone and a spell may free a hex; both are rare.
                assert!(foreseen * 2 >= spawns.placed.len());
            }
        });
    }

    #[test]
    fn the_next_point_goes_to_whoever_scores_it() {
        let record = SelfPlay::new(13).unwrap().play(2).unwrap().unwrap();
        let (turns, last) = replay(&record).unwrap();
        let next_scorers = next_scorers(&turns, &last);
        let gained =
            |side| turns.iter().flat_map(|turn| &turn.scored).filter(|&&scorer| scorer == Some(side)).count();
        for side in Side::ALL {
            assert_eq!(gained(side), usize::from(last.state().points(side)));
        }
        assert_eq!(next_scorers.len(), turns.len());
        assert!(next_scorers[0].iter().any(Option::is_some));
    }
}
