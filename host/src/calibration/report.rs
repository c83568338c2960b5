//! Calibration reports: what was found, as JSON, as comma-separated values, as a picture.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::error_table::{ErrorRow, ErrorTable};
use super::judged_games::Judgement;
use super::monotone_map::MonotoneMap;
use super::reliability::Reliability;
use crate::chart::{Chart, ChartLine, side_by_side};

/// Knots of a fitted map, before neighbours are pooled.
const KNOTS: usize = 12;

/// Calibration of what one source, a network or a search, says.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationReport {
    /// Name of the source.
    pub source: &'static str,
    /// Win chances against results; `None` where no results are known.
    pub outcome: Option<Reliability>,
    /// Errors against the win chance two turns later; `None` where no raw errors are known.
    pub error: Option<ErrorReport>,
}

/// Calibration of errors.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorReport {
    /// Raw errors.
    pub raw: ErrorTable,
    /// Widths of the intervals of two standard errors on either side of a search's mean, taken as errors.
    pub interval: Option<ErrorTable>,
    /// Errors as they are shown to users.
    pub shown: ErrorTable,
    /// Map fitted to all games.
    pub map: MonotoneMap,
    /// Errors of the games of odd numbers, by a map that was fitted to the others.
    pub checked: ErrorTable,
}

impl CalibrationReport {
    /// Report on a source by its judgements; `shown` makes of a raw error the one
    /// that is shown to users.
    pub fn new(
        source: &'static str,
        judgements: &[Judgement],
        has_results: bool,
        shown: impl Fn(f64) -> f64,
    ) -> CalibrationReport {
        let outcome = judgements.iter().map(|judgement| (judgement.value, judgement.result));
        let outcome = has_results.then(|| Reliability::of(outcome));
        CalibrationReport { source, outcome, error: ErrorReport::new(judgements, shown) }
    }

    /// Tables of errors with their names.
    fn error_tables(&self) -> impl Iterator<Item = (&'static str, &ErrorTable)> {
        self.error.iter().flat_map(|error| [("raw error", &error.raw), ("shown error", &error.shown)])
    }

    /// Rows of the errors as they are shown.
    fn rows(&self) -> &[ErrorRow] {
        self.error.as_ref().map_or(&[], |error| &error.shown.rows)
    }
}

impl ErrorReport {
    fn new(judgements: &[Judgement], shown: impl Fn(f64) -> f64) -> Option<ErrorReport> {
        // Number of the game, raw error, difference.
        let known: Vec<(usize, f64, f64)> = judgements
            .iter()
            .filter_map(|found| Some((found.game, found.error?, found.value - found.later?)))
            .collect();
        let of_half = |odd: bool| {
            let half = known.iter().filter(move |(game, ..)| game.is_multiple_of(2) != odd);
            half.map(|&(_, raw, off)| (raw, off))
        };
        let all = || known.iter().map(|&(_, raw, off)| (raw, off));
        let interval: Vec<(f64, f64)> = judgements
            .iter()
            .filter_map(|found| Some((4.0 * found.standard_error?, found.value - found.later?)))
            .collect();
        let half = MonotoneMap::fit(of_half(false), KNOTS);
        (!known.is_empty()).then(|| ErrorReport {
            raw: ErrorTable::of(all()),
            interval: (!interval.is_empty()).then(|| ErrorTable::of(interval)),
            shown: ErrorTable::of(all().map(|(raw, off)| (shown(raw), off))),
            map: MonotoneMap::fit(all(), KNOTS),
            checked: ErrorTable::of(of_half(true).map(|(raw, off)| (half.at(raw), off))),
        })
    }
}

/// Reports as comma-separated values: a line for each bin and each row, with the number of positions, what was predicted
/// and what was found.
pub fn csv(reports: &[CalibrationReport]) -> String {
    let mut text = "source,of,from,to,count,predicted,real\n".to_owned();
    for report in reports {
        let source = report.source;
        let mut add = |of: &str, [from, to, predicted, real]: [f64; 4], count: usize| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{source},{of},{from:.4},{to:.4},{count},{predicted:.4},{real:.4}");
        };
        for bin in report.outcome.iter().flat_map(|outcome| &outcome.bins) {
            add("win chance", [bin.from, bin.to, bin.predicted, bin.real], bin.count);
        }
        for (of, table) in report.error_tables() {
            for row in &table.rows {
                add(of, [row.from, row.to, row.predicted, row.real], row.count);
            }
        }
    }
    text
}

/// Reports as a picture: win chances against results, and errors against real errors, each beside the line on which both
/// are the same.
pub fn svg(title: &str, reports: &[CalibrationReport]) -> String {
    let line = |name: String, points: Vec<(f64, f64)>| ChartLine {
        name,
        points,
        dotted: true,
        ..ChartLine::default()
    };
    let chances = reports.iter().filter_map(|report| {
        let bins = &report.outcome.as_ref()?.bins;
        Some(line(report.source.to_owned(), bins.iter().map(|bin| (bin.predicted, bin.real)).collect()))
    });
    let errors = reports.iter().filter(|report| report.error.is_some()).map(|report| {
        let rows = report.rows().iter();
        line(report.source.to_owned(), rows.map(|row| (row.predicted, row.real)).collect())
    });
    let largest = reports.iter().filter_map(|report| report.rows().last());
    let largest = largest.fold(0.0, |largest: f64, row| largest.max(row.predicted));
    let chart = |what: &str, labels: [&str; 2], lines: Vec<ChartLine>, end: f64| {
        let equal = ChartLine {
            name: "equal".to_owned(),
            points: vec![(0.0, 0.0), (end, end)],
            ..ChartLine::default()
        };
        let [x_label, y_label] = labels.map(str::to_owned);
        Chart {
            title: format!("{title}: {what}"),
            x_label,
            y_label,
            lines: lines.into_iter().chain([equal]).collect(),
        }
    };
    side_by_side(&[
        chart("win chance and results", ["win chance", "mean result"], chances.collect(), 1.0),
        chart("expected and real error", ["error shown", "real error"], errors.collect(), largest),
    ])
}

/// Report in words.
pub fn text(report: &CalibrationReport) -> String {
    let mut text = String::new();
    let mut add = |line: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(line);
        text.push('\n');
    };
    let percent = |share: f64| 100.0 * share;
    if let Some(outcome) = &report.outcome {
        add(format_args!(
            "{}: {} win chances, Brier score {:.4}, expected calibration error {:.1} points",
            report.source,
            outcome.count,
            outcome.brier,
            percent(outcome.calibration_error)
        ));
        for bin in &outcome.bins {
            add(format_args!(
                "  {:3.0}-{:3.0}%: {:6} positions, {:5.1}% said, {:5.1}% won",
                percent(bin.from),
                percent(bin.to),
                bin.count,
                percent(bin.predicted),
                percent(bin.real)
            ));
        }
    }
    let Some(error) = &report.error else { return text };
    let ErrorReport { raw, interval, shown, map, checked } = error;
    add(format_args!(
        "{}: errors of {} win chances, in points: {:.1} shown and {:.1} real in all, {:.1} apart in the mean of the rows",
        report.source,
        shown.count,
        percent(shown.predicted),
        percent(shown.real),
        percent(shown.gap)
    ));
    for row in &shown.rows {
        add(format_args!(
            "  {:6} positions, {:5.1} shown, {:5.1} real",
            row.count,
            percent(row.predicted),
            percent(row.real)
        ));
    }
    add(format_args!(
        "  raw errors are {:.1} apart, a map fitted to half of the games {:.1} on the others{}",
        percent(raw.gap),
        percent(checked.gap),
        interval.as_ref().map_or_else(String::new, |table| {
            format!(", intervals of two standard errors on either side {:.1}", percent(table.gap))
        })
    ));
    let knots: Vec<String> = map.0.iter().map(|(raw, real)| format!("({raw:.4}, {real:.4})")).collect();
    add(format_args!("  map of raw errors fitted to all games: {}", knots.join(", ")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judgements of 40 games: win chances that are off by twice the error that is said.
    fn judgements() -> Vec<Judgement> {
        let judgement = |index: u32| {
            let (value, error) = (0.05 + 0.1 * f64::from(index % 10), 0.01 * f64::from(1 + index % 10));
            let off = if index.is_multiple_of(2) { 2.0 * error } else { -2.0 * error };
            Judgement {
                game: index as usize / 20,
                value,
                error: Some(error),
                standard_error: Some(error / 4.0),
                later: Some(value + off),
                result: f64::from(index % 2),
            }
        };
        (0..800).map(judgement).collect()
    }

    #[test]
    fn errors_that_are_half_of_the_real_ones_are_found_and_mended() {
        let mut judgements = judgements();
        let report = CalibrationReport::new("search", &judgements, true, |raw| 2.0 * raw);
        let ErrorReport { raw, interval, shown, map, checked } = report.error.as_ref().unwrap();
        assert!(interval.as_ref() == Some(raw));
        assert!((raw.gap - 0.055).abs() < 1e-9 && (raw.real - 2.0 * raw.predicted).abs() < 1e-9, "{raw:?}");
        assert!(shown.gap < 1e-9 && checked.gap < 0.005 && checked.count == 400, "{shown:?} {checked:?}");
        assert!((map.at(0.05) - 0.1).abs() < 0.01, "{map:?}");
        assert_eq!(report.outcome.as_ref().unwrap().count, 800);
        // Where nothing is known two turns later, nothing is counted.
        judgements.iter_mut().take(300).for_each(|judgement| judgement.later = None);
        let fewer = CalibrationReport::new("search", &judgements, false, |raw| raw);
        assert_eq!((fewer.error.unwrap().raw.count, fewer.outcome), (500, None));
        for judgement in &mut judgements {
            judgement.error = None;
        }
        assert_eq!(CalibrationReport::new("search", &judgements, true, |raw| raw).error, None);
    }

    #[test]
    fn a_report_is_told_as_table_picture_and_text() {
        let reports = [
            CalibrationReport::new("network", &judgements(), true, |raw| raw),
            CalibrationReport::new("search", &judgements(), false, |raw| 2.0 * raw),
        ];
        let csv = csv(&reports);
        let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 7), "{csv}");
        assert_eq!(rows.len(), 1 + 10 + 4 * 10);
        assert!(csv.contains("\nnetwork,win chance,0.0000,0.1000,80,0.0500,0.0000\n"), "{csv}");
        assert!(csv.contains("\nsearch,shown error,0.0200,0.0200,80,0.0200,0.0200\n"), "{csv}");
        let svg = svg("desktop", &reports);
        // A line for the network's chances, one for each source's errors, and two of equality.
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<svg").count()), (5, 3));
        let text = text(&reports[1]);
        assert!(text.contains("  80 positions,   2.0 shown,   2.0 real"), "{text}");
        assert!(text.ends_with(")\n") && text.contains("  raw errors are 5.5 apart, "), "{text}");
    }
}
