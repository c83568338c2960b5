//! Words: actions, entries of lists, units and spells, short enough for a small screen.

use core::fmt::{self, Write};

use barrow_core::minions::{
    Ability, Action, Attack, BoardAction, CastParams, Game, GeneralAction, Spell, Tech, TechStatus, TileType,
    Unit, UnitLabel,
};

use crate::aim::Aim;
use crate::screen::GameScreen;
use crate::ui::{Act, Page};

/// Pages of the rules in short.
pub static RULES: [&str; 6] = [
    "THE AIM\nYellow and Blue play on several boards at once. A board point goes to the side that kills the enemy's \
     necromancer there, the crowned one, or that holds 8 graveyards as its own turn begins, or whose opponent resigns \
     the board. Then the board begins anew. Who has as many points as were agreed, wins the game.",
    "PIECES\nA piece moves first and attacks then; once it has attacked, it stays. Damage lasts to the end of the turn: \
     as much as its defense kills it. Nobody strikes back. Lumbering pieces, zombies among them, do not attack in a turn \
     in which they moved. Unsummoned units wait and can be placed again; persistent ones take 1 damage instead.",
    "PLACING\nUnits are bought for souls, for the board that is shown, and wait there. They are placed beside a \
     necromancer, a zombie or another spawner, and do nothing more in that turn. Placing ends the board's attack phase; \
     this screen puts walks and attacks that you enter later before it, if it can.",
    "MONEY AND TECHS\nEach turn brings a soul for each graveyard that you stand on and 3 for each necromancer. A point \
     a turn unlocks the next tech of the line, or acquires an unlocked one: its unit can be bought from your next turn \
     on, by you alone. More points are for sale.",
    "SPELLS\nEach turn you see a row of cards and give one to each board. A card is cast for its effect, or discarded for \
     a mana, which sorceries cost. Terrain: water admits fliers, earthquakes fast units, firestorms tough ones, \
     whirlwinds persistent ones.",
    "BUTTONS\nA: choose a piece, then a lit hex. On the piece itself: what else it can do. On an empty hex: place a unit. \
     B: back, or take back. START: menu, end of the turn. SELECT: next piece that can act, or the card of a unit in a \
     list. L, R: other board. Pieces that change places: choose one, then the other, then where that one goes.",
];

/// Writes a name of the tables for people.
pub fn name(f: &mut impl Write, name: &str) -> fmt::Result {
    name.chars().try_for_each(|letter| f.write_char(if letter == '_' { ' ' } else { letter }))
}

/// Effect of a spell.
pub fn spell_effect(spell: Spell) -> &'static str {
    match spell {
        Spell::Fester => "1 damage to a damaged minion",
        Spell::Unsummon => "sends a damaged minion back to wait, unless it is persistent",
        Spell::Reposition => "a friendly minion, even a new one, moves one hex and is exhausted",
        Spell::Shield => "a friendly minion has twice its defense, and waits again instead of dying",
        Spell::Stumble => "a damaged enemy minion moves one hex",
        Spell::Dismember => "3 damage to a damaged minion",
        Spell::UnholyMight => "a friendly necromancer attacks twice this turn",
        Spell::Protection => "a friendly minion has 2 more defense until your next turn",
        Spell::FreezeRay => "an enemy minion has no attack until your next turn",
        Spell::Weaken => "an enemy loses an attack, or 1 damage of its only one; unsummon and kill stay",
        Spell::Lumbering => "an enemy minion cannot move and attack in its next turn",
        Spell::Shackle => "an enemy minion has speed and range of at most 1 in its next turn",
        Spell::Spawn => "units may be placed beside a friendly minion this turn",
        Spell::RaiseZombie => "a zombie rises on a free hex beside a friend that is not exhausted",
        Spell::DoubleCantrip => "nothing but its two mana",
        Spell::Earthquake => "moves the earthquake to a hex",
        Spell::Firestorm => "moves the firestorm to a hex",
        Spell::Flood => "moves the movable water to a hex",
        Spell::Whirlwind => "moves the whirlwind to a hex",
        Spell::Normalize => "a hex of movable terrain becomes ground",
        Spell::Terraform => "moves one of the four movable terrains to a hex",
        Spell::Cleave => "1 damage to an enemy near a friend that attacked another one this turn",
        Spell::Sunder => "2 damage to an enemy near a friend that attacked another one this turn",
        Spell::LightningBolt => "1 damage to an enemy minion",
        Spell::Displace => "an enemy minion moves one hex",
        Spell::RisingHorde => "units may be placed beside every friend this turn",
        Spell::Blink => "a friendly minion goes back to wait; a persistent one takes 1 damage",
    }
}

/// Name of a terrain.
pub fn tile(tile: TileType) -> &'static str {
    match tile {
        TileType::Ground => "ground",
        TileType::Graveyard => "graveyard",
        TileType::Water => "water: fliers only",
        TileType::Earthquake => "earthquake: speed 2 or more",
        TileType::Firestorm => "firestorm: defense 4 or more",
        TileType::Whirlwind => "whirlwind: persistent only",
        TileType::SorceryNode => "sorcery node: 1 mana a turn",
        TileType::Teleporter => "teleporter",
        TileType::Spawner => "spawner: a zombie a turn",
        TileType::Mist => "mist: unsummons",
        TileType::Wall => "wall",
    }
}

/// Writes the attack of a unit.
pub fn attack(f: &mut impl Write, unit: &Unit) -> fmt::Result {
    match unit.attack {
        Attack::None => return f.write_str("no attack"),
        Attack::Damage(damage) => write!(f, "attack {damage}")?,
        Attack::Unsummon => f.write_str("unsummons")?,
        Attack::Deathtouch => f.write_str("kills")?,
    }
    if unit.num_attacks > 1 { write!(f, " x{}", unit.num_attacks) } else { Ok(()) }
}

/// Writes the figures of a unit on one line.
pub fn figures(f: &mut impl Write, unit: &Unit) -> fmt::Result {
    attack(f, unit)?;
    write!(f, ", range {}, defense {}, speed {}", unit.range, unit.defense, unit.speed)
}

/// Keywords of a unit, each with what it means.
pub fn keywords(unit: &Unit) -> impl Iterator<Item = &'static str> {
    let words = [
        (unit.necromancer, "necromancer: its death loses the board"),
        (unit.flying, "flying: over enemies and water"),
        (unit.lumbering, "lumbering: moves or attacks, not both"),
        (unit.persistent, "persistent: is not unsummoned"),
        (unit.blink, "blink: may go back to wait"),
        (unit.zombie_each_turn, "brings a zombie each turn"),
        (unit.spawn_range > 0, "spawner: units are placed near it"),
        (unit.extra_souls > 0, "earns souls each turn"),
        (unit.extra_mana > 0, "brings mana each turn"),
        (unit.ability.is_some(), "moves terrain for 1 mana"),
    ];
    words.into_iter().filter_map(|(has, text)| has.then_some(text))
}

/// Units that a unit is made to beat, and those that are made to beat it.
pub fn rivals(unit: UnitLabel) -> [[Option<Tech>; 3]; 2] {
    let near = |offset: i16| {
        let number = i16::from(unit.tech_number());
        if number == 0 {
            return None;
        }
        let tech = u8::try_from(number + offset).ok().and_then(Tech::with_number);
        tech.filter(|tech| matches!(tech, Tech::UnitTech(_)))
    };
    [[-1, -2, 3].map(near), [1, 2, -3].map(near)]
}

fn ability(ability: Ability) -> &'static str {
    match ability {
        Ability::MoveFlood => "move the water",
        Ability::MoveEarthquake => "move the earthquake",
        Ability::MoveWhirlwind => "move the whirlwind",
        Ability::MoveFirestorm => "move the firestorm",
        Ability::MoveTerrain => "move terrain",
    }
}

/// Writes an action, after it was played or when it may be.
pub fn action(f: &mut impl Write, action: &Action, game: &Game) -> fmt::Result {
    match action {
        Action::General(action) => general_action(f, *action, game),
        Action::Board(_, action) => board_action(f, action),
    }
}

fn general_action(f: &mut impl Write, action: GeneralAction, game: &Game) -> fmt::Result {
    let techs = game.config().techline.techs();
    match action {
        GeneralAction::BuySpell => f.write_str("buy a spell and a tech point"),
        GeneralAction::Sell => f.write_str("sell the tech point"),
        GeneralAction::March => f.write_str("unlock the next tech"),
        GeneralAction::Advance { index } => {
            f.write_str("step on ")?;
            techs.get(usize::from(index)).map_or(Ok(()), |tech| name(f, tech.name()))
        }
        GeneralAction::Assign { board, card } => {
            f.write_str("take ")?;
            let spell = game.state().row().get(usize::from(card));
            name(f, spell.map_or("a card", |spell| spell.name()))?;
            write!(f, " to board {}", board + 1)
        }
    }
}

fn board_action(f: &mut impl Write, action: &BoardAction) -> fmt::Result {
    match *action {
        BoardAction::Move { from, to, .. } => write!(f, "{from} walks to {to}"),
        BoardAction::Walk { path, .. } => write!(f, "{} walks to {}", path.from(), path.to()),
        BoardAction::Attack { from, to } => write!(f, "{from} attacks {to}"),
        BoardAction::Teleport { from, to } => write!(f, "{from} teleports to {to}"),
        BoardAction::Blink { at } => write!(f, "{at} blinks away"),
        BoardAction::Spawn { unit, at } => {
            f.write_str("place ")?;
            name(f, unit.name())?;
            write!(f, " on {at}")
        }
        BoardAction::UseTile { at } => write!(f, "a zombie rises on {at}"),
        BoardAction::Cast { spell, params } => {
            f.write_str("cast ")?;
            name(f, spell.name())?;
            match params {
                CastParams::None => Ok(()),
                CastParams::Piece(at) | CastParams::Hex(at) => write!(f, " on {at}"),
                CastParams::PieceHex(from, to) => write!(f, ": {from} to {to}"),
                CastParams::TerrainHex(kind, at) => write!(f, ": {} to {at}", kind.name()),
            }
        }
        BoardAction::Discard { spell } => {
            f.write_str("discard ")?;
            name(f, spell.name())?;
            f.write_str(" for mana")
        }
        BoardAction::UseAbility { user, to, terrain, .. } => {
            write!(f, "{user} moves {} to {to}", terrain.map_or("terrain", |kind| kind.name()))
        }
        BoardAction::Buy { unit } => {
            f.write_str("buy ")?;
            name(f, unit.name())
        }
        BoardAction::Keep { unit: Some(unit) } => {
            f.write_str("keep ")?;
            name(f, unit.name())
        }
        BoardAction::Keep { unit: None } => f.write_str("keep all"),
        BoardAction::Resign => f.write_str("resign the board"),
        BoardAction::EndPhase => f.write_str("end the attacks here"),
    }
}

/// Writes what hexes are to be chosen for.
pub fn prompt(f: &mut impl Write, screen: &GameScreen) -> fmt::Result {
    match &screen.ui.aim {
        Aim::None => Ok(()),
        Aim::Pieces(chain) => match chain.len() {
            0 | 1 => f.write_str("Where to? Green: walk, red: attack, pink: change places. A again: more."),
            _ => f.write_str("And where does this one go at the same moment?"),
        },
        Aim::Place(unit) => {
            f.write_str("Where to place the ")?;
            name(f, unit.name())?;
            f.write_str("? B when done.")
        }
        Aim::Cast(spell, _) => {
            name(f, spell.name())?;
            write!(f, ": {}.", spell_effect(*spell))
        }
        Aim::CastTo(..) | Aim::Teleport(_) => f.write_str("To which hex?"),
        Aim::Ability(_, what, _) => write!(f, "To which hex does it {}?", ability(*what)),
    }
}

/// Title of a page.
pub fn title(page: Page) -> &'static str {
    match page {
        Page::Title | Page::Board => "",
        Page::Rules => "Rules",
        Page::NewGame => "New game",
        Page::Menu => "Menu",
        Page::Buy => "Buy units",
        Page::Place => "Place units",
        Page::Cards => "Cards",
        Page::Techs => "Techs",
        Page::Keep => "Keep a unit",
        Page::Here => "Here",
        Page::UnitCard => "Unit",
        Page::Hint => "Hint",
        Page::Resign => "Resign",
        Page::EndTurn => "End the turn?",
        Page::Level => "Level",
        Page::Result => "Result",
        Page::LastTurn => "Last turn",
    }
}

/// The unit that an entry is about.
pub fn unit_of(act: &Act) -> Option<UnitLabel> {
    match act {
        Act::Enter(Action::Board(
            _,
            BoardAction::Buy { unit }
            | BoardAction::Spawn { unit, .. }
            | BoardAction::Keep { unit: Some(unit) },
        )) => Some(*unit),
        Act::Aim(Aim::Place(unit)) | Act::Card(unit) => Some(*unit),
        _ => None,
    }
}

/// The spell that an entry is about.
pub fn spell_of(act: &Act, game: &Game) -> Option<Spell> {
    match act {
        Act::Aim(Aim::Cast(spell, _)) => Some(*spell),
        Act::Enter(Action::Board(_, BoardAction::Cast { spell, .. } | BoardAction::Discard { spell })) => {
            Some(*spell)
        }
        Act::Enter(Action::General(GeneralAction::Assign { card, .. })) => {
            game.state().row().get(usize::from(*card)).copied()
        }
        _ => None,
    }
}

/// Writes an entry of a list.
pub fn label(f: &mut impl Write, screen: &GameScreen, act: &Act) -> fmt::Result {
    match act {
        Act::Enter(Action::Board(_, BoardAction::Buy { unit })) if screen.ui.page == Page::Buy => {
            name(f, unit.name())
        }
        Act::Enter(Action::Board(board, BoardAction::Resign)) if screen.ui.page == Page::Resign => {
            write!(f, "resign board {}", board + 1)
        }
        Act::Enter(what) => {
            if matches!(screen.ui.page, Page::Hint | Page::LastTurn)
                && let Action::Board(board, _) = what
                && screen.table.shown().config().num_boards() > 1
            {
                write!(f, "board {}: ", board + 1)?;
            }
            action(f, what, screen.table.shown())
        }
        Act::Aim(Aim::Place(unit)) => {
            let view = screen.table.shown().view(usize::from(screen.ui.board));
            name(f, unit.name())?;
            view.map_or(Ok(()), |view| write!(f, " ({} waiting)", view.board.reserve(view.side, *unit)))
        }
        Act::Aim(Aim::Cast(spell, kind)) => {
            f.write_str("cast ")?;
            name(f, spell.name())?;
            kind.map_or(Ok(()), |kind| write!(f, ": {}", kind.name()))
        }
        Act::Aim(Aim::Ability(user, what, kind)) => {
            write!(f, "{user}: {}", ability(*what))?;
            kind.map_or(Ok(()), |kind| write!(f, ", {}", kind.name()))
        }
        Act::Aim(Aim::Teleport(_)) => f.write_str("teleport"),
        Act::Aim(_) => f.write_str("choose a hex"),
        Act::Card(unit) => {
            f.write_str("card of the ")?;
            name(f, unit.name())
        }
        Act::SetLevel(level) => {
            let level = screen.machine.level(*level);
            write!(f, "{}: {}", level.name, level.about)
        }
        Act::Open(page) => f.write_str(match (page, screen.ui.page) {
            (Page::Board, Page::Title) => "Go on with the game",
            (Page::Board, _) => "Back to the board",
            (Page::Here, _) => "This hex: all that is possible",
            (Page::Result, _) => "Result of the game",
            (Page::Title, _) => "Title screen",
            (Page::EndTurn, _) => "End turn",
            (page, _) => title(*page),
        }),
        Act::EndTurn => f.write_str("Yes, end the turn"),
        Act::Undo => f.write_str("Take the last action back"),
        Act::Clear => f.write_str("Begin the turn anew"),
        Act::AskHint => f.write_str("Hint"),
        Act::PlayHint => f.write_str("Enter this turn"),
        Act::PlayNow => f.write_str("Play at once"),
        Act::ResignGame => f.write_str("resign the game"),
        Act::Save => f.write_str("Save"),
        Act::Load => f.write_str("Go on with the saved game"),
        Act::Begin => f.write_str("Begin"),
        Act::Nothing => Ok(()),
    }
}

/// Action of an entry of the tech page: a step on a tech, or what is bought and sold below.
pub fn tech_step(game: &Game, entry: usize) -> Action {
    let line = &game.config().techline;
    let next = game.state().tech(game.side_to_move()).first_locked(line.len());
    Action::General(if entry == line.len() {
        GeneralAction::BuySpell
    } else if entry > line.len() {
        GeneralAction::Sell
    } else if next == Some(entry as u8) {
        GeneralAction::March
    } else {
        GeneralAction::Advance { index: entry as u8 }
    })
}

/// Summary of what is left to do in the turn, in three lines also with eight boards.
pub(crate) fn rest_of_turn(f: &mut impl Write, screen: &GameScreen) -> fmt::Result {
    let game = screen.table.shown();
    let state = game.state();
    let boards = game.config().num_boards();
    let left = |board| {
        let waiting: u32 = game
            .view(board)
            .map_or(0, |view| view.board.reserves(view.side).map(|(_, count)| u32::from(count)).sum());
        (screen.ready(board).len(), waiting)
    };
    let (souls, points) = (state.souls(screen.ui.person), state.budget().tech_points);
    if boards <= 2 {
        for board in 0..boards {
            let (ready, waiting) = left(board);
            write!(f, "Board {}: {ready} can still act, {waiting} wait. ", board + 1)?;
        }
        return write!(f, "{souls} souls, {points} tech points left.");
    }
    write!(f, "{souls} souls, {points} tech points left. Can still act + wait on boards 1 to {boards}:")?;
    (0..boards).try_for_each(|board| {
        let (ready, waiting) = left(board);
        write!(f, " {ready}+{waiting}{}", if board + 1 < boards { "," } else { "." })
    })
}

/// Level of a side in a tech in words.
pub fn status(status: TechStatus) -> &'static str {
    match status {
        TechStatus::Locked => "locked",
        TechStatus::Unlocked => "unlocked",
        TechStatus::Acquired => "acquired",
    }
}

/// Effect of a special tech in words.
pub fn tech_effect(tech: Tech) -> &'static str {
    match tech {
        Tech::UnitTech(_) => "its unit can be bought from the next turn on",
        Tech::Copycat => "you may acquire what the opponent has acquired",
        Tech::Thaumaturgy => "you may sell the tech point of a turn",
        Tech::Metamagic => "a board may take several cards",
    }
}
