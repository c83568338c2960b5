//! Choices on a board: units to buy, place and keep, spells to cast.

use barrow_core::minions::text::umi::BoardActText;
use barrow_core::minions::{
    Action, Attack, BoardAction, CastParams, GeneralAction, IllegalReason, Rules, Spell, UnitLabel,
};

use super::menu::{Act, Aim, Item, Menu, TargetKind};
use super::piece_choices::{act_of_spell, item_of};
use super::play_state::PlayState;
use crate::text::cards::spell_effect;

/// Figures of a unit on one line.
pub(super) fn figures(rules: &Rules, label: UnitLabel) -> String {
    let unit = rules.unit(label);
    let attack = match unit.attack {
        Attack::None => "no attack".to_owned(),
        Attack::Damage(damage) if unit.num_attacks == 1 => format!("attack {damage}"),
        Attack::Damage(damage) => format!("attack {damage}, {} times", unit.num_attacks),
        Attack::Unsummon => "unsummons".to_owned(),
        Attack::Deathtouch => "deathtouch".to_owned(),
    };
    format!("{attack}, range {}, defense {}, speed {}", unit.range, unit.defense, unit.speed)
}

/// The units for sale, those that are too dear among them.
pub(super) fn buy_menu(state: &PlayState) -> Result<Menu, String> {
    let (game, board) = (&state.shown, state.board);
    let mut items = Vec::new();
    let mut reason = "";
    for unit in UnitLabel::ALL {
        let cost = game.config().rules.unit(unit).cost;
        let text = format!("{:<14}{cost:>2} souls  {}", unit.name(), figures(&game.config().rules, unit));
        let act = match game.may_buy(board, unit) {
            Ok(()) => Ok(Act::Line(format!("{board} {}", BoardActText(&BoardAction::Buy { unit })))),
            Err(IllegalReason::NotForSale | IllegalReason::TechNotOwned) => continue,
            Err(why) => {
                reason = why.text();
                Err(reason.to_owned())
            }
        };
        items.push(Item { text, act });
    }
    if items.iter().all(|item| item.act.is_err()) {
        return Err(format!("nothing can be bought for board {board}: {reason}"));
    }
    let souls = game.state().souls(state.person);
    Ok(Menu::new(format!("Buy for board {board}, with {souls} souls"), items))
}

/// Hexes on which a unit of the reinforcements may be placed, or why on none.
pub(super) fn aim_of_unit(state: &PlayState, unit: UnitLabel) -> Result<Aim, String> {
    let (game, board) = (&state.shown, state.board);
    let view = game.view(board).ok_or("there is no such board")?;
    let left = view.board.reserve(view.side, unit);
    if left == 0 {
        return Err(IllegalReason::NotInReserve.text().to_owned());
    }
    let mut aim = Aim::new(board, None, format!("{} ({left} left): choose where it goes", unit.name()));
    aim.places = Some(unit);
    for at in view.spawn_hexes(unit) {
        aim.add(at, TargetKind::Go, item_of(game, board, &BoardAction::Spawn { unit, at }));
    }
    if !aim.targets.is_empty() {
        return Ok(aim);
    }
    let why = if view.awaits_setup() {
        IllegalReason::SetupMissing.text()
    } else if view.board.state().allows_spawn() {
        "no hex near a spawner is free"
    } else {
        "on the first turn of a board nothing is placed"
    };
    Err(why.to_owned())
}

/// The reinforcements that may be placed, and spawner tiles.
pub(super) fn place_menu(state: &PlayState) -> Result<Menu, String> {
    let (game, board) = (&state.shown, state.board);
    let view = game.view(board).ok_or("there is no such board")?;
    let mut items = Vec::new();
    for (unit, count) in view.board.reserves(view.side) {
        let text = format!("{count} {:<14}{}", unit.name(), figures(view.rules, unit));
        items.push(Item { text, act: aim_of_unit(state, unit).map(Act::Aim) });
    }
    view.spawn_phase_actions(|action| {
        if !matches!(action, BoardAction::Spawn { .. }) {
            items.push(item_of(game, board, &action));
        }
    });
    match items.iter().find_map(|item| item.act.as_ref().err()) {
        _ if items.is_empty() => Err(format!("board {board} has no reinforcements: buy some with b")),
        Some(why) if items.iter().all(|item| item.act.is_err()) => Err(why.clone()),
        _ => Ok(Menu::new(format!("Place on board {board}"), items)),
    }
}

/// The units of which one may be kept.
pub(super) fn keep_menu(state: &PlayState) -> Result<Menu, String> {
    let (game, board) = (&state.shown, state.board);
    let mut items = Vec::new();
    game.legal_board_actions(board, |action| {
        if matches!(action, BoardAction::Keep { .. }) {
            items.push(item_of(game, board, &action));
        }
    });
    if items.is_empty() {
        return Err(format!("on board {board} no unit is to be kept now"));
    }
    Ok(Menu::new(format!("Keep on board {board}"), items))
}

/// The hand of the board, with what each card may be used for, and the row of cards to be given to boards.
pub(super) fn card_menu(state: &PlayState) -> Result<Menu, String> {
    let (game, board) = (&state.shown, state.board);
    let view = game.view(board).ok_or("there is no such board")?;
    if !view.rules.spells {
        return Err(IllegalReason::NoSpells.text().to_owned());
    }
    let mut casts: Vec<(Spell, Vec<CastParams>)> = Vec::new();
    let mut discards = Vec::new();
    view.card_actions(|action| match action {
        BoardAction::Cast { spell, params } => match casts.iter_mut().find(|known| known.0 == spell) {
            Some((_, all)) => all.push(params),
            None => casts.push((spell, vec![params])),
        },
        action @ BoardAction::Discard { .. } => discards.push(action),
        _ => {}
    });
    let mut items = Vec::new();
    let mut met = Vec::new();
    for &spell in view.board.hand(view.side) {
        if met.contains(&spell) {
            continue;
        }
        met.push(spell);
        let legal = casts.iter().find(|known| known.0 == spell).map_or(&[][..], |known| &known.1);
        let act = act_of_spell(game, board, spell, legal);
        let text = format!("cast {:<14}{}", spell.name(), spell_effect(spell));
        items.push(Item { text, act: act.ok_or_else(|| no_cast(state, spell)) });
    }
    for action in &discards {
        let mut item = item_of(game, board, action);
        item.text.push_str(", for mana");
        items.push(item);
    }
    game.legal_general_actions(|action| {
        if let Action::General(GeneralAction::Assign { board, card }) = action
            && let Some(spell) = game.state().row().get(usize::from(card))
        {
            let text = format!("give {} to board {board}", spell.name());
            items.push(Item::new(text, Act::Line(format!("give_spell {board} {} {card}", spell.name()))));
        }
    });
    if items.is_empty() {
        return Err(format!("board {board} has no cards, and the row has none to give"));
    }
    Ok(Menu::new(format!("Cards of board {board}, mana {}", view.board.mana()), items))
}

/// Why a card of the hand has no legal cast, as far as that can be told without a target.
fn no_cast(state: &PlayState, spell: Spell) -> String {
    let short_of_mana = state.shown.view(state.board).is_some_and(|view| {
        let own = spell.mana_on_discard();
        spell.mana_on_play() < 0 && view.mana_reserve() - own + spell.mana_on_play() < 0
    });
    let why =
        if short_of_mana { IllegalReason::Mana.text() } else { "nothing on the board is a target for it" };
    why.to_owned()
}
