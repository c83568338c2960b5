//! Lessons as numbers: active rows of each board and of the general, and the targets, in a few long lists.

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Side, UnitLabel};
use barrow_core::rng::Rng;
use barrow_nnue::features;
use barrow_nnue::layout::{Group, Layout, Row, board_rows, global_rows};
use barrow_nnue::nets::board_layer::seen_from;
use barrow_nnue::nets::prophet::{Contexts, Survey};
use barrow_nnue::nets::seer::Purpose;

use super::money_curve::Curve;
use super::targets::{BoardLesson, Lesson, Lot, Stage};

/// Most hexes that Dark Seer is asked about on a board for one purpose, apart from those it should name.
const ASKED: usize = 40;

/// Groups of rows that are left out, so that they stay zero. By the cards to come and the order of the techs a network
/// would know a game again, and learn its result by heart; the rest tells apart positions that the rules tell apart
/// but is too rare to be learnt and too many to be left at random in the bounds on sums.
const UNLEARNT: [&str; 8] =
    ["line", "next", "dealt", "arrival", "damage bits", "attack bits", "origin", "target"];

/// A run of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    fn since<T>(start: usize, list: &[T]) -> Span {
        Span { start: start as u32, len: (list.len() - start) as u32 }
    }

    fn moved(self, by: usize) -> Span {
        Span { start: self.start + by as u32, ..self }
    }

    /// The run of the list.
    #[inline]
    pub(super) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.len as usize]
    }

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) boards: Span,
    /// Rows of the general: as the side to move sees it, then as the opponent does.
    pub(super) general: [Span; 2],
    pub(super) teacher: f32,
    pub(super) result: f32,
    pub(super) later: f32,
    pub(super) points: f32,
}

/// A board of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardSample {
    /// Rows of pieces: as the side to move sees them, then as the opponent does.
    pub(super) wide: [Span; 2],
    /// Rows of everything else, likewise.
    pub(super) narrow: [Span; 2],
    pub(super) next_point: Option<bool>,
    pub(super) curve: Option<Curve>,
    pub(super) omens: Span,
    pub(super) wishes: [Span; 2],
}

/// A piece that Death Prophet is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Omen {
    pub(super) contexts: Contexts,
    pub(super) unit: UnitLabel,
    pub(super) lot: Lot,
}

/// A unit on a hex that Dark Seer is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// As the side to move sees the board.
    pub(super) hex: Hex,
    pub(super) unit: UnitLabel,
    pub(super) came_true: bool,
    /// Questions that this one stands for.
    pub(super) weight: f32,
}

/// The purposes in the order of [`BoardSample::wishes`].
pub(super) const PURPOSES: [Purpose; 2] = [Purpose::Spawn, Purpose::Move];

/// Lists of samples.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub(super) positions: Vec<Sample>,
    pub(super) boards: Vec<BoardSample>,
    pub(super) rows: Vec<u16>,
    pub(super) omens: Vec<Omen>,
    pub(super) wishes: Vec<Wish>,
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

    /// Adds the lessons of a game under a layout. Which of many questions are asked follows from the seed.
    pub fn learn<L: Layout>(&mut self, lessons: &[Lesson], seed: u64) {
        let mut dice = Rng::new(seed);
        for lesson in lessons {
            self.add::<L>(lesson, &mut dice);
        }
    }

    /// Moves all of another list to the end of this one.
    pub fn append(&mut self, other: &mut Samples) {
        let (boards, rows) = (self.boards.len(), self.rows.len());
        let (omens, wishes) = (self.omens.len(), self.wishes.len());
        self.positions.extend(other.positions.drain(..).map(|sample| Sample {
            boards: sample.boards.moved(boards),
            general: sample.general.map(|span| span.moved(rows)),
            ..sample
        }));
        self.boards.extend(other.boards.drain(..).map(|board| BoardSample {
            wide: board.wide.map(|span| span.moved(rows)),
            narrow: board.narrow.map(|span| span.moved(rows)),
            omens: board.omens.moved(omens),
            wishes: board.wishes.map(|span| span.moved(wishes)),
            ..board
        }));
        self.rows.append(&mut other.rows);
        self.omens.append(&mut other.omens);
        self.wishes.append(&mut other.wishes);
    }

    fn add<L: Layout>(&mut self, lesson: &Lesson, dice: &mut Rng) {
        let side = lesson.game.side_to_move();
        let start = self.boards.len();
        for (index, known) in lesson.boards.iter().enumerate() {
            let board = self.board::<L>(&lesson.game, index, lesson.stage, known, dice);
            self.boards.push(board);
        }
        let boards = Span::since(start, &self.boards);
        let general = [side, side.opponent()].map(|perspective| {
            let start = self.rows.len();
            global_rows::<L>(&lesson.game, perspective, |row| {
                if is_learnt(L::GLOBAL_GROUPS, row) {
                    self.rows.push(row);
                }
            });
            Span::since(start, &self.rows)
        });
        let Lesson { teacher, result, later, points, .. } = *lesson;
        self.positions.push(Sample { boards, general, teacher, result, later, points });
    }

    fn board<L: Layout>(
        &mut self,
        game: &Game,
        index: usize,
        stage: Stage,
        known: &BoardLesson,
        dice: &mut Rng,
    ) -> BoardSample {
        let side = game.side_to_move();
        let mut wide = [Span::default(); 2];
        let mut narrow = [Span::default(); 2];
        let mut small = Vec::new();
        let (board, map) = (&game.state().boards()[index], game.config().maps()[index]);
        for (place, perspective) in [side, side.opponent()].into_iter().enumerate() {
            let start = self.rows.len();
            small.clear();
            board_rows::<L>(map, board, stage.feature(), perspective, |row| match row {
                Row::Wide(row) => self.rows.push(row),
                Row::Narrow(row) if is_learnt(L::NARROW_GROUPS, row) => small.push(row),
                Row::Narrow(_) => {}
            });
            wide[place] = Span::since(start, &self.rows);
            let start = self.rows.len();
            self.rows.extend_from_slice(&small);
            narrow[place] = Span::since(start, &self.rows);
        }
        BoardSample {
            wide,
            narrow,
            next_point: known.next_point,
            curve: known.curve,
            omens: self.omens(game, index, known),
            wishes: [self.spawns(side, known, dice), self.walks(side, known, dice)],
        }
    }

    fn omens(&mut self, game: &Game, index: usize, known: &BoardLesson) -> Span {
        let start = self.omens.len();
        if let Some(view) = game.view(index).filter(|_| !known.lots.is_empty()) {
            let survey = Survey::new(view);
            for &(hex, lot) in &known.lots {
                let Some(piece) = view.board.piece(hex) else { continue };
                self.omens.push(Omen { contexts: survey.contexts(hex, piece), unit: piece.unit(), lot });
            }
        }
        Span::since(start, &self.omens)
    }

    fn spawns(&mut self, side: Side, known: &BoardLesson, dice: &mut Rng) -> Span {
        let start = self.wishes.len();
        let Some(spawns) = &known.spawns else { return Span::since(start, &self.wishes) };
        let all: usize = spawns.choices.iter().map(|(_, hexes)| hexes.len()).sum();
        for &(unit, hexes) in &spawns.choices {
            for hex in hexes {
                if !spawns.placed.contains(&(unit, hex)) {
                    self.ask(side, unit, hex, all, dice);
                }
            }
        }
        for &(unit, hex) in &spawns.placed {
            self.wishes.push(Wish { hex: seen_from(side, hex), unit, came_true: true, weight: 1.0 });
        }
        Span::since(start, &self.wishes)
    }

    fn walks(&mut self, side: Side, known: &BoardLesson, dice: &mut Rng) -> Span {
        let start = self.wishes.len();
        let all: usize = known.walks.iter().map(|walk| walk.choices.len()).sum();
        for walk in &known.walks {
            for hex in walk.choices.without(walk.chosen) {
                self.ask(side, walk.unit, hex, all, dice);
            }
            let hex = seen_from(side, walk.chosen);
            self.wishes.push(Wish { hex, unit: walk.unit, came_true: true, weight: 1.0 });
        }
        Span::since(start, &self.wishes)
    }

    /// A question whose answer is no, if chance takes it among `all`.
    fn ask(&mut self, side: Side, unit: UnitLabel, hex: Hex, all: usize, dice: &mut Rng) {
        if dice.chance(ASKED as u32, all as u32) {
            let weight = (all as f32 / ASKED as f32).max(1.0);
            self.wishes.push(Wish { hex: seen_from(side, hex), unit, came_true: false, weight });
        }
    }
}

/// Whether a row of these groups is learnt.
fn is_learnt(groups: &[Group], row: u16) -> bool {
    let next = groups.partition_point(|group| group.first <= row);
    next.checked_sub(1)
        .and_then(|index| groups.get(index))
        .is_none_or(|group| !UNLEARNT.contains(&group.name))
}

impl Stage {
    /// The stage as networks are told it.
    pub fn feature(self) -> features::Stage {
        match self {
            Stage::Start => features::Stage::TurnStart,
            Stage::Attacked => features::Stage::AfterAttack,
            Stage::Placed => features::Stage::AfterSpawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use barrow_nnue::layout::Full;

    use super::*;
    use crate::training::{SelfPlay, Thrift, lessons};

    fn samples_of(number: u32) -> (Samples, Vec<Lesson>) {
        let record = SelfPlay::new(31).unwrap().play(number).unwrap().unwrap();
        let lessons = lessons(&record, Thrift { turn: 64, placed: 128, curve: 128 }, 5).unwrap();
        let mut samples = Samples::default();
        samples.learn::<Full>(&lessons, 7);
        (samples, lessons)
    }

    #[test]
    fn samples_hold_what_the_lessons_tell() {
        let (samples, lessons) = samples_of(1);
        assert_eq!(samples.len(), lessons.len());
        for (sample, lesson) in samples.positions.iter().zip(&lessons) {
            let side = lesson.game.side_to_move();
            for (index, board) in sample.boards.of(&samples.boards).iter().enumerate() {
                let (pieces, known) = (&lesson.game.state().boards()[index], &lesson.boards[index]);
                for rows in board.wide {
                    assert_eq!(rows.of(&samples.rows).len(), pieces.all_pieces().len());
                }
                let mut rows = board.wide[0].of(&samples.rows).to_vec();
                let mut expected: Vec<u16> = pieces
                    .iter_all()
                    .map(|(hex, piece)| {
                        let enemy = u16::from(piece.side() != side);
                        let hex = seen_from(side, hex).index() as u16;
                        (enemy * 34 + piece.unit().index() as u16) * 100 + hex
                    })
                    .collect();
                rows.sort_unstable();
                expected.sort_unstable();
                assert_eq!(rows, expected);
                assert_eq!(board.omens.of(&samples.omens).len(), known.lots.len());
                let true_wishes = |purpose: usize| {
                    board.wishes[purpose].of(&samples.wishes).iter().filter(|wish| wish.came_true).count()
                };
                assert_eq!(true_wishes(0), known.spawns.as_ref().map_or(0, |spawns| spawns.placed.len()));
                assert_eq!(true_wishes(1), known.walks.len());
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
            let rows = |samples: &Samples, sample: &Sample| -> Vec<Vec<u16>> {
                let boards = sample.boards.of(&samples.boards).iter();
                let spans = boards.flat_map(|board| board.wide.into_iter().chain(board.narrow));
                spans.chain(sample.general).map(|span| span.of(&samples.rows).to_vec()).collect()
            };
            assert_eq!(rows(&first, moved), rows(&alone, sample));
            let asked = |samples: &Samples, sample: &Sample| -> Vec<(usize, usize)> {
                let boards = sample.boards.of(&samples.boards).iter();
                let hexes = |span: Span| span.of(&samples.wishes).iter().map(|wish| wish.hex.index()).sum();
                let pieces = |span: Span| span.of(&samples.omens).iter().map(|omen| omen.unit.index()).sum();
                boards.map(|board| (hexes(board.wishes[0]), pieces(board.omens))).collect()
            };
            assert_eq!(asked(&first, moved), asked(&alone, sample));
        }
    }

    #[test]
    fn rows_by_which_a_game_is_known_are_left_out() {
        let (samples, _) = samples_of(1);
        let general = samples.positions.iter().flat_map(|sample| sample.general);
        let rows: Vec<u16> = general.flat_map(|span| span.of(&samples.rows).to_vec()).collect();
        assert!(!rows.is_empty() && rows.iter().all(|&row| is_learnt(Full::GLOBAL_GROUPS, row)));
        let next = Full::GLOBAL_GROUPS.iter().find(|group| group.name == "next").unwrap();
        assert!(
            !is_learnt(Full::GLOBAL_GROUPS, next.first) && is_learnt(Full::GLOBAL_GROUPS, next.first - 1)
        );
        assert!(
            is_learnt(Full::GLOBAL_GROUPS, 0) && !is_learnt(Full::GLOBAL_GROUPS, next.first + next.rows - 1)
        );
    }
}
