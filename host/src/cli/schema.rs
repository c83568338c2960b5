//! `barrow schema`: the JSON schemas of what commands print with `--json`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use schemars::{JsonSchema, Schema, schema_for};

use super::usage::UsageError;
use super::{analyze, bench, calibrate, check, config, convert, ice_and_fire, kutulu, learn, r#match, net};
use super::{merge, perft, quantize, roborally, roborally_show, selfplay, show, train};
use crate::bench::AttackReport;
use crate::contests;
use crate::replay::Tally;
use crate::text::net_report::NetReport;
use crate::text::output::print_json;
use crate::text::quoted::quoted;
use crate::tuning::Tuned;

/// Arguments of `schema`.
#[derive(clap::Args)]
#[command(after_help = described())]
pub(super) struct Arguments {
    /// Command whose --json is described, such as `match` or `kutulu arena`; without one the schemas of all
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Command with what makes the schema of its report.
type Described = (&'static str, fn() -> Schema);

/// Schemas by command.
const SCHEMAS: [Described; 31] = [
    ("analyze", of::<analyze::AnalyzeReport>),
    ("attack", of::<AttackReport>),
    ("bench", of::<bench::BenchReport>),
    ("calibrate", of::<calibrate::Calibrated>),
    ("check", of::<check::CheckReport>),
    ("config", of::<config::ConfigReport>),
    ("convert", of::<convert::Converted>),
    ("eval", of::<NetReport>),
    ("ice-and-fire arena", of::<contests::ice_and_fire::arena::ArenaReport>),
    ("ice-and-fire replay", of::<Tally>),
    ("ice-and-fire show", of::<ice_and_fire::ShownState>),
    ("ice-and-fire tune", of::<Tuned>),
    ("kutulu arena", of::<contests::kutulu::arena::ArenaReport>),
    ("kutulu replay", of::<Tally>),
    ("kutulu show", of::<kutulu::ShownState>),
    ("kutulu tune", of::<Tuned>),
    ("learn", of::<learn::Learnt>),
    ("match", of::<r#match::Report>),
    ("merge", of::<merge::Joined>),
    ("net", of::<net::NetworkFacts>),
    ("perft", of::<perft::AttackCount>),
    ("quantize", of::<quantize::Quantized>),
    ("replay", of::<Tally>),
    ("roborally arena", of::<contests::roborally::arena::ArenaReport>),
    ("roborally replay", of::<Tally>),
    ("roborally show", of::<roborally_show::ShownRace>),
    ("roborally tune", of::<roborally::TunedWeights>),
    ("selfplay", of::<selfplay::Played>),
    ("show", of::<show::ShownPosition>),
    ("train", of::<train::Trained>),
    ("tune", of::<Tuned>),
];

/// Commands that have a schema, as text for the help.
fn described() -> String {
    let known: Vec<&str> = SCHEMAS.iter().map(|(known, _)| *known).collect();
    format!("Commands: {}", known.join(", "))
}

fn of<T: JsonSchema>() -> Schema {
    schema_for!(T)
}

/// Prints a schema, or all of them by their commands.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let name = arguments.command.join(" ");
    if name.is_empty() {
        let all: BTreeMap<&str, Schema> = SCHEMAS.iter().map(|(name, schema)| (*name, schema())).collect();
        print_json(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some((_, schema)) = SCHEMAS.iter().find(|(known, _)| *known == name) else {
        let wrong = "prints no JSON object; barrow schema --help lists the commands that do";
        return Err(UsageError(format!("{} {wrong}", quoted(&name))).into());
    };
    print_json(&schema())?;
    Ok(ExitCode::SUCCESS)
}
