//! Games from text and to text: FEN, annotated games, links, and games that begin.

use std::collections::BTreeMap;

use barrow_core::minions::text::fen::{self, ConfigLine, Extended};
use barrow_core::minions::{
    Builder, Game, GameConfig, MapLabel, Ruleset, Side, SideArray, TechLevels, TechStatus,
};

use crate::messages::{Form, Handicap, NewGame};
use crate::notation::{Ending, Fault, GameParser, Tags, game_text};
use crate::table::Table;
use crate::text::quoted::quoted;

/// Text in bytes that is read at most.
const TEXT_CAP: usize = 4 << 20;

/// First line of the text of a link.
const LINK: &str = "barrow 1";

/// Start of the line of an annotated file that says to which game the lines behind it belong.
const LABEL: &str = "game ";

/// Seed of the cards that a position does not name.
const SEED: u64 = 0;

fn ruleset_named(name: Option<&str>, default: Ruleset) -> Result<Ruleset, String> {
    name.map_or(Ok(default), |name| {
        Ruleset::from_name(name).ok_or_else(|| format!("no such ruleset: {}", quoted(name)))
    })
}

/// A new game.
pub fn new_game(asked: &NewGame) -> Result<Table, String> {
    let ruleset = ruleset_named(asked.ruleset.as_deref(), Ruleset::Server)?;
    let mut config = if asked.maps.is_empty() {
        GameConfig::default().with_ruleset(ruleset)
    } else {
        let map =
            |name: &String| MapLabel::from_name(name).ok_or_else(|| format!("no such map: {}", quoted(name)));
        let maps = asked.maps.iter().map(map).collect::<Result<Vec<_>, _>>()?;
        GameConfig::new(ruleset, &maps).ok_or_else(|| format!("{} boards are too many", maps.len()))?
    };
    if let Some(points) = asked.points {
        config = config.with_points(points);
    }
    let handicaps = SideArray::new(asked.yellow, asked.blue);
    config.extra_souls = SideArray(Side::ALL.map(|side| handicaps[side].income));
    let game = Game::new(config, asked.seed);
    let souls =
        SideArray(Side::ALL.map(|side| game.state().souls(side).saturating_add(handicaps[side].souls)));
    let techs = SideArray(Side::ALL.map(|side| unlocked(handicaps[side], game.config().techline.len())));
    let mut builder = Builder::from_game(game);
    builder.souls(souls).tech(techs, techs);
    let start = builder.build().map_err(|error| format!("handicap: {error}"))?;
    let mut tags = Tags::default();
    tags.set(Tags::PROGRAM, concat!("Barrow ", env!("CARGO_PKG_VERSION")));
    tags.set(Tags::YELLOW, asked.yellow_name.as_deref().unwrap_or("Yellow"));
    tags.set(Tags::BLUE, asked.blue_name.as_deref().unwrap_or("Blue"));
    Ok(Table::new(tags, start))
}

/// Tech levels of a handicap: the first techs of the line unlocked.
fn unlocked(handicap: Handicap, techs: usize) -> TechLevels {
    let mut levels = TechLevels::default();
    (0..handicap.unlocked.min(techs as u8)).for_each(|index| levels.set(index, TechStatus::Unlocked));
    levels
}

/// A game from text: FEN, an annotated game, or the text of a link. A ruleset and a configuration are those of a FEN that does
/// not say; fails where they contradict a text that does.
pub fn load(text: &str, ruleset: Option<&str>, config: Option<&str>) -> Result<Table, String> {
    if text.len() > TEXT_CAP {
        return Err("the text is too long".to_owned());
    }
    let is_cut = !text.ends_with('\n');
    // Some editors put a mark of byte order before a text.
    let text = text.trim_start_matches('\u{feff}').trim();
    let table = if text.starts_with("[Mgn") || text.starts_with(LABEL) {
        load_record(text, is_cut)?
    } else if let Some(rest) = text.strip_prefix(LINK) {
        load_link(rest)?
    } else {
        load_position(text, ruleset, config)?
    };
    check_against(table.now().config(), ruleset, config)?;
    Ok(table)
}

/// The position of a FEN, or of the word for the start position.
fn load_position(text: &str, ruleset: Option<&str>, config: Option<&str>) -> Result<Table, String> {
    let is_start = text == "startpos";
    let default = if is_start || text.contains(" x1") { Ruleset::Server } else { Ruleset::Spooky };
    let rules = ruleset_named(ruleset, default)?;
    let config = match config {
        Some(line) => fen::parse_config(line, rules).map_err(|error| format!("config: {error}"))?,
        None => GameConfig::default().with_ruleset(rules),
    };
    let game = if is_start {
        Game::new(config, SEED)
    } else {
        parse(text, &config).map_err(|why| foreign(text, why))?
    };
    Ok(Table::new(Tags::default(), game))
}

/// Fails where a ruleset or a configuration contradicts what a text says itself.
fn check_against(said: &GameConfig, ruleset: Option<&str>, config: Option<&str>) -> Result<(), String> {
    if ruleset_named(ruleset, said.ruleset)? != said.ruleset {
        return Err(format!("it names its ruleset itself, which is {}", said.ruleset.name()));
    }
    let named = config.map(|line| fen::parse_config(line, said.ruleset)).transpose();
    match named.map_err(|error| format!("config: {error}"))? {
        Some(named) if !has_same_boards(&named, said) => {
            Err(format!("it names its configuration itself, which is {}", ConfigLine(said)))
        }
        _ => Ok(()),
    }
}

/// Whether two configurations have the same maps, techs and points to win, as the line of a configuration names them.
pub fn has_same_boards(a: &GameConfig, b: &GameConfig) -> bool {
    (a.maps(), &a.techline, a.points_needed) == (b.maps(), &b.techline, b.points_needed)
}

/// Why a text is no position, and that it is nothing else either where it does not even begin like one.
fn foreign(text: &str, why: String) -> String {
    if text.split_whitespace().next().is_some_and(|word| word.contains('|')) {
        return why;
    }
    format!("neither an annotated game, which begins with [Mgn, nor a position in FEN: {why}")
}

fn parse(text: &str, config: &GameConfig) -> Result<Game, String> {
    fen::parse_seeded(text, config, SEED).map_err(|error| {
        let told = boards_told(text, config).map(|told| format!("; {told}: the configuration names others"));
        format!("{error}{}", told.unwrap_or_default())
    })
}

/// Boards of a FEN in words, where it has another number of them than its configuration.
pub fn boards_told(text: &str, config: &GameConfig) -> Option<String> {
    // A board has six fields with strokes between them, and the extended form names its configuration.
    let boards = text.split(' ').filter(|word| word.matches('|').count() == 5).count();
    if boards == 0 || boards == config.num_boards() || text.contains(" cfg=") {
        return None;
    }
    let maps: Vec<&str> = config.maps().iter().map(|map| map.name()).collect();
    Some(format!("it has {boards} of {} boards ({})", maps.len(), maps.join(", ")))
}

/// The only game of an annotated file. One that breaks off is read up to its last whole turn (`docs/spec/notation.md`):
/// whoever wrote it was killed at the last line.
fn load_record(text: &str, is_cut: bool) -> Result<Table, String> {
    let games = numbered_lines(text);
    let lines = match &games[..] {
        [] => return Err("it holds no game".to_owned()),
        [lines] => lines,
        several => {
            let count = several.len();
            let way = "barrow convert FILE --number N writes game N by itself";
            return Err(format!("it holds {count} games, of which one can be loaded; {way}"));
        }
    };
    let mut parser = GameParser::default();
    let last = text.lines().count();
    for &(number, line) in lines {
        match parser.feed(line) {
            Err(Fault::Damaged(_)) if is_cut && number == last && parser.turns() > 0 => {}
            fed => fed.map_err(|fault| format!("line {number}: {fault}"))?,
        }
    }
    Table::from_record(parser.finish().map_err(|fault| fault.to_string())?)
}

/// Lines of each game of an annotated file, with their numbers in the file, from 1. A line `game LABEL` says to which game
/// the lines behind it belong, and `[Mgn` begins the next game of a label.
fn numbered_lines(text: &str) -> Vec<Vec<(usize, &str)>> {
    let mut games: Vec<Vec<(usize, &str)>> = Vec::new();
    let (mut open, mut label) = (BTreeMap::new(), "");
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(named) = line.strip_prefix(LABEL) {
            label = named.trim();
        } else if !line.is_empty() {
            if line.starts_with("[Mgn") || !open.contains_key(label) {
                open.insert(label, games.len());
                games.push(Vec::new());
            }
            games[open[label]].push((index + 1, line));
        }
    }
    games
}

/// The text of a link: ruleset, configuration, position, and the lines entered, a line each.
fn load_link(rest: &str) -> Result<Table, String> {
    let mut lines = rest.trim_start().lines();
    let mut next = |what: &str| lines.next().ok_or_else(|| format!("the link ends before its {what}"));
    let rules = ruleset_named(Some(next("ruleset")?.trim()), Ruleset::Server)?;
    let config =
        fen::parse_config(next("configuration")?, rules).map_err(|error| format!("config: {error}"))?;
    let mut table = Table::new(Tags::default(), parse(next("position")?, &config)?);
    for line in lines.filter(|line| !line.trim().is_empty()) {
        table.enter(line)?;
    }
    Ok(table)
}

/// The game as text.
pub fn export(table: &Table, form: Form) -> String {
    let game = table.now();
    match form {
        Form::Fen => Extended(game).to_string(),
        Form::Mgn => {
            let mut record = table.record().clone();
            record.ending.get_or_insert_with(|| Ending::at(game));
            game_text(&record)
        }
        Form::Link => {
            let mut lines = vec![
                LINK.to_owned(),
                game.config().ruleset.name().to_owned(),
                ConfigLine(game.config()).to_string(),
                Extended(game).to_string(),
            ];
            lines.extend(table.entry().lines().iter().cloned());
            lines.join("\n")
        }
    }
}
