//! Buttons: what each does on each page.

use core::fmt::Write;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{IllegalReason, MapLabel};

use crate::aim::{Aim, Chosen};
use crate::buttons::{Buttons, Touch};
use crate::draw::{Spot, spot};
use crate::screen::{Effect, GameScreen};
use crate::ui::{Act, Message, Page, SETTING_ROWS};

impl GameScreen {
    /// Obeys the buttons that have just been pressed.
    pub(crate) fn press(&mut self, pressed: Buttons) {
        match self.ui.page {
            Page::Board => self.press_on_board(pressed),
            Page::NewGame => self.press_on_settings(pressed),
            Page::Techs => self.press_on_techs(pressed),
            Page::Rules => {
                if pressed.has(Buttons::B) || pressed.has(Buttons::START) {
                    self.ui.open(if self.ui.in_game { Page::Board } else { Page::Title });
                } else if pressed.has(Buttons::LEFT) || pressed.has(Buttons::UP) {
                    self.ui.choose(self.ui.choice().saturating_sub(1));
                } else if self.ui.choice() + 1 < crate::wording::RULES.len() {
                    self.ui.choose(self.ui.choice() + 1);
                } else if pressed.has(Buttons::A) {
                    self.ui.open(if self.ui.in_game { Page::Board } else { Page::Title });
                }
            }
            Page::UnitCard => {
                if pressed.has(Buttons(Buttons::A.0 | Buttons::B.0 | Buttons::START.0)) {
                    self.ui.page = self.ui.back;
                }
            }
            Page::Result => {
                if pressed.has(Buttons::A) || pressed.has(Buttons::START) {
                    self.ui.in_game = false;
                    self.ui.open(Page::Title);
                } else if pressed.has(Buttons::B) {
                    self.ui.open(Page::Board);
                }
            }
            _ => self.press_on_list(pressed),
        }
    }

    /// Obeys a touch: as if the cursor were moved there and A pressed; what lies beside entries and hexes stands for other
    /// buttons.
    pub(crate) fn tap(&mut self, touch: Touch) {
        match spot(self, touch) {
            Some(Spot::Hex(hex)) => {
                self.ui.hex = hex;
                self.press(Buttons::A);
            }
            Some(Spot::Entry(entry)) => {
                self.ui.choose(entry);
                self.press(Buttons::A);
            }
            Some(Spot::Scroll(forward)) => self.press(if forward { Buttons::RIGHT } else { Buttons::LEFT }),
            Some(Spot::BoardName) => self.press(Buttons::R),
            Some(Spot::Bar) if self.ui.page == Page::Board => self.press(Buttons::START),
            Some(Spot::Bar) => self.press(Buttons::B),
            // Nothing is taken back by a touch that misses the board.
            Some(Spot::Beside) if self.ui.aim != Aim::None => self.press(Buttons::B),
            Some(Spot::Beside) | None => {}
        }
    }

    fn press_on_list(&mut self, pressed: Buttons) {
        self.ui.forget_refusal();
        let items = self.items();
        let count = items.len();
        let choice = self.ui.choice().min(count.saturating_sub(1));
        if pressed.has(Buttons::UP) {
            self.ui.choose(if choice == 0 { count.saturating_sub(1) } else { choice - 1 });
        } else if pressed.has(Buttons::DOWN) {
            self.ui.choose(if choice + 1 < count { choice + 1 } else { 0 });
        } else if pressed.has(Buttons::LEFT) {
            self.ui.choose(choice.saturating_sub(8));
        } else if pressed.has(Buttons::RIGHT) {
            self.ui.choose((choice + 8).min(count.saturating_sub(1)));
        } else if pressed.has(Buttons::L) || pressed.has(Buttons::R) {
            self.turn_to_board(pressed.has(Buttons::R));
        } else if pressed.has(Buttons::B) || pressed.has(Buttons::START) {
            self.go_back();
        } else if pressed.has(Buttons::SELECT) {
            if let Some(unit) = items.get(choice).and_then(|item| crate::wording::unit_of(&item.act)) {
                self.show_card(unit);
            }
        } else if pressed.has(Buttons::A) {
            match items.get(choice) {
                Some(item) => match item.refused {
                    Some(reason) => self.ui.refuse(reason.text()),
                    None => self.act(item.act.clone()),
                },
                None => self.go_back(),
            }
        }
    }

    fn go_back(&mut self) {
        match self.ui.page {
            Page::Title => {}
            Page::NewGame => self.ui.open(Page::Title),
            _ if self.ui.in_game => self.ui.page = Page::Board,
            _ => self.ui.open(Page::Title),
        }
    }

    fn show_card(&mut self, unit: barrow_core::minions::UnitLabel) {
        self.ui.unit = unit;
        self.ui.back = self.ui.page;
        self.ui.page = Page::UnitCard;
    }

    /// Does what an entry says.
    pub(crate) fn act(&mut self, act: Act) {
        match act {
            Act::Open(page) => {
                self.ui.open(page);
                if page == Page::Techs {
                    let levels = self.table.shown().state().tech(self.ui.person);
                    let next = levels.first_locked(self.table.shown().config().techline.len());
                    self.ui.choose(next.map_or(0, usize::from));
                }
                if page == Page::Level {
                    self.ui.choose(usize::from(self.ui.level));
                }
            }
            Act::Enter(_) if matches!(self.ui.page, Page::Hint | Page::LastTurn) => {}
            Act::Enter(action) => {
                let stays = matches!(self.ui.page, Page::Buy | Page::Cards);
                self.enter(&[action]);
                if !stays {
                    self.ui.page = Page::Board;
                }
            }
            Act::Aim(aim) => {
                self.ui.page = Page::Board;
                let lit = aim.lit(self.table.shown(), usize::from(self.ui.board));
                if let Some(hex) = nearest(lit.all(), self.ui.hex) {
                    self.ui.hex = hex;
                }
                self.ui.aim = aim;
                self.prompt();
            }
            Act::Card(unit) => self.show_card(unit),
            Act::EndTurn => self.end_turn(),
            Act::Undo => {
                self.ui.page = Page::Board;
                self.undo();
            }
            Act::Clear => {
                self.table.clear_turn();
                self.ui.page = Page::Board;
                self.ui.aim = Aim::None;
                self.ui.say("The turn begins anew.");
            }
            Act::AskHint => self.ask_hint(),
            Act::PlayHint => self.play_hint(),
            Act::PlayNow => self.play_now(),
            Act::ResignGame => {
                self.table.resign();
                self.begin_turn();
                self.effect = Some(Effect::Save);
            }
            Act::Save => {
                self.ui.page = Page::Board;
                self.effect = Some(Effect::Save);
                self.ui.is_saved = true;
                self.ui.say("The game is saved. It is also saved at each end of a turn.");
            }
            Act::Load => self.effect = Some(Effect::Load),
            Act::Begin => self.begin_game(),
            Act::SetLevel(level) => {
                self.ui.level = level;
                // The next game begins with it.
                self.ui.settings.level = level;
                self.ui.page = Page::Board;
                let mut message = Message::new();
                let _ = write!(message, "The engine plays at the level {}.", self.machine.level(level).name);
                self.ui.say(&message);
            }
            Act::Nothing => {}
        }
    }

    fn turn_to_board(&mut self, forward: bool) {
        let boards = self.table.shown().config().num_boards().max(1) as u8;
        let board = self.ui.board;
        self.ui.board = if forward { (board + 1) % boards } else { (board + boards - 1) % boards };
        if self.ui.board != board {
            self.ui.aim = Aim::None;
        }
    }

    fn press_on_board(&mut self, pressed: Buttons) {
        if pressed.has(Buttons::L) || pressed.has(Buttons::R) {
            self.turn_to_board(pressed.has(Buttons::R));
        }
        let y = self.ui.hex.y();
        let columns = i8::from(pressed.has(Buttons::RIGHT)) - i8::from(pressed.has(Buttons::LEFT));
        let rows = i8::from(pressed.has(Buttons::DOWN)) - i8::from(pressed.has(Buttons::UP));
        if columns != 0 || rows != 0 {
            // Rows lean to the right by half a hex, so every second step goes a column further.
            let lean = match rows {
                -1 => i8::from(y.is_multiple_of(2)),
                1 => -i8::from(!y.is_multiple_of(2)),
                _ => 0,
            };
            self.move_cursor(columns + lean, rows);
        }
        if pressed.has(Buttons::SELECT) {
            self.next();
        }
        if pressed.has(Buttons::START) {
            self.ui.open(if self.table.is_over() { Page::Result } else { Page::Menu });
        } else if pressed.has(Buttons::A) {
            self.choose();
        } else if pressed.has(Buttons::B) {
            if self.ui.aim == Aim::None {
                self.undo();
            } else {
                self.ui.aim = self.ui.aim.shorter();
                self.ui.say("");
            }
        }
    }

    /// Moves the cursor by columns and rows; at an edge of the board it stays.
    fn move_cursor(&mut self, columns: i8, rows: i8) {
        let clamped = |at: u8, by: i8| at.saturating_add_signed(by).min(Hex::WIDTH - 1);
        let row = clamped(self.ui.hex.y(), rows);
        if rows != 0 && row == self.ui.hex.y() {
            return;
        }
        if let Some(hex) = Hex::at(clamped(self.ui.hex.x(), columns), row) {
            self.ui.hex = hex;
        }
    }

    /// Moves the cursor to the next lit hex, or to the next piece that has something left to do.
    fn next(&mut self) {
        let board = usize::from(self.ui.board);
        let set = match &self.ui.aim {
            Aim::None => self.ready(board),
            aim => {
                let lit = aim.lit(self.table.shown(), board);
                let aims = lit.hit | lit.go;
                if aims.is_empty() { lit.join } else { aims }
            }
        };
        let after = set.iter().find(|hex| hex.index() > self.ui.hex.index());
        match after.or(set.first()) {
            Some(hex) => self.ui.hex = hex,
            None => self.ui.say("No piece on this board has anything left to do."),
        }
    }

    /// Pieces of the side to move that can still walk or attack.
    pub(crate) fn ready(&self, board: usize) -> HexSet {
        let Some(view) = self.table.shown().view(board) else { return HexSet::EMPTY };
        if view.side != self.ui.person {
            return HexSet::EMPTY;
        }
        let ready = |hex: &Hex| !view.reach(*hex).is_empty() || !view.targets(*hex).is_empty();
        view.board.pieces(view.side).into_iter().filter(ready).collect()
    }

    /// Chooses what is under the cursor: a lit hex, one's own piece, a hex on which units may be placed, an enemy.
    fn choose(&mut self) {
        let (board, hex) = (usize::from(self.ui.board), self.ui.hex);
        let piece = self.table.shown().view(board).and_then(|view| view.board.piece(hex));
        if !self.is_persons_turn() {
            if let Some(piece) = piece {
                self.show_card(piece.unit());
            }
            return;
        }
        if self.ui.aim != Aim::None {
            return self.choose_target();
        }
        match piece {
            Some(piece) if piece.side() == self.ui.person => {
                let aim = Aim::piece(hex);
                let lit = aim.lit(self.table.shown(), board);
                self.ui.aim = aim;
                if lit.all().is_empty() {
                    self.explain_idle(board, hex);
                } else {
                    self.prompt();
                }
            }
            Some(piece) => self.show_card(piece.unit()),
            None => self.open_here("Nothing can be placed here: no friend near, or nobody waits."),
        }
    }

    fn open_here(&mut self, otherwise: &str) {
        self.ui.aim = Aim::None;
        self.ui.open(Page::Here);
        if self.items().is_empty() {
            self.ui.page = Page::Board;
            self.ui.refuse(otherwise);
        }
    }

    /// Says why a piece can neither walk nor attack. Its own menu opens at a second press.
    fn explain_idle(&mut self, board: usize, hex: Hex) {
        let Some(view) = self.table.shown().view(board) else { return };
        let Ok(piece) = view.friend(hex) else { return };
        let walks = view.steps_left(piece).err().map_or("nowhere to go", IllegalReason::text);
        let attacks = view.ready_to_attack(piece).err().map_or("nobody in range", IllegalReason::text);
        let mut message = Message::new();
        let _ = write!(message, "Walk: {walks}. Attack: {attacks}.");
        self.ui.refuse(&message);
    }

    fn choose_target(&mut self) {
        let (board, hex) = (usize::from(self.ui.board), self.ui.hex);
        if let Aim::Pieces(chain) = &self.ui.aim
            && chain.len() == 1
            && chain.first() == Some(&hex)
        {
            return self.open_here("");
        }
        let chosen = self.ui.aim.choose(self.table.shown(), board, hex);
        match chosen {
            Some(Chosen::Enter(actions)) => {
                let aim = self.ui.aim.clone();
                if self.enter(&actions) {
                    self.aim_again(aim, board, hex);
                }
            }
            Some(Chosen::Aim(aim)) => {
                let lit = aim.lit(self.table.shown(), board);
                if lit.all().is_empty() {
                    let reason = if matches!(aim, Aim::Pieces(_)) {
                        IllegalReason::Occupied
                    } else {
                        IllegalReason::BadTarget
                    };
                    self.ui.refuse(reason.text());
                } else {
                    self.ui.aim = aim;
                    self.prompt();
                }
            }
            None => self.ui.refuse("Choose a lit hex, or go back with B."),
        }
    }

    /// After a walk the piece may attack; after a placement the next of the same kind may follow.
    fn aim_again(&mut self, aim: Aim, board: usize, hex: Hex) {
        let again = match aim {
            Aim::Pieces(_) => Aim::piece(hex),
            Aim::Place(unit) => Aim::Place(unit),
            _ => return,
        };
        let more = match &again {
            Aim::Place(unit) => {
                let view = self.table.shown().view(board);
                view.is_some_and(|view| view.board.reserve(view.side, *unit) > 0)
            }
            // Walking on is rarely meant, attacking mostly is.
            _ => !again.lit(self.table.shown(), board).hit.is_empty(),
        };
        if more && !again.lit(self.table.shown(), board).all().is_empty() {
            self.ui.aim = again;
        }
    }

    fn prompt(&mut self) {
        let mut message = Message::new();
        let _ = crate::wording::prompt(&mut message, self);
        self.ui.say(&message);
    }

    /// Enters actions of the same moment; what is not legal is explained.
    pub(crate) fn enter(&mut self, actions: &[barrow_core::minions::Action]) -> bool {
        let result = self.table.enter(actions);
        let mut message = Message::new();
        match result {
            Ok(()) => {
                self.ui.aim = Aim::None;
                for (index, action) in actions.iter().enumerate() {
                    let _ = message.push_str(if index > 0 { ", " } else { "" });
                    let _ = crate::wording::action(&mut message, action, self.table.shown());
                }
                self.ui.say(&message);
                true
            }
            Err(reason) => {
                let _ = write!(message, "Not possible: {}.", reason.text());
                self.ui.refuse(&message);
                false
            }
        }
    }

    fn undo(&mut self) {
        self.ui.aim = Aim::None;
        if !self.is_persons_turn() {
            self.ui.say("");
        } else if self.table.undo() {
            self.ui.say("Taken back.");
        } else {
            self.ui.say("Nothing to take back in this turn.");
        }
    }

    fn press_on_techs(&mut self, pressed: Buttons) {
        self.ui.forget_refusal();
        let techs = self.table.shown().config().techline.len();
        let columns = crate::draw::TECH_COLUMNS;
        let choice = self.ui.choice();
        // Two entries below the techs: a spell bought, and the point sold.
        let count = techs + 2;
        let target = if pressed.has(Buttons::LEFT) {
            choice.saturating_sub(1)
        } else if pressed.has(Buttons::RIGHT) {
            choice + 1
        } else if pressed.has(Buttons::UP) {
            if choice >= techs { techs - 1 } else { choice.saturating_sub(columns) }
        } else if pressed.has(Buttons::DOWN) {
            if choice + columns < techs { choice + columns } else { choice.max(techs - 1) + 1 }
        } else {
            choice
        };
        self.ui.choose(target.min(count - 1));
        if pressed.has(Buttons::B) || pressed.has(Buttons::START) {
            self.go_back();
        } else if pressed.has(Buttons::SELECT) {
            let tech = self.table.shown().config().techline.techs().get(choice).copied();
            if let Some(barrow_core::minions::Tech::UnitTech(unit)) = tech {
                self.show_card(unit);
            }
        } else if pressed.has(Buttons::A) {
            if self.is_persons_turn() {
                let action = crate::wording::tech_step(self.table.shown(), choice);
                self.enter(&[action]);
            } else {
                self.ui.refuse("It is not your turn.");
            }
        }
    }

    fn press_on_settings(&mut self, pressed: Buttons) {
        let rows = SETTING_ROWS + usize::from(self.ui.settings.boards);
        let row = self.ui.choice().min(rows - 1);
        if pressed.has(Buttons::UP) {
            self.ui.choose(if row == 0 { rows - 1 } else { row - 1 });
        } else if pressed.has(Buttons::DOWN) {
            self.ui.choose(if row + 1 < rows { row + 1 } else { 0 });
        } else if pressed.has(Buttons::B) {
            self.ui.open(Page::Title);
        } else if pressed.has(Buttons::START) || (pressed.has(Buttons::A) && row == 0) {
            self.act(Act::Begin);
        } else if pressed.has(Buttons::LEFT) {
            self.change_setting(row, -1);
        } else if pressed.has(Buttons::RIGHT) || pressed.has(Buttons::A) {
            self.change_setting(row, 1);
        }
    }

    fn change_setting(&mut self, row: usize, by: i16) {
        let machine = self.machine;
        let settings = &mut self.ui.settings;
        let turned = |value: u8, count: usize| (i16::from(value) + by).rem_euclid(count.max(1) as i16) as u8;
        match row {
            1 => settings.level = turned(settings.level, machine.levels.len()),
            2 => settings.person = settings.person.opponent(),
            3 => settings.boards = 1 + turned(settings.boards - 1, usize::from(machine.max_boards)),
            4 => settings.spells = !settings.spells,
            5 => settings.shuffled = !settings.shuffled,
            _ => {
                if let Some(map) = settings.maps.get_mut(row.wrapping_sub(SETTING_ROWS)) {
                    *map = turned(*map, MapLabel::ALL.len());
                }
            }
        }
    }
}

/// Hex of a set that is nearest to another one.
fn nearest(set: HexSet, to: Hex) -> Option<Hex> {
    set.into_iter().min_by_key(|hex| hex.distance(to))
}
