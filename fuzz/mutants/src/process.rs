//! Test programs as processes with a limit on time and memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::build::Program;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All tests passed.
    Passed,
    /// A test failed, or the process was killed for what it did.
    Failed,
    /// Time that ran out.
    Late,
}

/// Memory of a test program, in KiB: a mutant may ask for all there is.
const MEMORY: &str = "6000000";

/// Variables of the environment of all tests: no smaller counterexamples, and the same random choices each time.
pub fn settings(share: u64) -> Vec<(&'static str, String)> {
    vec![
        ("BARROW_SHARE", share.to_string()),
        ("PROPTEST_MAX_SHRINK_ITERS", "0".to_owned()),
        ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1".to_owned()),
        ("PROPTEST_RNG_SEED", "1".to_owned()),
    ]
}

/// Runs tests of a program by name, one after the other, until one fails. `settings` are variables of its environment.
pub fn run(
    program: &Program,
    tests: &[&str],
    settings: &[(&str, String)],
    limit: Duration,
) -> (End, Duration) {
    let started = Instant::now();
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v $0 -c 0; exec \"$@\"", MEMORY])
        .arg(&program.path)
        .args(["--exact", "--test-threads=1", "-Zunstable-options", "--fail-fast"])
        .args(tests)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        // For `--fail-fast`.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUST_BACKTRACE", "0")
        .envs(settings.iter().map(|(name, value)| (*name, value.as_str())))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return (End::Failed, started.elapsed()) };
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let end = if status.success() { End::Passed } else { End::Failed };
                return (end, started.elapsed());
            }
            Ok(None) if started.elapsed() < limit => {
                std::thread::sleep(pause);
                pause = (pause * 5 / 4).min(Duration::from_millis(20));
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return (End::Late, started.elapsed());
            }
        }
    }
}

/// Names of a program's tests.
pub fn tests(program: &Program) -> Result<Vec<String>, String> {
    let output = Command::new(&program.path)
        .args(["--list", "--format=terse"])
        .current_dir(&program.folder)
        .output()
        .map_err(|error| format!("{}: {error}", program.path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}
