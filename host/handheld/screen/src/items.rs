//! Lists: the entries of each page, with the reason where one is not possible.

use barrow_core::minions::{
    Action, BOARD_CAP, BoardAction, GeneralAction, IllegalReason, Movable, Spell, TargetShape, UnitLabel,
};
use heapless::Vec;

use crate::aim::{Aim, can_cast};
use crate::record::Entries;
use crate::screen::GameScreen;
use crate::ui::{Act, Page};

/// Entry of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Act of choosing it.
    pub act: Act,
    /// Reason why it is not possible now.
    pub refused: Option<IllegalReason>,
}

/// Entries of a list at most: a turn on two boards has some sixty actions, one on eight some two hundred.
const ITEM_CAP: usize = if BOARD_CAP <= 2 { 100 } else { 255 };

/// Entries of a list; what a page cannot hold is left out.
pub type Items = Vec<Item, ITEM_CAP, u8>;

fn open(items: &mut Items, act: Act) {
    let _ = items.push(Item { act, refused: None });
}

impl GameScreen {
    /// Entries of the page that is shown.
    pub(crate) fn items(&self) -> Items {
        let mut items = Items::new();
        match self.ui.page {
            Page::Title => self.list_title(&mut items),
            Page::Menu => self.list_menu(&mut items),
            Page::Buy => self.list_units_for_sale(&mut items),
            Page::Place => self.list_reinforcements(&mut items),
            Page::Cards => self.list_cards(&mut items),
            Page::Keep => self.list_kept(&mut items),
            Page::Here => self.list_here(&mut items),
            Page::Hint => self.list_hint(&mut items),
            Page::Resign => self.list_resign(&mut items),
            Page::EndTurn => {
                open(&mut items, Act::EndTurn);
                open(&mut items, Act::Open(Page::Board));
            }
            Page::Level => {
                for level in 0..self.machine.levels.len() {
                    open(&mut items, Act::SetLevel(level as u8));
                }
            }
            Page::LastTurn => {
                for entry in self.last_turn() {
                    if let crate::coding::Entry::Action(action) = entry {
                        open(&mut items, Act::Enter(action));
                    }
                }
            }
            Page::Rules | Page::NewGame | Page::Board | Page::Techs | Page::UnitCard | Page::Result => {}
        }
        items
    }

    /// Words of the entry that is chosen on the page that is shown.
    pub fn selected(&self) -> heapless::String<64> {
        let mut text = heapless::String::new();
        if let Some(item) = self.items().get(self.ui.choice()) {
            // What is longer is cut.
            let _ = crate::wording::label(&mut text, self, &item.act);
        }
        text
    }

    /// Words for what is left to do in the turn, as the question whether it is to end shows them.
    pub fn rest_of_turn(&self) -> heapless::String<200> {
        let mut text = heapless::String::new();
        // What is longer is cut.
        let _ = crate::wording::rest_of_turn(&mut text, self);
        text
    }

    fn list_title(&self, items: &mut Items) {
        if self.ui.in_game {
            let page = if self.table.is_over() { Page::Result } else { Page::Board };
            open(items, Act::Open(page));
        }
        if self.ui.is_saved && !self.ui.in_game {
            open(items, Act::Load);
        }
        open(items, Act::Open(Page::NewGame));
        open(items, Act::Open(Page::Rules));
    }

    fn list_menu(&self, items: &mut Items) {
        if self.is_persons_turn() {
            let spells = self.table.shown().config().rules.spells;
            open(items, Act::Open(Page::EndTurn));
            if self.is_keep_due() {
                open(items, Act::Open(Page::Keep));
            }
            open(items, Act::Open(Page::Buy));
            open(items, Act::Open(Page::Place));
            if spells {
                open(items, Act::Open(Page::Cards));
            }
            open(items, Act::Open(Page::Techs));
            open(items, Act::AskHint);
            open(items, Act::Undo);
            open(items, Act::Clear);
        } else if !self.table.is_over() {
            open(items, Act::PlayNow);
            open(items, Act::Open(Page::Techs));
        }
        open(items, Act::Open(Page::LastTurn));
        if self.is_persons_turn() {
            open(items, Act::Open(Page::Here));
            open(items, Act::Enter(Action::Board(self.ui.board, BoardAction::EndPhase)));
        }
        open(items, Act::Open(Page::Level));
        open(items, Act::Open(Page::Rules));
        if self.is_persons_turn() {
            open(items, Act::Save);
            open(items, Act::Open(Page::Resign));
        }
        open(items, Act::Open(Page::Title));
    }

    /// Whether a unit may be kept on the board that is shown.
    pub(crate) fn is_keep_due(&self) -> bool {
        let mut due = false;
        self.table.shown().legal_board_actions(usize::from(self.ui.board), |action| {
            due |= matches!(action, BoardAction::Keep { .. });
        });
        due
    }

    fn list_units_for_sale(&self, items: &mut Items) {
        let game = self.table.shown();
        for unit in UnitLabel::ALL {
            let refused = match game.may_buy(usize::from(self.ui.board), unit) {
                Err(IllegalReason::NotForSale | IllegalReason::TechNotOwned) => continue,
                answer => answer.err(),
            };
            let act = Act::Enter(Action::Board(self.ui.board, BoardAction::Buy { unit }));
            let _ = items.push(Item { act, refused });
        }
    }

    fn list_reinforcements(&self, items: &mut Items) {
        let Some(view) = self.table.shown().view(usize::from(self.ui.board)) else { return };
        for (unit, _) in view.board.reserves(view.side) {
            let refused = if view.awaits_setup() {
                Some(IllegalReason::SetupMissing)
            } else if !view.board.state().allows_spawn() {
                Some(IllegalReason::BoardState)
            } else if view.spawn_hexes(unit).is_empty() {
                Some(IllegalReason::NoFriendNear)
            } else {
                None
            };
            let _ = items.push(Item { act: Act::Aim(Aim::Place(unit)), refused });
        }
        let board = self.ui.board;
        view.spawn_phase_actions(|action| match action {
            BoardAction::UseTile { .. } => open(items, Act::Enter(Action::Board(board, action))),
            BoardAction::UseAbility { user, ability, terrain, .. } => {
                let act = Act::Aim(Aim::Ability(user, ability, terrain));
                if !items.iter().any(|item| item.act == act) {
                    open(items, act);
                }
            }
            _ => {}
        });
    }

    fn list_cards(&self, items: &mut Items) {
        let game = self.table.shown();
        let Some(view) = game.view(usize::from(self.ui.board)) else { return };
        let board = self.ui.board;
        let hand = view.board.hand(view.side);
        let first = |place: usize, spell: Spell| !hand.iter().take(place).any(|&other| other == spell);
        for (_, &spell) in hand.iter().enumerate().filter(|&(place, &spell)| first(place, spell)) {
            let kinds: &[Option<Movable>] = match spell.shape() {
                TargetShape::TerrainHex => &Movable::ALL.map(Some),
                _ => &[None],
            };
            for &kind in kinds {
                let refused = (!can_cast(&view, spell, kind)).then_some(self.why_no_cast(spell));
                let act = match spell.shape() {
                    TargetShape::None => {
                        let params = barrow_core::minions::CastParams::None;
                        Act::Enter(Action::Board(board, BoardAction::Cast { spell, params }))
                    }
                    _ => Act::Aim(Aim::Cast(spell, kind)),
                };
                let _ = items.push(Item { act, refused });
            }
        }
        game.legal_general_actions(|action| {
            if let Action::General(GeneralAction::Assign { board: to, .. }) = action
                && to == board
            {
                open(items, Act::Enter(action));
            }
        });
        for (_, &spell) in hand.iter().enumerate().filter(|&(place, &spell)| first(place, spell)) {
            open(items, Act::Enter(Action::Board(board, BoardAction::Discard { spell })));
        }
    }

    /// Why a card of the hand has no legal cast, as far as that can be told without a target.
    fn why_no_cast(&self, spell: Spell) -> IllegalReason {
        let short = self.table.shown().view(usize::from(self.ui.board)).is_some_and(|view| {
            let left = view.mana_reserve() - spell.mana_on_discard() + spell.mana_on_play();
            spell.mana_on_play() < 0 && left < 0
        });
        if short { IllegalReason::Mana } else { IllegalReason::BadTarget }
    }

    fn list_kept(&self, items: &mut Items) {
        let board = self.ui.board;
        self.table.shown().legal_board_actions(usize::from(board), |action| {
            if matches!(action, BoardAction::Keep { .. }) {
                open(items, Act::Enter(Action::Board(board, action)));
            }
        });
    }

    /// Items for the hex under the cursor, walks and attacks aside.
    fn list_here(&self, items: &mut Items) {
        let (board, hex) = (self.ui.board, self.ui.hex);
        let Some(view) = self.table.shown().view(usize::from(board)) else { return };
        if !view.teleports(hex).is_empty() {
            open(items, Act::Aim(Aim::Teleport(hex)));
        }
        if view.friend(hex).is_ok_and(|piece| view.unit(piece).blink) {
            open(items, Act::Enter(Action::Board(board, BoardAction::Blink { at: hex })));
        }
        for (unit, _) in view.board.reserves(view.side) {
            if view.spawn_hexes(unit).contains(hex) {
                open(items, Act::Enter(Action::Board(board, BoardAction::Spawn { unit, at: hex })));
            }
        }
        view.spawn_phase_actions(|action| match action {
            BoardAction::UseTile { at } if at == hex => open(items, Act::Enter(Action::Board(board, action))),
            BoardAction::UseAbility { user, ability, terrain, .. } if user == hex => {
                let act = Act::Aim(Aim::Ability(user, ability, terrain));
                if !items.iter().any(|item| item.act == act) {
                    open(items, act);
                }
            }
            _ => {}
        });
        if let Some(piece) = view.board.piece(hex) {
            open(items, Act::Card(piece.unit()));
        }
    }

    fn list_hint(&self, items: &mut Items) {
        if self.ui.hint.is_empty() {
            if !self.is_thinking() {
                open(items, Act::Open(Page::Board));
            }
            return;
        }
        open(items, Act::PlayHint);
        for entry in Entries::new(&self.ui.hint) {
            if let crate::coding::Entry::Action(action) = entry {
                let _ = items.push(Item { act: Act::Enter(action), refused: None });
            }
        }
    }

    fn list_resign(&self, items: &mut Items) {
        open(items, Act::Open(Page::Board));
        for board in 0..self.table.shown().config().num_boards() {
            let resigned =
                self.table.shown().state().boards().get(board).is_some_and(|one| one.marks().resigned);
            let act = Act::Enter(Action::Board(board as u8, BoardAction::Resign));
            let _ = items.push(Item { act, refused: resigned.then_some(IllegalReason::Resigned) });
        }
        open(items, Act::ResignGame);
    }

    /// Entries of the turn that was played last.
    pub(crate) fn last_turn(&self) -> Entries<'_> {
        let mut entries = self.table.record().played();
        let mut begin = entries;
        while let Some(entry) = entries.next() {
            if entry == crate::coding::Entry::EndTurn && entries.rest() > 0 {
                begin = entries;
            }
        }
        begin
    }
}
