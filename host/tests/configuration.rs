//! Defaults of a configuration file and of the environment, as a user meets them.

mod program;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

use program::{assert_refused, done, empty_folder, program, text};

/// Runs the program in a folder with these variables.
fn run(folder: &Path, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Output {
    let mut command = program();
    command.current_dir(folder).args(arguments).env_remove("BARROW_CONFIG").env_remove("XDG_CONFIG_HOME");
    command.env("HOME", folder).envs(variables.iter().copied());
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn arguments_count_before_the_environment_and_that_before_the_file() {
    let folder = empty_folder("configured");
    let config = |variables: &[(&str, &str)]| {
        let report = done(&run(&folder, &["config", "--json"], variables, ""));
        let settings = report["settings"].as_array().unwrap().clone();
        let hash = settings.into_iter().find(|setting| setting["key"] == "hash").unwrap();
        (hash["value"].clone(), hash["source"].clone(), hash["line"].clone())
    };
    let null = serde_json::Value::Null;
    assert_eq!(config(&[]), (null.clone(), "built-in".into(), null.clone()));
    fs::create_dir_all(folder.join(".config/barrow")).unwrap();
    fs::write(folder.join(".config/barrow/config.toml"), "# mine\nhash = 8\nmovetime = 20\n").unwrap();
    assert_eq!(config(&[]), ("8".into(), "file".into(), 2.into()));
    assert_eq!(config(&[("BARROW_HASH", "16")]), ("16".into(), "environment".into(), null.clone()));
    assert_eq!(config(&[("BARROW_CONFIG", "")]), (null.clone(), "built-in".into(), null));
    let help = run(&folder, &["analyze", "--help"], &[("BARROW_HASH", "16")], "");
    let said = text(&help.stdout);
    assert!(said.contains("[default: 16]") && said.contains("[default: 20]"), "{said}");
    let shown = run(&folder, &["config"], &[("BARROW_HASH", "16")], "");
    let said = text(&shown.stdout);
    assert!(
        said.contains("hash      16 (BARROW_HASH)\n") && said.contains("movetime  20 (line 3 of the file)\n"),
        "{said}"
    );
    // Twenty milliseconds instead of two seconds; an argument counts before it.
    let seconds = |more: &[&str]| {
        let arguments = [&["analyze", "--json"], more].concat();
        done(&run(&folder, &arguments, &[], ""))["nodes"].as_u64().unwrap()
    };
    assert!(seconds(&["--nodes", "1", "--movetime", "600000"]) == 1);
    assert!(seconds(&[]) >= 1);
}

#[test]
fn a_session_begins_with_configured_options() {
    let folder = empty_folder("configured-session");
    let file = "ruleset = 'server'\n[umi]\nheuristic = \"greedy\"\n\"Debug Log File\" = \"umi.log\"\n";
    fs::write(folder.join("my.toml"), file).unwrap();
    let variables = [("BARROW_CONFIG", "my.toml")];
    let output = run(&folder, &["umi"], &variables, "play\ngetfen\nquit\n");
    let said = text(&output.stdout);
    // A turn of the simple player, under the server's rules.
    assert!(!said.contains(" hashfull ") && said.contains(" cfg=server:"), "{said}");
    assert!(fs::read_to_string(folder.join("umi.log")).unwrap().contains("> getfen\n"));
    fs::write(folder.join("my.toml"), "[umi]\n\nHsh = 1\n").unwrap();
    for command in ["umi", "config"] {
        assert_refused(&run(&folder, &[command], &variables, ""), "my.toml: line 3: no such option: Hsh");
    }
    fs::write(folder.join("my.toml"), "[umi]\nRecord = 'new.mgn'\nMultiPV = 99\n").unwrap();
    assert_refused(&run(&folder, &["config"], &variables, ""), "my.toml: line 3: MultiPV cannot be 99");
    assert!(!folder.join("new.mgn").exists());
}

#[test]
fn what_is_wrong_is_one_line_with_its_place_for_commands_that_obey() {
    let folder = empty_folder("misconfigured");
    let wrong = |text: &str, variables: &[(&str, &str)], reason: &str| {
        fs::write(folder.join("my.toml"), text).unwrap();
        let variables = [&[("BARROW_CONFIG", "my.toml")], variables].concat();
        for command in ["config", "analyze", "umi"] {
            assert_refused(&run(&folder, &[command], &variables, ""), reason);
        }
        // What measures does not look at it.
        let measured = run(&folder, &["bench", "--nodes", "1"], &variables, "");
        assert_eq!((measured.status.code(), text_of(&measured)), (Some(0), ""));
        assert_eq!(run(&folder, &["analyze", "--help"], &variables, "").status.code(), Some(0));
    };
    wrong("hash = 1\nmemory = 2\n", &[], "barrow: my.toml: line 2: no such key: memory; there are hash, ");
    wrong(
        "\nhash = 99999999\n",
        &[],
        "barrow: my.toml: line 2: hash: expected a whole number from 1 to 16384",
    );
    wrong("hash = \n", &[], "barrow: my.toml: line 1: ");
    wrong("", &[("BARROW_THREADS", "many")], "barrow: BARROW_THREADS: expected a whole number from 1 to 256");
    wrong("", &[("BARROW_CONFIG", "missing.toml")], "barrow: missing.toml: ");
}

fn text_of(output: &Output) -> &str {
    text(&output.stderr)
}

#[test]
fn a_configured_network_is_named_when_it_is_missing() {
    let folder = empty_folder("configured-network");
    let variables = [("BARROW_NET", "missing.brw")];
    for command in ["eval", "analyze", "analysis", "play", "umi", "config"] {
        let refused = run(&folder, &[command], &variables, "");
        assert_refused(&refused, "barrow: BARROW_NET: ");
        assert_refused(&refused, "missing.brw: ");
    }
    fs::write(folder.join("my.toml"), "\nnet = 'missing.brw'\n").unwrap();
    let variables = [("BARROW_CONFIG", "my.toml")];
    let eval = |more: &[&str]| run(&folder, &[&["eval"], more].concat(), &variables, "");
    assert_refused(&eval(&[]), "barrow: my.toml: line 2: net: missing.brw: ");
    assert_refused(&eval(&["--net", "other.brw"]), "barrow: --net: other.brw: ");
}
