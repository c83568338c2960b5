//! Union of files of one tuning: every part once.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::tuning_file::TuningState;
use crate::io::OutputFile;
use crate::records::Damage;

/// Counts of a union of files of a tuning.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JoinedTuning {
    /// Parts that were written.
    pub parts: usize,
    /// Parts that came again and were left out.
    pub twice: usize,
    /// Parts among these that showed something else before.
    pub differing: usize,
    /// Damage that was left out, each with the file and the place.
    pub damage: Damage,
    /// State of the tuning.
    pub place: TuningPlace,
}

/// Place of a tuning: how far it has come.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct TuningPlace {
    /// First iteration that is not finished; the number of all iterations when the tuning is over.
    pub iteration: u32,
    /// Iterations in all.
    pub of: u32,
    /// Numbers there.
    pub point: BTreeMap<String, u32>,
    /// Player with these numbers.
    pub player: String,
    /// Parts of that iteration that are missing.
    pub missing: Vec<u32>,
}

impl TuningPlace {
    /// Place of a tuning.
    pub fn of(state: &TuningState) -> TuningPlace {
        let Some(terms) = state.terms() else { return TuningPlace::default() };
        let (iteration, point) = state.point();
        let over = iteration >= terms.iterations;
        TuningPlace {
            iteration,
            of: terms.iterations,
            player: terms.player_at(&point),
            missing: if over { Vec::new() } else { state.missing(iteration) },
            point: terms.numbers.iter().zip(point).map(|(n, place)| (n.name.clone(), n.at(place))).collect(),
        }
    }
}

/// Writes the parts of files of one tuning, each once and in order, to a file that gets its name when it is whole. Of a part
/// that comes twice the first counts. Fails when a file cannot be read or is of another tuning.
pub fn join_tunings(names: &[String], output: &str, force: bool) -> Result<JoinedTuning> {
    let named = || output.to_owned();
    let mut file = OutputFile::create(output, force).with_context(named)?;
    let (mut joined, mut state) = (JoinedTuning::default(), TuningState::default());
    for name in names {
        let (more, warning) = TuningState::read(name)?;
        let [twice, differing] = state.join(more).with_context(|| name.clone())?;
        joined.twice += twice;
        joined.differing += differing;
        joined.damage.extend(warning);
    }
    joined.parts = state.parts();
    joined.place = TuningPlace::of(&state);
    file.save_text(&format!("{}\n", state.lines()?.join("\n"))).with_context(named)?;
    Ok(joined)
}
