//! The network that `--net` or the configuration names.

use anyhow::{Context, Result};

use crate::configuration::{Configuration, Source};
use crate::engine::network::{EngineNetwork, StaticNetwork};

/// Key of the setting, and name of the argument.
const NET: &str = "net";

/// Opens the network of an argument `--net`, whose default may be configured. An error says where the name comes from.
pub(super) fn open_network(
    net: Option<&str>,
    configuration: &Configuration,
) -> Result<Option<StaticNetwork>> {
    let origin = || match configuration.source(NET) {
        Some(source @ Source::File { .. }) => format!("{source}: {NET}"),
        Some(source @ Source::Environment(_)) => source.to_string(),
        None => format!("--{NET}"),
    };
    net.map(|name| EngineNetwork::open(name).with_context(origin)).transpose()
}
