//! Which test reaches which mutants, and how long each takes.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::build::Program;
use crate::process::{self, End};

/// A test, with what it reaches.
#[derive(Clone, Debug)]
pub struct Test {
    /// Number of its program.
    pub program: usize,
    /// Its name.
    pub name: String,
    /// Time that it takes with all mutants switched off.
    pub time: Duration,
}

/// Tests of all programs.
pub struct Recording {
    /// Tests, the quickest first.
    pub tests: Vec<Test>,
    /// Numbers of the tests that reach a mutant, in the same order.
    pub reaching: HashMap<usize, Vec<usize>>,
}

/// Longest time of one test.
const PATIENCE: Duration = Duration::from_secs(900);

impl Recording {
    /// Runs each test twice: once to see what it reaches, once to see how long it takes.
    pub fn made(
        programs: &[Program],
        skipped: &[String],
        settings: &[(&str, String)],
        folder: &Path,
        threads: usize,
    ) -> Result<Recording, String> {
        let mut tests = Vec::new();
        for (program, names) in programs.iter().map(process::tests).enumerate() {
            let names =
                names?.into_iter().filter(|name| !skipped.iter().any(|part| name.contains(part.as_str())));
            tests.extend(names.map(|name| Test { program, name, time: Duration::ZERO }));
        }
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let failed = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let log = folder.join(format!("reached-{thread}"));
                let (tests, next, results, failed) = (&tests, &next, &results, &failed);
                scope.spawn(move || {
                    while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let program = &programs[test.program];
                        let (end, time) = process::run(program, &[&test.name], settings, PATIENCE);
                        if end != End::Passed {
                            failed.lock().unwrap().push(format!("{}: {}", program.name, test.name));
                            continue;
                        }
                        let _ = fs::remove_file(&log);
                        let mut all = settings.to_vec();
                        all.push(("BARROW_MUTANT", u32::MAX.to_string()));
                        all.push(("BARROW_MUTANT_LOG", log.display().to_string()));
                        process::run(program, &[&test.name], &all, PATIENCE);
                        let reached: Vec<usize> = fs::read_to_string(&log)
                            .unwrap_or_default()
                            .lines()
                            .filter_map(|line| line.parse::<usize>().ok()?.checked_sub(1))
                            .collect();
                        results.lock().unwrap().push((Test { time, ..test.clone() }, reached));
                    }
                });
            }
        });
        let failed = failed.into_inner().unwrap();
        if !failed.is_empty() {
            return Err(format!("tests fail without any mutant:\n{}", failed.join("\n")));
        }
        let mut results = results.into_inner().unwrap();
        results.sort_by(|a, b| (a.0.time, &a.0.name).cmp(&(b.0.time, &b.0.name)));
        let mut recording = Recording { tests: Vec::new(), reaching: HashMap::new() };
        for (test, reached) in results {
            for mutant in reached {
                recording.reaching.entry(mutant).or_default().push(recording.tests.len());
            }
            recording.tests.push(test);
        }
        Ok(recording)
    }

    /// Tests of a mutant in groups that a process each runs: quick ones together. `first` are asked before the others.
    pub fn groups(&self, mutant: usize, first: &[usize]) -> Vec<Vec<usize>> {
        let Some(reaching) = self.reaching.get(&mutant) else { return Vec::new() };
        let (early, late): (Vec<usize>, Vec<usize>) = reaching.iter().partition(|test| first.contains(test));
        let mut groups: Vec<Vec<usize>> = early.into_iter().map(|test| vec![test]).collect();
        let quick = |test: &usize| self.tests[*test].time < Duration::from_millis(30);
        let mut budget = Duration::from_millis(100);
        let start = groups.len();
        for test in late {
            let time = self.tests[test].time;
            let program = self.tests[test].program;
            let group = groups[start..].iter_mut().find(|group| {
                let sum: Duration = group.iter().map(|&test| self.tests[test].time).sum();
                let together = quick(&test) || sum + time < budget;
                self.tests[group[0]].program == program && together && sum < budget
            });
            match group {
                Some(group) => group.push(test),
                None => groups.push(vec![test]),
            }
            budget = budget.max(time);
        }
        groups
    }

    /// Time of a group.
    pub fn time(&self, group: &[usize]) -> Duration {
        group.iter().map(|&test| self.tests[test].time).sum()
    }
}
