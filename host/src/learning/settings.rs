//! Settings of a loop, which are fixed when its folder is begun.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    pub fn gate_player(&self) -> Result<MatchPlayerSpec> {
        MatchPlayerSpec::from_str(&format!("builtin:mcts,{}", self.gate))
            .map_err(|error| anyhow!("--gate: {error}"))
    }

    /// Sequential test of the gate.
    pub(super) fn test(&self) -> Sprt {
        Sprt::new(self.sprt[0], self.sprt[1])
    }

    /// Fails, with the name of the first difference, when a folder was begun with other settings than these.
    pub(super) fn ensure_same(&self, begun: &LearnSettings) -> Result<()> {
        let (here, there) = (serde_json::to_value(self)?, serde_json::to_value(begun)?);
        let (Value::Object(here), Value::Object(there)) = (here, there) else { return Ok(()) };
        for (name, here) in here {
            let there = there.get(&name).unwrap_or(&Value::Null);
            if *there != here {
                let name = name.replace('_', "-");
                bail!("was begun with --{name} {there}, not {here}");
            }
        }
        Ok(())
    }
}
