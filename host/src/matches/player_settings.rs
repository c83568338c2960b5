//! Settings of built-in players: each with its name, what it means, and how its value is read. Help and parser come from
//! the same rows.

use std::fmt::{Display, Write};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::minions::turn_search::SearchOptions;

use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::engine::{MAX_MIB, MAX_THREADS, NetSwitches, VERIFIES};
use crate::quantity::{read_mebibytes, read_milliseconds};

/// Settings of a built-in player. All but the seed are for the engine only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuiltinSettings {
    /// Seed of random choices.
    pub seed: u64,
    /// Time per turn; [`Duration::MAX`] for no limit.
    pub movetime: Duration,
    /// Processor time per turn of all threads together; `None` for no such limit.
    pub cputime: Option<Duration>,
    /// Node budget per turn; `u64::MAX` for none.
    pub nodes: u64,
    /// Memory of the search in MiB.
    pub hash: usize,
    /// Number of threads.
    pub threads: usize,
    /// Switches and numbers of the search.
    pub search: SearchOptions,
    /// Network of the nets; `None` for the embedded one.
    pub network: Option<StaticNetwork>,
    /// Nets that the search uses.
    pub net_switches: NetSwitches,
    /// Whether the final choice is verified and repaired by the solver.
    pub verify: bool,
    /// Whether the search does not know its end, as where somebody watches it.
    pub watched: bool,
    /// Whether the player thinks about the expected reply, as long as about a turn, after each of its turns.
    pub ponder: bool,
}

impl Default for BuiltinSettings {
    fn default() -> Self {
        BuiltinSettings {
            seed: 0,
            movetime: Duration::from_secs(1),
            cputime: None,
            nodes: u64::MAX,
            hash: 64,
            threads: 1,
            search: SearchOptions::default(),
            network: None,
            net_switches: NetSwitches::default(),
            verify: VERIFIES,
            watched: false,
            ponder: false,
        }
    }
}

/// Setting by its name.
struct Setting {
    name: &'static str,
    /// Values as the help writes them.
    values: &'static str,
    meaning: &'static str,
    set: fn(&mut BuiltinSettings, &str) -> Result<(), String>,
    /// Value of a number that can be tuned; `None` for every other setting.
    tuned: Option<fn(&BuiltinSettings) -> f64>,
}

/// Row of a setting that is a number of a range and goes to a field as it is.
macro_rules! number {
    ($name:literal, $($field:ident).+, $range:expr, $meaning:literal) => {
        Setting {
            name: $name,
            values: "N",
            meaning: $meaning,
            set: |settings, text| number(text, $range).map(|value| settings.$($field).+ = value),
            tuned: None,
        }
    };
}

/// Row of a setting that is a number of the search, which can be tuned.
macro_rules! tuned_number {
    ($name:literal, $($field:ident).+, $range:expr, $meaning:literal) => {
        Setting {
            tuned: Some(|settings| settings.$($field).+ as f64),
            ..number!($name, $($field).+, $range, $meaning)
        }
    };
}

/// Times of a turn in milliseconds: up to a day, as in UMI.
const TIMES: RangeInclusive<u64> = 1..=86_400_000;

/// Largest noise on worths that can be set, a hundred thousand souls.
const MOST_NOISE: i32 = 10_000_000;

/// Values of a switch as the help writes them.
const ON_OR_OFF: &str = "on|off";

/// Row of a setting that is on or off.
macro_rules! switch {
    ($name:literal, $($field:ident).+, $meaning:literal) => {
        Setting {
            name: $name,
            values: ON_OR_OFF,
            meaning: $meaning,
            set: |settings, text| switch(text).map(|value| settings.$($field).+ = value),
            tuned: None,
        }
    };
}

/// All settings, those that every user needs first.
const SETTINGS: [Setting; 37] = [
    Setting {
        name: "nodes",
        values: "N",
        meaning: "nodes of a turn; without a movetime the only limit",
        set: |settings, text| number(text, 1..=u64::MAX).map(|nodes| settings.nodes = nodes),
        tuned: None,
    },
    Setting {
        name: "movetime",
        values: "MS",
        meaning: "time of a turn, 1000 unless nodes or cputime are given",
        set: |settings, text| time(text).map(|time| settings.movetime = time),
        tuned: None,
    },
    Setting {
        name: "cputime",
        values: "MS",
        meaning: "processor time of a turn, all threads together, which other programs do not change",
        set: |settings, text| time(text).map(|time| settings.cputime = Some(time)),
        tuned: None,
    },
    number!("threads", threads, 1..=MAX_THREADS, "threads of the search"),
    Setting {
        name: "hash",
        values: "MIB",
        meaning: "memory of the search, 64 by default",
        set: |settings, text| in_unit(text, read_mebibytes, 1..=MAX_MIB).map(|size| settings.hash = size),
        tuned: None,
    },
    Setting {
        name: "net",
        values: "FILE",
        meaning: "network file instead of the built-in network",
        set: |settings, text| {
            let network = EngineNetwork::open(text).map_err(|error| format!("{error:#}"))?;
            settings.network = Some(network);
            Ok(())
        },
        tuned: None,
    },
    number!("seed", seed, 0..=u64::MAX, "seed of random choices, joined with that of the game"),
    tuned_number!(
        "exploration",
        search.exploration,
        0..=u32::MAX,
        "weight of exploration among turns, in 1/65536 of a win chance"
    ),
    tuned_number!(
        "stage-exploration",
        search.stage_exploration,
        0..=u32::MAX,
        "the same among candidates of the stages"
    ),
    tuned_number!(
        "breadth",
        search.breadth,
        0..=u32::MAX,
        "widening of the root: the square of its turns is at most N/4 of its visits"
    ),
    tuned_number!("widening", search.widening, 0..=u32::MAX, "the same for all other positions"),
    tuned_number!(
        "noise",
        search.noise,
        0..=MOST_NOISE,
        "largest noise on worths when spawning, in hundredths of a soul"
    ),
    tuned_number!("depth", search.depth, 1..=32, "turns of one line at most, up to 32"),
    switch!("halving", search.halving, "turns of the root share the visits by sequential halving"),
    tuned_number!("rounds", search.rounds, 1..=16, "rounds of sequential halving that share a turn's effort"),
    switch!("watched", watched, "searches as if it might be stopped at any time"),
    switch!("ponder", ponder, "thinks as long again, about the reply it expects, before the opponent's turn"),
    switch!("feedback", search.feedback, "stages choose by the statistics of turns, not by priors"),
    switch!(
        "effects",
        search.effects,
        "candidates are compared without the effects of the others of their turns"
    ),
    switch!("fine", search.fine, "other attacks for the same prophecy"),
    switch!("coarse", search.coarse, "attacks for the prophecy with noise"),
    switch!(
        "rates",
        search.rates,
        "refinement, fine and coarse, and spells share requests by their success rates"
    ),
    switch!("confidence", search.confidence, "bad attacks are pruned, doubtful values weigh less"),
    switch!("convolution", search.convolution, "money is split by convolution, not evenly"),
    switch!("assignment", search.assignment, "pieces are placed by assignment, not one by one"),
    switch!("transpositions", search.transpositions, "equal positions share a node"),
    switch!("defence", search.defence, "attacks on what threatens the necromancer or holds graveyards"),
    switch!("spells", search.spells, "spells are cast"),
    switch!("counsel", search.counsel, "the evaluator advises the general"),
    switch!("cards", search.cards, "cards that decide the game are tried at the root"),
    switch!("techs", search.techs, "the evaluator chooses the techs of first turns"),
    switch!("resignation", search.resignation, "boards in danger may be given up"),
    switch!("verify", verify, "turns proved to lose are repaired, wins at the next turn proved"),
    switch!("oracle", net_switches.oracle, "Oracle values positions"),
    switch!("prophet", net_switches.prophet, "Death Prophet proposes attacks"),
    switch!("seer", net_switches.seer, "Dark Seer places units"),
    switch!("general", net_switches.general, "the general's net rates techs and spells"),
];

fn number<T: FromStr + PartialOrd + Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{text} is no whole number from {} to {}", range.start(), range.end()))
}

/// Number in the unit of a setting, or with the suffix of another one.
fn in_unit<T: FromStr + PartialOrd + Display>(
    text: &str,
    read: fn(&str) -> Option<u64>,
    range: RangeInclusive<T>,
) -> Result<T, String> {
    number(&read(text).map_or_else(|| text.to_owned(), |value| value.to_string()), range)
}

fn time(text: &str) -> Result<Duration, String> {
    in_unit(text, read_milliseconds, TIMES).map(Duration::from_millis)
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(format!("{text} is neither on nor off")),
    }
}

impl Setting {
    /// Whether a player has this switched on unless it is told otherwise; `None` for what is no switch.
    fn is_on_by_default(&self) -> Option<bool> {
        let mut settings = BuiltinSettings::default();
        (self.values == ON_OR_OFF)
            .then(|| (self.set)(&mut settings, "on").is_ok() && settings == BuiltinSettings::default())
    }
}

impl BuiltinSettings {
    /// Changes the setting of a name. The error says what is wrong with the name or the value.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names = SETTINGS.each_ref().map(|setting| setting.name).join(", ");
            return Err(format!("unknown setting {name}; known are {names}"));
        };
        (setting.set)(self, value).map_err(|reason| format!("{name}: {reason}"))
    }
}

impl BuiltinSettings {
    /// Value of a number of the search that can be tuned. The error names those that can.
    pub fn tuned(&self, name: &str) -> Result<f64, String> {
        let known = || SETTINGS.iter().filter_map(|setting| Some((setting.name, setting.tuned?)));
        let found = known().find(|(known, _)| *known == name);
        found.map(|(_, value)| value(self)).ok_or_else(|| {
            let names: Vec<&str> = known().map(|(name, _)| name).collect();
            format!("{name} is no number that can be tuned; these are: {}", names.join(", "))
        })
    }
}

/// Table of all settings for people, a line each.
pub(super) fn settings_table() -> String {
    let mut table = String::new();
    for setting @ Setting { name, values, meaning, .. } in &SETTINGS {
        let key = format!("{name}={values}");
        let default = match setting.is_on_by_default() {
            Some(true) => "; on by default",
            Some(false) => "; off by default",
            None => "",
        };
        // Text that is kept in memory can always be written.
        let _ = writeln!(table, "    {key:<22} {meaning}{default}");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused_with_the_range() {
        let mut settings = BuiltinSettings::default();
        for (name, value) in [
            ("nodes", "0"),
            ("movetime", "0"),
            ("cputime", "86400001"),
            ("threads", "257"),
            ("hash", "0"),
            ("depth", "0"),
            ("depth", "33"),
            ("noise", "-1"),
        ] {
            let error = settings.set(name, value).unwrap_err();
            assert!(error.starts_with(&format!("{name}: {value} is no whole number from ")), "{error}");
        }
        assert_eq!(settings, BuiltinSettings::default());
        for (name, value) in [("movetime", "1.5s"), ("cputime", "20ms"), ("hash", "1GiB"), ("depth", "32")] {
            assert_eq!(settings.set(name, value), Ok(()));
        }
        assert_eq!(settings.movetime, Duration::from_millis(1_500));
        assert_eq!((settings.cputime, settings.hash), (Some(Duration::from_millis(20)), 1_024));
        assert_eq!(
            settings.set("hash", "9s").unwrap_err(),
            format!("hash: 9s is no whole number from 1 to {MAX_MIB}")
        );
        assert_eq!(settings.set("depth", "x").unwrap_err(), "depth: x is no whole number from 1 to 32");
    }

    #[test]
    fn the_table_says_which_switches_are_on() {
        let table = settings_table();
        let line = |name: &str| table.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        assert!(line("seer=").ends_with("Dark Seer places units; off by default"), "{table}");
        assert!(line("prophet=").ends_with("Death Prophet proposes attacks; off by default"), "{table}");
        assert!(!line("depth=").contains("default"), "{table}");
        // No ablation has shown that it pays (docs/search.md).
        assert!(line("confidence=").ends_with("; off by default"), "{table}");
    }
}
