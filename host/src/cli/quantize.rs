//! `barrow quantize`: rounds a checkpoint, a network in floating point, to a network file.

use std::process::ExitCode;

use anyhow::{Context, Result};
use barrow_nnue::shape::Profile;
use schemars::JsonSchema;
use serde::Serialize;

use super::usage::{refuse_shared_files, require};
use crate::io::{CHECKPOINT_CAP, OutputFile, read_bytes};
use crate::say;
use crate::text::output::print_json;
use crate::training::checkpoint::{self, ProfileTask};
use crate::training::quantise;

/// Arguments of `quantize`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Floating-point network, as written by `train --checkpoint`
    file: String,
    /// Network file to write; `-` is stdout
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Network file that was written, as JSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct Quantized {
    /// Profile of the network.
    profile: &'static str,
    /// Length of the file.
    bytes: usize,
}

/// Reads the checkpoint, rounds it, and writes the network file.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    require(!(arguments.json && arguments.out == "-"), "--json needs --out FILE: both would go to stdout")?;
    refuse_shared_files(&[("--out", Some(&arguments.out))], &[("FILE", Some(&arguments.file))])?;
    let file = read_bytes(&arguments.file, CHECKPOINT_CAP).with_context(|| arguments.file.clone())?;
    let profile = checkpoint::profile(&file).with_context(|| arguments.file.clone())?;
    profile.run(Rounding { arguments, file: &file })?;
    Ok(ExitCode::SUCCESS)
}

/// Rounding for the profile of the checkpoint.
struct Rounding<'a> {
    arguments: &'a Arguments,
    file: &'a [u8],
}

impl ProfileTask for Rounding<'_> {
    type Output = Result<()>;

    fn run<P: Profile>(self) -> Result<()> {
        let Rounding { arguments, file } = self;
        let named = || arguments.out.clone();
        let mut output = OutputFile::create(&arguments.out, arguments.force).with_context(named)?;
        let (params, provenance) = checkpoint::read::<P>(file).with_context(|| arguments.file.clone())?;
        let quantised = quantise::<P>(&params, &provenance).with_context(|| arguments.file.clone())?;
        let bytes = quantised.bytes::<P>();
        output.save(bytes).with_context(named)?;
        if arguments.out != "-" {
            say!("{}: {}, {} bytes", arguments.out, P::NAME, bytes.len());
        }
        if arguments.json {
            print_json(&Quantized { profile: P::NAME, bytes: bytes.len() })?;
        }
        Ok(())
    }
}
