//! Turns in words: a sentence for each action, found by playing the turn on a copy of the game.

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Action, BoardAction, CastParams, Game, GameTurn, GeneralAction, TechStatus, UndoLog,
};

/// Account of one board's part of a turn in words.
#[derive(Clone, Debug, Default)]
pub struct BoardNarration {
    /// Sentences, one for each action, or for each simultaneous move.
    pub sentences: Vec<String>,
    /// Enemy pieces killed, by name.
    pub killed: Vec<&'static str>,
    /// Enemy pieces sent back to the reinforcements, by name.
    pub unsummoned: Vec<&'static str>,
    /// Attacks made.
    pub attacks: usize,
    /// Pieces that walked.
    pub walks: usize,
    /// Units placed.
    pub placed: usize,
}

/// A turn in words.
#[derive(Clone, Debug, Default)]
pub struct Narration {
    /// Phrases, one for each action of the general.
    pub general: Vec<String>,
    /// The boards, in index order.
    pub boards: Vec<BoardNarration>,
}

impl Narration {
    /// The narration of a legal turn. That of an illegal turn ends before the first illegal action.
    pub fn new(game: &Game, turn: &GameTurn) -> Narration {
        let mut game = game.clone();
        let log = &mut UndoLog::off();
        let mut narration = Narration::default();
        for action in turn.general_actions(game.state().budget()) {
            let sentence = general_sentence(&game, action);
            if game.apply(Action::General(action), log).is_err() {
                return narration;
            }
            narration.general.push(sentence);
        }
        for board in 0..game.config().num_boards() {
            narration.boards.push(board_narration(&mut game, board, turn.board(board)));
        }
        narration
    }

    /// All sentences, those about a board with its index before them.
    pub fn sentences(&self) -> Vec<String> {
        let boards = self.boards.iter().enumerate();
        let boards = boards.flat_map(|(index, board)| {
            board.sentences.iter().map(move |sentence| format!("board {index}: {sentence}"))
        });
        self.general.iter().cloned().chain(boards).collect()
    }

    /// The turn on one line: the general's actions, and kills and counts of each board.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if !self.general.is_empty() {
            parts.push(self.general.join(", "));
        }
        for (index, board) in self.boards.iter().enumerate() {
            let mut facts = Vec::new();
            for (names, verb) in [(&board.killed, "kills"), (&board.unsummoned, "unsummons")] {
                if !names.is_empty() {
                    facts.push(format!("{verb} {}", names.join(" ")));
                }
            }
            for (count, one, several) in [
                (board.attacks, "attack", "attacks"),
                (board.walks, "walk", "walks"),
                (board.placed, "unit placed", "units placed"),
            ] {
                match count {
                    0 => {}
                    1 => facts.push(format!("1 {one}")),
                    _ => facts.push(format!("{count} {several}")),
                }
            }
            if !facts.is_empty() {
                parts.push(format!("board {index}: {}", facts.join(", ")));
            }
        }
        if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
    }
}

/// Sentences that are listed of a part of a turn; the others are counted.
const LISTED: usize = 3;

impl Narration {
    /// Differences of this turn from another one: what it does and that one does not, and in place of what, part by part.
    /// So turns can be told apart whose [`summary`](Narration::summary) is the same.
    pub fn difference(&self, other: &Narration) -> String {
        let mut parts = Vec::new();
        let mut part = |name: &str, own: &[String], others: &[String]| {
            let (more, less) = (missing(own, others), missing(others, own));
            match (more.is_empty(), less.is_empty()) {
                (true, true) => {}
                (false, true) => parts.push(format!("{name}{} too", listed(&more))),
                (true, false) => parts.push(format!("{name}without: {}", listed(&less))),
                (false, false) => {
                    parts.push(format!("{name}{} instead of: {}", listed(&more), listed(&less)));
                }
            }
        };
        part("", &self.general, &other.general);
        for (index, (own, others)) in self.boards.iter().zip(&other.boards).enumerate() {
            part(&format!("board {index}: "), &own.sentences, &others.sentences);
        }
        if parts.is_empty() { "the same in another order".to_owned() } else { parts.join("; ") }
    }
}

/// Sentences of a list that another one has not, or not so often.
fn missing<'a>(list: &'a [String], other: &[String]) -> Vec<&'a str> {
    let mut rest: Vec<&String> = other.iter().collect();
    let mut missing = Vec::new();
    for sentence in list {
        match rest.iter().position(|known| *known == sentence) {
            Some(place) => {
                rest.swap_remove(place);
            }
            None => missing.push(sentence.as_str()),
        }
    }
    missing
}

fn listed(sentences: &[&str]) -> String {
    let (shown, more) = sentences.split_at(sentences.len().min(LISTED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    format!("{}{more}", shown.join(", "))
}

/// An action of a board as a sentence, in the position before it.
pub fn sentence(game: &Game, board: usize, action: &BoardAction) -> String {
    let named = |hex: Hex| match game.view(board).and_then(|view| view.board.piece(hex)) {
        Some(piece) => format!("{} {hex}", piece.unit().name()),
        None => format!("nobody on {hex}"),
    };
    match *action {
        BoardAction::Move { from, to, .. } => format!("{} walks to {to}", named(from)),
        BoardAction::Walk { path, .. } => format!("{} walks to {}", named(path.from()), path.to()),
        BoardAction::Attack { from, to } => format!("{} attacks {}", named(from), named(to)),
        BoardAction::Teleport { from, to } => format!("{} teleports to {to}", named(from)),
        BoardAction::Blink { at } => format!("{} blinks", named(at)),
        BoardAction::Spawn { unit, at } => format!("a {} appears on {at}", unit.name()),
        BoardAction::UseTile { at } => format!("the spawner on {at} makes a zombie"),
        BoardAction::Cast { spell, params } => match params {
            CastParams::None => format!("casts {}", spell.name()),
            CastParams::Piece(at) => format!("casts {} on {}", spell.name(), named(at)),
            CastParams::PieceHex(at, to) => format!("casts {} on {}, to {to}", spell.name(), named(at)),
            CastParams::Hex(at) => format!("casts {} on {at}", spell.name()),
            CastParams::TerrainHex(kind, at) => format!("casts {}: {} to {at}", spell.name(), kind.name()),
        },
        BoardAction::Discard { spell } => format!("discards {}", spell.name()),
        BoardAction::UseAbility { user, terrain, ability, to } => {
            let kind = terrain.map_or("", |kind| kind.name());
            format!("{} uses {} {kind} to {to}", named(user), ability.name())
        }
        BoardAction::Buy { unit } => format!("buys a {}", unit.name()),
        BoardAction::Keep { unit } => format!("keeps {}", unit.map_or("all units", |unit| unit.name())),
        BoardAction::Resign => "resigns the board".to_owned(),
        BoardAction::EndPhase => "ends the attack phase".to_owned(),
    }
}

fn general_sentence(game: &Game, action: GeneralAction) -> String {
    let (config, state) = (game.config(), game.state());
    let levels = state.tech(state.side_to_move());
    let tech = |index: u8| config.techline.techs().get(usize::from(index)).map_or("?", |tech| tech.name());
    match action {
        GeneralAction::BuySpell => "buys an extra spell and tech".to_owned(),
        GeneralAction::Sell => "sells the tech point".to_owned(),
        GeneralAction::March => match levels.first_locked(config.techline.len()) {
            Some(index) => format!("unlocks {}", tech(index)),
            None => "marches nowhere".to_owned(),
        },
        GeneralAction::Advance { index } => match levels.status(index) {
            TechStatus::Locked => format!("unlocks {}", tech(index)),
            TechStatus::Unlocked | TechStatus::Acquired => format!("acquires {}", tech(index)),
        },
        GeneralAction::Assign { board, card } => {
            let name = state.row().get(usize::from(card)).map_or("?", |card| card.name());
            format!("gives {name} to board {board}")
        }
    }
}

fn board_narration(game: &mut Game, board: usize, mut actions: &[BoardAction]) -> BoardNarration {
    let mut narration = BoardNarration::default();
    let log = &mut UndoLog::off();
    while !actions.is_empty() {
        let before = game.clone();
        let Ok(used) = game.apply_next(board as u8, actions, log) else { break };
        let Some((done, rest)) = actions.split_at_checked(used.max(1)) else { break };
        actions = rest;
        let sentences: Vec<String> = done.iter().map(|action| sentence(&before, board, action)).collect();
        let mut text = sentences.join(" while ");
        for action in done {
            count(&mut narration, action);
        }
        if let Some((outcome, words)) = outcome(&before, game, board, done) {
            text.push_str(&words);
            match outcome {
                Outcome::Killed(name) => narration.killed.push(name),
                Outcome::Unsummoned(name) => narration.unsummoned.push(name),
                Outcome::Hurt => {}
            }
        }
        narration.sentences.push(text);
    }
    narration
}

fn count(narration: &mut BoardNarration, action: &BoardAction) {
    match action {
        BoardAction::Attack { .. } => narration.attacks += 1,
        BoardAction::Move { .. } | BoardAction::Walk { .. } => narration.walks += 1,
        BoardAction::Spawn { .. } | BoardAction::UseTile { .. } => narration.placed += 1,
        _ => {}
    }
}

/// The effect of an attack or spell on the enemy piece it was aimed at.
enum Outcome {
    Killed(&'static str),
    Unsummoned(&'static str),
    Hurt,
}

/// The effect of these simultaneous actions on the enemy piece they were aimed at, with its words. `None` without such a
/// piece or effect.
fn outcome(before: &Game, after: &Game, board: usize, done: &[BoardAction]) -> Option<(Outcome, String)> {
    let (BoardAction::Attack { to: at, .. } | BoardAction::Cast { params: CastParams::Piece(at), .. }) =
        done.first()?
    else {
        return None;
    };
    let (old, new) = (before.view(board)?, after.view(board)?);
    let target = old.enemy(*at).ok()?;
    let name = target.unit().name();
    if let Some(piece) = new.board.piece(*at) {
        let damage = format!(" ({} of {} damage)", piece.damage(), new.current(piece).defense);
        return (piece.damage() != target.damage()).then_some((Outcome::Hurt, damage));
    }
    let waiting = |view: &barrow_core::minions::View<'_>| view.board.reserve(target.side(), target.unit());
    if waiting(&new) > waiting(&old) {
        Some((Outcome::Unsummoned(name), " and unsummons it".to_owned()))
    } else {
        Some((Outcome::Killed(name), " and kills it".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;

    #[test]
    fn a_kill_is_named() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let levels = "LLLLLLLLLLLLLLLLLLLLLLLLL";
        let empty = "n|||||0/0/2N7/0/0/0/0/7n2/0/0";
        let text = format!("0|0 0|0 {levels}|{levels} n|||||0/0/2Nz6/0/0/0/0/7n2/0/Z9 {empty} 0 5");
        let game = fen::parse(&text, &config).unwrap();
        let hex = |name| Hex::named(name).unwrap();
        let mut turn = GameTurn::new();
        turn.marches = 1;
        turn.push(0, BoardAction::walk(hex("a9"), hex("b9"))).unwrap();
        turn.push(0, BoardAction::Attack { from: hex("c2"), to: hex("d2") }).unwrap();
        let narration = Narration::new(&game, &turn);
        assert_eq!(narration.general, ["unlocks skeleton"]);
        assert_eq!(
            narration.boards[0].sentences,
            ["zombie a9 walks to b9", "necromancer c2 attacks zombie d2 and unsummons it"]
        );
        assert_eq!(narration.summary(), "unlocks skeleton; board 0: unsummons zombie, 1 attack, 1 walk");
        assert_eq!(Narration::new(&game, &GameTurn::new()).summary(), "nothing");
    }

    #[test]
    fn turns_with_one_summary_are_told_apart() {
        let board = |sentences: &[&str]| BoardNarration {
            sentences: sentences.iter().map(|&sentence| sentence.to_owned()).collect(),
            ..BoardNarration::default()
        };
        let turn = |boards: &[&[&str]]| Narration {
            general: vec!["unlocks skeleton".to_owned()],
            boards: boards.iter().map(|sentences| board(sentences)).collect(),
        };
        let best = turn(&[&["a walks", "b walks"], &["c walks"]]);
        assert_eq!(
            turn(&[&["b walks", "a walks"], &["c walks"]]).difference(&best),
            "the same in another order"
        );
        assert_eq!(
            turn(&[&["a walks", "d walks"], &["c walks", "e walks"]]).difference(&best),
            "board 0: d walks instead of: b walks; board 1: e walks too"
        );
        // A sentence that comes twice is not the same as one that comes once.
        let twice = turn(&[&["a walks", "a walks", "v", "w", "x", "y"], &[]]);
        assert_eq!(
            twice.difference(&best),
            "board 0: a walks, v, w and 2 more instead of: b walks; board 1: without: c walks"
        );
    }
}
