//! Steps on the tech line, spells bought and tech points sold.

use barrow_core::minions::text::umi::BoardActText;
use barrow_core::minions::{Action, GameTurn, GeneralAction, Side, TechLevels, TechStatus};

use super::menu::{Act, Item, Menu};
use super::play_state::PlayState;

/// Letter by which a tech's level is shown: `.` locked, `u` unlocked, `A` acquired.
pub(super) fn status_letter(status: TechStatus) -> char {
    match status {
        TechStatus::Locked => '.',
        TechStatus::Unlocked => 'u',
        TechStatus::Acquired => 'A',
    }
}

fn status_name(status: TechStatus) -> &'static str {
    match status {
        TechStatus::Locked => "locked",
        TechStatus::Unlocked => "unlocked",
        TechStatus::Acquired => "acquired",
    }
}

/// The tech line in UMI of a turn with one more step. `None` when the turn has no room.
///
/// A turn has one tech line, so that a step is added by a line that replaces the one before.
fn line_with(state: &PlayState, levels: TechLevels, action: GeneralAction) -> Option<String> {
    let mut turn: GameTurn = state.entry.turn().ok()?;
    turn.push_general(state.game.config(), levels, action)?;
    let steps: Vec<String> = turn.tech_spells.iter().map(u8::to_string).collect();
    Some(format!("tech {} {}", turn.marches, steps.join(" ")).trim_end().to_owned())
}

/// All techs of the line with both sides' levels; a choice is a step on the tech.
pub(super) fn tech_menu(state: &PlayState) -> Menu {
    let shown = &state.shown;
    let (config, position) = (shown.config(), shown.state());
    let levels = position.tech(state.person);
    let next = levels.first_locked(config.techline.len());
    let mut items = Vec::new();
    for (index, tech) in (0..).zip(config.techline.techs()) {
        let [yellow, blue] = Side::ALL.map(|side| status_name(position.tech(side).status(index)));
        let step = if next == Some(index) { GeneralAction::March } else { GeneralAction::Advance { index } };
        let act = line_with(state, levels, step).ok_or_else(|| "the turn has no room".to_owned());
        let act = act.and_then(|line| state.entry.check(&line).map(|()| Act::Line(line)));
        let mark = if next == Some(index) { "next" } else { "" };
        let (letter, name) = (char::from(tech.letter()), tech.name());
        let text = format!("{index:>2} {letter} {name:<20}{yellow:<10}{blue:<10}{mark}");
        items.push(Item { text: text.trim_end().to_owned(), act });
    }
    let points = position.budget().tech_points;
    let price = config.spell_price();
    let title = match points {
        0 => {
            format!("Techs (Yellow, Blue); no tech point left, each further one is bought for {price} souls")
        }
        1 => "Techs (Yellow, Blue); 1 tech point".to_owned(),
        _ => format!("Techs (Yellow, Blue); {points} tech points"),
    };
    let mut menu = Menu::new(title, items);
    // What comes next is what is wanted most.
    if let Some(next) = next.map(usize::from).filter(|&next| menu.items[next].act.is_ok()) {
        menu.chosen = next;
    }
    let buy = state.entry.check("buy_spell").map(|()| Act::Line("buy_spell".to_owned()));
    menu.items.push(Item { text: format!("buy an extra spell and tech point for {price} souls"), act: buy });
    let mut sells = false;
    shown.legal_general_actions(|action| sells |= action == Action::General(GeneralAction::Sell));
    if sells {
        menu.items.push(Item::new("sell the tech point", Act::Line("sell".to_owned())));
    }
    menu
}

/// Every legal line of the turn as it can be typed: those of the boards, then those of the general.
pub(super) fn legal_lines(state: &PlayState) -> Vec<String> {
    let game = &state.shown;
    let mut lines = Vec::new();
    for board in 0..game.config().num_boards() {
        game.legal_board_actions(board, |action| {
            let text = BoardActText(&action).to_string();
            lines.push(format!("{board} {text}"));
        });
        lines.push(format!("{board} resign"));
    }
    game.legal_general_actions(|action| {
        let Action::General(action) = action else { return };
        let levels = game.state().tech(state.person);
        match action {
            GeneralAction::BuySpell => lines.push("buy_spell".to_owned()),
            GeneralAction::Sell => lines.push("sell".to_owned()),
            GeneralAction::Assign { board, card } => {
                if let Some(spell) = game.state().row().get(usize::from(card)) {
                    lines.push(format!("give_spell {board} {} {card}", spell.name()));
                }
            }
            GeneralAction::March | GeneralAction::Advance { .. } => {
                lines.extend(line_with(state, levels, action));
            }
        }
    });
    lines.dedup();
    lines
}
