//! Files of games, read one game at a time: annotated games as text or JSON, replays of the web server, game records of
//! self-play.

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::minions::GameConfig;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::game_form::GameForm;
use super::{json_form, self_play, server_form};
use crate::io::{TEXT_CAP, TextLines, open_watched};
use crate::records::Damage;
use crate::text::quoted::shortened;
use barrow_session::notation::AnnotatedGame;
use barrow_session::notation::{Fault, GameParser, Progress};

/// Lines that are read at once from a file with a game on each.
const BATCH: usize = 64;

/// Text in bytes with which a batch is full before that, and with which too many games are open at once.
const BATCH_BYTES: usize = 64 << 20;

/// Games of a file that are open at once at most.
const OPEN_CAP: usize = 1024;

/// Longest label of a game.
const LABEL_CAP: usize = 64;

/// Facts that a file does not say of itself.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// Configuration of a replay of the web server that does not name its own.
    pub config: GameConfig,
    /// Number that was subtracted from its tech positions; `None` where the game is to tell.
    pub tech_offset: Option<u8>,
    /// Whether no warnings go to stderr.
    pub quiet: bool,
    /// Whether damage in front of a game is kept for [`GameFile::take_damage`] instead of being warned of, and that of a line
    /// with a game of its own instead of being an error.
    pub keeps_damage: bool,
}

/// Game of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadGame {
    /// The game, up to the first turn that is not legal.
    pub game: AnnotatedGame,
    /// Number of its first line in the file.
    pub line: usize,
    /// Line, number and fault of the first turn that is not legal.
    pub illegal: Option<String>,
    /// Turns behind that one, which nobody has judged.
    pub unjudged: u64,
}

impl ReadGame {
    /// The game, if all its turns are legal.
    pub fn legal(self) -> Result<AnnotatedGame> {
        match self.illegal {
            None => Ok(self.game),
            Some(illegal) => Err(anyhow!(illegal)),
        }
    }
}

/// File of games.
pub struct GameFile {
    name: String,
    lines: TextLines,
    form: GameForm,
    settings: FileSettings,
    /// Games that have begun and not ended, by their labels.
    open: BTreeMap<String, OpenGame>,
    /// Text of the open games in bytes.
    open_bytes: usize,
    /// Label of the game to which the next line belongs.
    label: String,
    /// Whether somebody was told that the file breaks off.
    warned: bool,
    /// Number of the line of a game that was read last.
    last: usize,
    /// Damage in front of games, if the settings say that it is kept.
    damage: Damage,
    /// Games that are ready to be returned.
    ready: VecDeque<Result<ReadGame>>,
}

/// Game of which lines are still to come.
#[derive(Default)]
struct OpenGame {
    parser: GameParser,
    line: usize,
    bytes: usize,
    illegal: Option<String>,
    unjudged: u64,
    /// Number and fault of a damaged line, until what follows tells whether the game ends there.
    torn: Option<(usize, String)>,
}

/// Reads the game with this number, from 1, of a file; without a number its only game. An error names file and line.
pub fn read_game(name: &str, number: Option<usize>, settings: &FileSettings) -> Result<AnnotatedGame> {
    let named = || name.to_owned();
    let mut file = GameFile::open(name, settings.clone(), &ProgressBar::hidden()).with_context(named)?;
    let wanted = number.unwrap_or(1);
    let mut count = 0;
    while let Some(read) = file.next_game().with_context(named)? {
        count += 1;
        if count < wanted {
            continue;
        }
        let game = read.legal().with_context(named)?;
        if number.is_none() && file.next_game().with_context(named)?.is_some() {
            bail!("{name}: holds several games: choose one by --number, from 1");
        }
        return Ok(game);
    }
    bail!("{name}: holds {count} games")
}

impl GameFile {
    /// Opens a file; `-` is standard input, and a name that ends in `.gz` is decompressed. The bar follows the bytes read.
    pub fn open(name: &str, settings: FileSettings, bar: &ProgressBar) -> Result<GameFile> {
        GameFile::of_lines(open_watched(name, bar)?, name, settings)
    }

    /// Games of lines that are read from a file of this name. Fails when the first line tells no known form.
    pub fn of_lines(mut lines: TextLines, name: &str, settings: FileSettings) -> Result<GameFile> {
        let form = match lines.peek_full_line()? {
            None => GameForm::Notation,
            Some(line) => {
                let form = GameForm::of_line(line);
                form.with_context(|| format!("line {}: no game in a known form", lines.number()))?
            }
        };
        let (open, ready) = (BTreeMap::new(), VecDeque::new());
        Ok(GameFile {
            name: name.to_owned(),
            lines,
            form,
            settings,
            open,
            open_bytes: 0,
            label: String::new(),
            warned: false,
            last: 0,
            damage: Damage::default(),
            ready,
        })
    }

    /// Form of the file.
    pub fn form(&self) -> GameForm {
        self.form
    }

    /// Takes the damage that was kept so far, each with the file and the place: lines with which games break off in front of
    /// others, of which what is whole is returned, and in files with a game on each line those that are none.
    pub fn take_damage(&mut self) -> Damage {
        std::mem::take(&mut self.damage)
    }

    /// Whether a game that cannot be read is kept as damage and the next one read: each line is a game by itself.
    fn leaves_out(&self) -> bool {
        self.settings.keeps_damage && matches!(self.form, GameForm::Json | GameForm::SelfPlay)
    }

    /// Reads the next game. Returns `None` at the end of the file. An error names the line; what follows it is not read.
    pub fn next_game(&mut self) -> Result<Option<ReadGame>> {
        loop {
            match self.ready.pop_front() {
                Some(Err(error)) if self.leaves_out() => {
                    self.damage.push(format!("{}: {error:#}", self.name));
                    continue;
                }
                Some(game) => return game.map(Some),
                None => {}
            }
            let goes_on = match self.form {
                GameForm::Notation => self.read_notation()?,
                GameForm::Json | GameForm::SelfPlay => self.read_batch()?,
                GameForm::Server => self.read_server()?,
            };
            if !goes_on && self.ready.is_empty() {
                return Ok(None);
            }
        }
    }

    /// Reads a line of annotated games as text. False at the end of the file.
    fn read_notation(&mut self) -> Result<bool> {
        let Some(line) = self.lines.next_line()? else {
            let is_last = |game: &&OpenGame| game.torn.as_ref().is_some_and(|(line, _)| *line == self.last);
            if let Some((line, reason)) = self.open.values().find(is_last).and_then(|game| game.torn.as_ref())
            {
                bail!("line {line}: {reason}");
            }
            let mut rest: Vec<OpenGame> = std::mem::take(&mut self.open).into_values().collect();
            rest.sort_by_key(|game| game.line);
            for game in rest {
                match &game.torn {
                    // Lines of other games stand behind it.
                    Some(torn) => {
                        self.tell_torn(torn);
                        self.finish(game);
                    }
                    None => self.close(game),
                }
            }
            return Ok(false);
        };
        let line = line.trim().to_owned();
        let number = self.lines.number();
        if let Some(label) = line.strip_prefix("game ").map(str::trim) {
            let is_word = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_graphic());
            ensure!(is_word && label.len() <= LABEL_CAP, "line {number}: game: expected one word");
            label.clone_into(&mut self.label);
            return Ok(true);
        }
        if line.starts_with("[Mgn ")
            && let Some(game) = self.open.remove(&self.label)
        {
            match &game.torn {
                // Somebody was killed at that line, or it was changed, and another one has written on behind it.
                Some(torn) => self.tell_torn(torn),
                None if game.breaks_off() => {
                    let words = "the unfinished end of the game that begins there";
                    self.tell_damage(&format!("line {}: {words}", game.line));
                }
                None => {}
            }
            self.finish(game);
        }
        if line.is_empty() {
            return Ok(true);
        }
        self.last = number;
        ensure!(
            self.open.len() < OPEN_CAP && self.open_bytes < BATCH_BYTES,
            "line {number}: too many games at once"
        );
        let game = self.open.entry(self.label.clone()).or_default();
        if let Some((torn, reason)) = &game.torn {
            bail!("line {torn}: {reason}");
        }
        if game.line == 0 {
            game.line = number;
        }
        game.bytes += line.len();
        self.open_bytes += line.len();
        match game.feed(&line) {
            Ok(()) => {}
            Err(Fault::Damaged(_)) if self.lines.breaks_off() => {
                // The writer was killed at this line.
                self.warn_of_cut(number, "the file");
            }
            Err(Fault::Damaged(reason)) => {
                game.torn = Some((number, reason));
                return Ok(true);
            }
            Err(fault @ Fault::Illegal(..)) => game.illegal = Some(format!("line {number}: {fault}")),
        }
        if game_ended(self.open.get(&self.label))
            && let Some(game) = self.open.remove(&self.label)
        {
            self.close(game);
        }
        Ok(true)
    }

    /// Makes a game ready that has no more lines, since the file ends or the game does.
    fn close(&mut self, game: OpenGame) {
        if game.breaks_off() && !(self.warned && self.lines.breaks_off()) {
            self.warn_of_cut(game.line, "the game that begins there");
        }
        self.finish(game);
    }

    /// Makes a game ready, if it has a start.
    fn finish(&mut self, game: OpenGame) {
        let breaks_off = game.breaks_off();
        let OpenGame { parser, line, bytes, illegal, unjudged, .. } = game;
        self.open_bytes = self.open_bytes.saturating_sub(bytes);
        if parser.progress() == Progress::Tags && breaks_off {
            return;
        }
        let read = match parser.finish() {
            Ok(game) => Ok(ReadGame { game, line, illegal, unjudged }),
            Err(fault) => Err(anyhow!("line {line}: {fault}")),
        };
        self.ready.push_back(read);
    }

    /// Tells of a line with which a game breaks off.
    fn tell_torn(&mut self, (line, reason): &(usize, String)) {
        self.tell_damage(&format!("line {line}: {reason}"));
    }

    /// Keeps damage behind which other games go on, or warns of it.
    fn tell_damage(&mut self, what: &str) {
        if self.settings.keeps_damage {
            self.damage.push(format!("{}: {what}", self.name));
        } else if !self.settings.quiet {
            let what = shortened(what);
            eprintln!("barrow: warning: {}: {what}; the game is read up to its last whole turn", self.name);
        }
    }

    fn warn_of_cut(&mut self, line: usize, what: &str) {
        self.warned = true;
        if self.settings.quiet {
            return;
        }
        eprintln!(
            "barrow: warning: {}: line {line}: {what} breaks off; its last whole turn is read",
            self.name
        );
    }

    /// Reads lines with a game on each. False at the end of the file.
    fn read_batch(&mut self) -> Result<bool> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH && bytes < BATCH_BYTES {
            let last = self.lines.number();
            let read = self.lines.next_json_line().map(|line| line.map(str::to_owned));
            let line = match read {
                Ok(Some(line)) => Ok(line),
                Ok(None) => break,
                // The reader is behind a line that is no text or too long; after any other error it has ended.
                Err(error) if self.lines.number() > last => Err(anyhow!(error)),
                Err(error) => return Err(error.into()),
            };
            bytes += line.as_ref().map_or(0, String::len);
            if !line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
                batch.push((self.lines.number(), line));
            }
        }
        let feed = if self.form == GameForm::Json { json_form::feed } else { self_play::feed };
        let goes_on = !batch.is_empty();
        let games: Vec<Result<ReadGame>> = batch
            .into_par_iter()
            .map(|(number, line)| {
                let mut parser = GameParser::default();
                let fault = feed(&mut parser, &line?).with_context(|| format!("line {number}"))?.err();
                read_whole(parser, number, fault.map(|fault| (number, fault)))
            })
            .collect();
        self.ready.extend(games);
        Ok(goes_on)
    }

    /// Reads a replay of the web server, which is the whole file. False when there was none.
    fn read_server(&mut self) -> Result<bool> {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while let Some(line) = self.lines.next_line()? {
            let line = line.to_owned();
            bytes += line.len();
            ensure!(bytes <= TEXT_CAP, "line {}: a game of more than 16 MiB", self.lines.number());
            lines.push((self.lines.number(), line));
        }
        let Some(&(first, _)) = lines.first() else { return Ok(false) };
        let (config, tech_offset) = (&self.settings.config, self.settings.tech_offset);
        let game = server_form::read(&lines, config, tech_offset);
        if game.parser.progress() == Progress::Turn && game.fault.is_none() {
            self.warn_of_cut(first, "the game that begins there");
        }
        self.ready.push_back(read_whole(game.parser, first, game.fault));
        Ok(true)
    }
}

/// Game of a parser that was fed with all its lines up to a fault.
fn read_whole(parser: GameParser, line: usize, fault: Option<(usize, Fault)>) -> Result<ReadGame> {
    let illegal = match fault {
        None => None,
        Some((number, fault @ Fault::Illegal(..))) => Some(format!("line {number}: {fault}")),
        Some((number, Fault::Damaged(reason))) => bail!("line {number}: {reason}"),
    };
    let game = parser.finish().map_err(|fault| anyhow!("line {line}: {fault}"))?;
    Ok(ReadGame { game, line, illegal, unjudged: 0 })
}

fn game_ended(game: Option<&OpenGame>) -> bool {
    game.is_some_and(|game| game.parser.progress() == Progress::Ended)
}

impl OpenGame {
    /// Whether the game would lose something if it ended here: it is within a turn, or has no start.
    fn breaks_off(&self) -> bool {
        match self.parser.progress() {
            Progress::Tags => !self.parser.has_start(),
            Progress::Turn => true,
            Progress::Turns | Progress::Ended => false,
        }
    }

    /// Reads a line. Behind a turn that is not legal, turns are only counted.
    fn feed(&mut self, line: &str) -> Result<(), Fault> {
        if self.illegal.is_some() {
            self.unjudged += u64::from(line.split(' ').next() == Some("endturn"));
            return Ok(());
        }
        self.parser.feed(line)
    }
}
