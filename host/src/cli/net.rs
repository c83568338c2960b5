//! `barrow net`: prints the header of a network file and checks the file.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use barrow_nnue::format::Line;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Profile;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::network::read_header;
use crate::io::{NETWORK_CAP, read_bytes};
use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::training::checkpoint::{ProfileTask, ShippedProfile};

/// Arguments of `net`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Network file
    file: String,
    /// Print the header as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Facts about a network file.
#[derive(Serialize, JsonSchema)]
pub(super) struct NetworkFacts {
    /// Name of the profile.
    profile: String,
    /// Architecture in words.
    architecture: String,
    /// Lanes of an accumulator.
    lanes: u16,
    /// Checksum of the layout of features, in hexadecimal digits.
    layout: String,
    /// Provenance: how the network was made.
    provenance: String,
    /// Hundredths of a soul in a unit of the win logit.
    unit_scale: f32,
    /// Whether the file has a net for the general.
    general: bool,
    /// Length of the file.
    bytes: usize,
    /// SHA-256 of the weights, in hexadecimal digits.
    sha256: String,
}

/// Prints the header. A file that the search could not load is an error.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (lines, len) = read(&arguments.file)?;
    let bytes = &Line::bytes(&lines)[..len];
    let named = || arguments.file.clone();
    let header = read_header(bytes).with_context(named)?;
    match ShippedProfile::from_code(header.profile()) {
        Some(profile) => profile.run(Check(bytes)),
        None => header.check_body(bytes).map_err(|error| anyhow!("{error}")),
    }
    .with_context(named)?;
    let profile =
        ["custom", "desktop", "handheld", "tiny"].get(usize::from(header.profile())).unwrap_or(&"custom");
    let [lanes, narrow, summary, global, joined, board_layer] = header.dimensions();
    let [weight, activation_bits, weight_bits] = header.quantisation();
    let mut hash = String::new();
    for byte in header.hash() {
        write!(hash, "{byte:02x}")?;
    }
    say!("profile       {profile} ({})", header.architecture());
    say!("lanes         {lanes}, narrow features {narrow}, global {global}");
    say!("layers        summary {summary}, joined {joined}, board layer {board_layer}");
    say!("weights       {}, in steps of 1/{}", counted(weight, "byte"), 1_u32 << weight_bits);
    say!("activations   in steps of 1/{}", 1_u32 << activation_bits);
    say!("layout        {:016x}", header.layout());
    say!("general's net {}", if header.extent().general { "yes" } else { "no" });
    say!("win logit     {:.2} souls a unit", header.unit_scale() / 100.0);
    say!("provenance    {}", header.provenance());
    say!("length        {len} bytes");
    say!("SHA-256       {hash}, as it should be");
    if arguments.json {
        print_json(&NetworkFacts {
            profile: (*profile).to_owned(),
            architecture: header.architecture().to_owned(),
            lanes,
            layout: format!("{:016x}", header.layout()),
            provenance: header.provenance().to_owned(),
            unit_scale: header.unit_scale(),
            general: header.extent().general,
            bytes: len,
            sha256: hash,
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a file to an address that the loader accepts. Returns its lines and its length in bytes.
fn read(name: &str) -> Result<(Vec<Line>, usize)> {
    let file = read_bytes(name, NETWORK_CAP).with_context(|| name.to_owned())?;
    let mut lines = vec![Line::ZERO; file.len().div_ceil(size_of::<Line>())];
    bytemuck::cast_slice_mut::<Line, u8>(&mut lines)[..file.len()].copy_from_slice(&file);
    Ok((lines, file.len()))
}

/// The checks that the search makes when it loads a network.
struct Check<'a>(&'a [u8]);

impl ProfileTask for Check<'_> {
    type Output = Result<()>;

    fn run<P: Profile>(self) -> Result<()> {
        Network::<P>::from_bytes(self.0).map(|_| ()).map_err(|error| anyhow!("{error}"))
    }
}
