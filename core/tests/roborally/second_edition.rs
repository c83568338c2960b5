//! The worked examples of the second edition by their numbers (rules §16.6), and whole races.

use barrow_core::contests::roborally::second_edition::{Floor, Pile, PlayCard, Race, Reboot, Rules};
use barrow_core::contests::roborally::{
    BoardBuilder, Cell, Direction, Outcome, ProgramError, REGISTERS, Speed, Terrain,
};
use barrow_core::rng::Rng;
use proptest::prelude::*;

use crate::floor_races::{dock, floor, places, race_by, run};
use Direction::{East, North, South, West};
use PlayCard::{
    Again, BackUp, Move1, Move2, Move3, PowerUp, Spam, TrojanHorse, TurnLeft, TurnRight, UTurn, Virus, Worm,
};

fn race(floor: &Floor, cards: &[&[PlayCard]]) -> Race {
    race_by(&Rules::OF_2016, floor, cards)
}

fn damage(race: &Race, robot: usize) -> usize {
    let discards = race.discards(robot);
    PlayCard::ALL
        .into_iter()
        .filter(|card| card.is_damage())
        .map(|card| usize::from(discards.count(card)))
        .sum()
}

#[test]
fn roborally_rule_s01_cards_move_and_turn() {
    let floor = floor(&[(2, 6, North)], |_| ());
    let mut race = race(&floor, &[&[Move2, TurnRight, Move3, UTurn, BackUp]]);
    run(&mut race, &floor, 0..5);
    assert_eq!(places(&race), [(6, 4, West)]);
    let mut turned = self::race(&floor, &[&[TurnLeft, Move1, PowerUp]]);
    run(&mut turned, &floor, 0..3);
    assert_eq!((places(&turned), turned.energy(0)), (vec![(1, 6, West)], 6));
}

#[test]
fn roborally_rule_s02_the_nearest_to_the_antenna_moves_first() {
    // Robot 1 is nearer and pushes robot 0 before it moves itself.
    let floor = floor(&[(4, 9, West), (2, 9, East)], |_| ());
    let mut race = race(&floor, &[&[Move1], &[Move2]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(4, 9, West), (3, 9, East)]);
}

#[test]
fn roborally_rule_s03_of_equally_near_ones_the_ray_going_clockwise_decides() {
    // Both are three cells away; the ray to the east meets (3, 9) first, the other one only after three quarters.
    let floor = floor(&[(0, 6, East), (3, 9, North)], |_| ());
    let mut race = race(&floor, &[&[Move3], &[Move3]]);
    run(&mut race, &floor, 0..1);
    // Robot 1 is at (3, 6) first and is pushed off it.
    assert_eq!(places(&race), [(3, 6, East), (4, 6, North)]);
}

#[test]
fn roborally_rule_s04_the_antenna_is_like_a_wall() {
    let floor = floor(&[(2, 9, West), (3, 9, West)], |_| ());
    let mut race = race(&floor, &[&[Move3], &[Move3]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(1, 9, West), (2, 9, West)]);
}

#[test]
fn roborally_rule_s05_again_repeats_the_register_before() {
    let floor = floor(&[(2, 8, North)], |_| ());
    let mut race = race(&floor, &[&[Move2, Again, Again]]);
    run(&mut race, &floor, 0..3);
    assert_eq!(places(&race), [(2, 2, North)]);
}

#[test]
fn roborally_rule_s06_again_is_not_for_the_first_register() {
    let floor = floor(&[(2, 8, North)], |_| ());
    let mut dice = Rng::new(1);
    let mut race = loop {
        let mut race = Race::new(&floor, 1).expect("a dock");
        race.draw_hands(&mut dice);
        if race.hand(0).count(Again) > 0 && race.hand(0).count(Move1) > 2 {
            break race;
        }
    };
    let mut left = race.hand(0);
    let cards = [Again, Move1, Move1].into_iter().filter(|&card| left.take(card)).collect::<Vec<_>>();
    let others: Vec<_> = PlayCard::ALL.into_iter().filter(|&card| left.take(card)).take(2).collect();
    let bad = [&cards[..], &others[..]].concat();
    assert_eq!(race.program(0, &bad), Err(ProgramError::Card));
    let good = [&cards[1..], &cards[..1], &others[..]].concat();
    assert_eq!(race.program(0, &good[..4]), Err(ProgramError::Length));
    assert_eq!(race.program(0, &good), Ok(()));
    assert_eq!((race.hand(0).len(), race.discards(0).len()), (0, 4), "what is left is put away");
}

#[test]
fn roborally_rule_s07_spam_plays_the_next_card_of_the_deck() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = race(&floor, &[&[Spam]]);
    run(&mut race, &floor, 0..1);
    let drawn = race.register(0, 0).expect("a card was drawn");
    assert!(!drawn.is_damage());
    let y = [(Move1, 4), (Move2, 3), (Move3, 2), (BackUp, 6)];
    let y = y.iter().find(|entry| entry.0 == drawn).map_or(5, |entry| entry.1);
    assert_eq!(places(&race)[0].1, y, "{drawn:?}");
    race.clean_up();
    assert_eq!(damage(&race, 0), 0, "the SPAM is gone for good");
}

#[test]
fn roborally_rule_s08_again_after_damage_plays_a_new_card() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = race(&floor, &[&[Spam, Again]]);
    run(&mut race, &floor, 0..2);
    let second = race.register(0, 1).expect("a card was drawn");
    assert!(second != Again && !second.is_damage(), "{second:?}");
    assert!(race.discards(0).count(Again) > 0);
}

#[test]
fn roborally_rule_s09_a_trojan_horse_brings_two_spam() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = race(&floor, &[&[TrojanHorse]]);
    run(&mut race, &floor, 0..1);
    assert_eq!((race.discards(0).count(Spam), damage(&race, 0)), (2, 2));
    assert!(race.register(0, 0).is_some_and(|card| !card.is_damage()));
}

#[test]
fn roborally_rule_s10_a_virus_spreads_six_cells() {
    let floor = floor(&[(1, 5, North), (4, 2, South), (5, 2, South)], |_| ());
    let mut race = race(&floor, &[&[Virus]]);
    let mut three = Race::new(&floor, 3).expect("docks");
    three.set_register(0, 0, Some(Virus));
    run(&mut three, &floor, 0..1);
    let viruses = [0, 1, 2].map(|robot| three.discards(robot).count(Virus));
    assert_eq!(viruses, [0, 1, 0], "distances 6 and 7");
    run(&mut race, &floor, 0..1);
    assert_eq!(race.discards(0).count(Virus), 0);
}

#[test]
fn roborally_rule_s11_a_worm_reboots() {
    let floor = floor(&[(2, 2, South)], |_| ());
    let mut race = race(&floor, &[&[Worm, Move3, Move3]]);
    run(&mut race, &floor, 0..3);
    assert_eq!(places(&race), [(5, 8, North)]);
    assert_eq!(
        (race.discards(0).count(Spam), race.discards(0).count(Worm), race.register(0, 1)),
        (2, 0, None)
    );
}

#[test]
fn roborally_rule_s12_who_falls_reboots_at_once_and_programs_again_next_turn() {
    let floor = floor(&[(2, 1, North)], |plan| plan.terrain(2, 0, Terrain::Pit).expect("inside"));
    let mut race = race(&floor, &[&[Move1, Move1, Move1]]);
    race.face_after_reboot(0, Some(West));
    run(&mut race, &floor, 0..3);
    assert_eq!((places(&race), damage(&race, 0)), (vec![(5, 8, West)], 2));
    race.clean_up();
    race.set_register(0, 0, Some(Move1));
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(4, 8, West)]);
}

#[test]
fn roborally_rule_s13_who_stands_on_the_token_is_pushed_along_its_arrow() {
    let floor = floor(&[(0, 3, West), (5, 8, South)], |_| ());
    let mut race = race(&floor, &[&[Move1], &[]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(5, 8, North), (5, 7, South)]);
}

#[test]
fn roborally_rule_s14_the_token_of_the_part_of_the_floor() {
    let mut plan = BoardBuilder::new(10, 10).expect("small");
    plan.flag(9, 9).expect("inside");
    plan.dock(0, 2, West).expect("inside");
    plan.dock(0, 7, West).expect("inside");
    let halves = [(1, 0, 4), (8, 5, 9)];
    let reboots = halves.map(|(y, from, to)| Reboot {
        token: dock(4, y, South),
        corners: [Cell::new(0, from), Cell::new(9, to)],
    });
    let floor = Floor::new(plan, dock(9, 0, South), &reboots, &[]).expect("a floor");
    let mut race = race(&floor, &[&[Move2], &[Move2]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(4, 1, South), (4, 8, South)]);
}

#[test]
fn roborally_rule_s15_blue_belts_move_twice_then_green_ones_once() {
    let floor = floor(&[(1, 2, North), (1, 4, North), (1, 6, North)], |plan| {
        let mut belt = |x, y, speed| plan.terrain(x, y, Terrain::Belt(East, speed)).expect("inside");
        for (y, cells) in [(2, 3), (4, 1), (6, 2)] {
            (1..=cells).for_each(|x| belt(x, y, Speed::Express));
        }
        belt(2, 4, Speed::Normal);
        belt(3, 4, Speed::Normal);
    });
    let mut race = race(&floor, &[&[], &[], &[]]);
    run(&mut race, &floor, 0..1);
    // Two blue cells; one blue, then one green; two blue cells to the floor.
    assert_eq!(places(&race).iter().map(|place| place.0).collect::<Vec<_>>(), [3, 3, 3]);
}

#[test]
fn roborally_rule_s16_lasers_give_spam_and_lock_nothing() {
    let floor = floor(&[(4, 4, North), (4, 2, South)], |plan| {
        plan.laser(0, 4, East, 2).expect("inside");
    });
    let mut race = race(&floor, &[&[], &[]]);
    run(&mut race, &floor, 0..5);
    assert_eq!([0, 1].map(|robot| damage(&race, robot)), [15, 5]);
    assert_eq!(places(&race).len(), 2, "nobody is destroyed by damage");
}

#[test]
fn roborally_rule_s17_who_rebooted_does_not_fire_but_is_hit() {
    let floor = floor(&[(0, 3, West), (5, 5, South)], |_| ());
    let mut race = race(&floor, &[&[Move1], &[]]);
    run(&mut race, &floor, 0..1);
    // The token points north, at the other robot.
    assert_eq!([0, 1].map(|robot| damage(&race, robot)), [3, 0]);
}

#[test]
fn roborally_rule_s18_energy_spaces() {
    let floor = floor(&[(0, 0, North)], |_| ());
    let mut race = race(&floor, &[&[]]);
    run(&mut race, &floor, 0..4);
    assert_eq!(race.energy(0), 6, "the cube lies there once");
    run(&mut race, &floor, 4..5);
    assert_eq!(race.energy(0), 7, "the last register brings one in any case");
}

#[test]
fn roborally_rule_s19_checkpoints_in_order_and_the_end() {
    let floor = floor(&[(9, 2, North)], |_| ());
    let mut race = race(&floor, &[&[Move1, Move1, BackUp, Move1, Move1]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(race.positions().robot(0).map(|robot| robot.next_flag), Some(1), "the second one first");
    run(&mut race, &floor, 1..5);
    assert_eq!(race.positions().outcome(), Outcome::Finished(0));
    assert_eq!(race.register(0, 3), Some(Move1), "the rest is not run");
    assert_eq!(places(&race), [(9, 1, North)]);
}

#[test]
fn roborally_rule_s20_discards_become_the_deck() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = Race::new(&floor, 1).expect("a dock");
    let mut dice = Rng::new(3);
    for _ in 0..3 {
        race.draw_hands(&mut dice);
        assert_eq!(race.hand(0).len(), 9);
        let mut hand = race.hand(0);
        let cards: Vec<PlayCard> = std::iter::from_fn(|| hand.draw(&mut dice)).collect();
        let start = cards.iter().position(|&card| card != Again).expect("two cards at most");
        let mut program = cards[start..].to_vec();
        program.truncate(REGISTERS);
        race.program(0, &program).expect("of the hand");
        race.clean_up();
    }
}

proptest! {
    #[test]
    fn cards_are_neither_lost_nor_made(seed in 0_u64..1000) {
        let floor = floor(&[(1, 5, East), (8, 5, West), (4, 2, South), (5, 6, North)], |plan| {
            plan.terrain(3, 3, Terrain::Pit).expect("inside");
            plan.terrain(6, 4, Terrain::Belt(North, Speed::Express)).expect("inside");
            plan.terrain(6, 3, Terrain::Belt(East, Speed::Normal)).expect("inside");
            plan.laser(0, 4, East, 1).expect("inside");
            plan.pusher(2, 5, South, 0b1_0101).expect("inside");
        });
        let mut race = Race::new(&floor, 4).expect("docks");
        let mut dice = Rng::new(seed);
        for _ in 0..30 {
            if race.positions().is_over() {
                break;
            }
            race.draw_hands(&mut dice);
            for robot in 0..4 {
                let mut hand = race.hand(robot);
                let mut cards: Vec<PlayCard> = std::iter::from_fn(|| hand.draw(&mut dice)).collect();
                cards.sort_by_key(|&card| card == Again);
                cards.truncate(REGISTERS);
                prop_assert_eq!(race.program(robot, &cards), Ok(()));
            }
            for register in 0..REGISTERS {
                race.run_register(&floor, register, &mut dice);
                prop_assert_eq!(race.positions().check(floor.board()), Ok(()));
                let cells: std::collections::HashSet<_> = places(&race).iter().map(|p| (p.0, p.1)).collect();
                prop_assert_eq!(cells.len(), 4);
                prop_assert_eq!(race.cards(), 4 * Pile::DECK.len() + Pile::DAMAGE.len());
            }
            race.clean_up();
        }
    }
}
