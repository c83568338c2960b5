//! Configuration: defaults of the engine that a user keeps in a file or in the environment (`barrow config`).
//!
//! An argument of the command line counts before the environment, that before the file, and the file before what is built
//! in. Commands that measure or learn do not look at any of it, so that what they find depends on their arguments only.

mod config_file;
mod place;
mod setting;

use std::env;
use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::ArgMatches;
use clap::builder::ArgPredicate;
use clap::parser::ValueSource;

use config_file::{Entry, entries};
use place::config_file;
use setting::SETTINGS;

pub use setting::Setting;

/// Source of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Line of the configuration file.
    File {
        /// Name of the file.
        name: String,
        /// Line, from 1.
        line: usize,
    },
    /// Environment variable.
    Environment(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File { name, line } => write!(f, "{name}: line {line}"),
            Source::Environment(variable) => f.write_str(variable),
        }
    }
}

/// Value that a user has configured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configured {
    /// Value as the command line would have it.
    pub value: String,
    /// Source of the value.
    pub source: Source,
}

/// Defaults that hold for this run of the program.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Configuration file, whether it exists or not; none where there is no place for one.
    pub file: Option<PathBuf>,
    /// Whether the file exists.
    pub file_exists: bool,
    /// Value of each of the settings, in the order of [`Configuration::settings`].
    values: Vec<Option<Configured>>,
    /// UMI options of the table `umi`, names and values.
    pub umi_options: Vec<(String, Configured)>,
}

impl Configuration {
    /// Configuration of the environment and the file that it names, or of the file at the platform's place. An error names
    /// the line of the file, or the variable.
    pub fn read() -> Result<Configuration> {
        Configuration::of(&|name| env::var_os(name))
    }

    /// Configuration of an environment.
    fn of(variable: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> Result<Configuration> {
        let (file, must_exist) = config_file(variable);
        let mut configuration = Configuration {
            values: vec![None; SETTINGS.len()],
            file: file.clone(),
            ..Configuration::default()
        };
        if let Some(file) = file.filter(|file| must_exist || file.exists()) {
            let name = file.display().to_string();
            let found = entries(&name).with_context(|| name.clone())?;
            configuration.file_exists = true;
            for entry in found {
                let line = entry.line();
                configuration.take(entry, &name).with_context(|| format!("{name}: line {line}"))?;
            }
        }
        for (setting, value) in SETTINGS.iter().zip(&mut configuration.values) {
            let Some(text) = variable(setting.variable).filter(|text| !text.is_empty()) else { continue };
            let text = text.into_string().map_err(|_| anyhow!("{}: not UTF-8", setting.variable))?;
            let text = setting.value(&text).map_err(|reason| anyhow!("{}: {reason}", setting.variable))?;
            *value = Some(Configured { value: text, source: Source::Environment(setting.variable) });
        }
        Ok(configuration)
    }

    /// Takes an entry of a file over.
    fn take(&mut self, entry: Entry, name: &str) -> Result<()> {
        let source = Source::File { name: name.to_owned(), line: entry.line() };
        match entry {
            Entry::Setting { key, value, .. } => {
                let Some(index) = SETTINGS.iter().position(|setting| setting.key == key) else {
                    let keys = SETTINGS.each_ref().map(|setting| setting.key).join(", ");
                    return Err(anyhow!("no such key: {key}; there are {keys}, and the table umi"));
                };
                let value = SETTINGS[index].value(&value).map_err(|reason| anyhow!("{key}: {reason}"))?;
                self.values[index] = Some(Configured { value, source });
            }
            Entry::UmiOption { name, value, .. } => {
                self.umi_options.push((name, Configured { value, source }));
            }
        }
        Ok(())
    }

    /// Settings, each with the value that a user has configured.
    pub fn settings(&self) -> impl Iterator<Item = (&'static Setting, Option<&Configured>)> {
        SETTINGS.iter().zip(self.values.iter().map(Option::as_ref))
    }

    /// Source of a setting's configured value, by its key.
    pub fn source(&self, key: &str) -> Option<&Source> {
        let (_, configured) = self.settings().find(|(setting, _)| setting.key == key)?;
        configured.map(|configured| &configured.source)
    }

    /// Configuration without the values that arguments of the command line overrule.
    pub fn overruled_by(mut self, matches: &ArgMatches) -> Configuration {
        let Some((_, of_command)) = matches.subcommand() else { return self };
        for (setting, value) in SETTINGS.iter().zip(&mut self.values) {
            let is_known = of_command.try_contains_id(setting.key).is_ok();
            if is_known && of_command.value_source(setting.key) == Some(ValueSource::CommandLine) {
                *value = None;
            }
        }
        self
    }

    /// Command line in which configured values are the defaults of the arguments of their names, in all commands that obey
    /// the configuration.
    pub fn as_defaults_of(&self, mut command: clap::Command) -> clap::Command {
        for (setting, configured) in self.settings() {
            let Some(Configured { value, .. }) = configured else { continue };
            command = with_default(command, setting.key, value);
            for name in setting.commands {
                command = command.mut_subcommand(name, |command| with_default(command, setting.key, value));
            }
        }
        command
    }

    /// UMI options to set when a session begins, names and values: those of the settings, then those of the table `umi`.
    pub fn options_of_umi(&self) -> impl Iterator<Item = (&str, &Configured)> {
        let of_settings = self.settings().filter_map(|(setting, value)| Some((setting.umi_option?, value?)));
        of_settings.chain(self.umi_options.iter().map(|(name, value)| (name.as_str(), value)))
    }
}

/// Argument that names the file of a recorded game.
const GAME: &str = "file";

/// Command in which the argument of a name, if there is one, has this default.
fn with_default(command: clap::Command, name: &'static str, value: &str) -> clap::Command {
    if !command.get_arguments().any(|argument| argument.get_id() == name) {
        return command;
    }
    let names_game = command.get_arguments().any(|argument| argument.get_id() == GAME);
    command.mut_arg(name, |argument| {
        let argument = argument.default_value(value.to_owned());
        // A recorded game says by which rules it is; an argument that says otherwise is refused, a default is not meant.
        if name == "ruleset" && names_game {
            argument.default_value_if(GAME, ArgPredicate::IsPresent, None)
        } else {
            argument
        }
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    /// Configuration of a file with this text and these variables.
    fn read(text: &str, variables: &[(&str, &str)]) -> Result<Configuration> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("config.toml");
        fs::write(&file, text)?;
        Configuration::of(&|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            let found = found.map(|(_, value)| OsString::from(value));
            found.or_else(|| (name == "BARROW_CONFIG").then(|| file.clone().into_os_string()))
        })
    }

    fn value(configuration: &Configuration, key: &str) -> Option<Configured> {
        let (_, value) = configuration.settings().find(|(setting, _)| setting.key == key).unwrap();
        value.cloned()
    }

    #[test]
    fn what_counts_otherwise_is_what_commands_take() {
        let hash = SETTINGS.iter().find(|setting| setting.key == "hash").unwrap();
        assert_eq!(hash.built_in, crate::engine::DEFAULT_MIB.to_string());
    }

    #[test]
    fn the_environment_counts_before_the_file() {
        let text = "# mine\nhash = 128\nmovetime = '1.5s'\nthreads = 0x2\nnet = 'a b.brw'\n\n[umi]\n\"Debug Log File\" = \"umi.log\"\nPonder = true\n";
        let configuration = read(text, &[("BARROW_HASH", "0.25GiB"), ("BARROW_MOVETIME", "")]).unwrap();
        let hash = value(&configuration, "hash").unwrap();
        assert_eq!((hash.value.as_str(), hash.source), ("256", Source::Environment("BARROW_HASH")));
        let net = value(&configuration, "net").unwrap();
        assert!(net.value == "a b.brw" && matches!(net.source, Source::File { line: 5, .. }), "{net:?}");
        assert_eq!(value(&configuration, "threads").unwrap().value, "2");
        assert_eq!(value(&configuration, "movetime").unwrap().value, "1500");
        let options: Vec<(&str, &str)> =
            configuration.options_of_umi().map(|(name, value)| (name, value.value.as_str())).collect();
        assert_eq!(
            options,
            [
                ("Hash", "256"),
                ("Threads", "2"),
                ("EvalFile", "a b.brw"),
                ("MoveTime", "1500"),
                ("Debug Log File", "umi.log"),
                ("Ponder", "true")
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_one_line_with_its_place() {
        for (text, reason) in [
            ("\nhsh = 1\n", "line 2: no such key: hsh; there are hash, threads, "),
            ("hash = 0\n", "line 1: hash: expected a whole number from 1 to "),
            (
                "hash = '2TiB'\n",
                "line 1: hash: expected a whole number from 1 to 16384, or a size such as 2GiB",
            ),
            ("hash = 1.5\n", "line 1: hash: expected a whole number from 1 to 16384, or a size such as 2GiB"),
            ("hash = \"much\"\n", "line 1: hash: expected a whole number from 1 to "),
            ("\n\nruleset = \"chess\"\n", "line 3: ruleset: expected server or spooky"),
            ("color = 1\n", "line 1: color: expected auto, always or never"),
            ("hash = [1]\n", "line 1: hash: expected text, a whole number, true or false"),
            ("[play]\nhash = 1\n", "line 1: no such table: play; there is umi"),
            ("hash = 1\nhash = 2\n", "line 2: "),
            ("hash = \n", "line 1: "),
            ("[umi]\n\n\"Hash\" = 1.5\n", "line 3: Hash: expected text, "),
        ] {
            let error = format!("{:#}", read(text, &[]).unwrap_err());
            assert!(error.contains(&format!("config.toml: {reason}")) && !error.contains('\n'), "{error}");
        }
        let error = format!("{:#}", read("", &[("BARROW_THREADS", "many")]).unwrap_err());
        assert_eq!(error, "BARROW_THREADS: expected a whole number from 1 to 256");
        let missing = read("", &[("BARROW_CONFIG", "no/such/file.toml")]).unwrap_err();
        assert!(format!("{missing:#}").starts_with("no/such/file.toml: "), "{missing:#}");
        assert!(!read("", &[("BARROW_CONFIG", "")]).unwrap().file_exists);
    }

    proptest! {
        #[test]
        fn any_file_is_read_or_refused_in_one_line_that_names_one_of_its_lines(
            lines in prop::collection::vec("(hash|threads|net|color|\\[umi\\]|Ponder|\"a b\")? ?=? ?('?[a-z0-9]{0,6}'?|\\PC{0,8})", 0..6)
        ) {
            let text = lines.join("\n");
            if let Err(error) = read(&text, &[]) {
                let error = format!("{error:#}");
                prop_assert!(!error.contains('\n'), "{error}");
                let number = error.split_once("config.toml: line ").and_then(|(_, rest)| rest.split(':').next());
                let number: usize = number.unwrap_or_default().parse().unwrap_or(0);
                prop_assert!((1..=text.lines().count() + 1).contains(&number), "{error}");
            }
        }
    }

    #[test]
    fn every_command_that_is_named_has_the_argument() {
        let definition = crate::cli::definition();
        for setting in &SETTINGS {
            for name in setting.commands {
                let command = definition.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
                let has = command.get_arguments().any(|argument| argument.get_id() == setting.key);
                assert!(has, "{name} has no --{}", setting.key);
            }
        }
    }

    #[test]
    fn configured_values_are_defaults_and_arguments_count_before_them() {
        let configuration = read("hash = 7\ncolor = 'never'\n", &[]).unwrap();
        let defined = || configuration.as_defaults_of(crate::cli::definition());
        let hash = |arguments: &[&str]| {
            let matches = defined().try_get_matches_from([&["barrow"], arguments].concat()).unwrap();
            let (_, of_command) = matches.subcommand().unwrap();
            *of_command.get_one::<u64>("hash").unwrap()
        };
        assert_eq!([hash(&["analyze"]), hash(&["analyze", "--hash", "9"])], [7, 9]);
        let help = defined().find_subcommand_mut("analyze").unwrap().render_help().to_string();
        assert!(help.contains("[default: 7]"), "{help}");
    }
}
