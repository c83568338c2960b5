//! Notation of actions in the worked examples:
//!
//! | text | action |
//! |---|---|
//! | `c2-c3-c4` | walk along these hexes |
//! | `{c2-d2, d2-c2}` | simultaneous walks |
//! | `c2->d2` | attack |
//! | `teleport h1-c2`, `blink c2`, `tile a9` | as named |
//! | `spawn zombie c3`, `buy zombie`, `keep warg`, `keep all` | reinforcements |
//! | `play fester d2`, `play stumble d2-d3`, `play terraform whirlwind b3`, `discard shield` | spells |
//! | `use move_earthquake d1 e1`, `use move_terrain water d1 e1` | ability, user, hex |
//! | `resign`, `phase` | give up, end the attack phase |
//! | `extra spell`, `sell`, `march`, `advance skeleton`, `give 2` | the general's actions; row positions from 0 |

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Ability, BoardAction, CastParams, GameConfig, GeneralAction, Movable, Path, Spell, TargetShape, Tech,
    UnitLabel,
};

/// A parsed text: one action of the general, or a list of actions entered together on a board.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    General(GeneralAction),
    Captain(Vec<BoardAction>),
}

pub(crate) fn hex(name: &str) -> Hex {
    Hex::named(name.trim()).unwrap_or_else(|| panic!("{name:?} is no hex"))
}

pub(crate) fn unit(name: &str) -> UnitLabel {
    UnitLabel::from_name(name).unwrap_or_else(|| panic!("{name:?} is no unit"))
}

pub(crate) fn spell(name: &str) -> Spell {
    Spell::from_name(name).unwrap_or_else(|| panic!("{name:?} is no spell"))
}

pub(crate) fn spells(names: &str) -> Vec<Spell> {
    names.split_whitespace().map(spell).collect()
}

/// Returns the index of a tech in the tech line of a game.
pub(crate) fn tech(config: &GameConfig, name: &str) -> u8 {
    let tech = Tech::from_name(name).unwrap_or_else(|| panic!("{name:?} is no tech"));
    config.techline.position(tech).unwrap_or_else(|| panic!("{name} is not in the line"))
}

fn terrain(name: &str) -> Movable {
    Movable::from_name(name).unwrap_or_else(|| panic!("{name:?} is no movable terrain"))
}

fn pair(text: &str) -> (Hex, Hex) {
    let (from, to) = text.split_once('-').unwrap_or_else(|| panic!("{text:?} is no pair of hexes"));
    (hex(from), hex(to))
}

fn walk(text: &str, joined: bool) -> BoardAction {
    let hexes: Vec<Hex> = text.trim().split('-').map(hex).collect();
    let path = Path::new(&hexes).unwrap_or_else(|| panic!("{text:?} is no path"));
    BoardAction::Walk { path, joined }
}

fn together(text: &str) -> Vec<BoardAction> {
    let parts: Vec<&str> = text.trim_matches(['{', '}']).split(',').collect();
    parts.iter().enumerate().map(|(index, part)| walk(part, index + 1 < parts.len())).collect()
}

fn cast(words: &[&str]) -> BoardAction {
    let spell = spell(words[0]);
    let params = match spell.shape() {
        TargetShape::None => CastParams::None,
        TargetShape::Piece => CastParams::Piece(hex(words[1])),
        TargetShape::PieceHex => {
            let (from, to) = pair(words[1]);
            CastParams::PieceHex(from, to)
        }
        TargetShape::Hex => CastParams::Hex(hex(words[1])),
        TargetShape::TerrainHex => CastParams::TerrainHex(terrain(words[1]), hex(words[2])),
    };
    BoardAction::Cast { spell, params }
}

fn ability(words: &[&str]) -> BoardAction {
    let ability = Ability::from_name(words[0]).unwrap_or_else(|| panic!("{words:?} is no ability"));
    let (kind, rest) = match words.len() {
        3 => (None, &words[1..]),
        _ => (Some(terrain(words[1])), &words[2..]),
    };
    BoardAction::UseAbility { user: hex(rest[0]), ability, terrain: kind, to: hex(rest[1]) }
}

/// Parses an action; `board` is the board that a card is given to.
pub(crate) fn read(config: &GameConfig, board: u8, text: &str) -> Entered {
    let text = text.trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let general = match words.as_slice() {
        ["extra", "spell"] => Some(GeneralAction::BuySpell),
        ["sell"] => Some(GeneralAction::Sell),
        ["march"] => Some(GeneralAction::March),
        ["advance", name] => Some(GeneralAction::Advance { index: tech(config, name) }),
        ["give", card] => Some(GeneralAction::Assign { board, card: card.parse().unwrap() }),
        _ => None,
    };
    if let Some(action) = general {
        return Entered::General(action);
    }
    if text.starts_with('{') {
        return Entered::Captain(together(text));
    }
    let action = match words.as_slice() {
        ["teleport", hexes] => {
            let (from, to) = pair(hexes);
            BoardAction::Teleport { from, to }
        }
        ["blink", at] => BoardAction::Blink { at: hex(at) },
        ["tile", at] => BoardAction::UseTile { at: hex(at) },
        ["spawn", name, at] => BoardAction::Spawn { unit: unit(name), at: hex(at) },
        ["buy", name] => BoardAction::Buy { unit: unit(name) },
        ["keep", "all"] => BoardAction::Keep { unit: None },
        ["keep", name] => BoardAction::Keep { unit: Some(unit(name)) },
        ["play", rest @ ..] => cast(rest),
        ["discard", name] => BoardAction::Discard { spell: spell(name) },
        ["use", rest @ ..] => ability(rest),
        ["resign"] => BoardAction::Resign,
        ["phase"] => BoardAction::EndPhase,
        [hexes] => match hexes.split_once("->") {
            Some((from, to)) => BoardAction::Attack { from: hex(from), to: hex(to) },
            None => walk(hexes, false),
        },
        _ => panic!("{text:?} is no action"),
    };
    Entered::Captain(vec![action])
}
