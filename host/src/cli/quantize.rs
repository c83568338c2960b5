//! `barrow quantize`: a floating-point network as a network file.

use std::process::ExitCode;

use anyhow::{Context, Result};
use barrow_nnue::shape::Profile;

use crate::training::checkpoint;
use crate::training::checkpoint::Task;
use crate::training::quantise;

/// Arguments of `quantize`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Floating-point network, as written by `train --checkpoint`
    file: String,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: String,
}

/// Rounds and writes.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let file = std::fs::read(&arguments.file).with_context(|| arguments.file.clone())?;
    let size = checkpoint::size(&file).with_context(|| arguments.file.clone())?;
    size.with(Rounding { arguments, file: &file })?;
    Ok(ExitCode::SUCCESS)
}

struct Rounding<'a> {
    arguments: &'a Arguments,
    file: &'a [u8],
}

impl Task for Rounding<'_> {
    type Output = Result<()>;

    fn run<P: Profile>(self) -> Result<()> {
        let Rounding { arguments, file } = self;
        let (params, provenance) = checkpoint::read::<P>(file).with_context(|| arguments.file.clone())?;
        let quantised = quantise::<P>(&params, &provenance).with_context(|| arguments.file.clone())?;
        let bytes = quantised.bytes::<P>();
        std::fs::write(&arguments.out, bytes).with_context(|| arguments.out.clone())?;
        println!("{}: {}, {} bytes", arguments.out, P::NAME, bytes.len());
        Ok(())
    }
}
