//! Metrics: the mean loss of each head of a network on held-out games, beside the loss of baselines.
//!
//! The baselines are the best constant and, for outputs about a unit, the best constant for each unit type. They are
//! fitted to the positions on which they are measured, which favours them.

use barrow_core::minions::tables::unit::UNIT_COUNT;
use barrow_core::search::value::KNOTS;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::backprop::{BoardPass, PositionPass};
use super::general_metric::{ChoiceLosses, choice_losses};
use super::hyperparameters::Net;
use super::losses::{CURVE, error_loss, win_target};
use super::modes::surprises;
use super::params::Params;
use super::placements::ChoiceKind;
use super::prophet_loss::{fates, prophet_logit};
use super::samples::{BoardSample, PositionSample, Samples};
use super::seer_losses::{Terms, cross_entropies};
use super::vector::{cross_entropy, logit, sigmoid};

/// Positions that one task evaluates.
const CHUNK: usize = 256;

/// Metric of one head. Smaller is better throughout.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Metric {
    /// Name of the head.
    pub head: &'static str,
    /// Unit: `nats` of cross entropy, or the unit of a root mean square error.
    pub unit: &'static str,
    /// Number of outputs that were measured.
    pub answers: u64,
    /// Mean loss of the network.
    pub network: f64,
    /// Mean loss of the best constant.
    pub constant: f64,
    /// Mean loss of the best constant for each unit type, or of the hand-written worths, for heads that
    /// have such a baseline.
    pub informed: Option<f64>,
}

/// Sums of a head with binary targets, over all outputs and by unit type.
#[derive(Clone, Debug)]
struct BinarySums {
    loss: f64,
    /// Sum of weights and sum of weighted targets of each unit type.
    by_unit: [(f64, f64); UNIT_COUNT],
    answers: u64,
}

impl Default for BinarySums {
    fn default() -> BinarySums {
        BinarySums { loss: 0.0, by_unit: [(0.0, 0.0); UNIT_COUNT], answers: 0 }
    }
}

impl BinarySums {
    fn add(&mut self, unit: usize, logit: f32, target: f32, weight: f32) {
        self.loss += f64::from(weight * cross_entropy(logit, target));
        if let Some((weights, hits)) = self.by_unit.get_mut(unit) {
            *weights += f64::from(weight);
            *hits += f64::from(weight * target);
        }
        self.answers += 1;
    }

    fn merge(&mut self, other: &BinarySums) {
        self.loss += other.loss;
        self.answers += other.answers;
        for (sum, part) in self.by_unit.iter_mut().zip(other.by_unit) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
    }

    fn metric(&self, head: &'static str, by_unit: bool) -> Metric {
        let all = self.by_unit.iter().fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        let weight = all.0.max(1.0);
        let informed = self.by_unit.iter().map(|&part| entropy(part)).sum::<f64>() / weight;
        Metric {
            head,
            unit: "nats",
            answers: self.answers,
            network: self.loss / weight,
            constant: entropy(all) / weight,
            informed: by_unit.then_some(informed),
        }
    }
}

/// Sum of the cross entropies of the best constant, from the sum of weights and the sum of weighted targets.
fn entropy((weight, hits): (f64, f64)) -> f64 {
    let share = hits / weight.max(f64::MIN_POSITIVE);
    let part = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    weight * (part(share) + part(1.0 - share))
}

/// Sums of a head with real targets.
#[derive(Clone, Copy, Debug, Default)]
struct ErrorSums {
    count: f64,
    squared_error: f64,
    sum: f64,
    squares: f64,
}

impl ErrorSums {
    fn add(&mut self, output: f32, target: f32) {
        let (output, target) = (f64::from(output), f64::from(target));
        self.count += 1.0;
        self.squared_error += (output - target).powi(2);
        self.sum += target;
        self.squares += target * target;
    }

    fn merge(&mut self, other: &ErrorSums) {
        self.count += other.count;
        self.squared_error += other.squared_error;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Sum of the squared distances of the targets from their mean.
    fn spread(&self) -> f64 {
        self.squares - self.sum * self.sum / self.count.max(1.0)
    }

    fn metric(parts: &[ErrorSums], head: &'static str, unit: &'static str) -> Metric {
        let count = parts.iter().map(|part| part.count).sum::<f64>();
        let root = |sum: f64| (sum / count.max(1.0)).sqrt();
        Metric {
            head,
            unit,
            answers: count as u64,
            network: root(parts.iter().map(|part| part.squared_error).sum()),
            constant: root(parts.iter().map(ErrorSums::spread).sum()),
            informed: None,
        }
    }
}

/// Sums of a kind of choice.
#[derive(Clone, Copy, Debug, Default)]
struct ChoiceSums {
    /// Cross entropies by the network, by the hand-written worths and by equal chances.
    losses: [f64; 3],
    answers: u64,
}

impl ChoiceSums {
    fn add(&mut self, losses: [f32; 3]) {
        self.losses.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += f64::from(loss));
        self.answers += 1;
    }

    fn merge(&mut self, other: &ChoiceSums) {
        self.losses.iter_mut().zip(other.losses).for_each(|(sum, part)| *sum += part);
        self.answers += other.answers;
    }

    fn metric(&self, head: &'static str) -> Metric {
        let [network, hand, constant] = self.losses.map(|sum| sum / self.answers.max(1) as f64);
        Metric { head, unit: "nats", answers: self.answers, network, constant, informed: Some(hand) }
    }
}

/// Sums of all heads.
#[derive(Clone, Debug, Default)]
struct MetricSums {
    blend: BinarySums,
    result: BinarySums,
    teacher: ErrorSums,
    points: ErrorSums,
    error: f64,
    /// Squared error of the win chance of each board.
    error_squares: Vec<f64>,
    contribution: BinarySums,
    curve: [ErrorSums; KNOTS.len()],
    /// Death Prophet: killed, unsummoned, passive.
    prophet: [BinarySums; 3],
    /// Negative log-likelihood of attacks by the modes of Death Prophet and by its marginal predictions, and the number
    /// of boards.
    attacks: ([f64; 2], u64),
    /// Dark Seer: spawn, walk, type.
    seer: [ChoiceSums; 3],
}

/// Metric of the general's net of a network on samples; its informed baseline is the hand-written policy.
pub fn evaluate_general(params: &Params, samples: &Samples) -> Metric {
    let ChoiceLosses { network, even, hand, positions } = choice_losses(params, &samples.for_general);
    Metric {
        head: "general",
        unit: "nats",
        answers: positions,
        network,
        constant: even,
        informed: Some(hand),
    }
}

/// Metrics of a network in which one net alone is trained, or all of them.
pub fn evaluate_net(only: Option<Net>, params: &Params, samples: &Samples) -> Vec<Metric> {
    match only {
        Some(Net::General) => vec![evaluate_general(params, samples)],
        Some(Net::Seer) | None => evaluate(params, samples),
    }
}

/// Metrics of a network on samples, head by head.
pub fn evaluate(params: &Params, samples: &Samples) -> Vec<Metric> {
    let parts = samples.positions.par_chunks(CHUNK).map(|part| {
        let (mut pass, mut sums) = (PositionPass::default(), MetricSums::default());
        for sample in part {
            pass.forward(params, samples, sample);
            sums.position(&pass, sample);
            for (pass, board) in pass.boards.iter().zip(sample.boards.of(&samples.boards)) {
                sums.board(pass, params, samples, sample, board);
            }
        }
        sums
    });
    let parts: Vec<MetricSums> = parts.collect();
    let mut all = MetricSums::default();
    for part in &parts {
        all.merge(part);
    }
    let mut metrics = all.metrics();
    metrics.push(evaluate_general(params, samples));
    metrics
}

impl MetricSums {
    fn position(&mut self, pass: &PositionPass, sample: &PositionSample) {
        let win = pass.logit();
        self.blend.add(0, win, win_target(sample), 1.0);
        self.result.add(0, win, sample.result, 1.0);
        self.teacher.add(sigmoid(win), sample.teacher);
    }

    fn board(
        &mut self,
        pass: &BoardPass,
        params: &Params,
        samples: &Samples,
        sample: &PositionSample,
        board: &BoardSample,
    ) {
        let out = &pass.oracle;
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
        for sample in board.for_prophet.of(&samples.for_prophet) {
            for (fate, target) in fates(sample.fate) {
                let logit = prophet_logit(params, &pass.board_layer, sample, fate);
                self.prophet[fate as usize].add(sample.unit.index(), logit, target, 1.0);
            }
        }
        if let Some(surprises) = surprises(params, &pass.board_layer, samples, board) {
            self.attacks.0.iter_mut().zip(surprises).for_each(|(sum, part)| *sum += f64::from(part));
            self.attacks.1 += 1;
        }
        let choices = board.for_seer.of(&samples.for_seer);
        let mut terms = (!choices.is_empty()).then(|| Terms::new(params, &pass.board_layer));
        for sample in choices {
            let Some(terms) = &mut terms else { continue };
            let losses = cross_entropies(terms, samples, sample);
            let kind = match sample.kind {
                ChoiceKind::Place(purpose) => purpose as usize,
                ChoiceKind::Type => 2,
            };
            self.seer[kind].add(losses);
        }
    }

    fn merge(&mut self, other: &MetricSums) {
        self.blend.merge(&other.blend);
        self.result.merge(&other.result);
        self.teacher.merge(&other.teacher);
        self.points.merge(&other.points);
        self.error += other.error;
        self.error_squares.extend_from_slice(&other.error_squares);
        self.contribution.merge(&other.contribution);
        self.curve.iter_mut().zip(&other.curve).for_each(|(sum, part)| sum.merge(part));
        self.prophet.iter_mut().zip(&other.prophet).for_each(|(sum, part)| sum.merge(part));
        self.attacks.0.iter_mut().zip(other.attacks.0).for_each(|(sum, part)| *sum += part);
        self.attacks.1 += other.attacks.1;
        self.seer.iter_mut().zip(&other.seer).for_each(|(sum, part)| sum.merge(part));
    }

    fn metrics(&self) -> Vec<Metric> {
        let [killed, unsummoned, passive] = &self.prophet;
        let [spawns, walks, types] = &self.seer;
        vec![
            self.blend.metric("win, against the blend", false),
            self.result.metric("win, against the result", false),
            ErrorSums::metric(&[self.teacher], "win, against the teacher", "chance"),
            ErrorSums::metric(&[self.points], "points", "points"),
            self.error_metric(),
            self.contribution.metric("contribution", false),
            ErrorSums::metric(&self.curve, "curve", "logit"),
            killed.metric("killed", true),
            unsummoned.metric("unsummoned", true),
            passive.metric("passive", true),
            self.attack_metric(),
            spawns.metric("spawn"),
            walks.metric("walk"),
            types.metric("type"),
        ]
    }

    /// Attacks as wholes; what they cost by the marginal predictions stands for the best constant.
    fn attack_metric(&self) -> Metric {
        let ([network, constant], answers) = self.attacks;
        let boards = answers.max(1) as f64;
        Metric {
            head: "whole attack",
            unit: "nats",
            answers,
            network: network / boards,
            constant: constant / boards,
            informed: None,
        }
    }

    fn error_metric(&self) -> Metric {
        let count = self.error_squares.len().max(1) as f64;
        let mean = self.error_squares.iter().sum::<f64>() / count;
        let constant_logit = logit((mean.sqrt() as f32).clamp(0.01, 0.99));
        let constant_losses =
            self.error_squares.iter().map(|&squared| f64::from(error_loss(constant_logit, squared as f32).0));
        Metric {
            head: "error",
            unit: "nats",
            answers: self.error_squares.len() as u64,
            network: self.error / count,
            constant: constant_losses.sum::<f64>() / count,
            informed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_constant_leaves_the_entropy_of_the_mean() {
        let mut sums = BinarySums::default();
        for (unit, target) in [(0, 1.0), (0, 0.0), (1, 1.0), (1, 1.0)] {
            sums.add(unit, 0.0, target, 1.0);
        }
        let metric = sums.metric("", true);
        assert!((metric.network - 2_f64.ln()).abs() < 1e-6);
        let expected = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
        assert!((metric.constant - expected).abs() < 1e-9);
        assert!((metric.informed.unwrap() - 2_f64.ln() / 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_best_constant_for_numbers_is_their_mean() {
        let mut sums = ErrorSums::default();
        for (output, target) in [(1.0, 1.0), (1.0, 3.0)] {
            sums.add(output, target);
        }
        let metric = ErrorSums::metric(&[sums], "", "");
        assert!((metric.network - 2_f64.sqrt()).abs() < 1e-9 && (metric.constant - 1.0).abs() < 1e-9);
    }
}
