//! The Spooky subset: turns for hosts that know Spooky's lines only, such as the web server. Their positions name no
//! cards, and any other line than Spooky's costs the rest of the turn (UMI §7.1).

use barrow_core::minions::{Builder, Game, GameTurn, Marks, Side, SideArray};

/// The same position in a game without cards, abilities, special tiles and sales. A turn that is legal in that game is
/// legal in the full game, and Spooky's lines can express it. The game as it is where there is no such position.
pub(super) fn spooky_subset(game: &Game) -> Game {
    let state = game.state();
    let mut config = game.config().clone();
    config.rules.spells = false;
    config.rules.thaumaturgy = false;
    config.rules.special_tiles = false;
    let mut builder = Builder::new(config, 0);
    for (index, board) in state.boards().iter().enumerate() {
        if let Some(slot) = builder.board(index) {
            slot.clone_from(board);
            for side in Side::ALL {
                while slot.remove_card(side, 0).is_some() {}
            }
            slot.set_mana(0);
            slot.set_marks(Marks { picks: 0, ..board.marks() });
        }
    }
    builder
        .turn(state.side_to_move(), state.turn())
        .souls(SideArray(Side::ALL.map(|side| state.souls(side))))
        .points(SideArray(Side::ALL.map(|side| state.points(side))))
        .tech(
            SideArray(Side::ALL.map(|side| state.tech(side))),
            SideArray(Side::ALL.map(|side| state.tech_at_start(side))),
        )
        .budget(state.budget());
    builder.build().unwrap_or_else(|_| game.clone())
}

/// Removes extra spells that buy no tech, because Spooky's lines cannot express them.
pub(super) fn drop_unneeded_spells(game: &Game, turn: &mut GameTurn) {
    let needed = turn.spells_needed(game.state().budget());
    turn.num_spells_bought = turn.num_spells_bought.min(u8::try_from(needed).unwrap_or(u8::MAX));
}
