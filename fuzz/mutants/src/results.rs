//! Results, a line of JSON for each mutant that was tried.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};

/// Outcome of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A test failed: its name.
    Caught(String),
    /// A test did not end.
    Late(String),
    /// All tests that reach it passed.
    Missed,
    /// No test reaches it.
    Unreached,
    /// Mutant that does not compile by itself either.
    Unviable,
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Caught(_) => "caught",
            Outcome::Late(_) => "late",
            Outcome::Missed => "missed",
            Outcome::Unreached => "unreached",
            Outcome::Unviable => "unviable",
        }
    }

    fn read(value: &Value) -> Option<Outcome> {
        let test = value["test"].as_str().unwrap_or_default().to_owned();
        Some(match value["outcome"].as_str()? {
            "caught" => Outcome::Caught(test),
            "late" => Outcome::Late(test),
            "missed" => Outcome::Missed,
            "unreached" => Outcome::Unreached,
            "unviable" => Outcome::Unviable,
            _ => return None,
        })
    }

    /// Whether no test notices it.
    pub fn survives(&self) -> bool {
        matches!(self, Outcome::Missed | Outcome::Unreached)
    }
}

/// File of results; of two for one mutant the later one holds.
pub struct Results {
    path: PathBuf,
    /// Outcome by the mutant's name.
    pub known: Mutex<HashMap<String, Outcome>>,
}

impl Results {
    /// Results of earlier runs.
    pub fn open(path: &Path) -> Results {
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| {
            let value: Value = serde_json::from_str(line).ok()?;
            Some((value["name"].as_str()?.to_owned(), Outcome::read(&value)?))
        });
        Results { path: path.to_owned(), known: Mutex::new(lines.collect()) }
    }

    /// Outcome of a mutant, if it was tried.
    pub fn get(&self, name: &str) -> Option<Outcome> {
        self.known.lock().unwrap().get(name).cloned()
    }

    /// Adds a result.
    pub fn add(&self, name: &str, outcome: Outcome) -> Result<(), String> {
        let mut known = self.known.lock().unwrap();
        let test = match &outcome {
            Outcome::Caught(test) | Outcome::Late(test) => test.as_str(),
            _ => "",
        };
        let line = json!({ "name": name, "outcome": outcome.word(), "test": test });
        let mut file = fs::File::options()
            .create(true)
            .append(true)
            .open(&self.path)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        writeln!(file, "{line}").map_err(|error| error.to_string())?;
        known.insert(name.to_owned(), outcome);
        Ok(())
    }
}
