//! Records of races, in the form of the recorded games that `barrow roborally replay` and `show` read.

use std::fmt::Write as _;

use barrow_core::contests::roborally::{Card, CardSet, Decisions, Outcome, Profile, State, Status};

use barrow_session::contests::roborally::robot_text::{dock_text, registers_text, robot_line, spaced};

/// The record of a race as it is run.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    text: String,
}

impl Recording {
    /// The record of a race on a built-in course before its first turn. Names are those of the players by robot.
    pub fn new(course: &str, profile: Profile, lives: u8, names: &[String]) -> Recording {
        let word = if profile == Profile::Rallyrobo { "BOARD" } else { "COURSE" };
        let (robots, names) = (names.len(), names.join(" | "));
        Recording { text: format!("// {names}\n{word} {course}\nLIVES {lives}\nROBOTS {robots}\n") }
    }

    /// Adds the start of a turn: the state before it, and after it what was dealt to empty locked registers.
    pub(super) fn start(&mut self, before: &State, after: &State) {
        self.line(format_args!("TURN {}", before.turn() + 1));
        let mut fresh = *before;
        fresh.start_turn();
        let bare: Vec<(usize, usize)> = fresh.empty_locked_registers().collect();
        for (robot, register) in bare {
            let card = after.register(robot, register).map_or(0, Card::number);
            self.line(format_args!("LOCKDEAL {robot} {} {card}", register + 1));
        }
    }

    /// Adds a hand.
    pub(super) fn hand(&mut self, robot: usize, hand: CardSet) {
        let cards = spaced(hand.iter().map(Card::number));
        self.line(format_args!("HAND {robot}{cards}"));
    }

    /// Adds an announcement.
    pub(super) fn announce(&mut self, robot: usize) {
        self.line(format_args!("ANNOUNCE {robot}"));
    }

    /// Adds the registers of all robots that have a program.
    pub(super) fn programs(&mut self, state: &State) {
        for robot in (0..state.robots()).filter(|&robot| state.is_programming(robot)) {
            let registers = registers_text(state, robot);
            self.line(format_args!("REGS {robot}{}", registers.trim_start_matches("regs")));
        }
    }

    /// Adds a register, counted from 0, that has been run.
    pub(super) fn register(&mut self, register: usize, state: &State) {
        self.line(format_args!("REGISTER {}", register + 1));
        self.robots(state, false);
        if let Outcome::Finished(robot) = state.outcome() {
            self.line(format_args!("WIN {robot}"));
        }
    }

    /// Adds the clean-up of a turn: the decisions of the owners, as far as they can matter, and the state after it.
    pub(super) fn clean_up(&mut self, before: &State, decisions: Decisions, state: &State) {
        let words = |set: u8, status: Status| {
            let robots = (0..before.robots()).filter(|&robot| {
                set >> robot & 1 == 1 && before.robot(robot).is_some_and(|seen| seen.status == status)
            });
            let words = spaced(robots);
            if words.is_empty() { " -".to_owned() } else { words }
        };
        let stay = words(decisions.stay_down, Status::PoweredDown);
        let down = words(decisions.reenter_down, Status::Destroyed);
        self.line(format_args!("STAYDOWN{stay}\nREENTERDOWN{down}"));
        for (robot, entry) in decisions.entries.iter().enumerate() {
            if let Some(entry) = entry {
                self.line(format_args!("ENTRY {robot} {}", dock_text(*entry)));
            }
        }
        self.line(format_args!("CLEANUP"));
        self.robots(state, state.profile() == Profile::Classic);
        if matches!(state.outcome(), Outcome::Last(_) | Outcome::Nobody) {
            self.line(format_args!("LAST"));
        }
    }

    /// The record so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn robots(&mut self, state: &State, with_registers: bool) {
        for robot in 0..state.robots() {
            let line = robot_line(state, robot).unwrap_or_default();
            if with_registers {
                self.line(format_args!("{line} {}", registers_text(state, robot)));
            } else {
                self.line(format_args!("{line}"));
            }
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}
