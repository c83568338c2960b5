//! End of a turn: money, automatic techs and spells, mist, refreshment, resets and victory (rules §15, §17).

use crate::minions::position::board::{Board, BoardState, Marks};
use crate::minions::position::state::{Budget, GameState, set_up_pieces};
use crate::minions::tables::capacities::{QUEUE_EXTRA, SOULS_CAP};
use crate::minions::tables::config::{GRAVEYARDS_TO_WIN, GameConfig};
use crate::minions::tables::map::Map;
use crate::minions::tables::ruleset::{IncomeFormula, ResetChoice, Rules, TieWinner};
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::Spell;
use crate::minions::tables::tech::TechStatus;
use crate::minions::tables::terrain::TileType;
use crate::minions::tables::unit::UnitLabel;

/// Source of the cards that fill the queues at a turn end.
#[derive(Clone, Copy, Debug)]
pub enum Deal<'a> {
    /// The position's own decks.
    Decks,
    /// Given cards, as a recorded game has them.
    Cards(SideArray<&'a [Spell]>),
}

/// Outcome of the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Board points gained by each side.
    pub points: SideArray<u8>,
    /// Boards set up again, as a bit set of board indices.
    pub reset: u8,
    /// Winner of the game, once there is one.
    pub winner: Option<Side>,
    /// Whether the game was drawn by the optional turn limit.
    pub drawn: bool,
    /// Cards and units lost because a hand or a count was full; 0 in all recorded games.
    pub lost_to_capacity: u16,
}

impl GameState {
    /// Ends the turn of the side to move. The caller has checked that the turn may end.
    pub(crate) fn end_turn(&mut self, config: &GameConfig, deal: Deal<'_>) -> Outcome {
        let mover = self.side;
        let next = mover.opponent();
        let turn = self.turn;
        let mut outcome = Outcome::default();

        for board in &mut self.boards {
            discard_until_covered(board, mover);
        }
        let paid = u32::from(config.extra_souls[next]) + self.pending(next);
        self.souls[next] = self.souls[next].saturating_add(paid).min(SOULS_CAP);
        if config.rules.auto_march {
            self.march_with_leftovers(config, mover);
        }
        if config.rules.spells {
            outcome.lost_to_capacity += self.give_leftover_cards(mover);
        }
        self.side = next;
        self.turn = turn.saturating_add(1);
        self.budget = Budget { tech_points: 1, bought: 0, sold: false };
        self.tech_start = self.tech;
        if config.rules.spells {
            self.draw_row(config);
        }
        for (index, board) in self.boards.iter_mut().enumerate() {
            let map = config.map(index);
            outcome.lost_to_capacity += end_board_turn(board, map, &config.rules, mover);
        }
        if config.rules.spells {
            match deal {
                Deal::Decks => self.refill(config),
                Deal::Cards(cards) => outcome.lost_to_capacity += self.take_given_cards(config, cards),
            }
        }
        self.settle_boards(config, mover, &mut outcome);
        if self.winner.is_some() && !config.rules.turn_passes_after_win {
            self.side = mover;
            self.turn = turn;
        }
        if let Some(limit) = config.rules.draw_after_turns {
            self.drawn = self.winner.is_none() && self.turn >= u32::from(limit);
        }
        outcome.winner = self.winner;
        outcome.drawn = self.drawn;
        outcome
    }

    fn march_with_leftovers(&mut self, config: &GameConfig, mover: Side) {
        for _ in 0..self.budget.tech_points {
            match self.tech[mover].first_locked(config.techline.len()) {
                Some(index) => self.tech[mover].set(index, TechStatus::Unlocked),
                None => return,
            }
        }
    }

    /// Gives boards that took no card the first untaken one; once n cards are taken, further boards all get the same one
    /// (quirk Q2).
    fn give_leftover_cards(&mut self, mover: Side) -> u16 {
        let mut lost = 0;
        let boards = self.boards.len();
        for index in 0..boards {
            let Some(place) = (0..self.row.len()).find(|&place| !self.is_taken(place)) else { break };
            let Some(&card) = self.row.get(place) else { break };
            let taken = self.num_taken();
            let Some(board) = self.boards.get_mut(index) else { break };
            if board.marks().picks > 0 {
                continue;
            }
            if board.push_card(mover, card).is_none() {
                lost += 1;
            }
            if taken < boards {
                self.taken |= 1 << place;
            }
        }
        lost
    }

    /// Appends given cards to the queues, as far as these may have n + 11; returns the number of those that are lost.
    #[cold]
    #[inline(never)]
    fn take_given_cards(&mut self, config: &GameConfig, cards: SideArray<&[Spell]>) -> u16 {
        let most = config.num_boards() + QUEUE_EXTRA;
        let lost = self.append_cards(cards);
        Side::ALL.iter().fold(lost, |lost, &side| {
            let queue = &mut self.decks[side].queue;
            let excess = queue.len().saturating_sub(most);
            queue.truncate(most);
            lost.saturating_add(excess as u16)
        })
    }

    /// Appends recorded cards to the queues; returns the number of those for which there was no room.
    pub(crate) fn append_cards(&mut self, cards: SideArray<&[Spell]>) -> u16 {
        let mut lost = 0;
        for side in Side::ALL {
            for &card in cards[side] {
                if self.decks[side].queue.push(card).is_err() {
                    lost += 1;
                }
            }
        }
        lost
    }

    /// Board points, resets and the winner (rules §15, steps 8 and 9).
    fn settle_boards(&mut self, config: &GameConfig, mover: Side, outcome: &mut Outcome) {
        let next = mover.opponent();
        for index in 0..self.boards.len() {
            let Some(board) = self.boards.get_mut(index) else { break };
            let marks = board.marks();
            let lost = marks.lost || marks.resigned;
            let gainer = match (marks.won, lost) {
                (true, true) if !config.rules.kill_beats_graveyard => next,
                (true, _) => mover,
                (false, true) => next,
                (false, false) => continue,
            };
            reset_board(board, config, index, next);
            outcome.reset |= 1 << index;
            outcome.points[gainer] += 1;
            self.points[gainer] = self.points[gainer].saturating_add(1);
            if self.points[gainer] >= config.points_needed {
                let first = self.winner.is_none();
                if first || config.rules.game_tie_winner == TieWinner::HigherBoard {
                    self.winner = Some(gainer);
                } else if gainer == mover {
                    self.winner = Some(mover);
                }
            }
        }
    }
}

/// Discards the oldest cards while mana is negative (rules §7.1).
fn discard_until_covered(board: &mut Board, mover: Side) {
    while board.mana() < 0 {
        match board.remove_card(mover, 0) {
            Some(card) => board.set_mana(board.mana().saturating_add(card.mana_on_discard())),
            None => return,
        }
    }
}

/// Souls a board earns for a side at its turn end (rules §5).
pub(crate) fn income(board: &Board, map: &Map, rules: &Rules, side: Side) -> u16 {
    let graveyards = board.graveyards(map, side).len() as u16;
    let extra = board.iter(side).map(|(_, piece)| u16::from(rules.unit(piece.unit()).extra_souls));
    match rules.income_formula {
        IncomeFormula::ExtraSouls => graveyards + extra.sum::<u16>(),
        IncomeFormula::FlatTwo => graveyards + 2 + extra.max().unwrap_or(0).min(1),
    }
}

/// Step 6 of rules §15 for one board. Returns units lost because a count was full.
fn end_board_turn(board: &mut Board, map: &Map, rules: &Rules, mover: Side) -> u16 {
    let next = mover.opponent();
    let earned = income(board, map, rules, mover);
    let mut lost = if rules.special_tiles { mist_unsummons(board, map, rules) } else { 0 };
    for hex in board.all_pieces() {
        if let Some(piece) = board.piece(hex).filter(|piece| !piece.is_refreshed(hex)) {
            board.set_piece(hex, Some(piece.refreshed(hex)));
        }
    }
    if rules.reset_choice == ResetChoice::Optional {
        if board.state().is_reset() && board.free(mover) > 0 {
            lost += keep_dearest(board, rules, mover);
        }
        board.set_free(mover, 0);
        board.clear_candidates(mover);
    }
    board.set_pending(mover, board.pending(mover).saturating_add(earned));
    board.set_state(board.state().next());
    board.set_marks(Marks { spawn_phase: false, tile_used: false, set_up: false, picks: 0, ..board.marks() });
    lost + start_board_turn(board, map, rules, next)
}

fn mist_unsummons(board: &mut Board, map: &Map, rules: &Rules) -> u16 {
    let mut lost = 0;
    for hex in board.all_pieces() & map.all(TileType::Mist) {
        let Some(piece) = board.piece(hex) else { continue };
        if !rules.unit(piece.unit()).persistent {
            board.set_piece(hex, None);
            lost += add_reserve(board, piece.side(), piece.unit());
        }
    }
    lost
}

fn add_reserve(board: &mut Board, side: Side, unit: UnitLabel) -> u16 {
    match board.reserve(side, unit).checked_add(1) {
        Some(count) => {
            board.set_reserve(side, unit, count);
            0
        }
        None => 1,
    }
}

/// Keeps a free unit that the side did not choose: the dearest candidate, at equal price the later one of the master
/// list, without a zombie (quirk Q3).
fn keep_dearest(board: &mut Board, rules: &Rules, side: Side) -> u16 {
    let dearest = board.candidates(side).max_by_key(|&unit| (rules.unit(unit).cost, unit));
    dearest.map_or(0, |unit| add_reserve(board, side, unit))
}

/// Step 6.8 of rules §15: mana, payment, perpetual reinforcements and the graveyard check for the side to move.
fn start_board_turn(board: &mut Board, map: &Map, rules: &Rules, side: Side) -> u16 {
    let mut lost = 0;
    let mut mana = 0;
    if rules.spells {
        mana = (board.pieces(side) & map.all(TileType::SorceryNode)).len() as i16;
        mana +=
            board.iter(side).map(|(_, piece)| i16::from(rules.unit(piece.unit()).extra_mana)).sum::<i16>();
    }
    board.set_mana(mana);
    board.set_pending(side, 0);
    let zombies = board.iter(side).filter(|(_, piece)| rules.unit(piece.unit()).zombie_each_turn).count();
    for _ in 0..zombies {
        lost += add_reserve(board, side, UnitLabel::Zombie);
    }
    if board.graveyards(map, side).len() >= GRAVEYARDS_TO_WIN {
        board.set_marks(Marks { lost: true, ..board.marks() });
    }
    lost
}

/// Sets the board up again with `next` about to move (rules §17).
fn reset_board(board: &mut Board, config: &GameConfig, index: usize, next: Side) {
    let rules = &config.rules;
    for side in Side::ALL {
        let mut kept = 0u64;
        let placed = board.iter(side).map(|(_, piece)| piece.unit());
        let waiting = board.reserves(side).map(|(unit, _)| unit);
        for unit in placed.chain(waiting) {
            if !rules.unit(unit).necromancer {
                kept |= 1 << unit.index();
            }
        }
        board.clear_reserves(side);
        for unit in UnitLabel::ALL {
            if kept & (1 << unit.index()) != 0 {
                match rules.reset_choice {
                    ResetChoice::Optional => board.add_candidate(side, unit),
                    ResetChoice::Mandatory => board.set_reserve(side, unit, 1),
                }
            }
        }
        if rules.reset_choice == ResetChoice::Optional {
            board.set_free(side, 1);
        }
    }
    for hex in board.all_pieces() {
        board.set_piece(hex, None);
    }
    let map = config.map(index);
    board.lay_movable(map);
    set_up_pieces(board, config, index);
    board.set_state(BoardState::Reset1);
    board.set_marks(Marks::default());
    start_board_turn(board, map, rules, next);
}
