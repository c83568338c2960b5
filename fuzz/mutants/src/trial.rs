//! All mutants of a list, tried.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::Options;
use crate::build::{Program, Schema};
use crate::mutant::{self, Mutant};
use crate::process::{self, End};
use crate::recording::Recording;
use crate::results::{Outcome, Results};
use crate::single;
use crate::tree::Tree;
use crate::viable;

/// A program with all mutants, and its tests.
struct Bench<'a> {
    all: &'a [Mutant],
    programs: &'a [Program],
    recording: &'a Recording,
    settings: &'a [(&'a str, String)],
    /// Tests that caught a mutant of a file, the latest last.
    killers: Mutex<HashMap<&'a str, Vec<usize>>>,
}

/// Longest time of tests that take a while without a mutant.
pub fn limit(time: Duration) -> Duration {
    time * 10 + Duration::from_secs(3)
}

/// Tries the mutants of the options' list; whether enough of them are noticed.
pub fn run(options: &Options) -> Result<bool, String> {
    let started = Instant::now();
    let all = mutant::read_list(&options.list)?;
    let mut changed: Vec<String> = all.iter().map(|mutant| mutant.file.clone()).collect();
    changed.push(format!("{}/src/lib.rs", options.recipe.folder));
    let tree = Tree::copied(&options.source, &options.copy, &changed)?;
    let mut schema = Schema::new(&tree, &all)?;
    println!("{} mutants, {} of them without a place", all.len(), schema.missing());
    let programs = schema.build(&options.recipe)?;
    println!("built {} without {} mutants: {:?}", programs.len(), schema.missing(), started.elapsed());
    let results = Results::open(&options.results);
    let (part, parts) = options.shard;
    let mine: Vec<usize> = (0..all.len()).filter(|number| number % parts == part).collect();
    for (round, &share) in options.shares.iter().enumerate() {
        let open: Vec<usize> = mine
            .iter()
            .copied()
            .filter(|number| !schema.dropped.contains(number))
            .filter(|&number| match results.get(&all[number].name) {
                None => true,
                Some(outcome) => outcome.survives() && (options.again || round > 0),
            })
            .collect();
        if open.is_empty() {
            continue;
        }
        let settings = process::settings(share);
        let folder = options.copy.join("target");
        let recording = Recording::made(&programs, &options.skipped, &settings, &folder, options.threads)?;
        println!("{} tests with a share of {share}: {:?}", recording.tests.len(), started.elapsed());
        let killers = Mutex::new(HashMap::new());
        let bench =
            Bench { all: &all, programs: &programs, recording: &recording, settings: &settings, killers };
        bench.try_all(&open, &results, options.threads, started)?;
    }
    let late = || -> Vec<usize> {
        let is_late = |&number: &usize| match results.get(&all[number].name) {
            // What the compiler evaluated is as it was, whatever was switched on.
            Some(Outcome::Unreached) if schema.tabled.contains(&number) => true,
            Some(outcome) => outcome.survives() && schema.constant.contains(&number),
            None => schema.dropped.contains(&number),
        };
        mine.iter().copied().filter(is_late).collect()
    };
    if options.viable {
        viable::sort_out(options, &tree, &all, &late(), &results)?;
    }
    let mut late = late();
    late.truncate(options.singles);
    single::try_all(options, &tree, &all, &late, &results)?;
    Ok(summary(&all, &mine, &results) >= options.least)
}

impl<'a> Bench<'a> {
    fn try_all(
        &self,
        open: &[usize],
        results: &Results,
        threads: usize,
        started: Instant,
    ) -> Result<(), String> {
        let next = AtomicUsize::new(0);
        let error = Mutex::new(Ok(()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&number) = open.get(index) else { return };
                        let outcome = self.try_one(number);
                        if let Err(message) = results.add(&self.all[number].name, outcome) {
                            *error.lock().unwrap() = Err(message);
                            return;
                        }
                        if index % 200 == 199 {
                            println!("{} of {} tried: {:?}", index + 1, open.len(), started.elapsed());
                        }
                    }
                });
            }
        });
        error.into_inner().unwrap()
    }

    fn try_one(&self, number: usize) -> Outcome {
        let file = self.all[number].file.as_str();
        let first: Vec<usize> = {
            let killers = self.killers.lock().unwrap();
            let quick = |test: &&usize| self.recording.tests[**test].time < Duration::from_millis(500);
            killers
                .get(file)
                .map_or_else(Vec::new, |known| known.iter().rev().filter(quick).take(2).copied().collect())
        };
        let groups = self.recording.groups(number, &first);
        if groups.is_empty() {
            return Outcome::Unreached;
        }
        let mut settings = self.settings.to_vec();
        settings.push(("BARROW_MUTANT", (number + 1).to_string()));
        for group in groups {
            let names: Vec<&str> =
                group.iter().map(|&test| self.recording.tests[test].name.as_str()).collect();
            let program = &self.programs[self.recording.tests[group[0]].program];
            let end = process::run(program, &names, &settings, limit(self.recording.time(&group))).0;
            let tests = format!("{}: {}", program.name, names.join(" "));
            match end {
                End::Passed => {}
                End::Failed => {
                    self.praise(file, &group, &settings);
                    return Outcome::Caught(tests);
                }
                End::Late => return Outcome::Late(tests),
            }
        }
        Outcome::Missed
    }

    /// Notes the test that caught a mutant: its neighbours are likely to fail it, too.
    fn praise(&self, file: &str, group: &[usize], settings: &[(&str, String)]) {
        let Some(file) = self.all.iter().map(|mutant| mutant.file.as_str()).find(|name| *name == file) else {
            return;
        };
        let killer = match group {
            [one] => *one,
            _ => {
                let failing = group.iter().copied().find(|&test| {
                    let test = &self.recording.tests[test];
                    let program = &self.programs[test.program];
                    process::run(program, &[&test.name], settings, limit(test.time)).0 != End::Passed
                });
                let Some(test) = failing else { return };
                test
            }
        };
        let mut killers = self.killers.lock().unwrap();
        let known = killers.entry(file).or_default();
        known.retain(|&test| test != killer);
        known.push(killer);
    }
}

/// Prints what came of the mutants and names the survivors; per cent of the viable ones that are noticed.
fn summary(all: &[Mutant], mine: &[usize], results: &Results) -> f64 {
    let (mut caught, mut late, mut unviable, mut unknown) = (0, 0, 0, 0);
    let mut survivors = Vec::new();
    for &number in mine {
        let mutant = &all[number];
        match results.get(&mutant.name) {
            None => unknown += 1,
            Some(Outcome::Caught(_)) => caught += 1,
            Some(Outcome::Late(_)) => late += 1,
            Some(Outcome::Unviable) => unviable += 1,
            Some(outcome) => survivors.push((mutant, outcome)),
        }
    }
    for (mutant, outcome) in &survivors {
        let word = if *outcome == Outcome::Unreached { "unreached" } else { "missed" };
        println!("{word} {}", mutant.name);
    }
    let viable = caught + late + survivors.len();
    let share = if viable == 0 { 100.0 } else { 100.0 * (caught + late) as f64 / viable as f64 };
    println!(
        "{} mutants: {viable} viable, {caught} caught, {late} out of time, {} survive, {unviable} do not compile, \
         {unknown} not tried: {share:.2} % noticed",
        mine.len(),
        survivors.len()
    );
    share
}
