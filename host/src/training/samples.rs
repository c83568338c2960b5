//! Training samples: active feature rows of each board and of the whole game, and the targets, in a few long lists.

use barrow_core::hex::Hex;
use barrow_core::minions::turn_search::ports::Stage;
use barrow_core::minions::{Game, Side, UnitLabel};
use barrow_core::rng::Rng;
use barrow_nnue::features;
use barrow_nnue::layout::{Layout, Row, Table, board_rows, global_rows, seen_from};
use barrow_nnue::nets::prophet::{Contexts, Survey};
use barrow_nnue::nets::seer::Purpose;
use flate2::Crc;

use super::money_curve::MoneyCurve;
use super::piece_outcomes::{PieceFate, PieceOutcome};
use super::targets::{BoardTargets, PositionTargets};

/// Expected number of negative Dark Seer samples of a board for one purpose, at most.
const NEGATIVES_PER_BOARD: usize = 40;

/// Feature groups that no sample contains, so that their rows stay zero. The cards to come and the order of the techs
/// identify a game, so a network would overfit to its result; the other groups are too rare to be trained and too many
/// to add noise to the overflow bounds.
const EXCLUDED_GROUPS: [&str; 8] =
    ["line", "next", "dealt", "arrival", "damage bits", "attack bits", "origin", "target"];

/// Range of a list, as start and length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    fn from_start<T>(start: usize, list: &[T]) -> Span {
        Span { start: start as u32, len: (list.len() - start) as u32 }
    }

    fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by as u32, ..self }
    }

    /// Elements of the list in this range.
    #[inline]
    pub(super) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.len as usize]
    }

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Sample of a position, with the targets that all its boards share.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionSample {
    pub(super) boards: Span,
    /// Global feature rows in the perspective of the side to move, then of the opponent.
    pub(super) global: [Span; 2],
    pub(super) teacher: f32,
    pub(super) result: f32,
    pub(super) later: f32,
    pub(super) points: f32,
}

/// Sample of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardSample {
    /// Wide feature rows (pieces) in the perspective of the side to move, then of the opponent.
    pub(super) wide: [Span; 2],
    /// Narrow feature rows (everything else of a board) in the perspective of the side to move, then of the opponent.
    pub(super) narrow: [Span; 2],
    pub(super) next_point: Option<bool>,
    pub(super) curve: Option<MoneyCurve>,
    pub(super) for_prophet: Span,
    /// Attacks for the modes of Death Prophet: each with the outcomes of the pieces of `for_prophet`, in their order.
    pub(super) for_modes: Span,
    /// Dark Seer samples for each of the [`PURPOSES`].
    pub(super) for_seer: [Span; 2],
}

/// Death Prophet sample: a piece and its fate.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProphetSample {
    pub(super) contexts: Contexts,
    pub(super) unit: UnitLabel,
    pub(super) fate: PieceFate,
}

/// Sample for the modes of Death Prophet: an attack as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackSample {
    /// Share of the visits of all attacks on the board.
    pub(super) share: f32,
    /// Outcomes of the pieces.
    pub(super) outcomes: Span,
}

/// Dark Seer sample: a unit type on a hex, and whether a unit was placed there.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeerSample {
    /// Hex in the perspective of the side to move.
    pub(super) hex: Hex,
    pub(super) unit: UnitLabel,
    pub(super) positive: bool,
    /// Number of equal samples that this sample stands for.
    pub(super) weight: f32,
}

/// Purposes of Dark Seer samples, in the order of [`BoardSample::for_seer`].
pub(super) const PURPOSES: [Purpose; 2] = [Purpose::Spawn, Purpose::Move];

/// Samples of many positions.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub(super) positions: Vec<PositionSample>,
    pub(super) boards: Vec<BoardSample>,
    pub(super) rows: Vec<u16>,
    pub(super) for_prophet: Vec<ProphetSample>,
    pub(super) for_modes: Vec<AttackSample>,
    pub(super) outcomes: Vec<PieceOutcome>,
    pub(super) for_seer: Vec<SeerSample>,
}

impl Samples {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds positions of a game under a feature layout. Which negative samples are kept follows from the seed.
    pub fn add_positions<L: Layout>(&mut self, positions: &[PositionTargets], seed: u64) {
        let mut dice = Rng::new(seed);
        for position in positions {
            self.add::<L>(position, &mut dice);
        }
    }

    /// Moves all samples of another list to the end of this list, and leaves the other list empty.
    pub fn append(&mut self, other: &mut Samples) {
        let (boards, rows) = (self.boards.len(), self.rows.len());
        let (for_prophet, for_seer) = (self.for_prophet.len(), self.for_seer.len());
        let (for_modes, outcomes) = (self.for_modes.len(), self.outcomes.len());
        self.positions.extend(other.positions.drain(..).map(|sample| PositionSample {
            boards: sample.boards.shifted(boards),
            global: sample.global.map(|span| span.shifted(rows)),
            ..sample
        }));
        self.boards.extend(other.boards.drain(..).map(|board| BoardSample {
            wide: board.wide.map(|span| span.shifted(rows)),
            narrow: board.narrow.map(|span| span.shifted(rows)),
            for_prophet: board.for_prophet.shifted(for_prophet),
            for_modes: board.for_modes.shifted(for_modes),
            for_seer: board.for_seer.map(|span| span.shifted(for_seer)),
            ..board
        }));
        self.rows.append(&mut other.rows);
        self.for_prophet.append(&mut other.for_prophet);
        let attacks = other.for_modes.drain(..);
        self.for_modes.extend(
            attacks.map(|attack| AttackSample { outcomes: attack.outcomes.shifted(outcomes), ..attack }),
        );
        self.outcomes.append(&mut other.outcomes);
        self.for_seer.append(&mut other.for_seer);
    }

    /// Checksum of the active rows and of the targets that all boards share: samples of other games, or of other turns of
    /// them, have another one.
    pub fn fingerprint(&self) -> u32 {
        let mut crc = Crc::new();
        crc.update(bytemuck::cast_slice(&self.rows));
        for PositionSample { boards, teacher, result, later, points, .. } in &self.positions {
            crc.update(bytemuck::bytes_of(&[boards.start, boards.len]));
            crc.update(bytemuck::bytes_of(&[*teacher, *result, *later, *points]));
        }
        crc.sum()
    }

    fn add<L: Layout>(&mut self, position: &PositionTargets, dice: &mut Rng) {
        let side = position.game.side_to_move();
        let start = self.boards.len();
        for (index, targets) in position.boards.iter().enumerate() {
            let stage = position.stage_of(index);
            let board = self.board::<L>(&position.game, index, stage, targets, dice);
            self.boards.push(board);
        }
        let boards = Span::from_start(start, &self.boards);
        let global = [side, side.opponent()].map(|perspective| {
            let start = self.rows.len();
            global_rows::<L>(&position.game, perspective, |row| {
                if is_trained(&L::GLOBAL, row) {
                    self.rows.push(row);
                }
            });
            Span::from_start(start, &self.rows)
        });
        let PositionTargets { teacher, result, later, points, .. } = *position;
        self.positions.push(PositionSample { boards, global, teacher, result, later, points });
    }

    fn board<L: Layout>(
        &mut self,
        game: &Game,
        index: usize,
        stage: Stage,
        targets: &BoardTargets,
        dice: &mut Rng,
    ) -> BoardSample {
        let side = game.side_to_move();
        let mut wide = [Span::default(); 2];
        let mut narrow = [Span::default(); 2];
        let mut narrow_rows = Vec::new();
        let (board, map) = (&game.state().boards()[index], game.config().maps()[index]);
        for (index, perspective) in [side, side.opponent()].into_iter().enumerate() {
            let start = self.rows.len();
            narrow_rows.clear();
            board_rows::<L>(map, board, feature_stage(stage), perspective, |row| match row {
                Row::Wide(row) => self.rows.push(row),
                Row::Narrow(row) if is_trained(&L::NARROW, row) => narrow_rows.push(row),
                Row::Narrow(_) => {}
            });
            wide[index] = Span::from_start(start, &self.rows);
            let start = self.rows.len();
            self.rows.extend_from_slice(&narrow_rows);
            narrow[index] = Span::from_start(start, &self.rows);
        }
        BoardSample {
            wide,
            narrow,
            next_point: targets.next_point,
            curve: targets.curve,
            for_prophet: self.add_prophet_samples(game, index, targets),
            for_modes: self.add_attack_samples(targets),
            for_seer: [self.add_spawns(side, targets, dice), self.add_moves(side, targets, dice)],
        }
    }

    fn add_prophet_samples(&mut self, game: &Game, index: usize, targets: &BoardTargets) -> Span {
        let start = self.for_prophet.len();
        if let Some(view) = game.view(index).filter(|_| !targets.fates.is_empty()) {
            let survey = Survey::new(view);
            for &(hex, fate) in &targets.fates {
                let Some(piece) = view.board.piece(hex) else { continue };
                self.for_prophet.push(ProphetSample {
                    contexts: survey.contexts(hex, piece),
                    unit: piece.unit(),
                    fate,
                });
            }
        }
        Span::from_start(start, &self.for_prophet)
    }

    fn add_attack_samples(&mut self, targets: &BoardTargets) -> Span {
        let start = self.for_modes.len();
        for (share, outcomes) in &targets.attacks {
            let first = self.outcomes.len();
            self.outcomes.extend(outcomes.iter().map(|(_, outcome)| *outcome));
            let outcomes = Span::from_start(first, &self.outcomes);
            self.for_modes.push(AttackSample { share: *share, outcomes });
        }
        Span::from_start(start, &self.for_modes)
    }

    fn add_spawns(&mut self, side: Side, targets: &BoardTargets, dice: &mut Rng) -> Span {
        let start = self.for_seer.len();
        let Some(spawns) = &targets.spawns else { return Span::from_start(start, &self.for_seer) };
        let all: usize = spawns.choices.iter().map(|(_, hexes)| hexes.len()).sum();
        for &(unit, hexes) in &spawns.choices {
            for hex in hexes {
                if !spawns.placed.contains(&(unit, hex)) {
                    self.add_negative(side, unit, hex, all, dice);
                }
            }
        }
        for &(unit, hex) in &spawns.placed {
            self.for_seer.push(SeerSample { hex: seen_from(side, hex), unit, positive: true, weight: 1.0 });
        }
        Span::from_start(start, &self.for_seer)
    }

    fn add_moves(&mut self, side: Side, targets: &BoardTargets, dice: &mut Rng) -> Span {
        let start = self.for_seer.len();
        let all: usize = targets.moves.iter().map(|choice| choice.choices.len()).sum();
        for choice in &targets.moves {
            for hex in choice.choices.without(choice.chosen) {
                self.add_negative(side, choice.unit, hex, all, dice);
            }
            let hex = seen_from(side, choice.chosen);
            self.for_seer.push(SeerSample { hex, unit: choice.unit, positive: true, weight: 1.0 });
        }
        Span::from_start(start, &self.for_seer)
    }

    /// Adds a negative Dark Seer sample, of `all` samples of the board, with a chance that keeps their number bounded.
    fn add_negative(&mut self, side: Side, unit: UnitLabel, hex: Hex, all: usize, dice: &mut Rng) {
        if dice.chance(NEGATIVES_PER_BOARD as u32, all as u32) {
            let weight = (all as f32 / NEGATIVES_PER_BOARD as f32).max(1.0);
            self.for_seer.push(SeerSample { hex: seen_from(side, hex), unit, positive: false, weight });
        }
    }
}

/// Whether a row of this table occurs in samples.
fn is_trained(table: &Table, row: u16) -> bool {
    table.group_of(row).is_none_or(|group| !EXCLUDED_GROUPS.contains(&group.name))
}

/// Stage as a feature of networks.
pub(super) const fn feature_stage(stage: Stage) -> features::Stage {
    match stage {
        Stage::TurnStart => features::Stage::TurnStart,
        Stage::AfterAttack => features::Stage::AfterAttack,
        Stage::AfterSpawn => features::Stage::AfterSpawn,
    }
}

#[cfg(test)]
mod tests {
    use barrow_nnue::layout::Full;
    use barrow_nnue::shape::BASE_UNITS;

    use super::*;
    use crate::training::{SamplingRates, SelfPlay, position_targets};

    fn samples_of(number: u32) -> (Samples, Vec<PositionTargets>) {
        let record = SelfPlay::new(31).unwrap().play(number).unwrap().unwrap();
        let rates = SamplingRates { turn: 64, after_spawn: 128, curve: 128 };
        let positions = position_targets(&record, rates, 5).unwrap();
        let mut samples = Samples::default();
        samples.add_positions::<Full>(&positions, 7);
        (samples, positions)
    }

    #[test]
    fn samples_hold_the_targets() {
        let (samples, positions) = samples_of(1);
        assert_eq!(samples.len(), positions.len());
        for (sample, position) in samples.positions.iter().zip(&positions) {
            let side = position.game.side_to_move();
            for (index, board) in sample.boards.of(&samples.boards).iter().enumerate() {
                let (pieces, targets) = (&position.game.state().boards()[index], &position.boards[index]);
                for rows in board.wide {
                    assert_eq!(rows.of(&samples.rows).len(), pieces.all_pieces().len());
                }
                let mut rows = board.wide[0].of(&samples.rows).to_vec();
                let mut expected: Vec<u16> = pieces
                    .iter_all()
                    .map(|(hex, piece)| {
                        let enemy = u16::from(piece.side() != side);
                        let hex = seen_from(side, hex).index() as u16;
                        (enemy * BASE_UNITS as u16 + piece.unit().index() as u16) * 100 + hex
                    })
                    .collect();
                rows.sort_unstable();
                expected.sort_unstable();
                assert_eq!(rows, expected);
                assert_eq!(board.for_prophet.of(&samples.for_prophet).len(), targets.fates.len());
                let positives = |purpose: usize| {
                    board.for_seer[purpose]
                        .of(&samples.for_seer)
                        .iter()
                        .filter(|sample| sample.positive)
                        .count()
                };
                assert_eq!(positives(0), targets.spawns.as_ref().map_or(0, |spawns| spawns.placed.len()));
                assert_eq!(positives(1), targets.moves.len());
            }
        }
    }

    #[test]
    fn appending_moves_every_reference() {
        let ((mut first, _), (mut second, _)) = (samples_of(1), samples_of(2));
        let (alone, before) = (second.clone(), first.len());
        first.append(&mut second);
        assert!(second.is_empty() && first.len() == before + alone.len());
        for (moved, sample) in first.positions[before..].iter().zip(&alone.positions) {
            let rows = |samples: &Samples, sample: &PositionSample| -> Vec<Vec<u16>> {
                let boards = sample.boards.of(&samples.boards).iter();
                let spans = boards.flat_map(|board| board.wide.into_iter().chain(board.narrow));
                spans.chain(sample.global).map(|span| span.of(&samples.rows).to_vec()).collect()
            };
            assert_eq!(rows(&first, moved), rows(&alone, sample));
            let asked = |samples: &Samples, sample: &PositionSample| -> Vec<(usize, usize)> {
                let boards = sample.boards.of(&samples.boards).iter();
                let hexes =
                    |span: Span| span.of(&samples.for_seer).iter().map(|sample| sample.hex.index()).sum();
                let pieces =
                    |span: Span| span.of(&samples.for_prophet).iter().map(|sample| sample.unit.index()).sum();
                boards.map(|board| (hexes(board.for_seer[0]), pieces(board.for_prophet))).collect()
            };
            assert_eq!(asked(&first, moved), asked(&alone, sample));
        }
    }

    #[test]
    fn rows_that_identify_a_game_are_excluded() {
        let (samples, _) = samples_of(1);
        let global = samples.positions.iter().flat_map(|sample| sample.global);
        let rows: Vec<u16> = global.flat_map(|span| span.of(&samples.rows).to_vec()).collect();
        assert!(!rows.is_empty() && rows.iter().all(|&row| is_trained(&Full::GLOBAL, row)));
        let next = Full::GLOBAL.groups.iter().find(|group| group.name == "next").unwrap();
        assert!(!is_trained(&Full::GLOBAL, next.first) && is_trained(&Full::GLOBAL, next.first - 1));
        assert!(is_trained(&Full::GLOBAL, 0) && !is_trained(&Full::GLOBAL, next.first + next.rows - 1));
    }
}
