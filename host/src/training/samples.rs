//! Training samples: active feature rows of each board and of the whole game, and the targets, in a few long lists.

use barrow_core::minions::turn_search::ports::Stage;
use barrow_core::minions::{Game, UnitLabel};
use barrow_core::rng::Rng;
use barrow_nnue::features;
use barrow_nnue::layout::{
    Layout, Row, Table, board_rows, global_rows, has_reflection, reflected_board_rows,
};
use barrow_nnue::nets::prophet::{Contexts, Survey};
use flate2::Crc;

use super::general_samples::GeneralSamples;
use super::money_curve::MoneyCurve;
use super::piece_outcomes::{PieceFate, PieceOutcome};
use super::placements::{ChoiceKind, ChoiceOption};
use super::span::Span;
use super::targets::{BoardTargets, PositionTargets};

/// Feature groups that no sample contains, so that their rows stay zero. The cards to come and the order of the techs
/// identify a game, so a network would overfit to its result; the other groups are too rare to be trained and too many
/// to add noise to the overflow bounds.
const EXCLUDED_GROUPS: [&str; 8] =
    ["line", "next", "dealt", "arrival", "damage bits", "attack bits", "origin", "target"];

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
    /// Sample of the general's choices, or none.
    pub(super) general: Span,
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
    pub(super) for_seer: Span,
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

/// Dark Seer sample: a choice among options.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeerSample {
    pub(super) kind: ChoiceKind,
    pub(super) options: Span,
}

/// Samples of many positions.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub(super) positions: Vec<PositionSample>,
    /// Positions in the same order, every board reflected whose map allows it.
    reflected: Vec<PositionSample>,
    pub(super) boards: Vec<BoardSample>,
    pub(super) rows: Vec<u16>,
    pub(super) for_prophet: Vec<ProphetSample>,
    pub(super) for_modes: Vec<AttackSample>,
    pub(super) outcomes: Vec<PieceOutcome>,
    pub(super) for_seer: Vec<SeerSample>,
    pub(super) options: Vec<ChoiceOption>,
    pub(super) for_general: GeneralSamples,
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

    /// Adds positions of a game under a feature layout.
    pub fn add_positions<L: Layout>(&mut self, positions: &[PositionTargets]) {
        for position in positions {
            self.add::<L>(position);
        }
    }

    /// Moves all samples of another list to the end of this list, and leaves the other list empty.
    pub fn append(&mut self, other: &mut Samples) {
        let (boards, rows) = (self.boards.len(), self.rows.len());
        let (for_prophet, for_seer) = (self.for_prophet.len(), self.for_seer.len());
        let (for_modes, outcomes) = (self.for_modes.len(), self.outcomes.len());
        let options = self.options.len();
        let generals = self.for_general.all.len();
        let shifted = |sample: PositionSample| PositionSample {
            boards: sample.boards.shifted(boards),
            global: sample.global.map(|span| span.shifted(rows)),
            general: sample.general.shifted(generals),
            ..sample
        };
        self.positions.extend(other.positions.drain(..).map(shifted));
        self.reflected.extend(other.reflected.drain(..).map(shifted));
        self.boards.extend(other.boards.drain(..).map(|board| BoardSample {
            wide: board.wide.map(|span| span.shifted(rows)),
            narrow: board.narrow.map(|span| span.shifted(rows)),
            for_prophet: board.for_prophet.shifted(for_prophet),
            for_modes: board.for_modes.shifted(for_modes),
            for_seer: board.for_seer.shifted(for_seer),
            ..board
        }));
        self.rows.append(&mut other.rows);
        self.for_prophet.append(&mut other.for_prophet);
        let attacks = other.for_modes.drain(..);
        self.for_modes.extend(
            attacks.map(|attack| AttackSample { outcomes: attack.outcomes.shifted(outcomes), ..attack }),
        );
        self.outcomes.append(&mut other.outcomes);
        self.for_seer.extend(
            other
                .for_seer
                .drain(..)
                .map(|sample| SeerSample { options: sample.options.shifted(options), ..sample }),
        );
        self.options.append(&mut other.options);
        self.for_general.append(&mut other.for_general);
    }

    /// Checksum of the active rows and of the targets that all boards share: samples of other games, or of other turns of
    /// them, have another one.
    pub fn fingerprint(&self) -> u32 {
        let mut crc = Crc::new();
        crc.update(bytemuck::cast_slice(&self.rows));
        for PositionSample { boards, teacher, result, later, points, .. } in &self.positions {
            crc.update(bytemuck::bytes_of(&boards.numbers()));
            crc.update(bytemuck::bytes_of(&[*teacher, *result, *later, *points]));
        }
        crc.sum()
    }

    /// Drops positions: `keep` is asked for each in order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut() -> bool) {
        let kept: Vec<bool> = self.positions.iter().map(|_| keep()).collect();
        for list in [&mut self.positions, &mut self.reflected] {
            let mut kept = kept.iter();
            list.retain(|_| kept.next() == Some(&true));
        }
    }

    /// Position as an epoch learns it: as it is and reflected in turns, half of the positions beginning with either.
    pub(super) fn in_epoch(&self, position: u32, epoch: u32) -> &PositionSample {
        let first = Rng::new(u64::from(position)).next_u64() as u32;
        let list = if (first ^ epoch) & 1 == 0 { &self.positions } else { &self.reflected };
        &list[position as usize]
    }

    /// Whether a position has choices for Dark Seer.
    pub(super) fn has_choices(&self, position: usize) -> bool {
        let boards = self.positions[position].boards.of(&self.boards);
        boards.iter().any(|board| !board.for_seer.is_empty())
    }

    fn add<L: Layout>(&mut self, position: &PositionTargets) {
        let side = position.game.side_to_move();
        let start = self.boards.len();
        for (index, targets) in position.boards.iter().enumerate() {
            let stage = position.stage_of(index);
            let board = self.board::<L>(&position.game, index, stage, targets);
            self.boards.push(board);
        }
        let boards = Span::from_start(start, &self.boards);
        let reflected = self.reflected_boards::<L>(position, boards);
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
        let general = self.for_general.add(&position.game, &position.generals);
        self.push(PositionSample { boards, global, teacher, result, later, points, general }, reflected);
    }

    /// Adds a position whose parts are in the lists, with its boards reflected as far as their maps allow it.
    pub(super) fn push(&mut self, sample: PositionSample, reflected: Span) {
        self.positions.push(sample);
        self.reflected.push(PositionSample { boards: reflected, ..sample });
    }

    /// Adds the boards of a position once more, reflected as far as their maps allow it.
    fn reflected_boards<L: Layout>(&mut self, position: &PositionTargets, boards: Span) -> Span {
        let maps = position.game.config().maps();
        if !maps.iter().any(|&map| has_reflection(map)) {
            return boards;
        }
        let start = self.boards.len();
        for (index, board) in boards.of(&self.boards).to_vec().into_iter().enumerate() {
            let board = if maps.get(index).is_some_and(|&map| has_reflection(map)) {
                let [wide, narrow] = self.rows_of::<L>(&position.game, index, position.stage_of(index), true);
                BoardSample { wide, narrow, for_seer: self.reflected_choices(board.for_seer), ..board }
            } else {
                board
            };
            self.boards.push(board);
        }
        Span::from_start(start, &self.boards)
    }

    /// Adds choices once more, reflected.
    fn reflected_choices(&mut self, choices: Span) -> Span {
        let start = self.for_seer.len();
        for SeerSample { kind, options } in choices.of(&self.for_seer).to_vec() {
            let first = self.options.len();
            let options = options.of(&self.options).to_vec();
            self.options.extend(
                options.into_iter().map(|option| ChoiceOption { hex: option.hex.reflected(), ..option }),
            );
            self.for_seer.push(SeerSample { kind, options: Span::from_start(first, &self.options) });
        }
        Span::from_start(start, &self.for_seer)
    }

    fn board<L: Layout>(
        &mut self,
        game: &Game,
        index: usize,
        stage: Stage,
        targets: &BoardTargets,
    ) -> BoardSample {
        let [wide, narrow] = self.rows_of::<L>(game, index, stage, false);
        BoardSample {
            wide,
            narrow,
            next_point: targets.next_point,
            curve: targets.curve,
            for_prophet: self.add_prophet_samples(game, index, targets),
            for_modes: self.add_attack_samples(targets),
            for_seer: self.add_choices(targets),
        }
    }

    /// Adds the wide and the narrow rows of a board, reflected or as it is, in the perspective of the side to move and of the
    /// opponent.
    fn rows_of<L: Layout>(
        &mut self,
        game: &Game,
        index: usize,
        stage: Stage,
        reflected: bool,
    ) -> [[Span; 2]; 2] {
        let side = game.side_to_move();
        let mut spans = [[Span::default(); 2]; 2];
        let mut narrow_rows = Vec::new();
        let (board, map) = (&game.state().boards()[index], game.config().maps()[index]);
        for (index, perspective) in [side, side.opponent()].into_iter().enumerate() {
            let start = self.rows.len();
            narrow_rows.clear();
            let visit = |row| match row {
                Row::Wide(row) => self.rows.push(row),
                Row::Narrow(row) if is_trained(&L::NARROW, row) => narrow_rows.push(row),
                Row::Narrow(_) => {}
            };
            if reflected {
                reflected_board_rows::<L>(map, board, feature_stage(stage), perspective, visit);
            } else {
                board_rows::<L>(map, board, feature_stage(stage), perspective, visit);
            }
            spans[0][index] = Span::from_start(start, &self.rows);
            let start = self.rows.len();
            self.rows.extend_from_slice(&narrow_rows);
            spans[1][index] = Span::from_start(start, &self.rows);
        }
        spans
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

    fn add_choices(&mut self, targets: &BoardTargets) -> Span {
        let start = self.for_seer.len();
        for choice in &targets.choices {
            let first = self.options.len();
            self.options.extend_from_slice(&choice.options);
            self.for_seer
                .push(SeerSample { kind: choice.kind, options: Span::from_start(first, &self.options) });
        }
        Span::from_start(start, &self.for_seer)
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
    use barrow_core::hex::Hex;
    use barrow_nnue::layout::{Full, seen_from};
    use barrow_nnue::shape::BASE_UNITS;

    use super::*;
    use crate::training::{SamplingRates, SelfPlay, position_targets};

    fn samples_of(number: u32) -> (Samples, Vec<PositionTargets>) {
        let record = SelfPlay::new(31).unwrap().play(number).unwrap().unwrap();
        let rates = SamplingRates { turn: 64, after_spawn: 128, curve: 128, ..SamplingRates::default() };
        let positions = position_targets(&record, rates, 5).unwrap();
        let mut samples = Samples::default();
        samples.add_positions::<Full>(&positions);
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
                let choices = board.for_seer.of(&samples.for_seer);
                assert_eq!(choices.len(), targets.choices.len());
                for (sample, choice) in choices.iter().zip(&targets.choices) {
                    let options = sample.options.of(&samples.options);
                    assert!(sample.kind == choice.kind && options.len() == choice.options.len());
                }
            }
        }
    }

    #[test]
    fn epochs_learn_positions_reflected_in_turns_where_the_map_allows_it() {
        let (samples, positions) = samples_of(1);
        let mut reflected = 0;
        for (index, position) in positions.iter().enumerate() {
            let [first, second, third] = [0, 1, 2].map(|epoch| samples.in_epoch(index as u32, epoch));
            assert_eq!(first.boards.numbers(), third.boards.numbers());
            let [first, second] = [first, second].map(|sample| sample.boards.of(&samples.boards));
            for ((one, other), &map) in first.iter().zip(second).zip(position.game.config().maps()) {
                let [rows, other_rows] = [one, other].map(|board| board.wide[0].of(&samples.rows));
                let reflected_row = |row: u16| row / 100 * 100 + row % 10 * 10 + row / 10 % 10;
                let reflects = has_reflection(map);
                let expected: Vec<u16> =
                    rows.iter().map(|&row| if reflects { reflected_row(row) } else { row }).collect();
                reflected += u32::from(reflects);
                assert_eq!(expected, other_rows, "{map:?}");
                let hexes = |board: &BoardSample| -> Vec<Hex> {
                    let choices = board.for_seer.of(&samples.for_seer).iter();
                    choices
                        .flat_map(|choice| choice.options.of(&samples.options))
                        .map(|option| option.hex)
                        .collect()
                };
                let way = if reflects { Hex::reflected } else { |hex| hex };
                assert_eq!(hexes(one).into_iter().map(way).collect::<Vec<_>>(), hexes(other));
            }
        }
        assert!(reflected > 5);
    }

    #[test]
    fn appending_moves_every_reference() {
        let ((mut first, _), (mut second, _)) = (samples_of(1), samples_of(2));
        let (alone, before) = (second.clone(), first.len());
        first.append(&mut second);
        assert!(second.is_empty() && first.len() == before + alone.len());
        let moved = first.positions[before..].iter().chain(&first.reflected[before..]);
        for (moved, sample) in moved.zip(alone.positions.iter().chain(&alone.reflected)) {
            let rows = |samples: &Samples, sample: &PositionSample| -> Vec<Vec<u16>> {
                let boards = sample.boards.of(&samples.boards).iter();
                let spans = boards.flat_map(|board| board.wide.into_iter().chain(board.narrow));
                spans.chain(sample.global).map(|span| span.of(&samples.rows).to_vec()).collect()
            };
            assert_eq!(rows(&first, moved), rows(&alone, sample));
            let asked = |samples: &Samples, sample: &PositionSample| -> Vec<(usize, usize)> {
                let boards = sample.boards.of(&samples.boards).iter();
                let hexes = |span: Span| {
                    let choices = span.of(&samples.for_seer).iter();
                    let options = choices.flat_map(|sample| sample.options.of(&samples.options));
                    options.map(|option| option.hex.index()).sum()
                };
                let pieces =
                    |span: Span| span.of(&samples.for_prophet).iter().map(|sample| sample.unit.index()).sum();
                boards.map(|board| (hexes(board.for_seer), pieces(board.for_prophet))).collect()
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
