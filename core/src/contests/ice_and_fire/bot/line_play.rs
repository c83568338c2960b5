//! Lines of play (rules §11.3, phase 1): some of the best cuts, then defence.

use super::planner::Planner;
use super::turn_draft::TurnDraft;

impl Planner<'_> {
    /// The best line of play: the scores of the own cuts, less that of the opponent's best cut that is not parried.
    pub(super) fn play_lines(&mut self, start: &TurnDraft) -> TurnDraft {
        let mut attacks = start.clone();
        let mut gained = 0;
        let mut chosen: Option<(i32, TurnDraft)> = None;
        for cuts in 0..=self.options.cuts {
            let mut line = attacks.clone();
            let feared = self.parry_threats(&mut line);
            let value = i32::saturating_sub(gained, feared.saturating_mul(self.options.weights.fear) / 100);
            if chosen.as_ref().is_none_or(|&(best, _)| value > best) {
                chosen = Some((value, line));
            }
            if cuts == self.options.cuts || !self.has_time() {
                break;
            }
            let Some((cut, scan)) = self.best_cut(attacks.state()) else { break };
            if !self.play_cut(&mut attacks, &scan, &cut) {
                break;
            }
            gained = gained.saturating_add(cut.score);
            if cut.headquarters {
                return attacks;
            }
        }
        chosen.map_or_else(|| start.clone(), |(_, line)| line)
    }
}
