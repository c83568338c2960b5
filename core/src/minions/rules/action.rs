//! Actions of a board and of the general, and whole turns, as plain values (rules §4; seed 000 "GameTurn").

use heapless::Vec;

use crate::hex::Hex;

use crate::minions::position::state::Budget;
use crate::minions::tables::capacities::CARD_GIFT_CAP;
use crate::minions::tables::capacities::{BOARD_ACTION_CAP, BOARD_CAP, PATH_CAP, TECH_STEP_CAP};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::figures::Ability;
use crate::minions::tables::spell::Spell;
use crate::minions::tables::tech::{TechLevels, TechStatus};
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

/// Path of a walk: the start and one to three steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    from: Hex,
    steps: [Hex; PATH_CAP],
    len: u8,
}

impl Path {
    /// A path along these hexes, start included. `None` unless there are one to three steps.
    pub fn new(hexes: &[Hex]) -> Option<Path> {
        let (&from, rest) = hexes.split_first()?;
        if rest.is_empty() || rest.len() > PATH_CAP {
            return None;
        }
        let mut steps = [from; PATH_CAP];
        for (slot, &hex) in steps.iter_mut().zip(rest) {
            *slot = hex;
        }
        Some(Path { from, steps, len: rest.len() as u8 })
    }

    /// First hex of the path.
    pub const fn from(&self) -> Hex {
        self.from
    }

    /// The hexes after the start, in order; never empty.
    pub fn steps(&self) -> &[Hex] {
        self.steps.get(..usize::from(self.len)).unwrap_or(&self.steps)
    }

    /// Last hex of the path.
    pub fn to(&self) -> Hex {
        self.steps().last().copied().unwrap_or(self.from)
    }
}

/// Target of a cast (seed 000 "CastParams").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastParams {
    /// No target.
    None,
    /// The piece on this hex.
    Piece(Hex),
    /// The piece on the first hex, moved to the second.
    PieceHex(Hex, Hex),
    /// A hex.
    Hex(Hex),
    /// The movable tile of this kind, moved to the hex.
    TerrainHex(Movable, Hex),
}

/// Board action: one action of a board's captain (seed 000 "BoardAction").
///
/// `joined` on a move means that it happens at the same moment as the next action, which is a move too: a run of
/// joined moves and the move after it form one simultaneous move (rules §9.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardAction {
    /// Walk to a hex along a shortest legal path.
    Move {
        /// Start.
        from: Hex,
        /// End.
        to: Hex,
        /// Simultaneous with the next action.
        joined: bool,
    },
    /// Walk along a given path.
    Walk {
        /// The path.
        path: Path,
        /// Simultaneous with the next action.
        joined: bool,
    },
    /// Attack a piece.
    Attack {
        /// Attacker.
        from: Hex,
        /// Target.
        to: Hex,
    },
    /// Jump from a teleporter.
    Teleport {
        /// The teleporter.
        from: Hex,
        /// Any hex on which the piece may stand.
        to: Hex,
    },
    /// Return to the reinforcements.
    Blink {
        /// The piece.
        at: Hex,
    },
    /// Place a reinforcement.
    Spawn {
        /// Type of the unit.
        unit: UnitLabel,
        /// Hex of the unit.
        at: Hex,
    },
    /// Create a zombie on a spawner tile.
    UseTile {
        /// The tile.
        at: Hex,
    },
    /// Play a spell from the hand.
    Cast {
        /// Spell that is cast.
        spell: Spell,
        /// Target of the spell.
        params: CastParams,
    },
    /// Discard a spell for mana.
    Discard {
        /// Spell whose oldest card is discarded.
        spell: Spell,
    },
    /// Use a terrain ability.
    UseAbility {
        /// Hex of the piece that uses the ability.
        user: Hex,
        /// Ability that is used.
        ability: Ability,
        /// Kind of tile to move; only for `MoveTerrain`.
        terrain: Option<Movable>,
        /// Hex to which the tile goes.
        to: Hex,
    },
    /// Pay for a unit, which joins the reinforcements.
    Buy {
        /// Type of the unit.
        unit: UnitLabel,
    },
    /// Choose the unit kept after a reset (rules §17). `None` keeps all of them, which only `spooky` allows.
    Keep {
        /// Type of the unit.
        unit: Option<UnitLabel>,
    },
    /// Resign the board.
    Resign,
    /// End the attack phase.
    EndPhase,
}

impl BoardAction {
    /// A plain walk along a shortest path.
    pub const fn walk(from: Hex, to: Hex) -> BoardAction {
        BoardAction::Move { from, to, joined: false }
    }

    /// Whether the action is simultaneous with the next one.
    pub const fn is_joined(&self) -> bool {
        matches!(self, BoardAction::Move { joined: true, .. } | BoardAction::Walk { joined: true, .. })
    }

    /// Whether the action is an attack.
    pub const fn is_attack(&self) -> bool {
        matches!(self, BoardAction::Attack { .. })
    }

    /// Whether the action is impossible in the spawn phase (rules §4).
    pub const fn is_attack_phase(&self) -> bool {
        matches!(
            self,
            BoardAction::Move { .. }
                | BoardAction::Walk { .. }
                | BoardAction::Attack { .. }
                | BoardAction::Teleport { .. }
                | BoardAction::Blink { .. }
                | BoardAction::EndPhase
        )
    }

    /// Whether the action is possible in the spawn phase only, and so ends the attack phase.
    pub fn is_spawn_phase(&self) -> bool {
        match self {
            BoardAction::Spawn { .. } | BoardAction::UseTile { .. } | BoardAction::UseAbility { .. } => true,
            BoardAction::Cast { spell, .. } => spell.is_spawn_phase(),
            _ => false,
        }
    }
}

/// General action: one action of the general, who handles spells and techs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GeneralAction {
    /// Pay 4n souls for a tech point and a card in the row.
    BuySpell,
    /// Thaumaturgy: give a tech point up for n souls.
    Sell,
    /// Unlock the first Locked tech of the line.
    March,
    /// Step on the tech at this 0-based line position.
    Advance {
        /// Line position.
        index: u8,
    },
    /// Give a card of the row to a board.
    Assign {
        /// Board index.
        board: u8,
        /// Position in the row; positions do not shift when cards are taken.
        card: u8,
    },
}

/// Action of the general or of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Action of the general.
    General(GeneralAction),
    /// Action of the captain of this board.
    Board(u8, BoardAction),
}

/// Turn of one side (seed 000 "GameTurn"). The general's part comes first, then the boards in index order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameTurn {
    /// Extra spells bought, each with a tech point.
    pub num_spells_bought: u8,
    /// Whether a tech point is sold (Thaumaturgy).
    pub sell: bool,
    /// Number of first-Locked techs unlocked before `tech_spells`.
    pub marches: u8,
    /// Tech steps by line position, in order.
    pub tech_spells: Vec<u8, TECH_STEP_CAP, u8>,
    /// Cards given to boards: board index and row position.
    pub board_spells: Vec<(u8, u8), CARD_GIFT_CAP, u8>,
    /// Each board's actions in order.
    pub board_actions: [Vec<BoardAction, BOARD_ACTION_CAP, u8>; BOARD_CAP],
}

impl GameTurn {
    /// A turn in which nothing is done.
    pub const fn new() -> GameTurn {
        GameTurn {
            num_spells_bought: 0,
            sell: false,
            marches: 0,
            tech_spells: Vec::new(),
            board_spells: Vec::new(),
            board_actions: [const { Vec::new() }; BOARD_CAP],
        }
    }

    /// Takes everything out of the turn.
    pub fn clear(&mut self) {
        (self.num_spells_bought, self.sell, self.marches) = (0, false, 0);
        self.tech_spells.clear();
        self.board_spells.clear();
        self.board_actions.iter_mut().for_each(Vec::clear);
    }

    /// The general's actions in the order they are played, given the budget before the turn: sale, spells bought,
    /// marches, steps, cards.
    ///
    /// The sale pays for spells, so it is as early as there is a point to sell: at once, or after the first purchase
    /// where the budget has none. For a turn made by [`GameTurn::push_general`] the actions are legal in this order if they are in any
    /// other, and lead to the same position; in a turn whose fields were set otherwise marches come before steps all the same.
    pub fn general_actions(&self, budget: Budget) -> impl Iterator<Item = GeneralAction> + '_ {
        let bought = usize::from(self.num_spells_bought);
        let first = if self.sell && budget.tech_points == 0 { bought.min(1) } else { 0 };
        let spells = |count| core::iter::repeat_n(GeneralAction::BuySpell, count);
        let marches = core::iter::repeat_n(GeneralAction::March, usize::from(self.marches));
        let steps = self.tech_spells.iter().map(|&index| GeneralAction::Advance { index });
        let cards = self.board_spells.iter().map(|&(board, card)| GeneralAction::Assign { board, card });
        let purchases =
            spells(first).chain(self.sell.then_some(GeneralAction::Sell)).chain(spells(bought - first));
        purchases.chain(marches).chain(steps).chain(cards)
    }

    /// Adds an action of the general; `levels` are those of the side to move before it. `None` when the turn has no
    /// room.
    ///
    /// Marches come before all steps. That makes no difference to steps that acquire; a march after a step that
    /// unlocked is added as the step on the tech that it unlocks.
    pub fn push_general(
        &mut self,
        config: &GameConfig,
        levels: TechLevels,
        action: GeneralAction,
    ) -> Option<()> {
        match action {
            GeneralAction::BuySpell => self.num_spells_bought = self.num_spells_bought.checked_add(1)?,
            GeneralAction::Sell => self.sell = true,
            GeneralAction::March if !config.rules.acquire_unlocked_only && self.unlocks_by_step(levels) => {
                self.tech_spells.push(levels.first_locked(config.techline.len())?).ok()?;
            }
            GeneralAction::March => self.marches = self.marches.checked_add(1)?,
            GeneralAction::Advance { index } => self.tech_spells.push(index).ok()?,
            GeneralAction::Assign { board, card } => self.board_spells.push((board, card)).ok()?,
        }
        Some(())
    }

    /// Whether one of the steps so far, after which the levels are these, has unlocked a tech: one that is not acquired,
    /// or that was stepped on twice.
    fn unlocks_by_step(&self, levels: TechLevels) -> bool {
        self.tech_spells.iter().enumerate().any(|(place, index)| {
            let before = self.tech_spells.get(..place).unwrap_or(&[]);
            levels.status(*index) != TechStatus::Acquired || before.contains(index)
        })
    }

    /// Extra spells that the turn's tech steps and sale need, beyond the tech points of the budget before the turn.
    pub fn spells_needed(&self, budget: Budget) -> usize {
        let spent = usize::from(self.marches) + self.tech_spells.len() + usize::from(self.sell);
        spent.saturating_sub(usize::from(budget.tech_points))
    }

    /// The actions of a board; empty beyond the last.
    pub fn board(&self, board: usize) -> &[BoardAction] {
        self.board_actions.get(board).map_or(&[], |actions| actions)
    }

    /// Appends an action to a board's list. `None` when the list is full or the board index out of range.
    pub fn push(&mut self, board: usize, action: BoardAction) -> Option<()> {
        self.board_actions.get_mut(board)?.push(action).ok()
    }
}
