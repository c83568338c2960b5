//! State of a loop: a file that says what has been decided and what is next. Its replacement as a whole is what makes a
//! network the next player.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::history::{GenerationReport, LessonReport};
use super::settings::LearnSettings;
use crate::io::{OutputFile, make_folder, read_text, take_soon};

/// Version of the state's format.
const VERSION: u32 = 1;

/// Stage that the present generation is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stage {
    /// Its games are played.
    SelfPlay,
    /// Its network is trained.
    Training,
    /// Its network plays against the present player.
    Gate,
}

impl Stage {
    /// Stage in words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Stage::SelfPlay => "self-play",
            Stage::Training => "training",
            Stage::Gate => "match against the player",
        }
    }
}

/// Player of self-play: a network file and the floating-point network from which training goes on, both below the folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Player {
    pub(super) network: String,
    pub(super) checkpoint: String,
}

/// State of a loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LearnState {
    pub(super) version: u32,
    pub(super) settings: LearnSettings,
    pub(super) player: Player,
    /// Number of the present generation, from 1.
    pub(super) generation: u32,
    pub(super) stage: Stage,
    /// Seconds of the present generation's stages so far.
    pub(super) seconds: [f64; 3],
    /// Lesson of the present generation; none before its training is over.
    pub(super) lesson: Option<LessonReport>,
    pub(super) history: Vec<GenerationReport>,
}

/// Folder of a loop, which no other process uses meanwhile.
pub(super) struct LearnFolder {
    path: PathBuf,
    /// Whether there was no such folder.
    is_new: bool,
    /// Locked until it is closed.
    _lock: File,
}

impl LearnState {
    /// State before the first generation.
    pub(super) fn new(settings: LearnSettings, player: Player) -> LearnState {
        LearnState {
            version: VERSION,
            settings,
            player,
            generation: 1,
            stage: Stage::SelfPlay,
            seconds: [0.0; 3],
            lesson: None,
            history: Vec::new(),
        }
    }
}

/// Names of the files that a loop writes before its state.
const BEFORE_STATE: [&str; 3] = ["lock", "start.brw", "start.float"];

/// Whether a folder holds more than a loop that was ended before it wrote its state.
fn holds_anything(folder: &Path) -> Result<bool> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !BEFORE_STATE.iter().any(|name| path.ends_with(name)) && !OutputFile::is_temporary(&path) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl LearnFolder {
    /// Opens a folder, which is made if there is none. Fails while another process uses it, or when it is neither empty nor one
    /// that learning was begun in. Files that a killed process could not finish are removed.
    pub(super) fn open(name: &str) -> Result<LearnFolder> {
        let path = PathBuf::from(name);
        let is_new = !path.exists();
        make_folder(&path).with_context(|| name.to_owned())?;
        if !path.join("state.json").exists() && holds_anything(&path).with_context(|| name.to_owned())? {
            bail!("{name}: holds something else: learning begins in an empty folder");
        }
        let lock = File::create(path.join("lock")).with_context(|| name.to_owned())?;
        match take_soon(|| lock.try_lock()) {
            Err(TryLockError::WouldBlock) => bail!("{name}: in use by another process"),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let folder = LearnFolder { path, is_new, _lock: lock };
        folder.remove_temporary_files(&folder.path)?;
        Ok(folder)
    }

    /// Leaves the folder as it was before it was opened, for a loop that cannot begin.
    pub(super) fn abandon(self) {
        // What cannot be removed is no worse than the reason for which the loop is abandoned.
        for name in BEFORE_STATE {
            let _ = fs::remove_file(self.path.join(name));
        }
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Path of a file below the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Path of a file as text, for functions that take the name of a file.
    pub(super) fn name(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    /// Reads the state; `None` in a new folder.
    pub(super) fn state(&self) -> Result<Option<LearnState>> {
        let name = self.name("state.json");
        if !Path::new(&name).exists() {
            return Ok(None);
        }
        let named = || name.clone();
        let state: LearnState =
            serde_json::from_str(&read_text(&name).with_context(named)?).with_context(named)?;
        ensure!(state.version == VERSION, "{name}: of another version of the program");
        Ok(Some(state))
    }

    /// Writes the state, and the history beside it. Fails, with the state of before in its place, when the state could not be
    /// read again: JSON has no number that is infinite or none.
    pub(super) fn save_state(&self, state: &LearnState) -> Result<()> {
        let text = serde_json::to_string_pretty(state)?;
        serde_json::from_str::<LearnState>(&text).with_context(|| {
            format!("{}: not written, since it could not be read again", self.name("state.json"))
        })?;
        self.save("state.json", text.as_bytes())?;
        self.save("history.json", serde_json::to_string_pretty(&state.history)?.as_bytes())
    }

    /// Writes a file, which takes the place of the one before as a whole.
    pub(super) fn save(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = self.name(name);
        OutputFile::create(&name, true).and_then(|mut file| file.save(bytes)).with_context(|| name.clone())
    }

    /// Removes what belongs to generations whose games are not learnt from any more: all but the player's network.
    pub(super) fn prune(&self, state: &LearnState) -> Result<()> {
        let LearnState { settings, player, generation, .. } = state;
        for old in 1..(generation + 1).saturating_sub(settings.keep) {
            let folder = self.path(&generation_folder(old));
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let of_player = [&player.network, &player.checkpoint].map(|name| self.path(name));
            let mut is_empty = true;
            for entry in entries {
                let path = entry?.path();
                if of_player.contains(&path) {
                    is_empty = false;
                } else {
                    fs::remove_file(&path).with_context(|| path.display().to_string())?;
                }
            }
            if is_empty {
                fs::remove_dir(&folder).with_context(|| folder.display().to_string())?;
            }
        }
        Ok(())
    }

    fn remove_temporary_files(&self, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && folder == self.path {
                self.remove_temporary_files(&path)?;
            } else if OutputFile::is_temporary(&path) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}

/// Name of the folder of a generation.
pub(super) fn generation_folder(generation: u32) -> String {
    format!("generation-{generation:04}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::history::{GateReport, Verdict};

    #[test]
    fn a_state_that_could_not_be_read_again_does_not_take_the_place_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let folder = LearnFolder::open(&folder.path().display().to_string()).unwrap();
        let player = Player { network: "a".to_owned(), checkpoint: "b".to_owned() };
        let state = LearnState::new(LearnSettings::default(), player);
        folder.save_state(&state).unwrap();
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let report = GenerationReport {
                generation: 1,
                player: "a".to_owned(),
                games: 2,
                lesson: LessonReport::default(),
                gate: GateReport { llr: number, ..GateReport::default() },
                verdict: Verdict::Undecided,
                seconds: [0.0; 3],
            };
            let in_lesson = LearnState {
                lesson: Some(LessonReport { win_loss: number, ..LessonReport::default() }),
                ..state.clone()
            };
            for unreadable in [LearnState { history: vec![report], ..state.clone() }, in_lesson] {
                let refused = format!("{:#}", folder.save_state(&unreadable).unwrap_err());
                assert!(refused.contains("state.json: not written") && !refused.contains('\n'), "{refused}");
                assert_eq!(folder.state().unwrap().as_ref(), Some(&state));
            }
        }
    }

    #[test]
    fn an_abandoned_folder_is_as_it_was_before() {
        let folder = tempfile::tempdir().unwrap();
        let (there, new) = (folder.path().join("there"), folder.path().join("new"));
        fs::create_dir(&there).unwrap();
        for path in [&there, &new] {
            let opened = LearnFolder::open(&path.display().to_string()).unwrap();
            opened.save("start.brw", b"a network").unwrap();
            opened.abandon();
        }
        assert!(fs::read_dir(&there).unwrap().next().is_none());
        assert!(!new.exists());
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let folder = LearnFolder::open(&folder.path().display().to_string()).unwrap();
        let player = Player { network: "a".to_owned(), checkpoint: "b".to_owned() };
        let mut state = LearnState::new(LearnSettings::default(), player);
        let mut dice = barrow_core::rng::Rng::new(5);
        for _ in 0..40 {
            let number = f64::from_bits(0x3fe << 52 | dice.next_u64() >> 12);
            state.settings.handicaps = number;
            state.lesson = Some(LessonReport { loss: number * 7.0, ..LessonReport::default() });
            folder.save_state(&state).unwrap();
            assert_eq!(folder.state().unwrap().as_ref(), Some(&state));
        }
    }
}
