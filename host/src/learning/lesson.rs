//! Lesson: the training of a generation's network from the games that are kept, from the present player's network on.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_nnue::embedded_nets::{DESKTOP, HANDHELD, TINY};
use barrow_nnue::format::Header;
use barrow_nnue::shape::Profile;

use super::history::LessonReport;
use super::settings::LearnSettings;
use super::state::{LearnFolder, LearnState, Player, generation_folder};
use crate::io::{CHECKPOINT_CAP, read_bytes};
use crate::text::counted::counted;
use crate::training::checkpoint::{ProfileTask, ShippedProfile};
use crate::training::{
    Dataset, GameSource, Hyperparameters, Params, SamplingRates, TrainingRun, checkpoint, dequantise,
    evaluate, mean_loss, quantise, starting_network,
};
use crate::{interrupt, progress};

/// First player of a loop: its files are written into the folder.
pub(super) struct FirstPlayer<'a> {
    pub(super) folder: &'a LearnFolder,
    pub(super) settings: &'a LearnSettings,
}

impl ProfileTask for FirstPlayer<'_> {
    type Output = Result<Player>;

    fn run<P: Profile>(self) -> Result<Player> {
        let params = match &self.settings.from {
            Some(name) => starting_network::<P>(name)?,
            None => dequantise::<P>(match self.settings.profile {
                ShippedProfile::Desktop => DESKTOP,
                ShippedProfile::Handheld => HANDHELD,
                ShippedProfile::Tiny => TINY,
            })?,
        };
        let network = match &self.settings.from {
            // A network file plays as it is.
            Some(name) => read_bytes(name, CHECKPOINT_CAP).with_context(|| name.clone())?,
            None => Vec::new(),
        };
        let network = if Header::read(&network).is_ok() {
            network
        } else {
            quantise::<P>(&params, "first player of a loop")?.bytes::<P>().to_vec()
        };
        let player = Player { network: "start.brw".to_owned(), checkpoint: "start.float".to_owned() };
        self.folder.save(&player.checkpoint, &checkpoint::write::<P>(&params, "first player of a loop"))?;
        self.folder.save(&player.network, &network)?;
        Ok(player)
    }
}

/// Lesson of the present generation.
pub(super) struct Lesson<'a> {
    pub(super) folder: &'a LearnFolder,
    pub(super) state: &'a LearnState,
    /// Network file and checkpoint to write.
    pub(super) candidate: &'a Player,
    /// Called with a line about every epoch.
    pub(super) watch: &'a mut (dyn FnMut(&str) + Send),
}

impl ProfileTask for Lesson<'_> {
    type Output = Result<Option<LessonReport>>;

    /// Trains the network and writes it. Returns `None` when Ctrl-C ends the training, which then goes on from its
    /// checkpoint.
    fn run<P: Profile>(mut self) -> Result<Option<LessonReport>> {
        let LearnState { settings, player, generation, .. } = self.state;
        let Some(dataset) = self.dataset::<P>()? else { return Ok(None) };
        let hyperparameters = Hyperparameters {
            epochs: settings.epochs,
            rate: settings.rate,
            seed: settings.seed.wrapping_add(u64::from(*generation)),
            ..Hyperparameters::default()
        };
        let unfinished = format!("{}/training.checkpoint", generation_folder(*generation));
        let mut run = self.begun::<P>(&unfinished, hyperparameters, &dataset)?;
        let mut saved = Ok(());
        let bar = progress::bar(dataset.training.len() as u64 * u64::from(settings.epochs), "positions");
        run.train(&dataset, |run, progress, report| {
            bar.set_position(progress.positions);
            let mut goes_on = !interrupt::requested();
            if let Some(report) = report {
                let win = report.metrics.first().map_or(0.0, |metric| metric.network);
                (self.watch)(&format!("  epoch {}: loss {:.4}, win {win:.4}", report.epoch, report.loss));
                saved = run
                    .ensure_finite()
                    .and_then(|()| save_run::<P>(self.folder, &unfinished, run, *generation));
                goes_on &= saved.is_ok();
            }
            goes_on
        });
        bar.finish_and_clear();
        saved.and_then(|()| run.ensure_finite())?;
        if !run.is_done() {
            save_run::<P>(self.folder, &unfinished, &run, *generation)?;
            return Ok(None);
        }
        let params = run.params();
        let metrics = evaluate(params, &dataset.held_out);
        let [win, result, ..] = &metrics[..] else { return Err(anyhow!("nothing was measured")) };
        let provenance = format!(
            "learn, generation {generation} from {}, {}, win loss {:.4}",
            short_hash(&self.folder.name(&player.network))?,
            counted(dataset.games, "game"),
            win.network
        );
        let quantised = quantise::<P>(params, &provenance)?;
        self.folder.save(&self.candidate.checkpoint, &checkpoint::write::<P>(params, &provenance))?;
        self.folder.save(&self.candidate.network, quantised.bytes::<P>())?;
        let header = Header::read(quantised.bytes::<P>()).map_err(|error| anyhow!("{error}"))?;
        Ok(Some(LessonReport {
            games: dataset.games,
            positions: dataset.training.len(),
            held_out: dataset.held_out.len(),
            duplicates: dataset.duplicates,
            damaged: dataset.damage.len(),
            loss: mean_loss(params, &dataset.held_out),
            win_loss: win.network,
            result_loss: result.network,
            sha256: hexadecimal(header.hash()),
        }))
    }
}

impl Lesson<'_> {
    /// Samples of the games of all generations that are kept. Returns `None` after Ctrl-C.
    fn dataset<P: Profile>(&mut self) -> Result<Option<Dataset>> {
        let LearnState { settings, generation, .. } = self.state;
        let first = (generation + 1).saturating_sub(settings.keep).max(1);
        let games =
            |generation| self.folder.name(&format!("{}/games.jsonl.gz", generation_folder(generation)));
        let files = (first..=*generation).map(games).filter(|name| fs::exists(name).unwrap_or(false));
        let source = GameSource::Records(files.collect());
        let rates = SamplingRates { turn: settings.turns, ..SamplingRates::default() };
        let bar = source.bar();
        let dataset = source.dataset::<P::Layout>((rates, None), settings.seed, &bar);
        bar.finish_and_clear();
        let dataset = dataset?;
        if interrupt::requested() {
            return Ok(None);
        }
        for damage in dataset.damage.told() {
            (self.watch)(&format!("  {damage}; left out"));
        }
        ensure!(
            !dataset.training.is_empty() && !dataset.held_out.is_empty(),
            "too few games: nothing to learn from, or nothing to judge by"
        );
        Ok(Some(dataset))
    }

    /// Run that goes on from a checkpoint, or a new one where there is none for these settings and games.
    fn begun<P: Profile>(
        &mut self,
        unfinished: &str,
        hyperparameters: Hyperparameters,
        dataset: &Dataset,
    ) -> Result<TrainingRun> {
        let name = self.folder.name(unfinished);
        if fs::exists(&name)? {
            let file = read_bytes(&name, CHECKPOINT_CAP).with_context(|| name.clone())?;
            match TrainingRun::resumed::<P>(&file, hyperparameters, None, dataset) {
                Ok(run) => return Ok(run),
                Err(error) => (self.watch)(&format!("  training begins again: {error}")),
            }
        }
        let params: Params = starting_network::<P>(&self.folder.name(&self.state.player.checkpoint))?;
        Ok(TrainingRun::new(params, hyperparameters, None, dataset))
    }
}

/// Writes the checkpoint of a run that is not done, and its loss curve.
fn save_run<P: Profile>(folder: &LearnFolder, name: &str, run: &TrainingRun, generation: u32) -> Result<()> {
    let place = generation_folder(generation);
    let chart = run.curve().chart(&format!("generation {generation}: loss"));
    folder.save(&format!("{place}/loss.csv"), run.curve().csv().as_bytes())?;
    folder.save(&format!("{place}/loss.svg"), chart.svg().as_bytes())?;
    if run.is_done() {
        return Ok(());
    }
    folder.save(name, &run.checkpoint::<P>("on its way"))
}

/// First digits of the SHA-256 of a network file's weights.
fn short_hash(name: &str) -> Result<String> {
    let file = read_bytes(name, CHECKPOINT_CAP).with_context(|| name.to_owned())?;
    let header = Header::read(&file).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(hexadecimal(&header.hash()[..4]))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
