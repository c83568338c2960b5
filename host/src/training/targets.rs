//! Training targets: positions of a recorded game at the stages of a turn, with what each network output should be.
//!
//! A turn gives up to three positions: at its start, after its attacks, and after its spawns. The second one is taken
//! either as played or with the moves of pieces that did not attack undone, since the search evaluates a board before
//! it decides those moves.

use anyhow::{Context, Result};
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::turn_search::ports::{Evaluator, Stage};
use barrow_core::minions::{Board, Game, Marks, Side, UndoLog};
use barrow_core::rng::Rng;

use super::general_choices::{RatedChoice, rated_choices};
use super::money_curve;
use super::money_curve::MoneyCurve;
use super::piece_outcomes::{PieceFates, PieceOutcomes, play_attacks};
use super::place_judge::PlaceJudge;
use super::placements::{Choice, Finish, undo_walks};
use super::returns::lambda_returns;
use super::visited_attacks::{ReplayedAttack, fates, replayed};
use crate::records::game_record::{GameRecord, Ply, Policy};

/// Targets of one board of a position. All values are those of the side to move.
#[derive(Clone, Debug, Default)]
pub struct BoardTargets {
    /// Whether the side to move scored the next board point here; `None` when no point was scored any more.
    pub next_point: Option<bool>,
    /// Change of the win logit by souls spent here; measured in some positions after attacks only.
    pub curve: Option<MoneyCurve>,
    /// Fates of the pieces; at the start of a turn only.
    pub fates: PieceFates,
    /// Attacks that a search visited, with their shares of the visits and the outcomes of the same pieces in the same
    /// order; at the start of a turn only.
    pub attacks: Vec<(f32, PieceOutcomes)>,
    /// Choices of a finish of the board; only after attacks, before the walks of pieces that did not attack.
    pub choices: Vec<Choice>,
}

/// Position with its training targets. All values are those of the side to move.
#[derive(Clone, Debug)]
pub struct PositionTargets {
    /// Position.
    pub game: Game,
    /// Stage of the turn; if `attacked` names a board, the stage of that board alone, and all others are at the start of
    /// the turn.
    pub stage: Stage,
    /// Board that alone has been attacked on; `None` when all boards are at the same stage.
    pub attacked: Option<usize>,
    /// λ-return of the turn, 0 to 1: win chance by the search that chose it, by later searches and by the result; where
    /// nobody searched, by the hand-written evaluation.
    pub teacher: f32,
    /// Result of the game: 1, 0, or 1/2 for a draw. After an attack that was not played, its win chance by the search.
    pub result: f32,
    /// Teacher's win chance at the start of this side's next turn, or the result.
    pub later: f32,
    /// Difference of board points at the end of the game.
    pub points: f32,
    /// Targets of the boards in order.
    pub boards: Vec<BoardTargets>,
    /// Choices of the general that the search visited or could have; at the start of a searched turn only.
    pub generals: Vec<RatedChoice>,
}

impl PositionTargets {
    /// Stage of a board.
    pub fn stage_of(&self, board: usize) -> Stage {
        if self.attacked.is_none_or(|attacked| attacked == board) { self.stage } else { Stage::TurnStart }
    }
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
    /// Whether only the choices of the general are learnt from; then positions have no boards.
    pub general_only: bool,
}

impl Default for SamplingRates {
    fn default() -> SamplingRates {
        SamplingRates { turn: 128, after_spawn: 96, curve: 96, general_only: false }
    }
}

/// Visits from which the value of an attack is learnt from.
const TRUSTED_VISITS: u32 = 6;

/// Attacks on single boards that a turn gives at most.
const ATTACKS_TRIED: usize = 2;

/// Turn of a replayed game.
struct PlayedTurn {
    before: Game,
    /// Side that scored a point at the end of the turn, board by board.
    scored: Vec<Option<Side>>,
}

/// Positions of a recorded game with their training targets. Which ones are sampled follows from the seed. Fails when a turn
/// is not legal, or the game was left before it had a result.
pub fn position_targets(
    record: &GameRecord,
    rates: SamplingRates,
    seed: u64,
) -> Result<Vec<PositionTargets>> {
    judged_targets(record, rates, None, seed)
}

/// Positions of a recorded game as [`position_targets`]; with an evaluator, the shares of Dark Seer's options are by its
/// values.
pub fn judged_targets(
    record: &GameRecord,
    rates: SamplingRates,
    mut evaluator: Option<&mut dyn Evaluator>,
    seed: u64,
) -> Result<Vec<PositionTargets>> {
    let mut dice = Rng::new(seed);
    let (turns, last) = replay(record)?;
    let next_scorers = next_scorers(&turns, &last);
    let result_for = |side| record.result_for(side, &last).context("an unfinished game");
    let last_mover = turns.last().map_or(Side::Yellow, |turn| turn.before.side_to_move());
    let returns = lambda_returns(&record.plies, result_for(last_mover)?);
    let mut all = Vec::new();
    for (index, ((turn, ply), searched)) in turns.iter().zip(&record.plies).zip(returns).enumerate() {
        if !dice.chance(rates.turn, 256) {
            continue;
        }
        let side = turn.before.side_to_move();
        let result = result_for(side)?;
        let point = |&scorer: &Option<Side>| BoardTargets {
            next_point: scorer.map(|scorer| scorer == side),
            ..BoardTargets::default()
        };
        let known = TurnTargets {
            result,
            searched,
            later: match (turns.get(index + 2), record.plies.get(index + 2)) {
                (Some(turn), Some(ply)) => start_chance(&turn.before, ply),
                _ => result,
            },
            points: f32::from(last.state().points(side)) - f32::from(last.state().points(side.opponent())),
            boards: next_scorers[index].iter().map(point).collect(),
        };
        match ply.policy {
            Policy::Teacher if rates.general_only => {
                let generals =
                    ply.root.as_ref().map_or_else(Vec::new, |root| rated_choices(&turn.before, root));
                if !generals.is_empty() {
                    let position = known.at(turn.before.clone(), Stage::TurnStart, Vec::new());
                    all.push(PositionTargets { generals, ..position });
                }
            }
            Policy::Random if rates.general_only => {}
            Policy::Random => all.push(known.at(turn.before.clone(), Stage::TurnStart, known.boards.clone())),
            Policy::Teacher => {
                let evaluator = evaluator.as_mut().map(|evaluator| &mut **evaluator as &mut dyn Evaluator);
                known.sample_turn(&turn.before, ply, (rates, evaluator), &mut dice, &mut all)?;
            }
        }
    }
    Ok(all)
}

/// Targets that all positions of one turn share.
struct TurnTargets {
    result: f32,
    /// λ-return of the turn, where it was searched.
    searched: Option<f32>,
    later: f32,
    points: f32,
    boards: Vec<BoardTargets>,
}

impl TurnTargets {
    fn at(&self, game: Game, stage: Stage, boards: Vec<BoardTargets>) -> PositionTargets {
        let Self { result, searched, later, points, .. } = *self;
        let teacher = searched.unwrap_or_else(|| teacher_chance(&game));
        let generals = Vec::new();
        PositionTargets { teacher, game, stage, attacked: None, result, later, points, boards, generals }
    }

    /// Adds the positions of a turn of the teacher.
    fn sample_turn(
        &self,
        before: &Game,
        ply: &Ply,
        (rates, mut evaluator): (SamplingRates, Option<&mut dyn Evaluator>),
        dice: &mut Rng,
        all: &mut Vec<PositionTargets>,
    ) -> Result<()> {
        let (attacked, outcomes) = play_attacks(before, &ply.turn)?;
        let mut boards = self.boards.clone();
        let mut tried = Vec::new();
        for (index, (board, outcomes)) in boards.iter_mut().zip(outcomes).enumerate() {
            let attacks = ply.root.as_ref().map_or_else(Vec::new, |root| replayed(before, index, root));
            board.fates = fates(&attacks).unwrap_or_else(|| {
                outcomes.into_iter().map(|(hex, outcome)| (hex, outcome.into())).collect()
            });
            let visits: u32 = attacks.iter().map(|attack| attack.visits).sum();
            let share = |attack: &ReplayedAttack| attack.visits as f32 / visits as f32;
            board.attacks = attacks
                .iter()
                .filter(|attack| attack.visits > 0)
                .map(|attack| (share(attack), attack.outcomes.clone()))
                .collect();
            tried.extend(attacks.into_iter().map(|attack| (index, attack)));
        }
        let generals = ply.root.as_ref().map_or_else(Vec::new, |root| rated_choices(before, root));
        all.push(PositionTargets { generals, ..self.at(before.clone(), Stage::TurnStart, boards) });
        tried.retain(|(_, attack)| attack.visits >= TRUSTED_VISITS);
        for _ in 0..tried.len().min(ATTACKS_TRIED) {
            let (board, attack) = tried.swap_remove(dice.below(tried.len() as u32) as usize);
            let mut boards = vec![BoardTargets::default(); self.boards.len()];
            if let (Some(finish), Some(targets)) = (attack.finish(board, dice), boards.get_mut(board)) {
                targets.choices = match &mut evaluator {
                    Some(evaluator) => {
                        let judge = &mut PlaceJudge::new(&mut **evaluator, before, board);
                        finish.judged_choices(&attack.game, board, judge, dice)
                    }
                    None => finish.choices(&attack.game, board, dice),
                };
            }
            all.push(PositionTargets {
                attacked: Some(board),
                teacher: attack.value,
                result: attack.value,
                ..self.at(attack.game, Stage::AfterAttack, boards)
            });
        }

        let mut boards = self.boards.clone();
        let mut game = attacked.clone();
        if dice.chance(1, 2)
            && let Some((unmoved, walks)) = undo_walks(&attacked)
        {
            for ((index, board), walks) in boards.iter_mut().enumerate().zip(walks) {
                // Where there was a search, its finishes say more.
                if ply.root.is_none() {
                    let finish = Finish::played(&attacked, index, &walks, &ply.turn);
                    board.choices = finish.choices(&unmoved, index, dice);
                }
            }
            game = unmoved;
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

/// Teacher's win chance of the side to move at the start of a turn, 0 to 1.
fn start_chance(before: &Game, ply: &Ply) -> f32 {
    ply.searched_chance().unwrap_or_else(|| teacher_chance(before))
}

/// Win chance of the side to move by the hand-written evaluation, 0 to 1.
fn teacher_chance(game: &Game) -> f32 {
    f32::from(eval::win_permille(eval::score(game))) / 1000.0
}

/// Plays a recorded game. Returns its turns and the last position.
fn replay(record: &GameRecord) -> Result<(Vec<PlayedTurn>, Game)> {
    let mut game = record.start.clone();
    let mut turns = Vec::new();
    for ply in &record.plies {
        let before = game.clone();
        game.enter(&ply.turn, &mut UndoLog::off())?;
        let mover = game.side_to_move();
        let marks: Vec<Marks> = game.state().boards().iter().map(Board::marks).collect();
        let kill_first = game.config().rules.kill_beats_graveyard;
        let outcome = game.end_turn()?;
        // Graveyards are counted as the turn ends, so a board that is lost by them has no mark before.
        let scorer = |(board, marks): (usize, &Marks)| {
            let lost = marks.lost || marks.resigned;
            let gained = |side: Side| outcome.points[side] > 0;
            match () {
                () if outcome.reset & 1 << board == 0 => None,
                () if !gained(mover.opponent()) => Some(mover),
                () if gained(mover) && marks.won && (kill_first || !lost) => Some(mover),
                () => Some(mover.opponent()),
            }
        };
        let scored = marks.iter().enumerate().map(scorer).collect();
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
    use std::cell::Cell;

    use super::*;
    use crate::training::PieceFate;
    use crate::training::SelfPlay;
    use crate::training::placements::ChoiceKind;

    const EVERYTHING: SamplingRates =
        SamplingRates { turn: 256, after_spawn: 256, curve: 0, general_only: false };

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
    fn every_piece_has_a_fate_that_suits_its_side() {
        let games = SelfPlay::new(12).unwrap();
        let mut seen = [0; 5];
        for number in 0..9 {
            let record = games.play(number).unwrap().unwrap();
            for position in position_targets(&record, EVERYTHING, 1).unwrap() {
                for (board, known) in position.game.state().boards().iter().zip(&position.boards) {
                    if position.stage == Stage::TurnStart && !known.fates.is_empty() {
                        assert_eq!(known.fates.len(), board.all_pieces().len());
                    }
                    for &(hex, fate) in &known.fates {
                        let own = board.piece(hex).unwrap().side() == position.game.side_to_move();
                        assert_eq!(own, matches!(fate, PieceFate::Friend { .. }));
                        match fate {
                            PieceFate::Enemy { killed, unsummoned } => {
                                seen[0] += usize::from(killed > 0.0);
                                seen[1] += usize::from(unsummoned > 0.0);
                                seen[2] += usize::from(killed + unsummoned == 0.0);
                            }
                            PieceFate::Friend { passive } => seen[3 + usize::from(passive > 0.0)] += 1,
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn every_choice_has_one_chosen_option_among_several() {
        let (places, types) = (Cell::new(0), Cell::new(0));
        each(|position| {
            for choice in position.boards.iter().flat_map(|board| &board.choices) {
                assert!(choice.options.len() > 1);
                assert_eq!(choice.options.iter().filter(|option| option.share > 0.99).count(), 1);
                assert!(choice.options.iter().all(|option| !(0.01..0.99).contains(&option.share)));
                let counter = if choice.kind == ChoiceKind::Type { &types } else { &places };
                counter.set(counter.get() + 1);
            }
        });
        assert!(places.get() > 500 && types.get() > 20, "{places:?} {types:?}");
    }

    #[test]
    fn a_game_that_was_resigned_is_won_and_one_that_was_left_teaches_nothing() {
        let mut record = SelfPlay::new(14).unwrap().play(0).unwrap().unwrap();
        record.plies.truncate(16);
        for (ending, yellow) in [
            (None, 0.5),
            (Some("Yellow resignation"), 1.0),
            (Some("Blue fault"), 0.0),
            (Some("draw fault"), 0.5),
        ] {
            record.ending = ending.map(|text: &str| text.parse().unwrap());
            let positions = position_targets(&record, EVERYTHING, 1).unwrap();
            assert!(positions.len() > 16);
            for position in positions {
                let is_yellow = position.game.side_to_move() == Side::Yellow;
                let expected: f32 = if is_yellow { yellow } else { 1.0 - yellow };
                assert!((position.result - expected).abs() < 1e-6, "{ending:?}: {}", position.result);
            }
        }
        record.ending = Some("none unfinished".parse().unwrap());
        assert!(position_targets(&record, EVERYTHING, 1).is_err());
    }

    #[test]
    fn the_next_point_goes_to_whoever_scores_it() {
        let games = SelfPlay::new(13).unwrap();
        for number in 0..12 {
            let record = games.play(number).unwrap().unwrap();
            let (turns, last) = replay(&record).unwrap();
            let next_scorers = next_scorers(&turns, &last);
            let scorers = || turns.iter().flat_map(|turn| &turn.scored);
            for side in Side::ALL {
                let gained = scorers().filter(|&&scorer| scorer == Some(side)).count();
                assert_eq!(gained, usize::from(last.state().points(side)), "game {number}");
            }
            assert_eq!(next_scorers.len(), turns.len());
            assert_eq!(next_scorers[0].iter().any(Option::is_some), scorers().any(Option::is_some));
        }
    }
}
