//! Self-play games for training: two players of any kind, and random turns in between that make positions differ more
//! than those of the players alone.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use barrow_core::minions::players::Random;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};
use barrow_core::rng::Rng;

use crate::interrupt;
use crate::matches::{
    BuiltinPlayer, BuiltinSettings, MatchPlayer, MatchPlayerSpec, Openings, Rulesets, TimeControl,
};
use crate::records::game_record::{GameRecord, Ply, Policy};
use barrow_session::notation::read_turn;

/// Plies after which a game is a draw.
const PLY_LIMIT: u32 = 300;

/// Bound, exclusive, of the number of random plies that a game begins with.
const OPENING_PLIES: u32 = 7;

/// Odds of a random ply after the opening: one in this many.
const RANDOM_ODDS: u32 = 20;

/// Chance of a game of self-play to begin with a handicap, unless another one is asked for.
pub const HANDICAPS: f64 = 0.125;

/// Time that an engine in a process of its own has for a turn, and to start.
const DEADLINE: Duration = Duration::from_mins(1);

/// Generator of self-play games; each game follows from the seed and the number of the game, unless a player's limit
/// is a time.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    openings: Openings,
    players: [MatchPlayerSpec; 2],
}

impl SelfPlay {
    /// Generator of games of Greedy on one to four boards with all maps, under both rulesets, one of eight with a
    /// handicap.
    pub fn new(seed: u64) -> Result<SelfPlay> {
        let greedy = MatchPlayerSpec::Builtin(BuiltinPlayer::Greedy, BuiltinSettings::default());
        let openings = Openings::new(Rulesets::Mixed, (1, 4), &[], 0, seed)?.with_handicaps(HANDICAPS)?;
        Ok(SelfPlay::of_players([greedy.clone(), greedy], openings))
    }

    /// Generator of games of these players from these openings, whose seed is that of all that is drawn. The first player
    /// is Yellow in games of an even number.
    pub fn of_players(players: [MatchPlayerSpec; 2], openings: Openings) -> SelfPlay {
        SelfPlay { openings, players }
    }

    /// Openings of the games, each by the number of its game.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Whether a game follows from the seed and its number: no player's limit is a time, or unknown.
    pub fn is_reproducible(&self) -> bool {
        self.players.iter().all(|player| match player {
            MatchPlayerSpec::Builtin(BuiltinPlayer::Mcts, settings) => {
                settings.nodes < u64::MAX
                    && settings.threads == 1
                    && settings.movetime == Duration::MAX
                    && settings.cputime.is_none()
            }
            MatchPlayerSpec::Builtin(..) => true,
            MatchPlayerSpec::Command(_) => false,
        })
    }

    /// Plays the game with this number. Returns `None` when Ctrl-C interrupts the game; fails when a player commits a
    /// fault.
    pub fn play(&self, number: u32) -> Result<Option<GameRecord>> {
        // Players take as long to get ready as some turns.
        if interrupt::requested() {
            return Ok(None);
        }
        let opening = self.openings.of_pair(number)?;
        let mut dice = Rng::new(self.openings.seed() ^ Rng::new(u64::from(number)).next_u64());
        let random_plies = dice.below(OPENING_PLIES);
        let mut game = opening.game.clone();
        let mut players = self.seated(number, &game, &mut dice)?;
        let mut plies = Vec::new();
        while !game.state().is_over() && (plies.len() as u32) < PLY_LIMIT {
            if interrupt::requested() {
                return Ok(None);
            }
            let is_random = (plies.len() as u32) < random_plies || dice.chance(1, RANDOM_ODDS);
            let ply = if is_random {
                let turn = Random::new(dice.next_u64()).choose(&game);
                Ply { turn: as_read(&game, &turn)?, policy: Policy::Random, root: None }
            } else {
                let player = &mut players[usize::from(game.side_to_move() != Side::Yellow)];
                let decision = match player.turn(&game, [Duration::ZERO; 2]) {
                    Ok(decision) => decision,
                    Err(_) if interrupt::requested() => return Ok(None),
                    Err(fault) => bail!("game {number}, ply {}: {fault}", plies.len()),
                };
                Ply { turn: as_read(&game, &decision.turn)?, policy: Policy::Teacher, root: decision.root }
            };
            game.play(&ply.turn)?;
            plies.push(ply);
        }
        Ok(Some(GameRecord { start: opening.game, plies, ending: None }))
    }

    /// Yellow and Blue of the game with this number, ready to play.
    fn seated(&self, number: u32, game: &Game, dice: &mut Rng) -> Result<[MatchPlayer; 2]> {
        let time_control = TimeControl::own(DEADLINE, DEADLINE);
        let [a, b] = &self.players;
        let mut players =
            [('a', a), ('b', b)].map(|(name, spec)| MatchPlayer::new(name, spec, time_control).recording());
        if !number.is_multiple_of(2) {
            players.reverse();
        }
        for player in &mut players {
            let ready = player.begin(game, dice.next_u64())?;
            ready.map_err(|fault| anyhow!("game {number}: {fault}"))?;
        }
        Ok(players)
    }
}

/// The turn as its text has it, which may write walks in another order, so that the record is the same once it is read
/// again.
fn as_read(game: &Game, turn: &GameTurn) -> Result<GameTurn> {
    read_turn(game, &TurnText::new(game, turn).to_string()).context("a turn that cannot be read again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::Handicap;
    use crate::training::visited_attacks::{fates, replayed};

    #[test]
    fn a_game_follows_from_seed_and_number_and_ends() {
        let games = SelfPlay::new(5).unwrap();
        for number in 0..6 {
            let record = games.play(number).unwrap().unwrap();
            assert_eq!(games.play(number).unwrap().unwrap(), record);
            let mut game = record.start;
            for ply in &record.plies {
                assert!(!game.state().is_over());
                game.play(&ply.turn).unwrap();
            }
            assert!(game.state().is_over() || record.plies.len() as u32 == PLY_LIMIT);
        }
        assert_ne!(games.play(0).unwrap().unwrap(), SelfPlay::new(6).unwrap().play(0).unwrap().unwrap());
    }

    #[test]
    fn a_handicap_lasts_through_the_record_and_marks_it() {
        let games = SelfPlay::new(21).unwrap();
        let handicapped: Vec<u32> =
            (0..40).filter(|&number| games.openings().handicap(number).is_some()).collect();
        assert!((2..12).contains(&handicapped.len()), "{handicapped:?}");
        for number in handicapped.into_iter().chain(0..6) {
            let record = games.play(number).unwrap().unwrap();
            let back = GameRecord::from_line(&record.to_line().unwrap()).unwrap();
            assert_eq!(back, record);
            let handicap = games.openings().handicap(number).unwrap_or_default();
            assert_eq!(Handicap::of(&back.start), handicap, "game {number}");
        }
    }

    #[test]
    fn games_of_searches_hold_their_roots_and_are_read_back() {
        let spec: MatchPlayerSpec = "builtin:mcts,nodes=24,hash=4".parse().unwrap();
        let greedy: MatchPlayerSpec = "builtin:greedy".parse().unwrap();
        let openings = Openings::new(Rulesets::Mixed, (1, 2), &[], 0, 3).unwrap();
        let games = SelfPlay::of_players([spec, greedy], openings);
        assert!(games.is_reproducible());
        let record = games.play(1).unwrap().unwrap();
        let line = record.to_line().unwrap();
        assert_eq!(GameRecord::from_line(&line).unwrap(), record);
        assert_eq!(games.play(1).unwrap().unwrap(), record);
        let mut game = record.start.clone();
        let (mut roots, mut attacks) = (0, 0);
        for ply in &record.plies {
            // The first player has Blue in games of an odd number.
            let searched = ply.policy == Policy::Teacher && game.side_to_move() == Side::Blue;
            assert_eq!(ply.root.is_some(), searched);
            if let Some(root) = &ply.root {
                roots += 1;
                assert!((0.0..=1.0).contains(&root.value) && root.nodes == 24);
                assert!(!root.generals.is_empty() && root.boards.len() == game.config().num_boards());
                for board in 0..root.boards.len() {
                    let replayed = replayed(&game, board, root);
                    assert!(replayed.iter().all(|attack| attack.visits > 0 && attack.value <= 1.0));
                    attacks += replayed.len();
                    let fates = fates(&replayed).map_or(0, |fates| fates.len());
                    assert!(replayed.is_empty() || fates == game.state().boards()[board].all_pieces().len());
                }
            }
            game.play(&ply.turn).unwrap();
        }
        assert!(roots > 5 && attacks > 2 * roots, "{roots} {attacks}");
    }
}
