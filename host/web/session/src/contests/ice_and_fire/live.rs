//! A game of A Code of Ice and Fire between built-in bots.

use barrow_core::contests::ice_and_fire::bot::{CutNode, Options, plan, write_line};
use barrow_core::contests::ice_and_fire::{Game, Map, Rules, SIZE};
use barrow_core::contests::partners::{Sparring, random_turn};
use barrow_core::rng::Rng;

use super::{SEATS, scene};
use crate::contests::live::{LiveGame, chosen};
use crate::messages::{Contest, MatchAsk, Scene, WatchedGame};

/// Names of the bots, the strongest first.
pub(in crate::contests) const BOTS: [&str; 7] =
    ["full", "plain", "greedy", "rush", "filler", "wall", "random"];

enum Bot {
    Planner(Box<Options>, Vec<CutNode>),
    Sparring(Sparring),
    Random(Rng),
}

/// Game between bots.
pub(in crate::contests) struct IceAndFireMatch {
    game: Game,
    rules: Rules,
    bots: Vec<Bot>,
}

impl IceAndFireMatch {
    /// A game before its first turn, as it is watched.
    pub(in crate::contests) fn new(ask: &MatchAsk) -> Result<(IceAndFireMatch, WatchedGame), String> {
        if ask.map.is_some() {
            return Err("the seed decides the map".to_owned());
        }
        let rules = Rules::PERMANENT;
        let game = Game::new(&Map::generate(ask.seed, &rules));
        let names = chosen(&BOTS, &ask.bots, SEATS)?;
        let bots = names.iter().zip(ask.seed..).map(|(name, seed)| Bot::new(name, seed)).collect();
        let watched = WatchedGame {
            contest: Contest::IceAndFire,
            title: format!("map {}", ask.seed),
            players: names,
            width: SIZE.into(),
            height: SIZE.into(),
            fixtures: scene::fixtures(game.state()),
            scenes: vec![scene::scene(&game, None)],
            is_live: true,
            mismatch: None,
        };
        Ok((IceAndFireMatch { game, rules, bots }, watched))
    }
}

impl Bot {
    fn new(name: &str, seed: u64) -> Bot {
        if let Some(sparring) = Sparring::ALL.into_iter().find(|sparring| sparring.name() == name) {
            return Bot::Sparring(sparring);
        }
        let options = match name {
            "random" => return Bot::Random(Rng::new(seed)),
            "greedy" => Options::GREEDY,
            "plain" => Options::PLAIN,
            _ => Options::FULL,
        };
        Bot::Planner(Box::new(options), vec![CutNode::EMPTY; options.lines.into()])
    }

    fn line(&mut self, game: &Game, rules: &Rules) -> Result<String, String> {
        let draft = match self {
            Bot::Planner(options, memory) => plan(game.state(), rules, options, memory).draft,
            Bot::Sparring(sparring) => sparring.turn(game.state(), rules),
            Bot::Random(dice) => random_turn(game.state(), rules, dice),
        };
        let mut line = String::new();
        write_line(game, rules, &draft, &mut line).map_err(|_| "a turn without text")?;
        Ok(line)
    }
}

impl LiveGame for IceAndFireMatch {
    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn turn(&mut self) -> Result<Vec<Scene>, String> {
        let mover = self.game.state().mover().index();
        let bot = self.bots.get_mut(mover).ok_or("a seat without a bot")?;
        let line = bot.line(&self.game, &self.rules)?;
        let before = scene::scene(&self.game, Some(&line));
        // A line of a built-in bot is one that the referee reads.
        let _ = self.game.execute(&self.rules, &line);
        self.game.pass();
        let after = scene::scene(&self.game, None);
        let events = before.events.into_iter().chain(after.events).collect();
        Ok(vec![Scene { events, ..after }])
    }
}
