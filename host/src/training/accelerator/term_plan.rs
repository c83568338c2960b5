//! Plan of a batch for Death Prophet and Dark Seer. Their logits are sums of terms, outputs of one wide layer on the board
//! layer: the rows of Death Prophet, of its modes, of Dark Seer and of its contexts of places, one behind the other.

use barrow_nnue::format::Block;
use barrow_nnue::shape::{PLACE_GROUPS, UNITS, mode_rows};
use rayon::prelude::*;

use super::grid::Grid;
use super::lists::{Lists, Sums};
use crate::training::modes::{outputs, share_row, truth};
use crate::training::params::NetworkShape;
use crate::training::placements::ChoiceKind;
use crate::training::prophet_loss::{PROPHET_WEIGHT, fates};
use crate::training::samples::{BoardSample, PositionSample, Samples};
use crate::training::seer_losses::{SEER_WEIGHT, hand, option_rows, pair};

/// Terms of an output of Death Prophet.
pub(super) const PROPHET_TERMS: usize = 5;

/// Terms of an option of Dark Seer: one of its hex or type, and those of its contexts.
pub(super) const SEER_TERMS: usize = 1 + PLACE_GROUPS;

/// First columns of the blocks in the wide layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    modes: usize,
    seer: usize,
    /// Column of a term that is always 0.
    pad: usize,
    /// Number of columns.
    pub(super) len: usize,
}

impl Columns {
    /// Blocks of weights and of biases of the wide layer in order.
    pub(super) const BLOCKS: [[Block; 2]; 4] = [
        [Block::Prophet, Block::ProphetBias],
        [Block::Modes, Block::ModesBias],
        [Block::Seer, Block::SeerBias],
        [Block::Places, Block::PlaceBias],
    ];

    fn new(shape: &NetworkShape) -> Columns {
        let [modes, seer, pad] = [1, 2, 4]
            .map(|blocks| Columns::BLOCKS[..blocks].iter().map(|[block, _]| shape.block(*block).0).sum());
        Columns { modes, seer, pad, len: pad + 1 }
    }
}

/// Outputs of Death Prophet.
#[derive(Default)]
pub(super) struct ProphetPlan {
    /// Terms of each output.
    pub(super) terms: Vec<i32>,
    pub(super) targets: Vec<f32>,
}

/// Outputs of the modes of Death Prophet, on the boards with attacks to learn from.
#[derive(Default)]
pub(super) struct ModesPlan {
    /// Number of modes.
    pub(super) modes: usize,
    /// Terms of each mode of each output.
    pub(super) terms: Vec<i32>,
    /// Output without a mode that each output adds to.
    pub(super) marginals: Vec<i32>,
    /// Terms of the logits of the modes, board by board.
    pub(super) shares: Vec<i32>,
    /// Board of each attack, among the boards with attacks.
    pub(super) boards: Vec<i32>,
    /// Weight of each attack.
    pub(super) weights: Vec<f32>,
    /// Outputs in attacks: the output, the attack, and whether it came true there.
    pub(super) cell_outputs: Vec<i32>,
    pub(super) cell_attacks: Vec<i32>,
    pub(super) truths: Vec<f32>,
}

/// Options of Dark Seer.
#[derive(Default)]
pub(super) struct SeerPlan {
    /// Terms of each option.
    pub(super) terms: Vec<i32>,
    /// Logits of the hand-written worths.
    pub(super) hands: Vec<f32>,
    pub(super) shares: Vec<f32>,
    /// Factors of hex and unit type of each option, counted from 1; 0 for none.
    pub(super) pairs: [Vec<i32>; 2],
    sizes: Vec<usize>,
}

/// Plan of a batch.
pub(super) struct TermPlan {
    pub(super) columns: Columns,
    /// Boards that are asked anything.
    pub(super) asked: Vec<i32>,
    /// Place of each board among those, counted from 1; 0 for a board that is not asked.
    pub(super) place_of: Vec<i32>,
    pub(super) prophet: ProphetPlan,
    pub(super) modes: ModesPlan,
    pub(super) seer: SeerPlan,
    pub(super) choices: Grid,
    /// Terms that logits read, each once, and for each of them the logits, whose gradients it takes: those of Death
    /// Prophet, of the modes, of their shares, and of Dark Seer.
    pub(super) read: Vec<i32>,
    pub(super) readers: Sums,
    /// Weights of a loss of Death Prophet and of Dark Seer.
    pub(super) prophet_weight: f32,
    pub(super) seer_weight: f32,
}

/// Logits of one kind that read terms: term and logit.
type Reads = Vec<(u32, u32)>;

impl TermPlan {
    /// Plan for these positions; `None` where no board is asked anything.
    pub(super) fn new(
        samples: &Samples,
        picked: &[&PositionSample],
        shape: &NetworkShape,
    ) -> Option<TermPlan> {
        let columns = Columns::new(shape);
        let scale = 1.0 / picked.len() as f32;
        let (mut asked, mut place_of) = (Vec::new(), Vec::new());
        let (mut prophet, mut seer) = (ProphetPlan::default(), SeerPlan::default());
        let mut modes = ModesPlan { modes: shape.extent().modes, ..ModesPlan::default() };
        let boards = picked.iter().flat_map(|sample| sample.boards.of(&samples.boards));
        for (number, board) in boards.enumerate() {
            if board.for_prophet.is_empty() && board.for_seer.is_empty() {
                place_of.push(0);
                continue;
            }
            let first = asked.len() * columns.len;
            asked.push(number as i32);
            place_of.push(asked.len() as i32);
            let outputs = prophet.targets.len();
            prophet.add(samples, board, first);
            modes.add(samples, board, (first + columns.modes, outputs), scale);
            seer.add(samples, board, (first, columns), shape);
        }
        if asked.is_empty() {
            return None;
        }
        let pad = columns.pad as i32;
        let logits = [
            reads(&prophet.terms, PROPHET_TERMS, pad),
            reads(&modes.terms, PROPHET_TERMS, pad),
            reads(&modes.shares, 1, pad),
            reads(&seer.terms, SEER_TERMS, pad),
        ];
        let counts = [
            prophet.targets.len(),
            modes.marginals.len() * modes.modes,
            modes.shares.len(),
            seer.hands.len(),
        ];
        let (read, readers) = readers(&logits, counts);
        Some(TermPlan {
            columns,
            asked,
            place_of,
            choices: Grid::new(&seer.sizes),
            prophet,
            modes,
            seer,
            read,
            readers: Sums::new(&readers),
            prophet_weight: PROPHET_WEIGHT * scale,
            seer_weight: SEER_WEIGHT * scale,
        })
    }
}

/// Terms of logits with so many terms each, but for the one that is always 0.
fn reads(terms: &[i32], each: usize, pad: i32) -> Reads {
    let terms = terms.iter().enumerate().filter(|(_, term)| **term != pad);
    terms.map(|(place, &term)| (term as u32, (place / each) as u32)).collect()
}

/// Terms that are read, and for each of them the numbers of the logits that read it; the logits of all kinds are counted
/// through.
fn readers(kinds: &[Reads; 4], counts: [usize; 4]) -> (Vec<i32>, Lists) {
    let mut all = Reads::new();
    let mut first = 0;
    for (reads, count) in kinds.iter().zip(counts) {
        all.extend(reads.iter().map(|&(term, logit)| (term, first + logit)));
        first += count as u32;
    }
    all.par_sort_unstable();
    let (mut read, mut readers) = (Vec::new(), Lists::default());
    for reads in all.chunk_by(|a, b| a.0 == b.0) {
        read.push(reads[0].0 as i32);
        readers.push(reads.iter().map(|&(_, logit)| logit as usize));
    }
    (read, readers)
}

impl ProphetPlan {
    /// Adds a board whose terms begin at `first`.
    fn add(&mut self, samples: &Samples, board: &BoardSample, first: usize) {
        for sample in board.for_prophet.of(&samples.for_prophet) {
            for (kind, target) in fates(sample.fate) {
                self.targets.push(target);
                self.terms.extend(sample.contexts.rows(kind).map(|row| (first + usize::from(row)) as i32));
            }
        }
    }
}

impl ModesPlan {
    /// Adds a board whose terms of modes begin at `first`, and whose outputs without a mode at `first_output`.
    fn add(
        &mut self,
        samples: &Samples,
        board: &BoardSample,
        (first, first_output): (usize, usize),
        scale: f32,
    ) {
        let attacks = board.for_modes.of(&samples.for_modes);
        let (outputs, begin) = (outputs(samples, board), self.marginals.len());
        // Without pieces all modes say the same: no loss, and nothing to learn.
        if attacks.is_empty() || outputs.is_empty() || self.modes == 0 {
            return;
        }
        for (place, output) in outputs.iter().enumerate() {
            self.marginals.push((first_output + place) as i32);
            for mode in 0..self.modes {
                let first = first + mode_rows(mode, UNITS);
                let rows = output.sample.contexts.rows(output.kind);
                self.terms.extend(rows.map(|row| (first + usize::from(row)) as i32));
            }
        }
        let number = self.shares.len() / self.modes;
        self.shares.extend((0..self.modes).map(|mode| (first + share_row(mode)) as i32));
        for attack in attacks {
            let cell = self.boards.len() as i32;
            self.boards.push(number as i32);
            self.weights.push(PROPHET_WEIGHT * attack.share * scale);
            for (place, output) in outputs.iter().enumerate() {
                self.cell_outputs.push((begin + place) as i32);
                self.cell_attacks.push(cell);
                self.truths.push(truth(samples, attack, output));
            }
        }
    }
}

impl SeerPlan {
    /// Adds a board whose terms begin at `first`.
    fn add(
        &mut self,
        samples: &Samples,
        board: &BoardSample,
        (first, columns): (usize, Columns),
        shape: &NetworkShape,
    ) {
        let [seer, places] = [Block::Seer, Block::Places].map(|block| shape.block(block).0);
        for sample in board.for_seer.of(&samples.for_seer) {
            let options = sample.options.of(&samples.options);
            self.sizes.push(options.len());
            for option in options {
                let rows = option_rows(sample.kind, option, seer, seer + places);
                let end = self.terms.len() + SEER_TERMS;
                self.terms.extend(rows.map(|row| (first + columns.seer + row) as i32));
                // The first board's term that is always 0, whichever board it is.
                self.terms.resize(end, columns.pad as i32);
                self.hands.push(hand(option));
                self.shares.push(option.share);
                let pair = pair(sample.kind, option).map(|(hex, unit)| [hex, unit]);
                debug_assert_eq!(pair.is_none(), sample.kind == ChoiceKind::Type);
                for (list, place) in
                    self.pairs.iter_mut().zip(pair.map_or([0; 2], |pair| pair.map(|row| row as i32 + 1)))
                {
                    list.push(place);
                }
            }
        }
    }
}
