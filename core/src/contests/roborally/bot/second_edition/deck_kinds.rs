//! Kinds of the second edition's cards for the tables of a robot alone.

use crate::contests::roborally::REGISTERS;
use crate::contests::roborally::bot::kinds::{AGAIN, HandKinds, REST};
use crate::contests::roborally::second_edition::{Pile, PlayCard};

/// The kind of a card. What is drawn in place of damage is not known, so damage counts as rest.
pub(super) const fn kind_of(card: PlayCard) -> usize {
    match card {
        PlayCard::UTurn => 0,
        PlayCard::TurnLeft => 1,
        PlayCard::TurnRight => 2,
        PlayCard::BackUp => 3,
        PlayCard::Move1 => 4,
        PlayCard::Move2 => 5,
        PlayCard::Move3 => 6,
        PlayCard::Again => AGAIN,
        PlayCard::PowerUp | PlayCard::Spam | PlayCard::TrojanHorse | PlayCard::Virus | PlayCard::Worm => REST,
    }
}

/// The kinds of a hand.
pub(super) fn kinds_of(hand: &Pile) -> HandKinds {
    HandKinds::counted(PlayCard::ALL.into_iter().map(|card| (kind_of(card), hand.count(card))))
}

/// Takes cards of some kinds for the free registers, given as bits, out of a hand; where it has none of a kind, any of
/// its cards but [`PlayCard::Again`] in the first of these registers.
pub(super) fn take_kinds(
    hand: &mut Pile,
    free: u8,
    kinds: &[usize; REGISTERS],
) -> [Option<PlayCard>; REGISTERS] {
    let mut place = 0;
    let mut before = 0;
    kinds.map(|kind| {
        let is_free = free >> place & 1 == 1;
        place += 1;
        if !is_free {
            return None;
        }
        let of_kind = PlayCard::ALL.into_iter().find(|&card| kind_of(card) == kind && hand.count(card) > 0);
        let fits = |&card: &PlayCard| hand.count(card) > 0 && (before > 0 || card != PlayCard::Again);
        let card = of_kind.or_else(|| PlayCard::ALL.into_iter().find(fits));
        before += 1;
        card.filter(|&card| hand.take(card))
    })
}
