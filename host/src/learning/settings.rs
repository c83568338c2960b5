//! Settings of a loop, which are fixed when its folder is begun.

use std::str::FromStr;

use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::matches::MatchPlayerSpec;
use crate::matches::elo::Sprt;
use crate::training::checkpoint::ShippedProfile;
use crate::training::selfplay::HANDICAPS;

/// Settings of a loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnSettings {
    /// Size of the networks.
    pub profile: ShippedProfile,
    /// Network file or checkpoint that the first player uses; `None` for the embedded network of the profile.
    pub from: Option<String>,
    /// Seed of games, training and matches.
    pub seed: u64,
    /// Self-play games of a generation.
    pub games: u32,
    /// Smallest and largest number of boards.
    pub boards: (u8, u8),
    /// Chance of a game of self-play to begin with a handicap; 0 in folders that were begun before there were any.
    #[serde(default)]
    pub handicaps: f64,
    /// Nodes of a turn of self-play.
    pub nodes: u64,
    /// Generations whose games are kept and learnt from, the present one included.
    pub keep: u32,
    /// Passes over all positions.
    pub epochs: u32,
    /// Largest learning rate.
    pub rate: f32,
    /// Chance in 256 that a turn of a game is learnt from.
    pub turns: u32,
    /// Settings of both players of the gate, as in `builtin:mcts,…`.
    pub gate: String,
    /// Strengths in Elo of the two hypotheses of the gate.
    pub sprt: [f64; 2],
    /// Games of the gate after which a network that is not accepted yet is not accepted at all.
    pub max_gate_games: u32,
}

impl Default for LearnSettings {
    fn default() -> LearnSettings {
        LearnSettings {
            profile: ShippedProfile::Desktop,
            from: None,
            seed: 1,
            games: 2400,
            boards: (1, 4),
            handicaps: HANDICAPS,
            nodes: 80,
            keep: 3,
            epochs: 3,
            rate: 8e-4,
            turns: 256,
            gate: "cputime=15,hash=16".to_owned(),
            sprt: [0.0, 10.0],
            max_gate_games: 1200,
        }
    }
}

impl LearnSettings {
    /// Player of self-play, with the network to be set.
    pub(super) fn player(&self) -> Result<MatchPlayerSpec> {
        MatchPlayerSpec::from_str(&format!("builtin:mcts,nodes={},hash=16", self.nodes))
            .map_err(|error| anyhow!(error))
    }

    /// Player of the gate, with the network to be set.
    pub(super) fn gate_player(&self) -> Result<MatchPlayerSpec> {
        MatchPlayerSpec::from_str(&format!("builtin:mcts,{}", self.gate))
            .map_err(|error| anyhow!("--gate: {error}"))
    }

    /// Fails when a loop is not to be begun with this gate.
    pub fn check_gate(&self) -> Result<()> {
        let player = self.gate_player()?;
        let has_network =
            matches!(player, MatchPlayerSpec::Builtin(_, settings) if settings.network.is_some());
        ensure!(!has_network, "--gate: net: the match is between networks of the loop");
        Ok(())
    }

    /// Sequential test of the gate.
    pub(super) fn test(&self) -> Sprt {
        Sprt::new(self.sprt[0], self.sprt[1])
    }

    /// Fails, with the name of the first difference, when a folder was begun with other settings than these.
    pub(super) fn ensure_same(&self, begun: &LearnSettings) -> Result<()> {
        for ((name, here), (_, there)) in self.as_typed().into_iter().zip(begun.as_typed()) {
            ensure!(here == there, "was begun with --{name} {there}, not {here}");
        }
        Ok(())
    }

    /// Settings by their names, with values as the command line takes them.
    fn as_typed(&self) -> [(&'static str, String); 14] {
        let LearnSettings {
            profile,
            from,
            seed,
            games,
            boards: (fewest, most),
            handicaps,
            nodes,
            keep,
            epochs,
            rate,
            turns,
            gate,
            sprt: [elo0, elo1],
            max_gate_games,
        } = self;
        let profile = profile.to_possible_value().map_or_else(String::new, |name| name.get_name().to_owned());
        let boards = if fewest == most { most.to_string() } else { format!("{fewest}-{most}") };
        [
            ("profile", profile),
            ("from", from.clone().unwrap_or_else(|| "the program's".to_owned())),
            ("seed", seed.to_string()),
            ("games", games.to_string()),
            ("boards", boards),
            ("handicaps", handicaps.to_string()),
            ("nodes", nodes.to_string()),
            ("keep", keep.to_string()),
            ("epochs", epochs.to_string()),
            ("rate", rate.to_string()),
            ("turns", turns.to_string()),
            ("gate", gate.clone()),
            ("sprt", format!("{elo0} {elo1}")),
            ("max-gate-games", max_gate_games.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_setting_is_told_as_it_is_typed() {
        type Change = fn(&mut LearnSettings);
        let begun = LearnSettings::default();
        assert!(begun.ensure_same(&begun).is_ok());
        let cases: [(Change, &str); 5] = [
            (|settings| settings.sprt = [0.0, 5.5], "--sprt 0 10, not 0 5.5"),
            (|settings| settings.boards = (2, 2), "--boards 1-4, not 2"),
            (|settings| settings.gate = "nodes=5".to_owned(), "--gate cputime=15,hash=16, not nodes=5"),
            (|settings| settings.rate = 2e-3, "--rate 0.0008, not 0.002"),
            (|settings| settings.from = Some("a.brw".to_owned()), "--from the program's, not a.brw"),
        ];
        for (change, told) in cases {
            let mut other = begun.clone();
            change(&mut other);
            let refused = other.ensure_same(&begun).unwrap_err().to_string();
            assert_eq!(refused, format!("was begun with {told}"));
        }
    }

    #[test]
    fn the_networks_of_the_gate_are_those_of_the_loop() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("a.brw").display().to_string();
        std::fs::write(&name, barrow_nnue::embedded_nets::TINY).unwrap();
        let gate = |gate: String| LearnSettings { gate, ..LearnSettings::default() }.check_gate();
        assert!(gate("nodes=4".to_owned()).is_ok());
        let refused = gate(format!("nodes=4,net={name}")).unwrap_err().to_string();
        assert!(refused.starts_with("--gate: net: "), "{refused}");
    }
}
