//! How well a network does on games it has not seen, head by head, beside what can be said without looking.
//!
//! The guesses it is compared with are fitted to the very positions they are tried on, which favours them: the best
//! constant, and for pieces the best constant for each type.

use barrow_core::minions::tables::unit::UNIT_COUNT;
use rayon::prelude::*;
use serde::Serialize;

use super::backprop::{BoardTape, Tape};
use super::losses::{CURVE, error_loss, fate_logit, fates, win_target, wish_logit};
use super::money_curve::KNOTS;
use super::params::Params;
use super::samples::{BoardSample, Sample, Samples};
use super::vector::{cross_entropy, logit, sigmoid};

/// Positions judged in one go.
const PART: usize = 256;

/// What one head achieves. Smaller is better throughout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// The head.
    pub head: &'static str,
    /// What is measured: `nats` of cross entropy, or a root mean square in the unit named.
    pub unit: &'static str,
    /// Answers it was measured on.
    pub answers: u64,
    /// The network.
    pub network: f64,
    /// The best constant.
    pub constant: f64,
    /// The best constant for each type of unit, or the teacher, where that makes sense.
    pub informed: Option<f64>,
}

/// Answers to questions with yes or no, for all types together and for each.
#[derive(Clone, Debug)]
struct Votes {
    loss: f64,
    by_unit: [(f64, f64); UNIT_COUNT],
    answers: u64,
}

impl Default for Votes {
    fn default() -> Votes {
        Votes { loss: 0.0, by_unit: [(0.0, 0.0); UNIT_COUNT], answers: 0 }
    }
}

impl Votes {
    fn add(&mut self, unit: usize, logit: f32, target: f32, weight: f32) {
        self.loss += f64::from(weight * cross_entropy(logit, target));
        if let Some((weights, hits)) = self.by_unit.get_mut(unit) {
            *weights += f64::from(weight);
            *hits += f64::from(weight * target);
        }
        self.answers += 1;
    }

    fn merge(&mut self, other: &Votes) {
        self.loss += other.loss;
        self.answers += other.answers;
        for (sum, part) in self.by_unit.iter_mut().zip(other.by_unit) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
    }

    fn mark(&self, head: &'static str, by_unit: bool) -> Mark {
        let all = self.by_unit.iter().fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        let weight = all.0.max(1.0);
        let informed = self.by_unit.iter().map(|&part| entropy(part)).sum::<f64>() / weight;
        Mark {
            head,
            unit: "nats",
            answers: self.answers,
            network: self.loss / weight,
            constant: entropy(all) / weight,
            informed: by_unit.then_some(informed),
        }
    }
}

/// Cross entropy that the best constant leaves, over all answers.
fn entropy((weight, hits): (f64, f64)) -> f64 {
    let share = hits / weight.max(f64::MIN_POSITIVE);
    let part = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    weight * (part(share) + part(1.0 - share))
}

/// Numbers to be met, and by how much they were missed.
#[derive(Clone, Copy, Debug, Default)]
struct Misses {
    count: f64,
    missed: f64,
    sum: f64,
    squares: f64,
}

impl Misses {
    fn add(&mut self, said: f32, target: f32) {
        let (said, target) = (f64::from(said), f64::from(target));
        self.count += 1.0;
        self.missed += (said - target).powi(2);
        self.sum += target;
        self.squares += target * target;
    }

    fn merge(&mut self, other: &Misses) {
        self.count += other.count;
        self.missed += other.missed;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Sum of squares around the mean.
    fn spread(&self) -> f64 {
        self.squares - self.sum * self.sum / self.count.max(1.0)
    }

    fn mark(parts: &[Misses], head: &'static str, unit: &'static str) -> Mark {
        let count = parts.iter().map(|part| part.count).sum::<f64>();
        let root = |sum: f64| (sum / count.max(1.0)).sqrt();
        Mark {
            head,
            unit,
            answers: count as u64,
            network: root(parts.iter().map(|part| part.missed).sum()),
            constant: root(parts.iter().map(Misses::spread).sum()),
            informed: None,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Tally {
    blend: Votes,
    result: Votes,
    teacher_on_result: f64,
    teacher: Misses,
    points: Misses,
    error: f64,
    error_squares: Vec<f64>,
    contribution: Votes,
    curve: [Misses; KNOTS.len()],
    fates: [Votes; 3],
    wishes: [Votes; 2],
}

/// Judges a network.
pub fn judge(params: &Params, samples: &Samples) -> Vec<Mark> {
    let parts = samples.positions.par_chunks(PART).map(|part| {
        let (mut tape, mut tally) = (Tape::default(), Tally::default());
        for sample in part {
            tape.forward(params, samples, sample);
            tally.position(&tape, sample);
            for (tape, board) in tape.boards.iter().zip(sample.boards.of(&samples.boards)) {
                tally.board(tape, params, samples, sample, board);
            }
        }
        tally
    });
    let parts: Vec<Tally> = parts.collect();
    let mut all = Tally::default();
    for part in &parts {
        all.merge(part);
    }
    all.marks()
}

impl Tally {
    fn position(&mut self, tape: &Tape, sample: &Sample) {
        let win = tape.logit();
        self.blend.add(0, win, win_target(sample), 1.0);
        self.result.add(0, win, sample.result, 1.0);
        self.teacher_on_result += f64::from(cross_entropy(logit(sample.teacher), sample.result));
        self.teacher.add(sigmoid(win), sample.teacher);
    }

    fn board(
        &mut self,
        tape: &BoardTape,
        params: &Params,
        samples: &Samples,
        sample: &Sample,
        board: &BoardSample,
    ) {
        let out = &tape.oracle;
        self.points.add(out[1], sample.points);
        let squared = (sample.later - sigmoid(out[0])).powi(2);
        self.error += f64::from(error_loss(out[2], squared).0);
        self.error_squares.push(f64::from(squared));
        if let Some(ours) = board.next_point {
            self.contribution.add(0, out[3], f32::from(u8::from(ours)), 1.0);
        }
        if let Some(curve) = board.curve {
            for (knot, change) in curve.into_iter().enumerate() {
                self.curve[knot].add(out[CURVE + knot], change);
            }
        }
        for omen in board.omens.of(&samples.omens) {
            for &(fate, came_true) in fates(omen.lot) {
                let said = fate_logit(params, &tape.scene, omen, fate);
                self.fates[fate as usize].add(omen.unit.index(), said, f32::from(u8::from(came_true)), 1.0);
            }
        }
        for (purpose, wishes) in board.wishes.iter().enumerate() {
            for wish in wishes.of(&samples.wishes) {
                let said = wish_logit(params, &tape.scene, purpose, wish);
                let target = f32::from(u8::from(wish.came_true));
                self.wishes[purpose].add(wish.unit.index(), said, target, wish.weight);
            }
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.blend.merge(&other.blend);
        self.result.merge(&other.result);
        self.teacher_on_result += other.teacher_on_result;
        self.teacher.merge(&other.teacher);
        self.points.merge(&other.points);
        self.error += other.error;
        self.error_squares.extend_from_slice(&other.error_squares);
        self.contribution.merge(&other.contribution);
        self.curve.iter_mut().zip(&other.curve).for_each(|(sum, part)| sum.merge(part));
        self.fates.iter_mut().zip(&other.fates).for_each(|(sum, part)| sum.merge(part));
        self.wishes.iter_mut().zip(&other.wishes).for_each(|(sum, part)| sum.merge(part));
    }

    fn marks(&self) -> Vec<Mark> {
        let positions = self.result.answers.max(1) as f64;
        let result = Mark {
            informed: Some(self.teacher_on_result / positions),
            ..self.result.mark("win, against the result", false)
        };
        let [killed, unsummoned, passive] = &self.fates;
        let [spawns, walks] = &self.wishes;
        vec![
            self.blend.mark("win, against the blend", false),
            result,
            Misses::mark(&[self.teacher], "win, against the teacher", "chance"),
            Misses::mark(&[self.points], "points", "points"),
            self.error_mark(),
            self.contribution.mark("contribution", false),
            Misses::mark(&self.curve, "curve", "logit"),
            killed.mark("killed", true),
            unsummoned.mark("unsummoned", true),
            passive.mark("passive", true),
            spawns.mark("spawn", true),
            walks.mark("walk", true),
        ]
    }

    fn error_mark(&self) -> Mark {
        let count = self.error_squares.len().max(1) as f64;
        let mean = self.error_squares.iter().sum::<f64>() / count;
        let named = logit((mean.sqrt() as f32).clamp(0.01, 0.99));
        let constant =
            self.error_squares.iter().map(|&squared| f64::from(error_loss(named, squared as f32).0));
        Mark {
            head: "error",
            unit: "nats",
            answers: self.error_squares.len() as u64,
            network: self.error / count,
            constant: constant.sum::<f64>() / count,
            informed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_constant_leaves_the_entropy_of_the_mean() {
        let mut votes = Votes::default();
        for (unit, target) in [(0, 1.0), (0, 0.0), (1, 1.0), (1, 1.0)] {
            votes.add(unit, 0.0, target, 1.0);
        }
        let mark = votes.mark("", true);
        assert!((mark.network - 2_f64.ln()).abs() < 1e-6);
        let expected = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
        assert!((mark.constant - expected).abs() < 1e-9);
        assert!((mark.informed.unwrap() - 2_f64.ln() / 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_best_constant_for_numbers_is_their_mean() {
        let mut misses = Misses::default();
        for (said, target) in [(1.0, 1.0), (1.0, 3.0)] {
            misses.add(said, target);
        }
        let mark = Misses::mark(&[misses], "", "");
        assert!((mark.network - 2_f64.sqrt()).abs() < 1e-9 && (mark.constant - 1.0).abs() < 1e-9);
    }
}
