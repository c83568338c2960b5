//! `barrow config`: the defaults that hold, and where each comes from.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use schemars::JsonSchema;
use serde::Serialize;

use crate::configuration::{Configuration, Configured, Source};
use crate::say;
use crate::text::output::print_json;
use crate::text::quoted::shortened;
use crate::umi::check_option;

/// Arguments of `config`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print the defaults as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Report of `config`.
#[derive(Serialize, JsonSchema)]
pub(super) struct ConfigReport {
    /// Configuration file; null where there is no place for one.
    file: Option<String>,
    /// Whether the file exists.
    exists: bool,
    /// Settings.
    settings: Vec<SettingReport>,
    /// UMI options of the table `umi`.
    umi: Vec<OptionReport>,
}

/// Setting of a report.
#[derive(Serialize, JsonSchema)]
pub(super) struct SettingReport {
    /// Key in the file.
    key: &'static str,
    /// Environment variable.
    variable: &'static str,
    /// Meaning.
    meaning: &'static str,
    /// Configured value; null where the one that is built in holds.
    value: Option<String>,
    /// Value that is built in, in words.
    built_in: &'static str,
    /// `built-in`, `environment` or `file`.
    source: &'static str,
    /// Line of the file.
    line: Option<usize>,
}

/// UMI option of a report.
#[derive(Serialize, JsonSchema)]
pub(super) struct OptionReport {
    /// Name.
    name: String,
    /// Value.
    value: String,
    /// Line of the file.
    line: Option<usize>,
}

/// Prints what holds. Fails where a session of UMI would.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    for (name, Configured { value, source }) in configuration.options_of_umi() {
        check_option(name, value).map_err(|reason| anyhow!("{source}: {}", shortened(&reason)))?;
    }
    let report = ConfigReport::new(configuration);
    if arguments.json {
        print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    match &report.file {
        Some(file) => say!("file: {file}{}", if report.exists { "" } else { " (does not exist)" }),
        None => say!("file: none"),
    }
    say!();
    for setting in &report.settings {
        let value = setting.value.as_deref().unwrap_or(setting.built_in);
        let source = match (setting.source, setting.line) {
            ("environment", _) => setting.variable.to_owned(),
            (_, Some(line)) => format!("line {line} of the file"),
            _ => "built in".to_owned(),
        };
        say!("{:<9} {value} ({source})\n          {}; {}", setting.key, setting.meaning, setting.variable);
    }
    for option in &report.umi {
        say!(
            "umi       {} = {} (line {} of the file)",
            option.name,
            option.value,
            option.line.unwrap_or_default()
        );
    }
    Ok(ExitCode::SUCCESS)
}

impl ConfigReport {
    fn new(configuration: &Configuration) -> ConfigReport {
        let settings = configuration.settings().map(|(setting, configured)| SettingReport {
            key: setting.key,
            variable: setting.variable,
            meaning: setting.meaning,
            value: configured.map(|configured| configured.value.clone()),
            built_in: setting.built_in,
            source: match configured.map(|configured| &configured.source) {
                None => "built-in",
                Some(Source::Environment(_)) => "environment",
                Some(Source::File { .. }) => "file",
            },
            line: configured.and_then(line),
        });
        let umi = configuration.umi_options.iter().map(|(name, configured)| OptionReport {
            name: name.clone(),
            value: configured.value.clone(),
            line: line(configured),
        });
        ConfigReport {
            file: configuration.file.as_ref().map(|file| file.display().to_string()),
            exists: configuration.file_exists,
            settings: settings.collect(),
            umi: umi.collect(),
        }
    }
}

/// Line of the file that a value comes from.
fn line(configured: &Configured) -> Option<usize> {
    match configured.source {
        Source::File { line, .. } => Some(line),
        Source::Environment(_) => None,
    }
}
