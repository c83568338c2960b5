//! Reasons why an action is illegal.

use core::fmt;

/// Reason why an action is illegal, each with the section of the rules that forbids it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The game is over (§15).
    GameOver,
    /// There is no board with this index.
    NoSuchBoard,
    /// The board was resigned this turn (§16).
    Resigned,
    /// Movement, attack, teleport and blink belong to the attack phase (§4).
    WrongPhase,
    /// No piece on the hex where one is named.
    NoPiece,
    /// The piece belongs to the other side than the action needs.
    WrongSide,
    /// The piece is exhausted (§8).
    Exhausted,
    /// The piece has already attacked and can no longer move (§10).
    HasAttacked,
    /// The piece has already moved (§9.3, §9.4; divergence 27).
    HasMoved,
    /// The hexes of the path are not adjacent, or it ends where it began (§9.1).
    BadPath,
    /// More steps than the piece has left, or no legal path is short enough (§9.1).
    TooFar,
    /// Terrain the piece may not stand on (§12).
    Terrain,
    /// An enemy piece stands on the path (§9.1).
    Blocked,
    /// The hex is occupied.
    Occupied,
    /// A piece takes part twice in a simultaneous move, or two pieces end on one hex (§9.2).
    Collision,
    /// These rules allow simultaneous moves in closed cycles only (divergence 28).
    OpenChain,
    /// A joined move without a move after it.
    Unjoined,
    /// The piece has no attack, or none left this turn (§10).
    NoAttack,
    /// The target is out of range (§10).
    OutOfRange,
    /// The attack cannot hurt a necromancer (§10).
    NecromancerImmune,
    /// The hex is not the special tile the action needs, or special tiles are not in play (§9.4, §11).
    NoSuchTile,
    /// A spawner tile was already used on this board this turn (§11).
    TileUsed,
    /// The unit cannot blink (§9.5).
    NoBlink,
    /// The board's state forbids it (§4.1, §17).
    BoardState,
    /// No such unit in the reinforcements (§11).
    NotInReserve,
    /// No piece nearby allows it: a spawner, or a friend next to the hex (§11, §12).
    NoFriendNear,
    /// Too few souls (§5).
    Souls,
    /// The tech is not owned early enough (§6.2).
    TechNotOwned,
    /// The unit is not for sale.
    NotForSale,
    /// No tech point left (§6.2).
    TechPoints,
    /// No such position in the tech line.
    NoSuchTech,
    /// The tech before it is still Locked, or nothing is Locked (§6.2).
    TechLocked,
    /// The opponent owns the tech (§6.2).
    TechTaken,
    /// The tech is already owned (§6.2).
    TechOwned,
    /// Thaumaturgy is not owned, or was already used this turn (§6.4).
    NoSale,
    /// No such card in the row, or it is taken (§7).
    NoSuchCard,
    /// The board, or all boards together, have taken their cards (§7).
    CardsTaken,
    /// Spells and abilities are not in play under these rules.
    NoSpells,
    /// The spell is not in the hand (§7).
    NotInHand,
    /// Not enough mana, even counting the cards that could be discarded (§7.1).
    Mana,
    /// The target does not fit the spell (§14).
    BadTarget,
    /// The unit does not have the ability (quirk Q17).
    NoAbility,
    /// No free unit is due, or the unit is no candidate (§17).
    NotACandidate,
    /// The setup action that this board's state demands is missing (divergence 41).
    SetupMissing,
    /// A fixed capacity ran out: modifiers of a piece, cards in a hand or row, reinforcements, or the undo log.
    Capacity,
}

impl IllegalReason {
    /// Reason as a short clause in English.
    pub const fn text(self) -> &'static str {
        match self {
            IllegalReason::GameOver => "the game is over",
            IllegalReason::NoSuchBoard => "there is no such board",
            IllegalReason::Resigned => "the board was resigned",
            IllegalReason::WrongPhase => "the attack phase of this board is over",
            IllegalReason::NoPiece => "there is no piece on that hex",
            IllegalReason::WrongSide => "the piece belongs to the wrong side",
            IllegalReason::Exhausted => "the piece is exhausted",
            IllegalReason::HasAttacked => "the piece has already attacked",
            IllegalReason::HasMoved => "the piece has already moved",
            IllegalReason::BadPath => "the path is broken or ends where it began",
            IllegalReason::TooFar => "no legal path is short enough",
            IllegalReason::Terrain => "the terrain does not admit the piece",
            IllegalReason::Blocked => "an enemy piece stands in the way",
            IllegalReason::Occupied => "the hex is occupied",
            IllegalReason::Collision => "two movers collide",
            IllegalReason::OpenChain => "simultaneous moves must form closed cycles",
            IllegalReason::Unjoined => "a joined move has no partner",
            IllegalReason::NoAttack => "the piece has no attack left",
            IllegalReason::OutOfRange => "the target is out of range",
            IllegalReason::NecromancerImmune => "the attack cannot hurt a necromancer",
            IllegalReason::NoSuchTile => "the hex is not such a tile",
            IllegalReason::TileUsed => "a spawner was already used this turn",
            IllegalReason::NoBlink => "the piece cannot blink",
            IllegalReason::BoardState => "the state of the board forbids it",
            IllegalReason::NotInReserve => "no such unit in the reinforcements",
            IllegalReason::NoFriendNear => "no piece nearby allows it",
            IllegalReason::Souls => "not enough souls",
            IllegalReason::TechNotOwned => "the tech is not owned",
            IllegalReason::NotForSale => "the unit is not for sale",
            IllegalReason::TechPoints => "no tech point is left",
            IllegalReason::NoSuchTech => "there is no such tech",
            IllegalReason::TechLocked => "the tech is locked",
            IllegalReason::TechTaken => "the opponent owns the tech",
            IllegalReason::TechOwned => "the tech is already owned",
            IllegalReason::NoSale => "nothing can be sold",
            IllegalReason::NoSuchCard => "no such card in the row",
            IllegalReason::CardsTaken => "no further card may be taken",
            IllegalReason::NoSpells => "these rules have no spells",
            IllegalReason::NotInHand => "the spell is not in the hand",
            IllegalReason::Mana => "not enough mana",
            IllegalReason::BadTarget => "the target does not fit",
            IllegalReason::NoAbility => "the unit lacks the ability",
            IllegalReason::NotACandidate => "no such unit may be kept",
            IllegalReason::SetupMissing => "the board must be set up first",
            IllegalReason::Capacity => "a fixed capacity ran out",
        }
    }
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for IllegalReason {}

/// Illegal action of a turn, with the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IllegalTurn {
    /// Board of the action; `None` for the general's.
    pub board: Option<u8>,
    /// Index in the board's list, or in [`super::action::GameTurn::general_actions`]. The length of the list
    /// when the end of a whole turn was refused.
    pub action: u16,
    /// Reason why the action is illegal.
    pub reason: IllegalReason,
}

impl fmt::Display for IllegalTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board {
            Some(board) => write!(f, "board {board}, action {}: {}", self.action, self.reason),
            None => write!(f, "general action {}: {}", self.action, self.reason),
        }
    }
}

impl core::error::Error for IllegalTurn {}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_refused_turn_is_shown_with_its_place_and_its_reason() {
        let refused = IllegalTurn { board: Some(1), action: 3, reason: IllegalReason::Mana };
        assert_eq!(refused.to_string(), "board 1, action 3: not enough mana");
        let refused = IllegalTurn { board: None, action: 2, reason: IllegalReason::TechPoints };
        assert_eq!(refused.to_string(), "general action 2: no tech point is left");
    }
}
