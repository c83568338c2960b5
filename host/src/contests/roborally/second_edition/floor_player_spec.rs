//! Kinds of players of the second edition. They are named as those of the classic rules; a setting that the second
//! edition does not know is an error.

use anyhow::{Error, Result, bail, ensure};
use barrow_core::contests::roborally::bot::{ActionSpace, Evaluation, Odds, PowerDownPolicy, Strategy};
use barrow_core::search::flat::Selection;

use crate::contests::roborally::budget::Budget;
use crate::contests::roborally::player_spec::PlayerSpec;

/// The kind of a player, with its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RacePlayerSpec {
    /// A strategy without search above.
    Plain(Strategy),
    /// Monte-Carlo search over numbered programs.
    Search(RaceSearch),
    /// A program that speaks the bot's protocol: its command line, split at spaces.
    Program(Vec<String>),
}

/// A player by Monte-Carlo search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceSearch {
    /// Terms of the chance of winning.
    pub odds: Odds,
    /// Strategy of playouts.
    pub strategy: Strategy,
    /// Depth of playouts in turns.
    pub depth: u32,
    /// Budget of a decision.
    pub budget: Budget,
    /// Selection of the next action to sample.
    pub selection: Selection,
    /// Length of the shortlist of searched actions; 0 for all actions.
    pub focus: usize,
    /// Programs of the others that are drawn before the search; 0 for new ones in each playout.
    pub foresee: usize,
}

impl TryFrom<&PlayerSpec> for RacePlayerSpec {
    type Error = Error;

    fn try_from(spec: &PlayerSpec) -> Result<RacePlayerSpec> {
        Ok(match spec {
            PlayerSpec::Plain(plain) => RacePlayerSpec::Plain(plain.strategy),
            PlayerSpec::Program(words) => RacePlayerSpec::Program(words.clone()),
            PlayerSpec::ByTrees(_) => bail!("the rules of 2016 and 2023 know no smitsimax"),
            PlayerSpec::Search(search) => {
                let Evaluation::Odds(odds) = search.evaluation else {
                    bail!(
                        "the rules of 2016 and 2023 know eval=odds alone: odds:KEY=VALUE,..., or mc:eval=odds,..."
                    );
                };
                ensure!(search.space == ActionSpace::Classes, "the rules of 2016 and 2023 have no space=raw");
                ensure!(
                    search.power_down == PowerDownPolicy::USUAL,
                    "the rules of 2016 and 2023 have no power down of the classic kind"
                );
                ensure!(search.threads == 1, "by the rules of 2016 and 2023 a decision has one thread");
                RacePlayerSpec::Search(RaceSearch {
                    odds,
                    strategy: search.strategy,
                    depth: search.depth,
                    budget: search.budget,
                    selection: search.selection,
                    focus: search.focus,
                    foresee: search.foresee,
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_the_edition_does_not_know_are_refused() {
        let read = |text: &str| RacePlayerSpec::try_from(&text.parse::<PlayerSpec>().expect(text));
        assert_eq!(read("best").expect("a player"), RacePlayerSpec::Plain(Strategy::Best));
        let RacePlayerSpec::Search(search) = read("odds:depth=2,wear=9").expect("a player") else {
            panic!("it searches");
        };
        assert_eq!((search.depth, search.odds.wear), (2, 9));
        assert!(read("mc:eval=odds").is_ok());
        for bad in ["mc", "odds:space=raw", "odds:announce=3", "odds:threads=2"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
