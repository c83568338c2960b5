//! Chains and cuts against slow definitions: every chain is as cheap as any, its commands are accepted and cost what
//! it says, and what it cuts off is what the rules say after they were executed.

use std::collections::BTreeMap;

use barrow_core::contests::ice_and_fire::bot::{Chains, CutScan, Weights, order_from};
use barrow_core::contests::ice_and_fire::{Cell, Direction, Game, Map, Player, Rules, State};
use barrow_core::contests::partners::random_turn;
use barrow_core::rng::Rng;
use proptest::prelude::*;

use super::scene::{Scene, cell};

/// A position in which many turns of nonsense have been played, with a turn begun.
pub(crate) fn wild(map_seed: u64, seed: u64, turns: u32) -> State {
    let rules = Rules::PERMANENT;
    let mut dice = Rng::new(seed);
    let mut game = Game::new(&Map::generate(map_seed, &rules));
    for _ in 0..turns {
        let mut next = game.clone();
        for &action in random_turn(game.state(), &rules, &mut dice).actions() {
            next.act(&rules, action).unwrap();
        }
        next.pass();
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    *game.state()
}

/// Gold, upkeep, length, level of the mover.
type Label = (i32, i32, i32, i32);

/// Rules §11.1 as they read: what a cell needs.
fn need(state: &State, player: Player, at: Cell) -> i32 {
    let opponent = player.opponent();
    let theirs = state.owned(opponent).contains(at);
    let tower = |cell: Cell| state.towers().contains(cell) && state.owned(opponent).contains(cell);
    let beside = || Direction::ALL.into_iter().filter_map(|way| at.step(way));
    let guarded = beside().any(|other| tower(other) && state.active(opponent).contains(other));
    if state.owned(player).contains(at) {
        0
    } else if theirs && (tower(at) || state.active(opponent).contains(at) && guarded) {
        3
    } else if let Some(level) = state.level(at).filter(|_| theirs) {
        3.min(i32::from(level.number()) + 1)
    } else {
        1
    }
}

/// The smallest labels, by widening until nothing changes.
fn slow_labels(state: &State, player: Player) -> BTreeMap<Cell, Label> {
    let upkeep = [0, 1, 4, 20];
    let own = state.active(player);
    let beside = |at: Cell| {
        let four = Direction::ALL.into_iter().filter_map(move |way| at.step(way));
        four.filter(|&next| state.open().contains(next)).collect::<Vec<_>>()
    };
    let mut labels = BTreeMap::new();
    for at in state.open().iter().filter(|&at| !own.contains(at)) {
        let need = need(state, player, at);
        if need == 0 || !beside(at).iter().any(|&next| own.contains(next)) {
            continue;
        }
        let mut label = (10 * need, upkeep[need as usize], 1, 0);
        for from in beside(at).into_iter().filter(|&from| own.contains(from) && state.ready().contains(from))
        {
            let level = i32::from(state.level(from).unwrap().number());
            if level >= need {
                label = label.min((0, 0, 1, level));
            }
        }
        labels.insert(at, label);
    }
    loop {
        let mut wider = labels.clone();
        for (&at, &(gold, paid, length, mover)) in &labels {
            for next in beside(at).into_iter().filter(|&next| !own.contains(next)) {
                let need = need(state, player, next);
                let label = (gold + 10 * need, paid + upkeep[need as usize], length + 1, mover);
                let slot = wider.entry(next).or_insert(label);
                *slot = label.min(*slot);
            }
        }
        if wider == labels {
            return labels;
        }
        labels = wider;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ice_and_fire_chains_are_the_cheapest(map in 0_u64..500, seed in any::<u64>(), turns in 4_u32..60) {
        let state = wild(map, seed, turns);
        let player = state.mover();
        let labels = slow_labels(&state, player);
        for order in 0..2 {
            let chains = Chains::new(&state, player, i32::MAX, order);
            for at in state.open().iter() {
                let found = chains.to(at).map(|chain| {
                    let mover = chain.mover.map_or(0, |(_, level)| i32::from(level.number()));
                    (chain.gold, chain.upkeep, chain.path.len() as i32, mover)
                });
                prop_assert_eq!(found, labels.get(&at).copied(), "{:?}", at);
            }
        }
    }

    #[test]
    fn ice_and_fire_cuts_do_what_they_say(map in 0_u64..500, seed in any::<u64>(), turns in 4_u32..60, rich in 0_i32..300, orders in 4_u8..6) {
        let mut board = wild(map, seed, turns);
        board.make_ready();
        let state = board;
        let (player, opponent) = (state.mover(), state.mover().opponent());
        let budget = state.gold(player).min(rich);
        let scan = CutScan::with_budget(&state, budget, orders);
        for cut in scan.cuts(&Weights::PLAIN) {
            let mut after = state;
            for action in scan.actions(&cut).iter() {
                if after.conqueror().is_some() {
                    break;
                }
                prop_assert!(after.apply(&Rules::PERMANENT, *action).is_ok(), "{:?} {:?}", cut, action);
            }
            prop_assert_eq!(after.conqueror() == Some(player), cut.headquarters);
            prop_assert!(cut.chain.gold <= budget);
            if cut.headquarters {
                continue;
            }
            prop_assert_eq!(state.gold(player) - after.gold(player), cut.chain.gold);
            let lost = state.active(opponent) - after.active(opponent);
            prop_assert_eq!(lost, cut.lost);
            prop_assert_eq!(cut.income, lost.len() as i32 + 4 * (state.mines() & lost).len() as i32);
            prop_assert_eq!(cut.units, state.unit_cost(lost));
            prop_assert_eq!(cut.towers, (state.towers() & lost).len() as i32);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ice_and_fire_chains_from_one_cell_are_those_of_a_player_with_one_way_out(
        map in 0_u64..500, seed in any::<u64>(), turns in 4_u32..60,
    ) {
        // Of all starts the best one gives the cheapest chain, and each start's chains begin there.
        let state = wild(map, seed, turns);
        let player = state.mover();
        let all = Chains::new(&state, player, i32::MAX, 0);
        let starts: Vec<_> = state.open().iter().filter(|&at| all.to(at).is_some_and(|chain| chain.path.len() == 1)).collect();
        let from: Vec<_> = starts.iter().map(|&start| Chains::new(&state, player, i32::MAX, order_from(start))).collect();
        let price = |chains: &Chains, at| {
            chains.to(at).map(|chain| {
                let mover = chain.mover.map_or(0, |(_, level)| level.number());
                (chain.gold, chain.upkeep, chain.path.len(), mover)
            })
        };
        for at in state.open().iter() {
            let cheapest = from.iter().filter_map(|chains| price(chains, at)).min();
            prop_assert_eq!(cheapest, price(&all, at), "{:?}", at);
            for (chains, &start) in from.iter().zip(&starts) {
                prop_assert!(chains.to(at).is_none_or(|chain| chain.path.contains(start)));
            }
        }
    }
}

#[test]
fn ice_and_fire_c6_c7_a_kill_chain_and_the_tower_against_it() {
    let mut rows = ["A..........."; 12];
    rows[10] = "A..........B";
    rows[11] = "AAAAAAAABBBB";
    let best = |scene: Scene| {
        let game = scene.unit(1, 7, 11).turn(Player::Zero);
        let scan = CutScan::with_budget(game.state(), 35, 1);
        let best = barrow_core::contests::ice_and_fire::bot::best(scan.cuts(&Weights::PLAIN)).unwrap();
        (best.score, best.target, best.chain.gold, best.headquarters)
    };
    assert_eq!(best(Scene::new(&rows, [35, 20])), (999_968, cell(11, 11), 30, true));
    rows[10] = "A.........BB";
    assert_eq!(best(Scene::new(&rows, [35, 20]).tower(10, 11)), (1, cell(8, 11), 0, false));
}

#[test]
fn ice_and_fire_c3_a_pocket_with_units_is_worth_its_price() {
    let mut rows = ["............"; 12];
    rows[..4].fill("AAAAAA......");
    rows[4..7].fill("....BBBBBB..");
    rows[7..10].fill("........B...");
    rows[10] = "........BBBB";
    rows[11] = "...........B";
    let scene = Scene::new(&rows, [60, 30]).unit(1, 5, 3).unit(1, 5, 4).unit(2, 7, 5).unit(1, 9, 6);
    let mut game = scene.game();
    game.make_ready();
    let scan = CutScan::own(game.state(), 1);
    assert_eq!(scan.cuts(&Weights::PLAIN).count(), 18);
    let best = barrow_core::contests::ice_and_fire::bot::best(scan.cuts(&Weights::PLAIN)).unwrap();
    assert_eq!((best.score, best.target, best.income, best.units), (34, cell(8, 6), 18, 40));
}
