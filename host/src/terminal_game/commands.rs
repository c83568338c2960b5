//! Commands of the player to the game as a whole: what each key and each entry of the menus does.

use barrow_core::minions::Side;
use barrow_core::minions::text::fen;

use super::board_choices::{aim_of_unit, buy_menu, card_menu, keep_menu, place_menu};
use super::effect::Effect;
use super::help::HELP;
use super::level::Level;
use super::menu::{Act, Command, Item, Menu, Page};
use super::piece_choices::menu_of_hex;
use super::play_state::{Layer, PlayState};
use super::prompt::{Prompt, PromptUse};
use super::tech_choices::{legal_lines, tech_menu};
use crate::text::cards::{tech_line, unit_card};
use crate::text::picture::Picture;

impl PlayState {
    /// Does what an act says.
    pub(super) fn act(&mut self, act: Act) -> Vec<Effect> {
        match act {
            Act::Line(line) => {
                self.take_line(&line);
                Vec::new()
            }
            Act::Aim(aim) => {
                self.layers.clear();
                self.say(aim.prompt.clone());
                if let Some(target) = aim.targets.first() {
                    self.hex = target.hex;
                }
                self.board = aim.board;
                self.aim = Some(aim);
                Vec::new()
            }
            Act::Menu(menu) => {
                self.show_menu(menu);
                Vec::new()
            }
            Act::Do(command) => self.obey(command),
        }
    }

    /// Adds a line to the turn. After a unit is placed, the next of its type is aimed with.
    pub(super) fn take_line(&mut self, line: &str) {
        if !self.may_act() {
            return;
        }
        let places = self.aim.as_ref().and_then(|aim| aim.places);
        if self.enter(line)
            && let Some(unit) = places
        {
            self.aim = aim_of_unit(self, unit).ok();
        }
    }

    /// Whether the player has the move; if not, says why.
    pub(super) fn may_act(&mut self) -> bool {
        let mine = self.is_persons_turn();
        if self.is_over() {
            self.say(format!("the game is over: {}", self.result_in_words()));
        } else if !mine {
            self.say(format!("{} has the move; m makes it play at once", self.engine_side().name()));
        }
        mine
    }

    /// Obeys a command.
    pub(super) fn obey(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::EndTurn if !self.may_act() => {}
            Command::EndTurn if self.entry.lines().is_empty() => self.show_menu(Menu::new(
                "Nothing was done in this turn. End it?",
                vec![
                    Item::command("no, go on with the turn", Command::Close),
                    Item::command("yes, end it", Command::EndTurnWithoutQuestion),
                ],
            )),
            Command::EndTurn => return self.end_turn(),
            Command::EndTurnWithoutQuestion if self.may_act() => return self.end_turn(),
            Command::Undo if self.may_act() => self.undo(),
            Command::Clear if self.may_act() => {
                self.clear_entry();
                self.say("the turn begins anew");
            }
            Command::Hint if self.may_act() => return self.ask_hint(),
            Command::UseHint if self.may_act() => self.use_hint(),
            Command::PlayNow => match self.search {
                Some(_) => return vec![Effect::StopSearch],
                None => self.say("the engine is not thinking"),
            },
            Command::Save(name) => return vec![Effect::Save(name)],
            Command::SaveOver(name) => return vec![Effect::SaveOver(name)],
            Command::Open(name) => return vec![Effect::Open(name)],
            Command::AskQuit if !self.unsaved || self.is_recorded_whole() => return vec![Effect::Leave],
            Command::AskQuit => self.show_menu(self.quit_menu()),
            Command::SaveAndQuit => return vec![Effect::SaveAndLeave],
            Command::Quit => {
                self.unsaved = false;
                return vec![Effect::Leave];
            }
            Command::SetLevel(level) => {
                self.level = level;
                let start = self.start_menu();
                for layer in &mut self.layers {
                    if let Layer::Menu(menu) = layer
                        && !menu.closes
                    {
                        menu.items.clone_from(&start.items);
                    }
                }
                self.say(format!("level {}: the engine {}", level.name, level.about));
            }
            Command::NewGame(side) => {
                self.person = side;
                return vec![Effect::NewGame];
            }
            Command::ResignGame if self.may_act() => return self.resign(),
            _ => self.show(&command),
        }
        Vec::new()
    }

    /// Whether every action is in the recorded file already.
    fn is_recorded_whole(&self) -> bool {
        self.record_file.is_some() && self.entry.lines().is_empty()
    }

    /// Obeys a command that opens a menu, a page or a prompt.
    fn show(&mut self, command: &Command) {
        let menu = match command {
            Command::MainMenu => Ok(self.main_menu()),
            Command::AskLevel => Ok(self.level_menu()),
            Command::AskNewGame => Ok(self.new_game_menu()),
            Command::HexMenu if self.may_act() => menu_of_hex(&self.shown, self.board, self.hex),
            Command::BuyMenu if self.may_act() => buy_menu(self),
            Command::PlaceMenu if self.may_act() => place_menu(self),
            Command::CardMenu if self.may_act() => card_menu(self),
            Command::TechMenu if self.is_persons_turn() => Ok(tech_menu(self)),
            Command::KeepMenu if self.may_act() => keep_menu(self),
            Command::AskResign if self.may_act() => Ok(self.resign_menu()),
            Command::TechMenu => {
                let table = tech_line(&self.shown);
                return self.show_page(Page::new("Tech line", &table));
            }
            Command::ShowTurns => return self.show_page(self.turns_page()),
            Command::ShowPosition => {
                let picture = Picture::new(&self.shown).hiding(self.hidden()).to_string();
                return self.show_page(Page::new("Position", &picture));
            }
            Command::ShowFen => {
                let fen = fen::Extended(&self.game).to_string();
                return self.show_page(Page::new("FEN of the start of the turn, with all cards", &fen));
            }
            Command::Help => return self.show_page(Page::new("Help", HELP)),
            Command::UnitCard => return self.show_unit_card(),
            Command::AskSave => return self.ask_line(PromptUse::Save),
            Command::AskOpen => return self.ask_line(PromptUse::Open),
            Command::AskLine if self.may_act() => return self.ask_line(PromptUse::Line),
            _ => return,
        };
        match menu {
            Ok(menu) => self.show_menu(menu),
            Err(why) => self.say(why),
        }
    }

    fn ask_line(&mut self, purpose: PromptUse) {
        let known = if purpose == PromptUse::Line { legal_lines(self) } else { Vec::new() };
        let text = if purpose == PromptUse::Save { "game.mgn" } else { "" };
        self.layers.push(Layer::Prompt(Prompt::new(purpose, text, known)));
    }

    fn show_unit_card(&mut self) {
        let piece = self.shown.view(self.board).and_then(|view| view.board.piece(self.hex));
        match piece {
            Some(piece) => {
                let card = unit_card(&self.shown.config().rules, piece.unit());
                self.show_page(Page::new("Card", &card));
            }
            None => self.say(format!("nobody stands on {}", self.hex)),
        }
    }

    /// Page of all turns in words, the latest first.
    fn turns_page(&self) -> Page {
        let mut page = Page::new("Turns, the latest first", "");
        if !self.entry.lines().is_empty() {
            page.lines.push("This turn so far:".to_owned());
            page.lines.extend(self.entry.lines().iter().map(|line| format!("  {line}")));
        }
        for turn in self.turns.iter().rev() {
            page.lines.push(format!("Turn {}, {}:", turn.number, turn.side.name()));
            page.lines.extend(turn.sentences.iter().map(|sentence| format!("  {sentence}")));
        }
        if page.lines.is_empty() {
            page.lines.push("nothing has been played".to_owned());
        }
        page
    }

    /// The first menu: which side to play.
    pub fn start_menu(&self) -> Menu {
        let mut menu = Menu::new(
            "Barrow: a game of Minions",
            vec![
                Item::command("play Yellow, who moves first", Command::NewGame(Side::Yellow)),
                Item::command("play Blue", Command::NewGame(Side::Blue)),
                Item::command(format!("level of the engine: {}", self.level.name), Command::AskLevel),
                Item::command("go on with a recorded game", Command::AskOpen),
                Item::command("help", Command::Help),
                Item::command("quit", Command::AskQuit),
            ],
        );
        menu.closes = false;
        menu
    }

    fn main_menu(&self) -> Menu {
        Menu::new(
            "Menu",
            vec![
                Item::command("back to the game", Command::Close),
                Item::command("help: the keys and what is drawn", Command::Help),
                Item::command("turns played so far", Command::ShowTurns),
                Item::command("the whole position as text", Command::ShowPosition),
                Item::command(format!("level of the engine: {}", self.level.name), Command::AskLevel),
                Item::command("save the game", Command::AskSave),
                Item::command("go on with a recorded game", Command::AskOpen),
                Item::command("new game", Command::AskNewGame),
                Item::command("resign", Command::AskResign),
                Item::command("quit", Command::AskQuit),
            ],
        )
    }

    fn new_game_menu(&self) -> Menu {
        let unsaved = if self.unsaved && self.record_file.is_none() { "; this one is not saved" } else { "" };
        Menu::new(
            format!("New game{unsaved}"),
            vec![
                Item::command("back to the game", Command::Close),
                Item::command("play Yellow, who moves first", Command::NewGame(Side::Yellow)),
                Item::command("play Blue", Command::NewGame(Side::Blue)),
            ],
        )
    }

    fn level_menu(&self) -> Menu {
        let items = Level::ALL.into_iter().map(|level| {
            Item::command(format!("{:<8}{}", level.name, level.about), Command::SetLevel(level))
        });
        let mut menu = Menu::new("Level of the engine, from its next turn on", items.collect());
        menu.chosen = Level::ALL.iter().position(|level| *level == self.level).unwrap_or(0);
        menu
    }

    fn resign_menu(&self) -> Menu {
        let mut items = vec![Item::command("nothing, back to the game", Command::Close)];
        for board in 0..self.game.config().num_boards() {
            let line = format!("{board} resign");
            let act = self.entry.check(&line).map(|()| Act::Line(line));
            items.push(Item { text: format!("board {board}"), act });
        }
        items.push(Item::command("the game", Command::ResignGame));
        Menu::new("Resign", items)
    }

    fn quit_menu(&self) -> Menu {
        let quit = match &self.record_file {
            Some(name) => format!("quit; the turns played are in {name}"),
            None => "quit without saving".to_owned(),
        };
        Menu::new(
            "Leave the game?",
            vec![
                Item::command("stay", Command::Close),
                Item::command("save the game and quit", Command::SaveAndQuit),
                Item::command(quit, Command::Quit),
            ],
        )
    }
}
