//! Players by their names on the command line and in the bot's command `player`:
//! `random`, `search:samples=10`, `mc:eval=hodgepodge,playout=search,depth=2,ms=100`, `odds:ms=100`.

use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};
use barrow_core::contests::roborally::bot::{Strategy, Weights};

use super::searcher::{ByTrees, Search, counts_rounds};
use super::settings::{self, Draft, Reader};

/// The kind of a player, with its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// A playout strategy without search above: uniformly random, or random search.
    Plain(Plain),
    /// Monte-Carlo search over numbered actions.
    Search(Search),
    /// SmitsiMax: a tree for each robot.
    ByTrees(ByTrees),
    /// A program that speaks the bot's protocol: its command line, split at spaces.
    Program(Vec<String>),
}

/// A player that plays by a playout strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Strategy that chooses programs.
    pub strategy: Strategy,
    /// Weights of the evaluation of random search.
    pub weights: Weights,
}

impl Plain {
    /// The player `random`.
    pub const RANDOM: Plain = Plain { strategy: Strategy::Random, weights: Weights::PAPER };
}

impl PlayerSpec {
    /// Whether the player asks for the tables of a robot alone.
    pub fn needs_solo(&self) -> bool {
        match self {
            PlayerSpec::Plain(plain) => plain.strategy == Strategy::Best || counts_rounds(&plain.weights),
            PlayerSpec::Search(search) | PlayerSpec::ByTrees(ByTrees { search, .. }) => search.needs_solo(),
            PlayerSpec::Program(_) => false,
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerSpec> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let words: Vec<String> = command.split_ascii_whitespace().map(str::to_owned).collect();
            ensure!(!words.is_empty(), "cmd: needs a command");
            return Ok(PlayerSpec::Program(words));
        }
        let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
        let settings = settings.split(',').filter(|setting| !setting.is_empty());
        let pairs: Vec<(&str, &str)> = settings
            .map(|setting| setting.split_once('=').with_context(|| format!("{setting}: KEY=VALUE is needed")))
            .collect::<Result<_>>()?;
        let plain = |strategy, weights| PlayerSpec::Plain(Plain { strategy, weights });
        let read = |reader| settings::read(Draft::of(reader), reader, &pairs);
        Ok(match kind {
            "random" => {
                ensure!(pairs.is_empty(), "random has no settings");
                PlayerSpec::Plain(Plain::RANDOM)
            }
            "best" => {
                ensure!(pairs.is_empty(), "best has no settings");
                plain(Strategy::Best, Weights::ROUNDS)
            }
            "search" => {
                let Search { strategy, weights, .. } = read(Reader::Search)?.search;
                plain(strategy, weights)
            }
            "mc" => PlayerSpec::Search(read(Reader::Mc)?.search),
            "odds" => PlayerSpec::Search(read(Reader::Odds)?.search),
            "smitsimax" => PlayerSpec::ByTrees(read(Reader::SmitsiMax)?),
            _ => bail!(
                "unknown player {kind}; there are random, search, best, mc, odds, smitsimax and cmd:COMMAND"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::searcher::{PowerAhead, Steps};
    use super::*;
    use barrow_core::contests::roborally::bot::{ActionSpace, Evaluation, Others};
    use barrow_core::search::flat::Selection;
    use barrow_core::search::smitsimax::Settings;

    #[test]
    fn specs_are_read() {
        let read = |text: &str| text.parse::<PlayerSpec>().expect(text);
        let PlayerSpec::Search(search) =
            read("mc:playout=random,eval=win,turns=500,select=halving,space=raw")
        else {
            panic!("mc searches");
        };
        assert_eq!((search.depth, search.budget), (10_000, Budget::Turns(500)));
        assert_eq!((search.selection, search.space), (Selection::Halving, ActionSpace::Raw));
        let PlayerSpec::Search(search) = read("mc:distance=-7,samples=3") else { panic!("mc searches") };
        assert_eq!(search.strategy, Strategy::Search(3));
        let weights = Weights { distance: -7, ..Weights::PAPER };
        assert_eq!(search.evaluation, Evaluation::Hodgepodge(weights));
        assert_eq!(read("random"), read("random:"));
        assert!(read("mc:eval=rounds").needs_solo() && read("best").needs_solo() && !read("mc").needs_solo());
        assert!(read("odds").needs_solo() && read("odds") == read("odds:spread=70,depth=1"));
        assert_eq!(
            read("odds"),
            read("mc:eval=odds,playout=best,depth=1,select=halving,focus=256,foresee=256")
        );
        assert_eq!(read("cmd:a b"), PlayerSpec::Program(vec!["a".to_owned(), "b".to_owned()]));
        let PlayerSpec::ByTrees(player) =
            read("smitsimax:others=trees,exploration=9,random=2,depth=2,cpu=7,steps=registers")
        else {
            panic!("smitsimax has trees");
        };
        assert_eq!((player.others, player.search.depth, player.steps), (Others::Trees, 2, Steps::Registers));
        assert_eq!(player.settings, Settings { random_visits: 2, exploration: 9 });
        assert!(read("smitsimax").needs_solo());
        let PlayerSpec::Search(search) = read("odds:power=playouts,ahead=4,least=3") else {
            panic!("odds searches");
        };
        assert_eq!(search.power, Some(PowerAhead { turns: 4, least: 3, ..PowerAhead::USUAL }));
        for bad in [
            "smitsimax:select=ucb1",
            "smitsimax:others=me",
            "smitsimax:steps=cards",
            "search:depth=2",
            "mc:steps=programs",
            "odds:ahead=3",
            "odds:power=on",
            "mcts",
            "cmd:",
            "mc:threads=0",
            "best:x=1",
            "mc:depth",
            "mc:depth=x",
            "mc:eval=best",
            "random:samples=3",
            "mc:won=9999999",
            "mc:spread=3",
            "odds:foresee=513",
        ] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }
}
