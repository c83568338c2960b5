//! Lessons as numbers: active rows of each board and of the general, and the targets, in a few long lists.

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Side, UnitLabel};
use barrow_core::rng::Rng;
use barrow_nnue::features;
use barrow_nnue::layout::{Layout, Row, board_rows, global_rows};
use barrow_nnue::prophet::{Contexts, Survey};
use barrow_nnue::scene::seen_from;
use barrow_nnue::seer::Purpose;

use super::curve::Curve;
use super::lesson::{BoardLesson, Lesson, Lot, Stage};

/// Most hexes that Dark Seer is asked about on a board for one purpose, apart from those it should name.
const ASKED: usize = 40;

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
            global_rows::<L>(&lesson.game, perspective, |row| self.rows.push(row));
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
                Row::Narrow(row) => small.push(row),
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
