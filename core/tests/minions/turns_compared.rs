//! Divergences 33 to 35 of ruleset `spooky`: modifiers, the order of a turn, and turns of which a part is illegal.

use barrow_core::minions::{GameTurn, IllegalReason, IllegalTurn, Modifier, Side};

use crate::notation::{Entered, read};
use crate::table::{Table, server, spooky};

const ONE: &str = "AllLand";

/// The turn of one board with these actions, which are separated by `;`.
fn turn(table: &Table, actions: &str) -> GameTurn {
    let mut turn = GameTurn::new();
    for text in actions.split(';') {
        let Entered::Captain(actions) = read(table.game().config(), 0, text) else { panic!("{text}") };
        for action in actions {
            turn.push(0, action).unwrap();
        }
    }
    turn
}

/// The action at which a turn is refused. Panics if it is legal, or if the refusal leaves a part of it played.
fn refused(table: &Table, actions: &str) -> (u16, IllegalReason) {
    let mut game = table.game().clone();
    let IllegalTurn { board, action, reason } = game.play(&turn(table, actions)).unwrap_err();
    assert!(board == Some(0) && game == *table.game(), "{actions}");
    (action, reason)
}

#[test]
fn minions_divergence_33_modifiers() {
    assert_eq!(Modifier::ALL.len(), 13);
    let pieces = "Y necromancer a0, Y zombie c2, B wight d2, B ghost h7";
    for (card, target) in [
        ("shield", "c2"),
        ("protection", "c2"),
        ("unholy_might", "a0"),
        ("spawn", "c2"),
        ("freeze_ray", "d2"),
        ("weaken", "d2"),
        ("lumbering", "d2"),
        ("shackle", "d2"),
    ] {
        let cast = format!("play {card} {target}");
        let mut ours = Table::new(pieces).with_hand(Side::Yellow, &format!("{card} fester fester"));
        ours.legal(&cast);
        assert_eq!(ours.piece(target).modifiers().iter().count(), 1, "{card}");
        Table::of(spooky(ONE), pieces).illegal(&cast, IllegalReason::NoSpells);
    }
}

#[test]
fn minions_divergence_34_the_order_of_a_turn() {
    for config in [server(ONE), spooky(ONE)] {
        let table = Table::of(config, "Y necromancer a0, Y zombie c2, B zombie d2")
            .with_reserve(Side::Yellow, "zombie");
        // As a list, which is how UMI has a turn: what belongs to the attack comes first.
        assert_eq!(refused(&table, "spawn zombie c3; c2->d2"), (1, IllegalReason::WrongPhase));
        assert!(table.game().clone().play(&turn(&table, "c2->d2; spawn zombie c3")).is_ok());
        // A placement whose spawner goes away: as a list the turn fails, entered freely the placement vanishes.
        assert_eq!(refused(&table, "c2-d1; spawn zombie c3"), (1, IllegalReason::NoFriendNear));
        let mut free = table.with_free_entry();
        free.legal("spawn zombie c3; c2-d1");
        assert_eq!(free.pieces(Side::Yellow), "necromancer a0, zombie d1");
        assert_eq!(free.reserve(Side::Yellow), "zombie 1");
    }
}

#[test]
fn minions_divergence_35_an_illegal_action_in_a_turn() {
    for config in [server(ONE), spooky(ONE)] {
        let mut table = Table::of(config, "Y necromancer a0, Y zombie c2, B zombie d2").with_souls(2, 0);
        // A turn is played whole or not at all.
        assert_eq!(refused(&table, "c2->d2; buy zombie; buy zombie"), (2, IllegalReason::Souls));
        // Entered one by one, an illegal action is refused by itself.
        table.legal("c2->d2; buy zombie");
        table.illegal("buy zombie", IllegalReason::Souls);
        assert_eq!((table.is_empty("d2"), table.reserve(Side::Yellow).as_str()), (true, "zombie 1"));
        table.end();
    }
}
