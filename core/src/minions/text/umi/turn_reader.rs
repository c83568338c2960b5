//! Collecting the lines of a turn.

use heapless::Vec;

use super::board_act::{self, Words, number};
use super::error::UmiError;
use super::row_cards::RowCards;
use crate::list::{self, Full};
use crate::minions::rules::action::{BoardAction, GameTurn};
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::CARD_GIFT_CAP;
use crate::minions::tables::spell::Spell;

/// Card given to a board, as a line names it.
#[derive(Clone, Copy, Debug)]
struct Gift {
    board: u8,
    spell: Spell,
    /// Place in the row; `None` for the first card of that name.
    place: Option<u8>,
}

/// Reader of a turn, line by line. The rules check the turn only when it is played.
///
/// ```
/// use barrow_core::minions::{Game, GameConfig, Ruleset, umi::TurnReader};
/// let mut game = Game::new(GameConfig::default().with_ruleset(Ruleset::Spooky), 0);
/// let mut reader = TurnReader::new(&game, "turn").unwrap();
/// for line in ["action tech 1", "action board 0 move d1e1", "action board 1 move_cyclic c2 c3"] {
///     reader.read(line).unwrap();
/// }
/// assert!(reader.read("action board 2 move d1e1").is_err());
/// let turn = reader.finish(&game).unwrap();
/// game.play(&turn).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct TurnReader {
    turn: GameTurn,
    extra_spells: u8,
    gifts: Vec<Gift, CARD_GIFT_CAP, u8>,
    boards: usize,
    sorted: bool,
    resigning_drops: bool,
}

impl TurnReader {
    /// Begins a turn on this position with its first line: `turn`, perhaps with the names of the cards of the row,
    /// of which there must be one more than boards. The names are checked and then not needed, because the
    /// position knows its row.
    pub fn new(game: &Game, line: &str) -> Result<TurnReader, UmiError> {
        let boards = game.config().num_boards();
        let mut words = Words(line.split_ascii_whitespace());
        if words.next("turn")? != "turn" {
            return Err(UmiError::Expected("turn"));
        }
        if let Some(word) = words.0.next() {
            if word != "spells" {
                return Err(UmiError::Expected("spells"));
            }
            let mut cards = 0;
            for name in words.0 {
                if Spell::from_name(name).is_none() && !matches!(name, "blank" | "unknown") {
                    return Err(UmiError::UnknownSpell);
                }
                cards += 1;
            }
            if cards != boards + 1 {
                return Err(UmiError::Expected("one spell more than boards"));
            }
        }
        let rules = &game.config().rules;
        Ok(TurnReader {
            turn: GameTurn::new(),
            extra_spells: 0,
            gifts: Vec::new(),
            boards,
            sorted: !rules.spells,
            resigning_drops: rules.resign_drops_actions,
        })
    }

    /// Adds an `action` line. On error nothing has changed.
    ///
    /// A second tech line replaces the first, and so does a second setup of a board.
    pub fn read(&mut self, line: &str) -> Result<(), UmiError> {
        let mut words = Words(line.split_ascii_whitespace());
        if words.next("action")? != "action" {
            return Err(UmiError::Expected("action"));
        }
        match words.next("an action")? {
            "tech" => self.read_tech(words),
            "sell" => {
                words.end()?;
                self.turn.sell = true;
                Ok(())
            }
            "buy_spell" => {
                let _ = words.0.next();
                words.end()?;
                self.extra_spells = self.extra_spells.checked_add(1).ok_or(UmiError::Capacity)?;
                Ok(())
            }
            "give_spell" => {
                let board = self.read_board(&mut words)?;
                let spell = words.spell()?;
                let place = words.0.next().map(number).transpose()?;
                words.end()?;
                let gift = Gift { board: board as u8, spell, place };
                self.gifts.push(gift).map_err(|_| UmiError::Capacity)
            }
            "board" => {
                let board = self.read_board(&mut words)?;
                let entered = board_act::read(words)?;
                self.add(board, &entered)
            }
            _ => Err(UmiError::UnknownAction),
        }
    }

    fn read_board(&self, words: &mut Words<'_>) -> Result<usize, UmiError> {
        let board = usize::from(words.number("a board index")?);
        if board < self.boards { Ok(board) } else { Err(UmiError::UnknownBoard) }
    }

    fn read_tech(&mut self, mut words: Words<'_>) -> Result<(), UmiError> {
        let marches = words.number("the number of techs to unlock")?;
        let mut steps = Vec::new();
        for word in words.0 {
            steps.push(number(word)?).map_err(|_| UmiError::Capacity)?;
        }
        self.turn.marches = marches;
        self.turn.tech_spells = steps;
        Ok(())
    }

    fn add(&mut self, board: usize, entered: &[BoardAction]) -> Result<(), UmiError> {
        let list = self.turn.board_actions.get_mut(board).ok_or(UmiError::UnknownBoard)?;
        if self.resigning_drops {
            if list.contains(&BoardAction::Resign) {
                return Ok(());
            }
            if entered.contains(&BoardAction::Resign) {
                list.clear();
            }
        }
        if let [BoardAction::Keep { .. }] = entered {
            list.retain(|action| !matches!(action, BoardAction::Keep { .. }));
        }
        list.extend_from_slice(entered).map_err(|_| UmiError::Capacity)
    }

    /// The turn entered so far, to be played on the position it was begun with.
    pub fn finish(&self, game: &Game) -> Result<GameTurn, UmiError> {
        let mut turn = self.turn.clone();
        let bought = turn.spells_needed(game.state().budget()) + usize::from(self.extra_spells);
        turn.num_spells_bought = u8::try_from(bought).map_err(|_| UmiError::Capacity)?;
        let row = RowCards::new(game, turn.num_spells_bought);
        for &Gift { board, spell, place } in &self.gifts {
            let given = &turn.board_spells;
            let card = match place {
                Some(card) => {
                    Some(card).filter(|&card| row.spell(card) == Some(spell) && row.is_left(card, given))
                }
                None => row.first(spell, given),
            };
            let card = card.ok_or(UmiError::NoSuchCard)?;
            turn.board_spells.push((board, card)).map_err(|_| UmiError::Capacity)?;
        }
        if self.sorted {
            for list in &mut turn.board_actions {
                sort_by_phase(list).map_err(|_| UmiError::Capacity)?;
            }
        }
        Ok(turn)
    }
}

/// Sorts actions into setup, attack phase and spawn phase, each in the order of arrival.
fn sort_by_phase<const N: usize>(list: &mut Vec<BoardAction, N, u8>) -> Result<(), Full> {
    let phase = |action: &BoardAction| match action {
        BoardAction::Keep { .. } | BoardAction::Resign => 0,
        BoardAction::Buy { .. }
        | BoardAction::Spawn { .. }
        | BoardAction::Discard { .. }
        | BoardAction::UseTile { .. }
        | BoardAction::UseAbility { .. } => 2,
        _ => 1,
    };
    let unsorted = list.clone();
    let of_phase = |wanted| unsorted.iter().copied().filter(move |action| phase(action) == wanted);
    *list = list::all((0..3).flat_map(of_phase))?;
    Ok(())
}
