//! Rules: start positions, actions and turns, legal actions, undo, entry in any order, positions built by hand.

use core::hint::black_box;

use barrow_core::minions::rules::undo::Change;
use barrow_core::minions::{
    Action, BoardAction, Builder, Game, GameConfig, GameTurn, GeneralAction, MapLabel, Rules, Side,
    SideArray, Spell, Techline, TurnEntry, UndoLog, UnitLabel,
};
use barrow_core::rng::Rng;

use crate::input::{hex, number, ruleset, use_up};

/// Everything that the rules offer.
pub fn run() {
    let Some(mut config) = GameConfig::new(ruleset(), black_box(&[MapLabel::ALL[0]; 2])) else { return };
    if black_box(true) {
        config.techline = Techline::random(&mut Rng::new(number()));
    }
    config.rules = black_box::<Rules>(config.rules);
    let mut game = Game::new(config.clone(), number());
    built(config);
    acted(&mut game);
    entered(&mut game);
    looked_at(&game);
    let turn = black_box(GameTurn::new());
    use_up(game.play(&turn).is_ok());
    use_up(&game);
}

/// Single actions, played and taken back.
fn acted(game: &mut Game) {
    let mut memory = [Change::default(); 64];
    let mut log = UndoLog::new(&mut memory);
    let mark = log.mark();
    let action = black_box(Action::General(GeneralAction::March));
    use_up(game.apply(action, &mut log));
    let actions = black_box(&[BoardAction::Resign; 3][..]);
    use_up(game.apply_next(number() as u8, actions, &mut log));
    use_up(game.enter(black_box(&GameTurn::new()), &mut log).is_ok());
    game.undo(mark, &mut log);
    let cards = black_box(&[Spell::ALL[0]; 3][..]);
    game.append_cards(SideArray::new(cards, cards));
    use_up(game.end_turn().is_ok());
    let other = game.clone();
    game.go_to(other.state());
}

/// A turn entered in any order.
fn entered(game: &mut Game) {
    let mut entry = TurnEntry::new(game);
    use_up(entry.enter_general(game, black_box(GeneralAction::March)));
    use_up(entry.enter(game, number() as u8, black_box(&[BoardAction::Resign; 2])).is_ok());
    entry.spawn_phase(number() as usize).for_each(use_up);
}

/// Questions about a position.
fn looked_at(game: &Game) {
    game.legal_board_actions(number() as usize, use_up);
    game.legal_general_actions(use_up);
    use_up(game.state().key());
    for side in Side::ALL {
        use_up(game.income(number() as usize, side));
    }
    let Some(view) = game.view(number() as usize) else { return };
    let at = hex();
    view.attack_phase_actions(use_up);
    view.spawn_phase_actions(use_up);
    view.card_actions(use_up);
    view.swaps(|a, b| use_up((a, b)));
    use_up((
        view.reach(at),
        view.targets(at),
        view.spawn_zone(),
        view.spawn_hexes(black_box(UnitLabel::Zombie)),
    ));
    use_up(view.attack(at, black_box(at)).is_ok());
}

/// A position built by hand.
fn built(config: GameConfig) {
    let mut builder = Builder::new(config, number());
    if let Some(board) = builder.board(number() as usize) {
        board.set_mana(number() as _);
    }
    builder.turn(black_box(Side::Yellow), number() as u32).souls(SideArray::new(number() as u32, 1));
    use_up(builder.row(black_box(&[Spell::ALL[0]; 3]), number()).is_some());
    use_up(builder.build().is_ok());
}
