//! Keys: what each does, with a page, a prompt or a menu over the boards, and without.

use barrow_core::hex::Hex;
use barrow_core::minions::BoardAction;
use barrow_core::minions::text::umi::BoardActText;

use super::board_choices::buy_menu;
use super::effect::Effect;
use super::keys::Key;
use super::menu::{Act, Command, Item, Menu, Page};
use super::piece_choices::{aim_of_piece, next_ready, refusal};
use super::play_state::{Layer, PlayState, home};
use super::prompt::{Prompt, PromptUse};
use super::tech_choices::tech_menu;

/// Lines by which pages and lists are turned.
const PAGE: isize = 10;

impl PlayState {
    /// Does what a key says.
    pub fn press(&mut self, key: Key) -> Vec<Effect> {
        if key == Key::Interrupt {
            return self.interrupt();
        }
        match self.layers.pop() {
            None => self.press_on_board(key),
            Some(Layer::Page(page)) => self.press_on_page(page, key),
            Some(Layer::Menu(menu)) => self.press_on_menu(menu, key),
            Some(Layer::Prompt(prompt)) => self.press_on_prompt(prompt, key),
        }
    }

    /// Asks whether to leave; asked once more, leaves and saves what is not saved.
    fn interrupt(&mut self) -> Vec<Effect> {
        let asks = |layer: &Layer| {
            let Layer::Menu(menu) = layer else { return false };
            menu.items.iter().any(|item| item.act == Ok(Act::Do(Command::SaveAndQuit)))
        };
        if self.layers.last().is_some_and(asks) {
            return vec![Effect::SaveAndLeave];
        }
        self.obey(Command::AskQuit)
    }

    fn press_on_page(&mut self, mut page: Page, key: Key) -> Vec<Effect> {
        match key {
            Key::Up => page.scroll(-1),
            Key::Down => page.scroll(1),
            Key::PageUp | Key::Left => page.scroll(-PAGE),
            Key::PageDown | Key::Right | Key::Char(' ') => page.scroll(PAGE),
            Key::Home => page.top = 0,
            Key::Enter => return page.enter.map_or_else(Vec::new, |command| self.obey(command)),
            _ => return Vec::new(),
        }
        self.layers.push(Layer::Page(page));
        Vec::new()
    }

    fn press_on_menu(&mut self, mut menu: Menu, key: Key) -> Vec<Effect> {
        match key {
            Key::Up => menu.step(-1),
            Key::Down | Key::Tab => menu.step(1),
            Key::PageUp => menu.step(-PAGE),
            Key::PageDown => menu.step(PAGE),
            Key::Home => menu.chosen = 0,
            Key::End => menu.step(isize::MAX),
            Key::Escape | Key::Char('q') if menu.closes => return Vec::new(),
            Key::Char('q') => return self.with_below(menu, Command::AskQuit),
            Key::Enter | Key::Char(' ') => match menu.items.get(menu.chosen).map(|item| item.act.clone()) {
                Some(Ok(Act::Do(command))) if !menu.closes && !matches!(command, Command::NewGame(_)) => {
                    return self.with_below(menu, command);
                }
                Some(Ok(act)) => {
                    let line = if let Act::Line(line) = &act { line.clone() } else { String::new() };
                    let effects = self.act(act);
                    self.show_again(&line);
                    return effects;
                }
                Some(Err(why)) => self.say(format!("not possible: {why}")),
                None => {}
            },
            _ => {}
        }
        self.layers.push(Layer::Menu(menu));
        Vec::new()
    }

    /// Shows the techs again after a step, and the units for sale after a purchase, for there may be more to come.
    fn show_again(&mut self, line: &str) {
        let mut words = line.split(' ');
        let again = match (words.next(), words.next()) {
            (Some("tech" | "buy_spell" | "sell"), _) => Ok(tech_menu(self)),
            (_, Some("buy")) => buy_menu(self),
            _ => return,
        };
        if let Ok(menu) = again {
            self.show_menu(menu);
        }
    }

    /// Obeys a command whose menus and pages lie over one that stays.
    fn with_below(&mut self, menu: Menu, command: Command) -> Vec<Effect> {
        self.layers.push(Layer::Menu(menu));
        self.obey(command)
    }

    fn press_on_prompt(&mut self, mut prompt: Prompt, key: Key) -> Vec<Effect> {
        match key {
            Key::Escape => return Vec::new(),
            Key::Enter => return self.typed(&prompt),
            Key::Backspace => {
                prompt.text.pop();
            }
            Key::Tab => prompt.complete(),
            Key::Char(letter) => prompt.push(letter),
            _ => {}
        }
        self.layers.push(Layer::Prompt(prompt));
        Vec::new()
    }

    /// Takes a line that was typed. A name of a file, or an action that is refused, can be typed again.
    fn typed(&mut self, prompt: &Prompt) -> Vec<Effect> {
        let text = prompt.text.trim();
        match (prompt.purpose, text) {
            (_, "") => Vec::new(),
            (PromptUse::Save, name) => self.obey(Command::Save(name.to_owned())),
            (PromptUse::Open, name) => self.obey(Command::Open(name.to_owned())),
            (PromptUse::Line, line) => {
                if let Some(command) = command_of_word(line) {
                    return self.obey(command);
                }
                if !self.enter(line) {
                    self.layers.push(Layer::Prompt(prompt.clone()));
                }
                Vec::new()
            }
        }
    }

    fn press_on_board(&mut self, key: Key) -> Vec<Effect> {
        match key {
            Key::Left => self.move_cursor(-1, 0),
            Key::Right => self.move_cursor(1, 0),
            // Rows lean to the right by half a hex, so every second step goes a column further.
            Key::Up => self.move_cursor(i8::from(self.hex.y().is_multiple_of(2)), -1),
            Key::Down => self.move_cursor(-i8::from(!self.hex.y().is_multiple_of(2)), 1),
            Key::Home => self.hex = home(self.person),
            Key::Tab => self.turn_to((self.board + 1) % self.boards()),
            Key::BackTab => self.turn_to((self.board + self.boards() - 1) % self.boards()),
            Key::Char(digit @ '0'..='9') => {
                let board = digit as usize - '0' as usize;
                if board < self.boards() {
                    self.turn_to(board);
                } else {
                    self.say(format!("there is no board {board}"));
                }
            }
            Key::Char('n') => self.next(),
            Key::Enter | Key::Char(' ') => return self.choose(),
            Key::Escape if self.aim.is_some() => {
                self.aim = None;
                self.say("nothing chosen");
            }
            Key::Escape => return self.obey(Command::MainMenu),
            Key::Char(letter) => {
                return command_of_key(letter).map_or_else(Vec::new, |command| self.obey(command));
            }
            _ => {}
        }
        Vec::new()
    }

    /// Moves the cursor to the next lit hex, or to the next piece that has something left to do.
    fn next(&mut self) {
        let next = match &self.aim {
            Some(aim) => aim.next_after(self.hex),
            None => next_ready(&self.shown, self.board, self.person, self.hex),
        };
        match next {
            Some(hex) => self.hex = hex,
            None => self.say(format!("no piece of yours on board {} has anything left to do", self.board)),
        }
    }

    fn boards(&self) -> usize {
        self.game.config().num_boards().max(1)
    }

    fn turn_to(&mut self, board: usize) {
        if self.board != board {
            self.board = board;
            self.aim = None;
        }
    }

    /// Moves the cursor by columns and rows, along the edge where it would leave the board.
    fn move_cursor(&mut self, columns: i8, rows: i8) {
        let clamped = |at: u8, by: i8| at.saturating_add_signed(by).min(Hex::WIDTH - 1);
        let row = clamped(self.hex.y(), rows);
        // At an edge the cursor does not slide along it.
        if rows != 0 && row == self.hex.y() {
            return;
        }
        if let Some(hex) = Hex::at(clamped(self.hex.x(), columns), row) {
            self.hex = hex;
        }
    }

    /// Chooses what is under the cursor: a lit hex, one's own piece, a hex on which units may be placed, an enemy.
    fn choose(&mut self) -> Vec<Effect> {
        if !self.is_persons_turn() {
            return self.obey(Command::UnitCard);
        }
        if let Some(aim) = self.aim.clone() {
            return match aim.target(self.hex) {
                Some(target) => self.choose_one(&target.items, format!("{}", self.hex)),
                None if aim.from == Some(self.hex) => {
                    self.aim = None;
                    self.say("nothing chosen");
                    Vec::new()
                }
                None => {
                    let why = match aim.from {
                        Some(from) => refusal(&self.entry, aim.board, from, self.hex),
                        None => "choose a lit hex, or Esc".to_owned(),
                    };
                    self.say(format!("not possible: {why}"));
                    Vec::new()
                }
            };
        }
        let piece = self.shown.view(self.board).and_then(|view| view.board.piece(self.hex));
        match piece {
            Some(piece) if piece.side() == self.person => {
                match aim_of_piece(&self.shown, &self.entry, self.board, self.hex) {
                    Ok(aim) => {
                        self.say(aim.prompt.clone());
                        self.aim = Some(aim);
                    }
                    Err(why) => self.say(why),
                }
                Vec::new()
            }
            Some(_) => self.obey(Command::UnitCard),
            None => self.place_here(),
        }
    }

    /// Takes the only choice, or shows those that there are.
    fn choose_one(&mut self, items: &[Item], title: String) -> Vec<Effect> {
        if let [Item { act: Ok(act), .. }] = items {
            return self.act(act.clone());
        }
        self.show_menu(Menu::new(title, items.to_vec()));
        Vec::new()
    }

    /// Offers the reinforcements that may be placed under the cursor.
    fn place_here(&mut self) -> Vec<Effect> {
        let mut items = Vec::new();
        if let Some(view) = self.shown.view(self.board) {
            for (unit, count) in view.board.reserves(view.side) {
                if view.spawn_hexes(unit).contains(self.hex) {
                    let spawn = BoardAction::Spawn { unit, at: self.hex };
                    let line = format!("{} {}", self.board, BoardActText(&spawn));
                    items.push(Item::new(format!("place a {} ({count} left)", unit.name()), Act::Line(line)));
                }
            }
        }
        if items.is_empty() {
            self.say(format!("nothing can be placed on {}", self.hex));
            return Vec::new();
        }
        self.show_menu(Menu::new(format!("{}", self.hex), items));
        Vec::new()
    }
}

/// Command of a key on the boards.
fn command_of_key(letter: char) -> Option<Command> {
    Some(match letter {
        'a' => Command::HexMenu,
        'b' => Command::BuyMenu,
        'p' => Command::PlaceMenu,
        'c' => Command::CardMenu,
        't' => Command::TechMenu,
        'k' => Command::KeepMenu,
        'e' => Command::EndTurn,
        'u' => Command::Undo,
        'U' => Command::Clear,
        'h' => Command::Hint,
        'm' => Command::PlayNow,
        'i' => Command::UnitCard,
        'l' => Command::ShowTurns,
        'v' => Command::ShowPosition,
        'L' => Command::AskLevel,
        's' => Command::AskSave,
        'o' => Command::AskOpen,
        'r' => Command::AskResign,
        '?' => Command::Help,
        ':' => Command::AskLine,
        'q' => Command::AskQuit,
        _ => return None,
    })
}

/// Command of a word that is typed as in the line mode.
fn command_of_word(line: &str) -> Option<Command> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some(match (word, rest.trim()) {
        ("end" | "endturn", _) => Command::EndTurnWithoutQuestion,
        ("undo", "") => Command::Undo,
        ("clear", "") => Command::Clear,
        ("hint", "") => Command::Hint,
        ("help" | "?", "") => Command::Help,
        ("lines", "") => Command::ShowTurns,
        ("fen", "") => Command::ShowFen,
        ("show", "") => Command::ShowPosition,
        ("quit" | "exit", "") => Command::AskQuit,
        ("save", "") => Command::AskSave,
        ("save", name) => Command::Save(name.to_owned()),
        ("save!", name) if !name.is_empty() => Command::SaveOver(name.to_owned()),
        ("open", "") => Command::AskOpen,
        ("open", name) => Command::Open(name.to_owned()),
        _ => return None,
    })
}
