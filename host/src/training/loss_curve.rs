//! Loss curve of a training run: the loss on the batches and on held-out games by step, as CSV and as a chart.

use std::fmt::Write;

use crate::chart::{Chart, ChartLine};

/// Points that a run adds at most, besides those of its epochs.
const POINTS: u32 = 400;

/// Point of a loss curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    /// Steps taken.
    pub step: u32,
    /// Positions processed.
    pub positions: u64,
    /// Learning rate of the last step.
    pub rate: f32,
    /// Mean training loss of a position since the point before.
    pub training: f32,
    /// Mean loss and mean win loss of held-out positions; measured at the end of epochs only.
    pub held_out: Option<[f32; 2]>,
}

/// Loss curve.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LossCurve {
    /// Points in the order of their steps.
    pub points: Vec<CurvePoint>,
    /// Sum of the losses of the batches since the last point, and their number.
    pub(super) open: (f64, u32),
}

impl LossCurve {
    /// Counts the loss of a batch. Adds a point where one is due in a run of this many steps.
    pub(super) fn count(&mut self, step: u32, steps: u32, positions: u64, rate: f32, loss: f32) {
        self.open.0 += f64::from(loss);
        self.open.1 += 1;
        if self.open.1 >= steps.div_ceil(POINTS).max(1) {
            self.close(step, positions, rate);
        }
    }

    /// Adds the losses on held-out positions to the point of this step, which is added if there is none.
    pub(super) fn set_held_out(&mut self, step: u32, positions: u64, rate: f32, losses: [f32; 2]) {
        if self.open.1 > 0 {
            self.close(step, positions, rate);
        }
        if let Some(last) = self.points.last_mut() {
            last.held_out = Some(losses);
        }
    }

    fn close(&mut self, step: u32, positions: u64, rate: f32) {
        let (sum, count) = std::mem::take(&mut self.open);
        let training = (sum / f64::from(count)) as f32;
        self.points.push(CurvePoint { step, positions, rate, training, held_out: None });
    }

    /// Text of the curve as comma-separated values with a line of names: `step`, `positions`, `rate`, `training_loss`,
    /// `held_out_loss`, `win_loss`. The last two are empty within epochs.
    pub fn csv(&self) -> String {
        let mut text = "step,positions,rate,training_loss,held_out_loss,win_loss\n".to_owned();
        for point in &self.points {
            let CurvePoint { step, positions, rate, training, held_out } = point;
            let held_out = held_out.map_or(",".to_owned(), |[loss, win]| format!("{loss:.6},{win:.6}"));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{step},{positions},{rate:.3e},{training:.6},{held_out}");
        }
        text
    }

    /// Chart of the curve by step.
    pub fn chart(&self, title: &str) -> Chart {
        let line = |name: &str, dotted, value: fn(&CurvePoint) -> Option<f32>| {
            let point =
                |point: &CurvePoint| value(point).map(|value| (f64::from(point.step), f64::from(value)));
            ChartLine {
                name: name.to_owned(),
                points: self.points.iter().filter_map(point).collect(),
                dotted,
                scattered: false,
            }
        };
        Chart {
            title: title.to_owned(),
            x_label: "step".to_owned(),
            y_label: "loss of a position".to_owned(),
            lines: vec![
                line("training", false, |point| Some(point.training)),
                line("held-out games", true, |point| point.held_out.map(|[loss, _]| loss)),
                line("win, on held-out games", true, |point| point.held_out.map(|[_, win]| win)),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_means_and_epochs_end_with_one() {
        let mut curve = LossCurve::default();
        for step in 1..=5 {
            curve.count(step, 800, u64::from(step) * 10, 1e-3, step as f32);
        }
        curve.set_held_out(5, 50, 1e-3, [2.5, 0.5]);
        curve.set_held_out(5, 50, 1e-3, [2.25, 0.5]);
        assert_eq!(
            curve.csv().lines().skip(1).collect::<Vec<_>>(),
            [
                "2,20,1.000e-3,1.500000,,",
                "4,40,1.000e-3,3.500000,,",
                "5,50,1.000e-3,5.000000,2.250000,0.500000"
            ]
        );
        let chart = curve.chart("a run");
        assert_eq!(chart.lines.iter().map(|line| line.points.len()).collect::<Vec<_>>(), [3, 1, 1]);
    }
}
