//! `barrow umi`: the engine for a host, on standard input and output.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};

use super::streams::at_stream;
use super::usage::UsageError;
use crate::configuration::Configuration;
use crate::text::quoted::{quoted, shortened};
use crate::umi::{self, Session};

/// Arguments of `barrow umi`.
#[derive(Args, Default)]
pub(super) struct Arguments {
    /// Host to play for; without it the web server is known by its first lines
    #[arg(long = "for", value_name = "HOST")]
    host: Option<HostName>,
    /// Option to set before the session begins, as by setoption; may be repeated. `barrow config` shows those that are
    /// configured
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum HostName {
    /// The Minions web server: its rules, its tech numbers, and only what its engine adapter can translate
    WebServer,
}

/// Runs a session.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    let mut session = Session::new(stdout());
    for (name, configured) in configuration.options_of_umi() {
        let set = session.with_option(name, &configured.value);
        session = set.map_err(|reason| anyhow!("{}: {}", configured.source, shortened(&reason)))?;
    }
    if let Some(HostName::WebServer) = arguments.host {
        session = session.with_option("Host", "web-server").map_err(anyhow::Error::msg)?;
    }
    for option in &arguments.options {
        let changed = match option.split_once('=') {
            Some((name, value)) => session.with_option(name, value),
            None => Err(format!("expected NAME=VALUE, not {}", quoted(option))),
        };
        session = changed.map_err(|reason| UsageError(format!("--option: {reason}")))?;
    }
    if stdin().is_terminal() {
        session = session.for_person();
        umi::greet(stdout()).context("standard output")?;
    }
    umi::run(session, stdin()).map_err(at_stream)?;
    Ok(ExitCode::SUCCESS)
}
