//! One race between players, from the docks to the last flag.

use anyhow::Result;
use barrow_core::contests::roborally::bot::{
    Evaluation, Evaluator, NEVER, PlayoutPolicy, PowerDownPolicy, Strategy, Weights,
};
use barrow_core::contests::roborally::{Card, CardSet, Decisions, Profile, REGISTERS, State};
use barrow_core::rng::Rng;

use super::course::Course;
use super::player::Player;
use super::recording::Recording;
use crate::interrupt;

/// The settings of a race.
#[derive(Clone, Copy, Debug)]
pub struct RaceSettings {
    /// Variant of the rules.
    pub profile: Profile,
    /// Lives of each robot; without effect in the rallyrobo profile.
    pub lives: u8,
    /// Turns after which the race ends without a winner (rules §7).
    pub turn_limit: u16,
    /// Seed of the deals, from which the players' generators are split off.
    pub seed: u64,
}

/// The result of a race.
#[derive(Clone, Debug)]
pub struct RaceResult {
    /// State at the end of the race.
    pub state: State,
    /// Place of each robot, from 1; equal robots share a place.
    pub places: Vec<u32>,
}

/// Runs a race; player i drives robot i. `watch` is called with the state after each turn. It ends early when all players
/// but one have committed a fault. An interrupt is an error.
pub fn run(
    course: &Course,
    players: &mut [Player],
    settings: RaceSettings,
    mut watch: impl FnMut(&State),
) -> Result<RaceResult> {
    run_recorded(course, players, settings, None, &mut watch)
}

/// Runs a race as [`run`] does, and adds it to a record.
pub fn run_recorded(
    course: &Course,
    players: &mut [Player],
    settings: RaceSettings,
    mut record: Option<&mut Recording>,
    watch: &mut dyn FnMut(&State),
) -> Result<RaceResult> {
    let mut deals = Rng::new(settings.seed);
    let mut dice: Vec<Rng> = players.iter().map(|_| deals.split()).collect();
    let evaluator = Evaluator::new(&course.board, &course.distances, Evaluation::Hodgepodge(Weights::PAPER));
    let policy = PlayoutPolicy {
        evaluator,
        strategy: Strategy::Random,
        power_down: PowerDownPolicy::USUAL,
        is_due: NEVER,
    };
    let mut state = State::new(&course.board, settings.profile, players.len(), settings.lives)?;
    let is_contested = |players: &[Player]| is_contested(players.iter().map(Player::fault));
    while !state.is_over() && state.turn() < settings.turn_limit && is_contested(players) {
        let before = state;
        policy.start_turn(&mut state, &mut deals);
        if let Some(record) = record.as_deref_mut() {
            record.start(&before, &state);
        }
        let mut deck: Vec<Card> = state.deck().iter().collect();
        deals.shuffle(&mut deck);
        let mut programmed = state;
        for (robot, player) in players.iter_mut().enumerate() {
            let hand: CardSet = deck.split_off(deck.len() - state.hand_size(robot)).into_iter().collect();
            if !state.is_programming(robot) {
                continue;
            }
            if let Some(record) = record.as_deref_mut() {
                record.hand(robot, hand);
            }
            interrupt::check()?;
            let choice = player.choose(course, &state, robot, hand, &mut dice[robot])?;
            programmed.program(robot, hand, &choice.program)?;
            if choice.announces {
                programmed.announce(robot)?;
                if let Some(record) = record.as_deref_mut() {
                    record.announce(robot);
                }
            }
        }
        state = programmed;
        if let Some(record) = record.as_deref_mut() {
            record.programs(&state);
        }
        for register in 0..REGISTERS {
            if state.is_over() {
                break;
            }
            state.run_register(&course.board, register);
            if let Some(record) = record.as_deref_mut() {
                record.register(register, &state);
            }
        }
        let is_over = state.is_over();
        let mut decisions = Decisions::default();
        for (robot, player) in players.iter().enumerate().filter(|_| !is_over) {
            decisions.join(&player.ends_turn(course, &state, robot, &mut dice[robot]));
        }
        let before = state;
        state.clean_up(&course.board, decisions);
        if let Some(record) = record.as_deref_mut().filter(|_| !is_over) {
            record.clean_up(&before, decisions, &state);
        }
        watch(&state);
    }
    let judge = Evaluator::new(&course.board, &course.distances, Evaluation::Manhattan);
    Ok(RaceResult { places: places(&judge, &state), state })
}

/// Whether a race goes on, by the fault of each player, if any: one in which all rivals of a program are out is won.
pub(super) fn is_contested<'a>(faults: impl Iterator<Item = Option<&'a str>>) -> bool {
    let (faulty, sound): (Vec<_>, Vec<_>) = faults.partition(Option::is_some);
    faulty.is_empty() || sound.len() > 1
}

/// Places of the robots: the winner first, then by flags touched, then by the Manhattan distance to the next flag
/// (rules §7), as this evaluator sees them.
pub(super) fn places(evaluator: &Evaluator<'_>, state: &State) -> Vec<u32> {
    let rank = |robot: usize| {
        let flags = state.robot(robot).map_or(0, |seen| seen.next_flag);
        (state.winner() == Some(robot), flags, evaluator.value(state, robot))
    };
    let ranks: Vec<_> = (0..state.robots()).map(rank).collect();
    ranks.iter().map(|own| 1 + ranks.iter().filter(|other| *other > own).count() as u32).collect()
}

#[cfg(test)]
mod tests {
    use barrow_core::contests::roborally::Outcome;

    use super::*;

    fn race(specs: &[&str], name: &str, profile: Profile, seed: u64) -> RaceResult {
        let board = barrow_core::contests::roborally::Course::named(name)
            .expect("a course")
            .board()
            .expect("a board");
        let course = Course::new(board);
        let mut players: Vec<Player> =
            specs.iter().map(|spec| Player::new(spec.parse().expect("a player"))).collect();
        let settings = RaceSettings { profile, lives: 3, turn_limit: 60, seed };
        run(&course, &mut players, settings, |state| state.check(&course.board).expect("a valid state"))
            .expect("a race")
    }

    #[test]
    fn a_recorded_race_replays_without_a_mismatch() {
        for (name, profile) in [("checkmate", Profile::Classic), ("rallyrobo-example", Profile::Rallyrobo)] {
            let board = barrow_core::contests::roborally::Course::named(name).expect("a course").board();
            let course = Course::new(board.expect("a board"));
            let names = vec!["search".to_owned(); 4];
            let mut text = String::new();
            for seed in 0..3 {
                let mut players: Vec<Player> =
                    (0..4).map(|_| Player::new("search:samples=3".parse().expect("a player"))).collect();
                let settings = RaceSettings { profile, lives: 2, turn_limit: 80, seed };
                let mut record = Recording::new(name, profile, settings.lives, &names);
                run_recorded(&course, &mut players, settings, Some(&mut record), &mut |_| ())
                    .expect("a race");
                text.push_str(record.text());
            }
            let mut tally = crate::replay::Tally::default();
            super::super::replay::text("record", &text, &mut tally).expect("a record");
            assert!(tally.steps > 300 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
            let first = &text[..text[1..].find("//").map_or(text.len(), |end| end + 1)];
            let watched = barrow_session::contests::watch(&text).expect("a record");
            let moments = first.matches("\nREGISTER ").count() + first.matches("\nCLEANUP").count();
            assert_eq!((watched.scenes.len(), watched.mismatch), (moments + 1, None));
            let wrong = first.replacen("\n0 ", "\n0 9", 1);
            assert!(barrow_session::contests::watch(&wrong).expect("a record").mismatch.is_some());
        }
    }

    #[test]
    fn records_have_what_owners_decide_about_power_and_re_entry() {
        let name = "checkmate";
        let board = barrow_core::contests::roborally::Course::named(name).expect("a course").board();
        let course = Course::new(board.expect("a board"));
        let spec = "mc:power=playouts,ahead=1,trials=4,least=1,playouts=8,playout=random,focus=8";
        let mut text = String::new();
        for seed in 0..6 {
            let mut players: Vec<Player> =
                (0..4).map(|_| Player::new(spec.parse().expect("a player"))).collect();
            let settings = RaceSettings { profile: Profile::Classic, lives: 3, turn_limit: 40, seed };
            let names = vec![spec.to_owned(); 4];
            let mut record = Recording::new(name, settings.profile, settings.lives, &names);
            run_recorded(&course, &mut players, settings, Some(&mut record), &mut |_| ()).expect("a race");
            text.push_str(record.text());
        }
        let mut tally = crate::replay::Tally::default();
        super::super::replay::text("record", &text, &mut tally).expect("a record");
        assert!(tally.steps > 300 && tally.mismatches == 0, "{} of {}", tally.mismatches, tally.steps);
        assert!(text.contains("\nENTRY ") && text.contains("\nANNOUNCE "));
    }

    #[test]
    fn races_are_valid_and_the_same_from_the_same_seed() {
        let specs = ["mc:playouts=20,playout=random", "smitsimax:playouts=64,focus=16,foresee=4", "random"];
        for profile in [Profile::Classic, Profile::Rallyrobo] {
            let name = if profile == Profile::Classic { "checkmate" } else { "rallyrobo-example" };
            let first = race(&specs, name, profile, 5);
            let again = race(&specs, name, profile, 5);
            assert_eq!(first.state, again.state);
            assert_eq!(first.places.iter().min(), Some(&1));
            if let Outcome::Finished(winner) | Outcome::Last(winner) = first.state.outcome() {
                assert_eq!(first.places[usize::from(winner)], 1);
            }
        }
    }
}
