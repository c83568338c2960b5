//! The loop itself: stage after stage, generation after generation, from wherever the state says that it is.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use barrow_core::rng::Rng;

use super::gate;
use super::history::{GateReport, GenerationReport, LessonReport, Verdict, strengths};
use super::lesson::{FirstPlayer, Lesson};
use super::page;
use super::settings::LearnSettings;
use super::state::{LearnFolder, LearnState, Player, Stage, generation_folder};
use crate::matches::{Openings, Rulesets};
use crate::shard::Shard;
use crate::training::{SelfPlay, SelfPlayFile};
use crate::{interrupt, progress};

/// Time between two pages during a match.
const PAGE_TIME: Duration = Duration::from_secs(10);

/// Outcome of a stage that is over.
enum Outcome {
    /// All games are there.
    Games,
    /// The network is trained.
    Lesson(LessonReport),
    /// The match is decided, or over.
    Gate(GateReport),
}

/// Why a loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All generations that were asked for are there.
    Generations,
    /// Its time is over.
    Hours,
    /// Ctrl-C, or a signal like it.
    Interrupted,
}

impl Ending {
    /// Ending as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Generations => "generations",
            Ending::Hours => "hours",
            Ending::Interrupted => "interrupted",
        }
    }
}

/// Loop of learning in a folder.
pub struct Learning<'a> {
    folder: LearnFolder,
    state: LearnState,
    threads: usize,
    /// Called with a line for the user now and then.
    watch: &'a mut (dyn FnMut(&str) + Send),
}

impl<'a> Learning<'a> {
    /// Loop of a folder. `settings` makes the settings out of those that the folder was begun with, or of the default ones
    /// in a new folder. Fails when they differ from those that the folder was begun with.
    pub fn open(
        folder: &str,
        settings: impl FnOnce(LearnSettings) -> LearnSettings,
        threads: usize,
        watch: &'a mut (dyn FnMut(&str) + Send),
    ) -> Result<Learning<'a>> {
        let files = LearnFolder::open(folder)?;
        let state = if let Some(state) = files.state()? {
            settings(state.settings.clone())
                .ensure_same(&state.settings)
                .with_context(|| folder.to_owned())?;
            state
        } else {
            let settings = settings(LearnSettings::default());
            let player = settings.check_gate().and_then(|()| {
                let first = FirstPlayer { folder: &files, settings: &settings };
                settings.profile.run(first)
            });
            match player {
                Ok(player) => LearnState::new(settings, player),
                Err(error) => {
                    files.abandon();
                    return Err(error);
                }
            }
        };
        let learning = Learning { folder: files, state, threads, watch };
        learning.save()?;
        Ok(learning)
    }

    /// Reports of all generations that are over.
    pub fn history(&self) -> &[GenerationReport] {
        &self.state.history
    }

    /// Network file of the present player.
    pub fn player(&self) -> String {
        self.folder.name(&self.state.player.network)
    }

    /// Strength of the present player in Elo over the first one, by the sum of the matches.
    pub fn strength(&self) -> f64 {
        strengths(&self.state.history).last().copied().unwrap_or(0.0)
    }

    /// Goes on until there are this many generations, or until Ctrl-C or the deadline.
    pub fn run(&mut self, generations: u32) -> Result<Ending> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        while self.state.history.len() < generations as usize {
            let LearnState { stage, generation, .. } = self.state;
            let started = Instant::now();
            (self.watch)(&format!("generation {generation}: {}", stage.name()));
            fs::create_dir_all(self.folder.path(&generation_folder(generation)))?;
            let outcome = match stage {
                Stage::SelfPlay => pool.install(|| self.play())?.then_some(Outcome::Games),
                Stage::Training => pool.install(|| self.learn())?.map(Outcome::Lesson),
                Stage::Gate => self.gate()?.map(Outcome::Gate),
            };
            self.state.seconds[stage as usize] += started.elapsed().as_secs_f64();
            let is_over = outcome.is_some();
            if let Some(outcome) = outcome {
                self.decide(outcome);
            }
            self.save()?;
            if !is_over {
                return Ok(if interrupt::is_overdue() { Ending::Hours } else { Ending::Interrupted });
            }
        }
        Ok(Ending::Generations)
    }

    /// Network of the present generation.
    fn candidate(&self) -> Player {
        let folder = generation_folder(self.state.generation);
        Player { network: format!("{folder}/candidate.brw"), checkpoint: format!("{folder}/candidate.float") }
    }

    /// Seed of the present stage.
    fn seed(&self) -> u64 {
        let LearnState { settings, generation, stage, .. } = &self.state;
        Rng::new(settings.seed ^ u64::from(*generation) << 8 ^ *stage as u64).next_u64()
    }

    /// Plays the games of the generation that are missing. Returns whether all are there.
    fn play(&mut self) -> Result<bool> {
        self.folder.prune(&self.state)?;
        let LearnState { settings, generation, .. } = &self.state;
        let player = gate::with_network(settings.player()?, &self.player())?;
        let openings = Openings::new(Rulesets::Mixed, settings.boards, &[], 0, self.seed())?;
        let openings = openings.with_handicaps(settings.handicaps)?;
        let player = SelfPlay::of_players([player.clone(), player], openings);
        let name = self.folder.name(&format!("{}/games.jsonl.gz", generation_folder(*generation)));
        // A program that is newer than the first games of a generation may play differently; they are learnt from all the same.
        let mut file = if fs::exists(&name)? {
            SelfPlayFile::go_on(&name, None, settings.games, Shard::WHOLE)
        } else {
            SelfPlayFile::create(&name, false)
        }
        .with_context(|| name.clone())?;
        let bar = progress::bar_from(u64::from(file.games()), u64::from(settings.games), "games");
        while file.games() < settings.games && !interrupt::requested() {
            file.play_block(&player, settings.games, Shard::WHOLE, &bar).with_context(|| name.clone())?;
        }
        bar.finish_and_clear();
        Ok(file.games() == settings.games)
    }

    /// Trains the network of the generation. Returns `None` when Ctrl-C ends that.
    fn learn(&mut self) -> Result<Option<LessonReport>> {
        let candidate = self.candidate();
        let lesson = Lesson {
            folder: &self.folder,
            state: &self.state,
            candidate: &candidate,
            watch: &mut *self.watch,
        };
        self.state.settings.profile.run(lesson)
    }

    /// Plays the match of the generation's network against the player. Returns `None` when Ctrl-C ends it.
    fn gate(&self) -> Result<Option<GateReport>> {
        let LearnState { settings, generation, player, .. } = &self.state;
        let name = format!("{}/gate.json", generation_folder(*generation));
        let candidate = self.candidate();
        let networks = [&candidate.network[..], &player.network];
        let bar = progress::bar(u64::from(settings.max_gate_games), "games at most");
        let mut shown = Instant::now();
        let report =
            gate::play(&self.folder, &name, settings, networks, self.seed(), self.threads, |report| {
                bar.set_position(u64::from(report.games));
                bar.set_message(format!("{:+.0} Elo, LLR {:+.2}", report.elo, report.llr));
                if shown.elapsed() >= PAGE_TIME {
                    shown = Instant::now();
                    // What cannot be written now can be later: the page follows from the state.
                    let _ = self.save_page(Some(report));
                }
            });
        bar.finish_and_clear();
        report
    }

    /// Changes the state by the outcome of its stage.
    fn decide(&mut self, outcome: Outcome) {
        let candidate = self.candidate();
        let state = &mut self.state;
        match outcome {
            Outcome::Games => state.stage = Stage::Training,
            Outcome::Lesson(lesson) => {
                (state.lesson, state.stage) = (Some(lesson), Stage::Gate);
            }
            Outcome::Gate(gate) => {
                let verdict = gate.verdict(state.settings.test());
                let report = GenerationReport {
                    generation: state.generation,
                    player: state.player.network.clone(),
                    games: state.settings.games,
                    lesson: state.lesson.take().unwrap_or_default(),
                    gate,
                    verdict,
                    seconds: std::mem::take(&mut state.seconds),
                };
                (self.watch)(&format!("generation {}", report.summary()));
                state.history.push(report);
                if verdict == Verdict::Accepted {
                    state.player = candidate;
                }
                state.generation += 1;
                state.stage = Stage::SelfPlay;
            }
        }
    }

    /// Writes the state, and what follows from it.
    fn save(&self) -> Result<()> {
        self.folder.save_state(&self.state)?;
        let LearnState { stage, generation, .. } = &self.state;
        if *stage != Stage::Training {
            // Nothing goes on from the checkpoint of a training that is over.
            let name = format!("{}/training.checkpoint", generation_folder(*generation));
            let _ = fs::remove_file(self.folder.path(&name));
        }
        self.save_page(None)
    }

    /// Writes the page, with a match that goes on.
    fn save_page(&self, gate: Option<&GateReport>) -> Result<()> {
        let mut newest = (1..=self.state.generation).rev().map(|number| {
            let name = format!("{}/loss.svg", generation_folder(number));
            fs::read_to_string(self.folder.path(&name)).ok()
        });
        let loss = newest.by_ref().take(2).flatten().next();
        self.folder.save("index.html", page::page(&self.state, gate, loss.as_deref()).as_bytes())
    }
}
