//! Names of networks in the tags of recorded games.

use std::fmt::Write;

use crate::engine::network::{EngineNetwork, StaticNetwork};

/// Name of a network: its profile and the first half of the hash of its weights.
pub fn network_name(network: StaticNetwork) -> String {
    let profile = match network {
        EngineNetwork::Desktop(_) => "desktop",
        EngineNetwork::Handheld(_) => "handheld",
        EngineNetwork::Tiny(_) => "tiny",
    };
    let mut name = format!("{profile} ");
    for byte in network.header().hash().iter().take(16) {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}
