//! Judged games: what a network says of the positions of recorded games, and what the searches said that played them,
//! beside what came of it.

use anyhow::{Result, bail};
use barrow_core::minions::Game;
use barrow_core::minions::turn_search::ports::Evaluator;
use barrow_core::search::value::CERTAIN;
use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::engine::expected_error;
use crate::engine::network::StaticNetwork;
use crate::interrupt;
use crate::records::game_record::{GameRecord, Policy};
use crate::records::{Damage, RecordLines};

/// Games that are judged at once.
const ROUND: usize = 64;

/// Judgement of a position at the start of a turn, with what came of it. All win chances are those of the side to move,
/// 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// Number of the game among the judged ones.
    pub game: usize,
    /// Win chance.
    pub value: f64,
    /// Raw error: of a network the error that it says, of a search the deviation of the values behind the win chance;
    /// `None` where it is not known.
    pub error: Option<f64>,
    /// Standard error of a search's mean.
    pub standard_error: Option<f64>,
    /// Win chance by the search at this side's next turn, or the result of a game that is over by then; `None` where
    /// nobody searched then, or a turn in between was random.
    pub later: Option<f64>,
    /// Result of the game: 1, 0, or 1/2 for a draw.
    pub result: f64,
}

/// Judgements of the positions of games.
#[derive(Clone, Debug, Default)]
pub struct JudgedGames {
    /// Judgements by the network.
    pub network: Vec<Judgement>,
    /// Judgements by the searches that played the games.
    pub search: Vec<Judgement>,
    /// First positions of turns, with the numbers of their games.
    pub positions: Vec<(usize, Game)>,
    /// Number of games.
    pub games: usize,
    /// Number of games that were left out because they are not over and have no result.
    pub unfinished: usize,
    /// Damage: places of the files that were left out, each with file, line or bytes, and reason.
    pub damage: Damage,
}

impl JudgedGames {
    /// Judges the games 0, `every`, 2 `every` and so on of each file, and moves the bar along over the bytes of the files.
    /// Turns of random policies are not judged. Fails when a file cannot be opened, when nothing in the files is a game
    /// that is over or has a result, and when Ctrl-C ends the work.
    pub fn read(
        names: &[String],
        every: usize,
        network: StaticNetwork,
        bar: &ProgressBar,
    ) -> Result<JudgedGames> {
        let mut all = JudgedGames::default();
        for name in names {
            let mut lines = RecordLines::open(name, bar)?;
            loop {
                let mut round = Vec::new();
                while round.len() < ROUND
                    && let Some((number, line)) = lines.next_line()
                {
                    if (number - 1).is_multiple_of(every) {
                        round.push((number, line));
                    }
                }
                all.damage.append(lines.take_damage());
                interrupt::check()?;
                if round.is_empty() {
                    break;
                }
                let judge = |(_, line): &(usize, String)| {
                    let record = GameRecord::from_line(line)?;
                    if record.is_unfinished() {
                        return Ok(None);
                    }
                    judged(&record, &mut *network.evaluator()).map(Some)
                };
                let judged: Vec<Result<Option<JudgedGames>>> = round.par_iter().map(judge).collect();
                for ((number, _), game) in round.iter().zip(judged) {
                    match game {
                        Ok(Some(game)) => all.append(game),
                        Ok(None) => all.unfinished += 1,
                        Err(error) => all.damage.push(format!("{name}: line {number}: {error:#}")),
                    }
                }
            }
        }
        match all.damage.told().first() {
            Some(first) if all.games == 0 => bail!("{first}"),
            None if all.unfinished > 0 && all.games == 0 => {
                bail!("{}: no game is over or has a result", names.join(", "))
            }
            None if all.games == 0 => bail!("{}: no games", names.join(", ")),
            _ => Ok(all),
        }
    }

    fn append(&mut self, game: JudgedGames) {
        let number = self.games;
        let numbered = |judgement: Judgement| Judgement { game: number, ..judgement };
        self.network.extend(game.network.into_iter().map(numbered));
        self.search.extend(game.search.into_iter().map(numbered));
        self.positions.extend(game.positions.into_iter().map(|(_, position)| (number, position)));
        self.games += 1;
    }
}

/// Judgements of one game.
fn judged(record: &GameRecord, evaluator: &mut dyn Evaluator) -> Result<JudgedGames> {
    let mut game = record.start.clone();
    let mut positions = Vec::new();
    for ply in &record.plies {
        positions.push(game.clone());
        game.play(&ply.turn)?;
    }
    let mut all = JudgedGames { games: 1, ..JudgedGames::default() };
    for (index, (ply, position)) in record.plies.iter().zip(positions).enumerate() {
        if ply.policy == Policy::Random {
            continue;
        }
        let Some(result) = record.result_for(position.side_to_move(), &game).map(f64::from) else {
            bail!("an unfinished game")
        };
        let later = match (record.plies.get(index + 1), record.plies.get(index + 2)) {
            (Some(reply), _) if reply.policy == Policy::Random => None,
            (_, Some(next)) => next.root.as_ref().map(|root| root.value),
            // A record may end before its game does.
            (_, None) => game.state().is_over().then_some(result),
        };
        let said = evaluator.evaluate(&position);
        let [value, error] = [said.win, said.error].map(|part| f64::from(part) / f64::from(CERTAIN));
        let judgement = Judgement { game: 0, value, error: Some(error), standard_error: None, later, result };
        all.network.push(judgement);
        if let Some(root) = &ply.root {
            let deviation = || expected_error::deviation(root.value, root.error, root.visits as f64);
            all.search.push(Judgement {
                value: root.value,
                error: (root.visits > 0).then(deviation),
                standard_error: Some(root.error),
                ..judgement
            });
        }
        all.positions.push((0, position));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::Side;

    use super::*;
    use crate::engine::network::EngineNetwork;
    use crate::training::SelfPlay;

    #[test]
    fn a_game_that_was_cut_short_counts_by_its_result_and_without_one_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = SelfPlay::new(3).unwrap().play(0).unwrap().unwrap();
        record.plies.truncate(20);
        let network = EngineNetwork::embedded().unwrap();
        let results = |ending: Option<&str>| -> Result<Vec<(bool, f64)>> {
            let record = GameRecord { ending: ending.map(|text| text.parse().unwrap()), ..record.clone() };
            let name = folder.path().join("games").display().to_string();
            std::fs::write(&name, record.to_line()? + "\n")?;
            let judged = JudgedGames::read(&[name], 1, network, &ProgressBar::hidden())?;
            let is_yellow = |(_, game): &(usize, Game)| game.side_to_move() == Side::Yellow;
            let sides = judged.positions.iter().map(is_yellow);
            Ok(sides.zip(judged.network.iter().map(|judgement| judgement.result)).collect())
        };
        for (ending, yellow) in [
            (None, 0.5),
            (Some("Yellow resignation"), 1.0),
            (Some("Blue fault"), 0.0),
            (Some("draw resignation"), 0.5),
        ] {
            let found = results(ending).unwrap();
            assert!(found.len() > 8, "{found:?}");
            for (is_yellow, result) in found {
                let expected: f64 = if is_yellow { yellow } else { 1.0 - yellow };
                assert!((result - expected).abs() < 1e-9, "{ending:?}: {result}");
            }
        }
        let refused = results(Some("none unfinished")).unwrap_err().to_string();
        assert!(refused.ends_with("games: no game is over or has a result"), "{refused}");
    }
}
