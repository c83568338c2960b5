//! Networks that a training starts from: a checkpoint or a network file.

use anyhow::{Context, Result};
use barrow_nnue::shape::Profile;

use super::checkpoint;
use super::params::Params;
use super::quantise::dequantise;
use crate::io::{CHECKPOINT_CAP, read_bytes};

/// Reads the parameters of a file, a checkpoint or a network file. An error names the file.
pub fn starting_network<P: Profile>(name: &str) -> Result<Params> {
    let file = read_bytes(name, CHECKPOINT_CAP).with_context(|| name.to_owned())?;
    let params = if checkpoint::profile(&file).is_ok() {
        checkpoint::read::<P>(&file).map(|(params, _)| params)
    } else {
        dequantise::<P>(&file)
    };
    let mut params = params.with_context(|| name.to_owned())?;
    // Without contexts Dark Seer was taught something else.
    if params.has_blank_places() {
        params.begin_seer(1);
    }
    Ok(params)
}
