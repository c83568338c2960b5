//! `barrow rules`: cards of units and spells, and the tech line of a position.

use std::process::ExitCode;

use anyhow::Result;
use barrow_core::minions::{Ruleset, Spell, UnitLabel};

use super::position::{Position, Rules};
use super::usage::UsageError;
use crate::say_part;
use crate::text::cards;
use crate::text::quoted::quoted;

/// Subject of `rules`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Print the card of a unit, or a table of all
    Unit {
        /// Name of the unit, such as zombie
        name: Option<String>,
        #[command(flatten)]
        rules: Rules,
    },
    /// Print the card of a spell, or a table of all
    Spell {
        /// Name of the spell, such as shield
        name: Option<String>,
    },
    /// Print the tech line with indices, what each side has, and what its next march unlocks
    Techs(Position),
}

/// Prints what is asked for.
pub(super) fn run(command: &Command) -> Result<ExitCode> {
    let text = match command {
        Command::Unit { name, rules } => {
            let rules = rules.config(Ruleset::Server)?.rules;
            match name {
                Some(name) => cards::unit_card(&rules, unit(name)?),
                None => cards::unit_table(&rules),
            }
        }
        Command::Spell { name: Some(name) } => cards::spell_card(spell(name)?),
        Command::Spell { name: None } => cards::spell_table(),
        Command::Techs(position) => cards::tech_line(&position.game()?),
    };
    say_part!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// The unit type of a name.
pub(super) fn unit(name: &str) -> Result<UnitLabel, UsageError> {
    let found = UnitLabel::ALL.into_iter().find(|unit| is_name(unit.name(), name));
    found.ok_or_else(|| UsageError(format!("no such unit: {}; barrow rules unit lists all", quoted(name))))
}

fn spell(name: &str) -> Result<Spell, UsageError> {
    let found = Spell::ALL.into_iter().find(|spell| is_name(spell.name(), name));
    found.ok_or_else(|| UsageError(format!("no such spell: {}; barrow rules spell lists all", quoted(name))))
}

/// Whether a word is a name of the data files, in any case, with a hyphen or a space for an underscore.
fn is_name(name: &str, word: &str) -> bool {
    word.trim().replace(['-', ' '], "_").eq_ignore_ascii_case(name)
}
