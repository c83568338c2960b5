//! Power down and re-entry decided by playouts: the choices of a robot are played out some turns with equal chances, and
//! another than the usual one is taken where it is better beyond the error of the comparison. Not in the paper.

use super::evaluator::Evaluator;
use super::playout_policy::PlayoutPolicy;
use super::program_game::ProgramGame;
use crate::contests::roborally::{Card, Decisions, Dock, Profile, ROBOT_CAP, State, Status};
use crate::list;
use crate::rng::Rng;
use heapless::Vec;

/// Most choices that are compared.
const CHOICE_CAP: usize = 8;

/// Re-entries that are played out: the usual one, and the best others by themselves.
const ENTRIES: usize = CHOICE_CAP / 2;

/// Sum of what a choice is better than the usual one by, in single comparisons, and of its squares.
#[derive(Clone, Copy, Default)]
struct Gain {
    sum: i64,
    squares: i64,
}

impl Gain {
    /// Whether the choice is better beyond the error of the sum, whose variance is at most the sum of squares.
    fn is_sure(&self) -> bool {
        self.sum > 0 && i128::from(self.sum).pow(2) > i128::from(self.squares)
    }
}

/// Playouts with equal chances of the choices of one robot.
#[derive(Clone, Copy)]
pub struct PowerSearch<'b> {
    /// Policy of the playouts; its thresholds are the usual choice.
    pub policy: PlayoutPolicy<'b>,
    /// Evaluator of the positions in the end.
    pub judge: Evaluator<'b>,
    /// Turns of a playout.
    pub turns: u32,
    /// Most playouts of each choice.
    pub most: u32,
}

impl PowerSearch<'_> {
    /// Whether to announce power down with a program of a decision. The answer is the usual one where playouts, made
    /// while `more` says so, do not contradict it.
    pub fn announces(
        &self,
        game: &ProgramGame<'_>,
        program: &[Card],
        usual: bool,
        dice: &mut Rng,
        more: impl FnMut() -> bool,
    ) -> bool {
        let changed = self.compare(2, dice, more, |choice, seed| {
            let mut dice = Rng::new(seed);
            let mut state = game.root;
            match game.scenarios.of_sample(seed as u32) {
                Some(registers) => state.registers = *registers,
                None => self.policy.program_others(&mut state, 1 << game.robot, game.hand, &mut dice),
            }
            state.fill(game.robot, program);
            self.policy.announce(&mut state, 1 << game.robot);
            if usual != (choice == 1) {
                // A robot that may not announce does not.
                let _ = state.announce(game.robot);
            }
            state.run_registers(self.judge.board());
            self.policy.clean_up(&mut state);
            self.value_after(state, game.robot, self.turns.saturating_sub(1), &mut dice)
        });
        usual != (changed == 1)
    }

    /// Decisions of a robot's owner after the registers of a turn; all others are as usual.
    pub fn at_turn_end(
        &self,
        state: &State,
        robot: usize,
        dice: &mut Rng,
        more: impl FnMut() -> bool,
    ) -> Decisions {
        let choices = self.choices(state, robot);
        if choices.is_empty() {
            return Decisions::default();
        }
        let others = self.policy.power_down.decisions_but(state, 1 << robot);
        let best = self.compare(choices.len(), dice, more, |choice, seed| {
            let mut after = *state;
            let mut decisions = choices.get(choice).copied().unwrap_or_default();
            decisions.join(&others);
            after.clean_up(self.judge.board(), decisions);
            self.value_after(after, robot, self.turns, &mut Rng::new(seed))
        });
        choices.get(best).copied().unwrap_or_default()
    }

    /// The choices of a robot's owner after the registers of a turn, the usual one first; none where there is nothing to
    /// choose.
    fn choices(&self, state: &State, robot: usize) -> Vec<Decisions, CHOICE_CAP> {
        let mut choices = Vec::new();
        let Some(seen) = state.robot(robot).filter(|_| state.profile() == Profile::Classic) else {
            return choices;
        };
        // There is room: at most two for each of `ENTRIES`.
        match seen.status {
            Status::PoweredDown => {
                let stay = 1 << robot;
                let usual = if self.policy.power_down.stays(state, robot) { stay } else { 0 };
                for stay_down in [usual, usual ^ stay] {
                    let _ = choices.push(Decisions { stay_down, ..Decisions::default() });
                }
            }
            Status::Destroyed => {
                for entry in self.entries(state, robot) {
                    for reenter_down in [0, 1 << robot] {
                        let mut decisions = Decisions { reenter_down, ..Decisions::default() };
                        if let Some(place) = decisions.entries.get_mut(robot) {
                            *place = Some(entry);
                        }
                        let _ = choices.push(decisions);
                    }
                }
            }
            Status::Active | Status::Out | Status::Skipping => {}
        }
        choices
    }

    /// The usual re-entry of a robot, and the others with the best values, the best first.
    fn entries(&self, state: &State, robot: usize) -> Vec<Dock, ENTRIES> {
        let board = self.judge.board();
        let value = |entry: Dock| {
            let mut decisions = self.policy.power_down.decisions(state);
            if let Some(place) = decisions.entries.get_mut(robot) {
                *place = Some(entry);
            }
            let mut after = *state;
            after.clean_up(board, decisions);
            self.judge.value(&after, robot)
        };
        let mut best: Vec<(i32, Dock), ENTRIES> = Vec::new();
        for (place, entry) in state.entries(board, robot).enumerate() {
            let value = if place == 0 { i32::MAX } else { value(entry) };
            let rank = best.iter().position(|(other, _)| *other < value).unwrap_or(best.len());
            if best.is_full() && rank < ENTRIES {
                best.pop();
            }
            // Of a full list the worst was dropped, and what is worse than all of it does not fit.
            let _ = best.insert(rank, (value, entry));
        }
        list::first(best.iter().map(|(_, entry)| *entry))
    }

    /// Value of a position for a robot after some turns of all robots.
    fn value_after(&self, mut state: State, robot: usize, turns: u32, dice: &mut Rng) -> i32 {
        for _ in 0..turns {
            if state.is_over() {
                break;
            }
            self.policy.play_turn(&mut state, dice);
        }
        self.judge.scaled_value(&state, robot.min(ROBOT_CAP))
    }

    /// Compares choices by their values with equal seeds, as long as `more` says so. Returns the best one, or the first
    /// if none is better by more than the error of the comparison.
    fn compare(
        &self,
        count: usize,
        dice: &mut Rng,
        mut more: impl FnMut() -> bool,
        mut value: impl FnMut(usize, u64) -> i32,
    ) -> usize {
        let mut gains = [Gain::default(); CHOICE_CAP];
        if count < 2 {
            return 0;
        }
        for _ in 0..self.most {
            if !more() {
                break;
            }
            let seed = dice.next_u64();
            let usual = i64::from(value(0, seed));
            for (choice, gain) in gains.iter_mut().enumerate().take(count).skip(1) {
                let more = i64::from(value(choice, seed)) - usual;
                gain.sum += more;
                gain.squares += more * more;
            }
        }
        let (mut best, mut most) = (0, 0);
        for (choice, gain) in gains.iter().enumerate() {
            if gain.is_sure() && gain.sum > most {
                (best, most) = (choice, gain.sum);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::bot::{
        ActionSpace, Distances, Evaluation, NEVER, Odds, PowerDownPolicy, Solo, Strategy, Weights,
    };
    use crate::contests::roborally::{Board, BoardBuilder, Cell, Direction, Robot};
    use std::boxed::Box;

    /// A long floor with the only flag at its eastern end and a repair site.
    fn board() -> Board {
        let mut plan = BoardBuilder::new(16, 5).expect("small");
        plan.flag(15, 0).expect("inside");
        // The tables of a robot alone need a dock to put it on.
        plan.dock(0, 0, Direction::East).expect("inside");
        plan.terrain(1, 1, crate::contests::roborally::Terrain::Repair).expect("inside");
        plan.finish().expect("a board")
    }

    fn robot(x: i8, y: i8, damage: u8, status: Status) -> Robot {
        let cell = Cell::new(x, y);
        Robot {
            cell: if status == Status::Destroyed { Cell::NOWHERE } else { cell },
            facing: Direction::East,
            damage,
            lives: 3,
            next_flag: 1,
            archive: Dock { cell, facing: Direction::West },
            status,
            announced: false,
            is_virtual: false,
        }
    }

    /// The search in a state of some robots, which do not power down in playouts.
    fn with_search<T>(robots: &[Robot], then: impl FnOnce(PowerSearch<'_>, State) -> T) -> T {
        let board = board();
        let distances = Distances::new(&board);
        let mut solo = Box::new(Solo::EMPTY);
        solo.load(&board, Profile::Classic);
        let judge = Evaluator::new(&board, &distances, Evaluation::Odds(Odds::USUAL)).with_solo(&solo);
        let evaluator =
            Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::ROUNDS)).with_solo(&solo);
        let power_down = PowerDownPolicy { announce: 10, stay: 3 };
        let policy = PlayoutPolicy { evaluator, strategy: Strategy::Best, power_down, is_due: NEVER };
        let state = State::from_robots(&board, Profile::Classic, robots).expect("valid");
        then(PowerSearch { policy, judge, turns: 3, most: 100 }, state)
    }

    fn announces(robots: &[Robot], usual: bool, cards: &[u8]) -> bool {
        with_search(robots, |search, mut state| {
            let hand = cards.iter().filter_map(|&card| Card::new(card)).collect();
            for (register, card) in (state.free_registers(0)..5).zip(20..) {
                state.set_register(0, register, Card::new(card)).expect("a register");
            }
            let game = ProgramGame::new(search.policy, search.judge, state, 0, hand, ActionSpace::Classes);
            let game = game.expect("it programs");
            let program = game.best_alone(&mut Rng::new(1));
            search.announces(&game, &program, usual, &mut Rng::new(4), || true)
        })
    }

    #[test]
    fn a_robot_nearly_destroyed_powers_down_where_nobody_threatens_it() {
        let robots = [robot(1, 1, 8, Status::Active), robot(1, 4, 7, Status::Active)];
        assert!(announces(&robots, false, &[7]));
        let robots = [robot(4, 0, 1, Status::Active), robot(4, 4, 0, Status::Active)];
        assert!(!announces(&robots, true, &[1, 7, 8, 43, 49, 50, 67, 79]), "the other one would be first");
    }

    #[test]
    fn who_comes_back_looks_ahead() {
        let robots = [robot(2, 0, 10, Status::Destroyed), robot(2, 4, 4, Status::Active)];
        with_search(&robots, |search, state| {
            let decisions = search.at_turn_end(&state, 0, &mut Rng::new(2), || true);
            let entry = decisions.entries[0].expect("an entry");
            assert_eq!((entry.cell, decisions.stay_down), (Cell::new(2, 0), 0));
            assert_ne!(entry.facing, Direction::West);
            assert_eq!(decisions, search.at_turn_end(&state, 0, &mut Rng::new(2), || true));
            let mut after = state;
            after.clean_up(search.judge.board(), decisions);
            assert_eq!(after.robot(0).map(|seen| seen.facing), Some(entry.facing));
            let unasked = search.at_turn_end(&state, 0, &mut Rng::new(2), || false);
            assert_eq!(unasked.entries[0], state.entry(search.judge.board(), 0));
            assert_eq!(search.at_turn_end(&state, 1, &mut Rng::new(2), || true), Decisions::default());
        });
    }

    #[test]
    fn who_is_whole_again_gets_up() {
        let robots = [robot(4, 1, 0, Status::PoweredDown), robot(2, 4, 0, Status::Active)];
        with_search(&robots, |search, state| {
            assert_eq!(search.at_turn_end(&state, 0, &mut Rng::new(2), || true), Decisions::default());
        });
    }
}
