//! Games that are written while they are played, turn by turn. A file may hold several games at once: a line `game LABEL`
//! says whose turn follows.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use super::block_file::BlockFile;
use crate::io::make_folder;
use barrow_session::notation::{AnnotatedGame, AnnotatedTurn, Ending};
use barrow_session::notation::{ending_text, header_text, turn_text};

/// File to which games are recorded, by several threads perhaps.
#[derive(Clone, Debug)]
pub struct RecordingFile {
    name: Arc<str>,
    file: Arc<Mutex<BlockFile>>,
}

/// Folder to which games are recorded, each to a file of its own.
#[derive(Clone, Debug)]
pub struct RecordingFolder {
    path: PathBuf,
    force: bool,
}

/// Writer of one game.
#[derive(Debug)]
pub struct GameWriter {
    file: RecordingFile,
    label: Option<String>,
}

impl RecordingFile {
    /// Creates a file; a name that ends in `.gz` makes a compressed one. Fails when a file of this name exists, unless
    /// `force` says that it is to be replaced.
    pub fn create(name: &str, force: bool) -> Result<RecordingFile> {
        let file = BlockFile::create(name, force).with_context(|| name.to_owned())?;
        Ok(RecordingFile { name: name.into(), file: Arc::new(Mutex::new(file)) })
    }

    /// Opens a file to write behind what it holds; one that does not exist is made. Others may write to it as well if all have
    /// it `shared`, each under labels that are nobody else's.
    pub fn append(name: &str, shared: bool) -> Result<RecordingFile> {
        let file = BlockFile::append(name, shared).with_context(|| name.to_owned())?;
        Ok(RecordingFile { name: name.into(), file: Arc::new(Mutex::new(file)) })
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins a game with the turns that it has already. A label is needed where another game is written to the file before
    /// this one has ended; it is one word.
    pub fn begin(&self, label: Option<&str>, game: &AnnotatedGame) -> Result<GameWriter> {
        let writer = GameWriter { file: self.clone(), label: label.map(str::to_owned) };
        let turns: String = game.turns.iter().map(turn_text).collect();
        writer.write(&(header_text(game) + &turns))?;
        Ok(writer)
    }
}

impl RecordingFolder {
    /// Makes the folder if there is none. Fails when it holds recorded games, unless `force` says that they may be replaced.
    pub fn create(name: &str, force: bool) -> Result<RecordingFolder> {
        let named = || name.to_owned();
        make_folder(name).with_context(named)?;
        for entry in fs::read_dir(name).with_context(named)? {
            let found = entry.with_context(named)?.file_name().to_string_lossy().into_owned();
            if !force && is_recorded(&found) {
                bail!("{name}: holds {found} already; --force replaces it");
            }
        }
        Ok(RecordingFolder { path: name.into(), force })
    }

    /// Begins the game with this number.
    pub fn begin(&self, number: u32, game: &AnnotatedGame) -> Result<GameWriter> {
        let name = self.path.join(format!("game-{number:06}.mgn")).display().to_string();
        RecordingFile::create(&name, self.force)?.begin(None, game)
    }
}

/// Whether a file of this name is one of a recording to a folder.
fn is_recorded(name: &str) -> bool {
    name.strip_prefix("game-").and_then(|rest| rest.strip_suffix(".mgn")).is_some()
}

impl GameWriter {
    /// Writes a turn.
    pub fn turn(&self, turn: &AnnotatedTurn) -> Result<()> {
        self.write(&turn_text(turn))
    }

    /// Writes how the game ended.
    pub fn end(&self, ending: &Ending) -> Result<()> {
        self.write(&ending_text(ending))
    }

    fn write(&self, text: &str) -> Result<()> {
        let block = match &self.label {
            Some(label) => format!("game {label}\n{text}"),
            None => text.to_owned(),
        };
        let mut file = self.file.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write(&block).with_context(|| self.file.name.to_string())
    }
}
