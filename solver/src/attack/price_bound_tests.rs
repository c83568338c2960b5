//! The price bound against the solver, and its steps one by one.

extern crate std;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};
use barrow_core::rng::Rng;
use barrow_testing::{BENCH_POSITIONS, Signature};

use super::super::elements::{Foe, Friend, Mode, Pair};
use super::super::lists::{LargeRoom, OrdinaryRoom};
use super::super::plan::{AttackSolver, Goal};
use super::*;

/// Whether the solver finds an attack that removes these enemies, spares those, and in which these friends do not
/// fight.
fn is_possible(model: &AttackModel<'_>, (wanted, spared, passive): (HexSet, HexSet, HexSet)) -> bool {
    let mut memory = std::vec![0; 1 << 18];
    let mut solver = AttackSolver::prepare(model, &mut memory).unwrap();
    let wanted = wanted.into_iter().map(Goal::Remove);
    let goals =
        wanted.chain(spared.into_iter().map(Goal::Spare)).chain(passive.into_iter().map(Goal::Passive));
    let lits: std::vec::Vec<_> = goals.filter_map(|goal| solver.lit(goal)).collect();
    solver.can_hold(&lits).unwrap()
}

#[test]
fn what_prices_refute_is_impossible() {
    let (mut rng, mut room) = (Rng::new(22), OrdinaryRoom::new());
    let (mut refuted, mut impossible, mut possible) = (0, 0, 0);
    for (number, line) in BENCH_POSITIONS.lines().enumerate() {
        let ruleset = if number % 2 == 0 { Ruleset::Spooky } else { Ruleset::Server };
        let config = GameConfig::default().with_ruleset(ruleset);
        let game = fen::parse(line, &config).unwrap();
        for board in 0..2 {
            let model = AttackModel::new(&game.view(board).unwrap(), &mut room).unwrap();
            // One bound for all questions, as in a search for the best plan.
            let mut bound = PriceBound::EMPTY;
            for _ in 0..20 {
                let mut fates = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
                for foe in model.foes.iter() {
                    let set = if rng.chance(3, 4) { &mut fates.0 } else { &mut fates.1 };
                    if rng.chance(3, 4) {
                        set.insert(foe.at);
                    }
                }
                let friends = model.friends.iter().filter(|_| rng.chance(1, 5));
                fates.2 = friends.map(|friend| friend.at).collect();
                let proved = bound.refutes(&model, fates, 48);
                let truth = is_possible(&model, fates);
                assert!(!(proved && truth), "{line} {fates:?}");
                refuted += u32::from(proved);
                impossible += u32::from(!truth);
                possible += u32::from(truth);
            }
        }
    }
    assert!(possible > 40 && 2 * refuted > impossible, "{refuted} of {impossible}, {possible} possible");
}

/// Mixes in all masses and what follows from them.
fn mix_state(signature: &mut Signature, model: &AttackModel<'_>, bound: &PriceBound) {
    signature.mix((bound.is_listed, bound.is_complete, &bound.idle));
    for (foe, Target { hex, need, removed, is_fixed, damage }) in bound.targets.iter().enumerate() {
        signature.mix((hex, need, removed, is_fixed, damage, &bound.prices[foe]));
    }
    for Stand { friend, attacks, place, open, mode, end } in &bound.stands {
        let hex = &model.modes[usize::from(*mode)].hex;
        signature.mix((friend, attacks, hex, &(*place == NO_PLACE), open, mode, end));
    }
    for Choice { foe, damage, hits, place: _, mass } in &bound.choices {
        signature.mix((foe, damage, hits, &(*mass).max(0)));
    }
    for (Place { room, used }, rent) in bound.places.iter().zip(&bound.rents) {
        signature.mix((room, used, rent));
    }
    signature.mix((bound.gain(), bound.is_solved()));
}

/// A board of so many pieces of a hundred, of all types.
fn board(rng: &mut Rng, share: u32) -> Game {
    let ruleset = if rng.chance(1, 2) { Ruleset::Server } else { Ruleset::Spooky };
    let map = *rng.choose(&MapLabel::ALL).unwrap();
    let mut builder = Builder::new(GameConfig::new(ruleset, &[map]).unwrap(), 1);
    let board = builder.board(0).unwrap();
    for hex in Hex::all() {
        let side = if rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
        let unit = *rng.choose(&UnitLabel::ALL).unwrap();
        if rng.chance(share, 100) && (ruleset == Ruleset::Server || unit != UnitLabel::Acolyte) {
            board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
        }
    }
    builder.build().unwrap()
}

/// A model without pieces, to which a test adds some.
fn nothing(room: &mut LargeRoom) -> AttackModel<'_> {
    let builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1);
    AttackModel::new(&builder.build().unwrap().view(0).unwrap(), room).unwrap()
}

/// Whether the choices of one friend have room, who may fight from so many hexes, and hit so many enemies of this need
/// from each.
fn has_room(stands: usize, foes: usize, need: u16) -> bool {
    let mut room = std::boxed::Box::new(LargeRoom::new());
    let mut model = nothing(&mut room);
    model.friends.push(Friend { attacks: 1, num_modes: stands as u16, ..Friend::EMPTY }).unwrap();
    for _ in 0..stands {
        model.modes.push(Mode::EMPTY).unwrap();
    }
    for foe in 0..foes as u8 {
        model.foes.push(Foe { need, ..Foe::EMPTY }).unwrap();
        model.pairs.push(Pair { foe, hits: 1, ..Pair::EMPTY }).unwrap();
    }
    let mut bound = PriceBound::EMPTY;
    let nobody = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
    assert!(!bound.refutes(&model, nobody, 1));
    bound.is_complete
}

#[test]
#[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer choices")]
fn what_has_no_room_proves_nothing() {
    assert!(has_room(2, 3, 255) && !has_room(2, 3, 256) && !has_room(2, 1, 300));
    assert!(has_room(CHOICE_CAP / 2, 1, 1) && !has_room(CHOICE_CAP / 2 + 1, 1, 1));
    assert!(has_room(CHOICE_CAP / 64, 64, 1) && !has_room(CHOICE_CAP / 64 + 1, 64, 1));
}

#[test]
fn little_that_is_missing_or_crowded_counts_as_solved() {
    let mut bound = PriceBound::EMPTY;
    for (excess, is_solved) in [(0, true), (TOLERANCE, true), (TOLERANCE + 1, false), (MASS, false)] {
        bound.places[7].used = MASS + excess;
        bound.set_rent(7);
        assert_eq!(bound.is_solved(), is_solved, "{excess}");
        assert_eq!(bound.gain() < 0, excess > 0);
    }
    bound.places[7].used = MASS;
    bound.set_rent(7);
    for (missing, is_solved) in [(0, true), (TOLERANCE, true), (TOLERANCE + 1, false)] {
        let damage = MASS - missing;
        bound.targets.clear();
        let _ =
            bound.targets.push(Target { hex: Hex::FIRST, need: 1, removed: MASS, is_fixed: true, damage });
        bound.set_price(0);
        assert_eq!(bound.is_solved(), is_solved, "{missing}");
        assert_eq!(bound.gain(), i64::from(missing * SCALE));
    }
}

#[test]
#[cfg_attr(not(feature = "every-board"), ignore = "other boards have room")]
fn the_steps_of_the_bound_have_their_known_signature() {
    let (mut rng, mut room) = (Rng::new(41), std::boxed::Box::new(LargeRoom::new()));
    let mut signature = Signature::default();
    let mut refuted = 0;
    for number in 0..24 {
        let game = board(&mut rng, [8, 20, 35, 70][number % 4]);
        let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
        let mut bound = PriceBound::EMPTY;
        for rounds in [0, 1, 3, 4, 9, 40, 12] {
            let mut fates = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
            for foe in model.foes.iter() {
                match rng.below(8) {
                    0..4 => _ = fates.0.insert(foe.at),
                    4 | 5 => _ = fates.1.insert(foe.at),
                    _ => {}
                }
            }
            let friends = model.friends.iter().filter(|_| rng.chance(1, 5));
            fates.2 = friends.map(|friend| friend.at).collect();
            let proved = bound.refutes(&model, fates, rounds);
            refuted += u32::from(proved);
            signature.mix(proved);
            mix_state(&mut signature, &model, &bound);
        }
    }
    assert!(refuted > 10, "{refuted}");
    signature.check(0x5665_c654_6334_c0a4);
}
