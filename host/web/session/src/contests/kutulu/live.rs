//! A game of Code of Kutulu between built-in bots, each of which sees only what the contest shows.

use barrow_core::contests::kutulu::bot::{Baseline, NODES, SearchPlayer, Sparring, Tuning};
use barrow_core::contests::kutulu::{
    Action, EXPLORERS, MapTables, POOL_SIZE, State, StateTracker, map_name, pool_map,
};
use barrow_core::rng::Rng;
use barrow_core::search::smitsimax::Node;

use super::scene;
use crate::contests::live::{LiveGame, chosen};
use crate::messages::{Contest, MatchAsk, Scene, WatchedGame};

/// Simulations of the searching bot in a turn: what a page has time for.
const SIMULATIONS: u32 = 300;

/// Names of the bots, the strongest first.
pub(in crate::contests) const BOTS: [&str; 6] =
    ["smitsimax", "lamp", "gather", "five-ply", "one-turn", "random"];

/// Names of all maps.
pub(in crate::contests) fn maps() -> Vec<String> {
    (0..POOL_SIZE).filter_map(map_name).map(str::to_owned).collect()
}

enum Bot {
    Search(Box<SearchPlayer>, Vec<Node<Action>>),
    Sparring(Sparring),
    Baseline(Baseline, Rng),
}

/// Game between bots.
pub(in crate::contests) struct KutuluMatch {
    tables: Box<MapTables>,
    state: State,
    bots: Vec<(StateTracker, Bot)>,
}

impl KutuluMatch {
    /// A game before its first turn, as it is watched.
    pub(in crate::contests) fn new(ask: &MatchAsk) -> Result<(KutuluMatch, WatchedGame), String> {
        let (drawn, constants, dice) = State::draw(ask.seed);
        let number = match &ask.map {
            Some(name) => {
                (0..POOL_SIZE).find(|&number| map_name(number) == Some(name)).ok_or("no such map")?
            }
            None => drawn,
        };
        let tables = Box::new(MapTables::new(&pool_map(number).map_err(|_| "no such map")?));
        let state = State::start(tables.map(), constants, dice);
        let names = chosen(&BOTS, &ask.bots, EXPLORERS)?;
        let bots = names
            .iter()
            .zip(ask.seed..)
            .map(|(name, seed)| (StateTracker::new(constants, seed), Bot::new(name, &tables, seed)));
        let bots = bots.collect();
        let map = tables.map();
        let watched = WatchedGame {
            contest: Contest::Kutulu,
            title: map_name(number).unwrap_or_default().to_owned(),
            players: names,
            width: map.width(),
            height: map.height(),
            fixtures: scene::fixtures(map),
            scenes: vec![scene::scene(map, &state, None)],
            is_live: true,
            mismatch: None,
        };
        Ok((KutuluMatch { tables, state, bots }, watched))
    }
}

impl Bot {
    fn new(name: &str, tables: &MapTables, seed: u64) -> Bot {
        if let Some(sparring) = Sparring::ALL.into_iter().find(|sparring| sparring.name() == name) {
            return Bot::Sparring(sparring);
        }
        match Baseline::ALL.into_iter().find(|baseline| baseline.name() == name) {
            Some(baseline) => Bot::Baseline(baseline, Rng::new(seed)),
            None => Bot::Search(
                Box::new(SearchPlayer::new(tables, Tuning::DEFAULT, seed)),
                vec![Node::EMPTY; NODES],
            ),
        }
    }
}

impl LiveGame for KutuluMatch {
    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn turn(&mut self) -> Result<Vec<Scene>, String> {
        let mut actions = [None; EXPLORERS];
        for id in self.state.living() {
            let entities = self.state.entities(self.tables.map(), id);
            let (tracker, bot) = self.bots.get_mut(id).ok_or("a seat without a bot")?;
            tracker
                .update(&self.tables, &entities)
                .map_err(|error| format!("turn {}: {error}", self.state.turn))?;
            let seen = &tracker.state;
            actions[id] = Some(match bot {
                Bot::Search(player, nodes) => {
                    player.choose(&self.tables, seen, id, nodes, &mut |done| done < SIMULATIONS).0
                }
                Bot::Sparring(sparring) => sparring.choose(&self.tables, seen, id),
                Bot::Baseline(baseline, dice) => baseline.choose(&self.tables, seen, id, dice),
            });
        }
        let before = scene::scene(self.tables.map(), &self.state, Some(&actions));
        self.state.play(&self.tables, &actions).map_err(|_| "more minions than a game has")?;
        let after = scene::scene(self.tables.map(), &self.state, None);
        Ok(vec![Scene { events: before.events, ..after }])
    }
}
