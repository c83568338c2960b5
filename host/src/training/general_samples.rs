//! Samples of the general's net: contexts of positions and techs, and choices with their shares of the visits.

use barrow_core::minions::Game;
use barrow_nnue::nets::general::{Step, Survey};

use super::general_choices::RatedChoice;
use super::span::Span;

/// Sample of the general's choices in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct GeneralSample {
    /// Rows of the position.
    pub(super) position: Span,
    /// Techs that the choices are about.
    pub(super) techs: Span,
    pub(super) choices: Span,
}

/// Choice of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceSample {
    /// Outputs that the choice sums up.
    pub(super) steps: Span,
    pub(super) share: f32,
    pub(super) hand: f32,
}

/// Output of the general's net, as a choice sums it up.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSample {
    pub(super) step: Step,
    /// Index among the techs of the sample; `None` for a step that concerns no tech.
    pub(super) tech: Option<u8>,
}

/// Samples of the general's net, in a few long lists.
#[derive(Clone, Debug, Default)]
pub(super) struct GeneralSamples {
    pub(super) all: Vec<GeneralSample>,
    pub(super) choices: Vec<ChoiceSample>,
    pub(super) steps: Vec<StepSample>,
    /// Rows of each tech.
    pub(super) techs: Vec<Span>,
    pub(super) rows: Vec<u16>,
}

impl GeneralSamples {
    /// Adds the choices of a position and returns the place of the sample; no sample where there are no choices.
    pub(super) fn add(&mut self, game: &Game, choices: &[RatedChoice]) -> Span {
        let start = self.all.len();
        if choices.is_empty() {
            return Span::from_start(start, &self.all);
        }
        let survey = Survey::new(game);
        let first = self.rows.len();
        survey.position(game, |row| self.rows.push(row));
        let position = Span::from_start(first, &self.rows);
        let first_tech = self.techs.len();
        let mut places: Vec<u8> = Vec::new();
        let first_choice = self.choices.len();
        for rated in choices {
            let first_step = self.steps.len();
            rated.choice.steps(|step, place| {
                let tech = place.map(|place| {
                    let known = places.iter().position(|&known| known == place);
                    known.unwrap_or_else(|| {
                        let first = self.rows.len();
                        survey.tech(game.config(), place, |row| self.rows.push(row));
                        self.techs.push(Span::from_start(first, &self.rows));
                        places.push(place);
                        places.len() - 1
                    }) as u8
                });
                self.steps.push(StepSample { step, tech });
            });
            let steps = Span::from_start(first_step, &self.steps);
            self.choices.push(ChoiceSample { steps, share: rated.share, hand: rated.hand });
        }
        let choices = Span::from_start(first_choice, &self.choices);
        self.all.push(GeneralSample { position, techs: Span::from_start(first_tech, &self.techs), choices });
        Span::from_start(start, &self.all)
    }

    /// Moves all samples of another list to the end of this list.
    pub(super) fn append(&mut self, other: &mut GeneralSamples) {
        let (choices, steps) = (self.choices.len(), self.steps.len());
        let (techs, rows) = (self.techs.len(), self.rows.len());
        self.all.extend(other.all.drain(..).map(|sample| GeneralSample {
            position: sample.position.shifted(rows),
            techs: sample.techs.shifted(techs),
            choices: sample.choices.shifted(choices),
        }));
        let moved = |choice: ChoiceSample| ChoiceSample { steps: choice.steps.shifted(steps), ..choice };
        self.choices.extend(other.choices.drain(..).map(moved));
        self.techs.extend(other.techs.drain(..).map(|span| span.shifted(rows)));
        self.steps.append(&mut other.steps);
        self.rows.append(&mut other.rows);
    }
}
