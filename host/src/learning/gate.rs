//! Gate: the match that decides whether a network becomes the next player. Its result so far is in a file, so that a
//! match that was ended goes on with the pair that was not finished.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use barrow_core::minions::Ruleset;

use super::history::GateReport;
use super::settings::LearnSettings;
use super::state::LearnFolder;
use crate::engine::network::EngineNetwork;
use crate::io::read_text;
use crate::matches::{Match, MatchFormat, MatchPlayerSpec, MatchResult, Openings, TimeControl};
use crate::shard::Shard;

/// Plies after which a game is a draw.
const PLY_LIMIT: u32 = 400;

/// Plays the match of a new network against the present player, or what is left of it by the file `name`, and calls
/// `watch` after every pair. Returns `None` when Ctrl-C ends it.
pub(super) fn play(
    folder: &LearnFolder,
    name: &str,
    settings: &LearnSettings,
    networks: [&str; 2],
    seed: u64,
    threads: usize,
    mut watch: impl FnMut(&GateReport),
) -> Result<Option<GateReport>> {
    let [a, b] = networks.map(|network| with_network(settings.gate_player()?, &folder.name(network)));
    // The built-in players have no deadline.
    let forever = Duration::MAX;
    let contest = Match {
        players: vec![a?.into(), b?.into()],
        format: MatchFormat::default(),
        pairs: settings.max_gate_games.div_ceil(2),
        shard: Shard::WHOLE,
        openings: Openings::new(Ruleset::Server, settings.boards, &[], 0, seed)?,
        sprt: Some(settings.test()),
        time_control: TimeControl::own(forever, forever),
        max_plies: PLY_LIMIT,
        threads,
        recording: None,
    };
    let played: MatchResult = if folder.path(name).exists() {
        let name = folder.name(name);
        let text = read_text(&name).with_context(|| name.clone())?;
        serde_json::from_str(&text).with_context(|| name.clone())?
    } else {
        MatchResult::default()
    };
    let mut saved = Ok(());
    let table = contest.go_on(played, |table| {
        let result = table.first();
        if saved.is_ok() {
            saved = save(folder, name, &result);
        }
        watch(&GateReport::new(&result, settings.test()));
    });
    saved?;
    let table = table.map_err(|error| error.cause)?;
    let result = table.first();
    ensure!(result.games() > 0 || table.interrupted, "the match had no games");
    Ok((!table.interrupted).then(|| GateReport::new(&result, settings.test())))
}

/// Writes the result of a match so far.
fn save(folder: &LearnFolder, name: &str, result: &MatchResult) -> Result<()> {
    folder.save(name, serde_json::to_string(result)?.as_bytes())
}

/// Player with the network of a file.
pub(super) fn with_network(mut player: MatchPlayerSpec, network: &str) -> Result<MatchPlayerSpec> {
    if let MatchPlayerSpec::Builtin(_, settings) = &mut player {
        settings.network = Some(EngineNetwork::open(network)?);
    }
    Ok(player)
}
