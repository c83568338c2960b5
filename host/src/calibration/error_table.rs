//! Error tables: how far win chances are off that are said to be off so far.

use schemars::JsonSchema;
use serde::Serialize;

/// Number of rows, each with as many win chances as any other.
const ROWS: usize = 10;

/// Table of said and real errors of win chances.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorTable {
    /// Number of win chances.
    pub count: usize,
    /// Root mean square of the errors that were said.
    pub predicted: f64,
    /// Root mean square of the real errors.
    pub real: f64,
    /// Mean distance between said and real error of a row.
    pub gap: f64,
    /// Rows, the smallest said errors first.
    pub rows: Vec<ErrorRow>,
}

/// Win chances of which about the same error was said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorRow {
    /// Smallest error said.
    pub from: f64,
    /// Largest error said.
    pub to: f64,
    /// Number of win chances.
    pub count: usize,
    /// Root mean square of the errors that were said.
    pub predicted: f64,
    /// Root mean square of the real errors.
    pub real: f64,
}

impl ErrorTable {
    /// Table of said errors, each with the difference that there was.
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> ErrorTable {
        let mut pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = pairs.len();
        let row = |index: usize| {
            let part = &pairs[count * index / ROWS..count * (index + 1) / ROWS];
            let (Some(first), Some(last)) = (part.first(), part.last()) else { return None };
            let [predicted, real] = root_mean_squares(part);
            Some(ErrorRow { from: first.0, to: last.0, count: part.len(), predicted, real })
        };
        let rows: Vec<ErrorRow> = (0..ROWS).filter_map(row).collect();
        let gaps = rows.iter().map(|row| row.count as f64 * (row.predicted - row.real).abs());
        // The sum of nothing is a negative zero.
        let gap = (gaps.sum::<f64>() + 0.0) / count.max(1) as f64;
        let [predicted, real] = root_mean_squares(&pairs);
        ErrorTable { count, predicted, real, gap, rows }
    }
}

/// Root mean squares of both columns.
fn root_mean_squares(pairs: &[(f64, f64)]) -> [f64; 2] {
    let squares =
        pairs.iter().fold([0.0, 0.0], |sum, pair| [sum[0] + pair.0.powi(2), sum[1] + pair.1.powi(2)]);
    squares.map(|sum: f64| (sum / pairs.len().max(1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_example_is_as_computed_by_hand() {
        // Twenty win chances, two for each row: said 0.01 to 0.20, off by 0.1 and -0.1 in turn, the last two by 0.3 and 0.4.
        let pairs = (1..=20).map(|index| {
            let off = match index {
                19 => 0.3,
                20 => -0.4,
                _ => 0.1,
            };
            (f64::from(index) / 100.0, off)
        });
        let found = ErrorTable::of(pairs.rev());
        assert_eq!((found.count, found.rows.len()), (20, 10));
        let (first, last) = (found.rows[0], found.rows[9]);
        assert_eq!((first.from, first.to, first.count), (0.01, 0.02, 2));
        assert!((first.predicted - 0.00025_f64.sqrt()).abs() < 1e-12 && (first.real - 0.1).abs() < 1e-12);
        assert!((last.real - 0.125_f64.sqrt()).abs() < 1e-12, "{last:?}");
        // 18 squares of 0.01, then 0.09 and 0.16.
        assert!((found.real - (0.43_f64 / 20.0).sqrt()).abs() < 1e-12, "{found:?}");
        // The sum of the squares of 1 to 20 is 2870.
        assert!((found.predicted - (0.287_f64 / 20.0).sqrt()).abs() < 1e-12, "{found:?}");
        let gaps: f64 = found.rows.iter().map(|row| (row.predicted - row.real).abs()).sum();
        assert!((found.gap - gaps / 10.0).abs() < 1e-12);
        let nothing = ErrorTable::of([]);
        assert_eq!(nothing.rows, []);
        assert!(
            [nothing.gap, nothing.predicted, nothing.real].iter().all(|zero| zero.to_bits() == 0),
            "{nothing:?}"
        );
    }
}
