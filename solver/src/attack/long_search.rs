//! Models for long searches, with constraints that cost more than they bring where a search is short.

use super::model::{AttackModel, OverkillPolicy};

/// Variables for friends and enemies, beyond which searches are mostly long.
const MANY_VARS: usize = 500;

impl<'l> AttackModel<'l> {
    /// Model of the same attacks for goals about removals alone, [for long searches](AttackModel::for_long_searches) if it is
    /// large.
    #[must_use]
    pub fn for_removals(self) -> AttackModel<'l> {
        let is_large = self.policy == OverkillPolicy::Allowed && self.numbers.vars > MANY_VARS;
        if is_large { self.for_long_searches() } else { self }
    }

    /// Model of the attacks in which every hit is needed and no enemy is hit from where a friend comes only when it is gone. So
    /// the same enemies can be removed, by fewer plans.
    #[must_use]
    pub fn for_long_searches(self) -> AttackModel<'l> {
        AttackModel { for_long_searches: true, ..self.with_overkill_policy(OverkillPolicy::AllHitsNeeded) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::boxed::Box;

    use barrow_core::hex::Hex;
    use barrow_core::minions::{Builder, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};
    use barrow_core::rng::Rng;

    use super::super::lists::LargeRoom;
    use super::super::plan::{AttackSolver, Goal};
    use super::*;

    /// The overkill policy of a model for removals on a board with so many rows of both sides in turn, and its variables.
    fn policy(rows: u8, given: OverkillPolicy) -> (OverkillPolicy, usize, bool) {
        let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 0);
        let board = builder.board(0).unwrap();
        for hex in Hex::all().filter(|hex| hex.y() < rows && hex.x() < 8) {
            let side = if hex.y() % 2 == 0 { Side::Yellow } else { Side::Blue };
            board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Warg, hex)));
        }
        let mut room = Box::new(LargeRoom::new());
        let model = AttackModel::new(&builder.build().unwrap().view(0).unwrap(), &mut *room).unwrap();
        let model = model.with_overkill_policy(given).for_removals();
        (model.policy, model.numbers.vars, model.for_long_searches)
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn only_large_models_without_a_policy_of_their_own_are_for_long_searches() {
        let mut kinds = [0; 2];
        for rows in 2..=6 {
            let (found, vars, is_long) = policy(rows, OverkillPolicy::Allowed);
            assert_eq!(is_long, vars > MANY_VARS, "{vars}");
            assert_eq!(found == OverkillPolicy::AllHitsNeeded, is_long);
            assert_eq!(policy(rows, OverkillPolicy::AllHitsLand), (OverkillPolicy::AllHitsLand, vars, false));
            kinds[usize::from(is_long)] += 1;
        }
        assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn the_best_plan_removes_the_same_enemies() {
        let (mut rng, mut memory) = (Rng::new(31), std::vec![0; 1 << 18]);
        let mut room = Box::new(LargeRoom::new());
        let (mut removed, mut spared) = (0, 0);
        for seed in 0..24 {
            let ruleset = if seed % 2 == 0 { Ruleset::Spooky } else { Ruleset::Server };
            let mut builder = Builder::new(GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap(), seed);
            let board = builder.board(0).unwrap();
            for hex in Hex::all() {
                let side = if rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
                let unit = *rng.choose(&UnitLabel::ALL).unwrap();
                if rng.chance(1, 4) && (ruleset == Ruleset::Server || unit != UnitLabel::Acolyte) {
                    board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
                }
            }
            let game = builder.build().unwrap();
            let view = game.view(0).unwrap();
            let mut grants = |long| {
                let model = AttackModel::new(&view, &mut *room).unwrap();
                let model = if long { model.for_long_searches() } else { model };
                let goals: std::vec::Vec<Goal> = model.targets().map(Goal::Remove).collect();
                let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
                assert!(solver.best_plan(&goals, 1 << 40).unwrap().is_proved());
                goals.iter().map(|&goal| solver.grants(goal)).collect::<std::vec::Vec<bool>>()
            };
            let (plain, long) = (grants(false), grants(true));
            assert_eq!(plain, long, "{seed}");
            removed += plain.iter().filter(|&&holds| holds).count();
            spared += plain.iter().filter(|&&holds| !holds).count();
        }
        assert!(removed > 50 && spared > 20, "{removed} {spared}");
    }
}
