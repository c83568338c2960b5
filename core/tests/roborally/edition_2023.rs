//! The worked examples of the edition of 2023 by their numbers (rules §17.7), and whole races.

use barrow_core::contests::roborally::second_edition::{Floor, Haywire, PlayCard, Race, Rules};
use barrow_core::contests::roborally::{Cell, Direction, ProgramError, REGISTERS, Terrain};
use barrow_core::rng::Rng;
use proptest::prelude::*;

use crate::floor_races::{dock, floor, places, race_by, run};
use Direction::{East, North, South, West};
use PlayCard::{Again, Move1, Move2, PowerUp, Spam, TurnLeft};

fn race(floor: &Floor, cards: &[&[PlayCard]]) -> Race {
    race_by(&Rules::OF_2023, floor, cards)
}

/// Where a robot alone is after a Haywire card and the cards of the registers after it.
fn after(card: Haywire, cards: &[PlayCard]) -> (i8, i8, Direction) {
    let floor = floor(&[(5, 5, North)], |_| ());
    let mut race = race(&floor, &[&[]]);
    assert!(race.set_haywire(0, 0, card));
    for (register, &card) in (1..).zip(cards) {
        race.set_register(0, register, Some(card));
    }
    run(&mut race, &floor, 0..1 + cards.len());
    assert_eq!((race.haywire(0, 0), race.damage_discards().haywires().next()), (None, Some(card)));
    places(&race)[0]
}

#[test]
fn roborally_2023_t01_the_start() {
    let floor = floor(&[(2, 6, North)], |_| ());
    let mut race = race(&floor, &[&[]]);
    assert_eq!((race.energy(0), race.cards(), race.rules().deck.len()), (3, 60, 20));
    race.draw_hands(&mut Rng::new(1));
    assert_eq!((race.hand(0).len(), race.token(), race.rules().deck.count(TurnLeft)), (9, 0, 4));
}

#[test]
fn roborally_2023_t02_the_robot_with_the_token_moves_first() {
    let floor = floor(&[(4, 7, West), (2, 7, East)], |_| ());
    let mut race = race(&floor, &[&[], &[]]);
    race.clean_up();
    assert_eq!(race.token(), 1);
    race.set_register(0, 0, Some(Move1));
    race.set_register(1, 0, Some(Move2));
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(4, 7, West), (3, 7, East)]);
    race.clean_up();
    assert_eq!(race.token(), 0);
}

#[test]
fn roborally_2023_t03_and_t04_spam_plays_the_next_card_and_again_repeats_it() {
    let floor = floor(&[(4, 7, North)], |_| ());
    let mut race = race(&floor, &[&[Spam, Again]]);
    run(&mut race, &floor, 0..1);
    let drawn = race.register(0, 0).expect("a card was drawn");
    assert!(!drawn.is_damage() && race.damage_discards().spam() == 1);
    let mut twice = self::race(&floor, &[&[drawn, drawn]]);
    run(&mut race, &floor, 1..2);
    run(&mut twice, &floor, 0..2);
    assert_eq!((places(&race), race.register(0, 1)), (places(&twice), Some(Again)), "{drawn:?}");
}

#[test]
fn roborally_2023_t05_again_without_anything_to_repeat_plays_the_next_card() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = race(&floor, &[&[Again]]);
    run(&mut race, &floor, 0..1);
    assert!(race.register(0, 0).is_some_and(|card| card != Again));
    assert!(race.discards(0).count(Again) > 0);
}

#[test]
fn roborally_2023_t06_spam_stays_in_the_hand() {
    let floor = floor(&[(4, 5, North)], |plan| plan.laser(4, 0, South, 9).expect("inside"));
    let mut race = race(&floor, &[&[]]);
    let mut dice = Rng::new(3);
    // Nine points a register: after a few turns there is SPAM in every hand.
    while race.hand(0).count(Spam) < 2 {
        race.clean_up();
        (0..REGISTERS).for_each(|register| race.run_register(&floor, register, &mut dice));
        race.draw_hands(&mut dice);
        if race.hand(0).count(Spam) < 2 {
            race.order(0, &[None; REGISTERS]).expect("shutting down is no program");
        }
    }
    let (spam, free) = (race.hand(0).count(Spam), race.free_registers(0).count_ones() as usize);
    let others: Vec<PlayCard> = race.hand(0).iter().filter(|&card| card != Spam).take(free).collect();
    assert_eq!(race.program(0, &others), Ok(()));
    assert_eq!((race.hand(0).len(), race.hand(0).count(Spam)), (usize::from(spam), spam));
    race.draw_hands(&mut dice);
    assert_eq!(race.hand(0).len(), 9);
}

#[test]
fn roborally_2023_t07_damage_is_drawn() {
    let floor = floor(&[(4, 5, North)], |plan| {
        (0..4).for_each(|x| plan.laser(x, 5, East, 9).expect("inside"));
        plan.laser(4, 5, West, 4).expect("inside");
    });
    let mut race = race(&floor, &[&[]]);
    run(&mut race, &floor, 0..1);
    assert!(race.haywire(0, 0).is_some());
    assert_eq!((race.discards(0).count(Spam), race.damage_cards(0)), (23, 24));
    assert_eq!((race.damage_discards().len(), race.damage_discards().spam(), race.cards()), (16, 0, 60));
}

#[test]
fn roborally_2023_t08_a_haywire_card_takes_its_register() {
    let floor = floor(&[(4, 5, North)], |_| ());
    let mut race = race(&floor, &[&[]]);
    assert!(race.set_haywire(0, 1, Haywire::Back3) && !race.set_haywire(0, 2, Haywire::Back3));
    race.draw_hands(&mut Rng::new(4));
    let hand: Vec<PlayCard> = race.hand(0).iter().filter(|&card| card != Again).collect();
    assert_eq!(race.program(0, &hand[..5]), Err(ProgramError::Length));
    assert_eq!((race.program(0, &hand[..4]), race.free_registers(0)), (Ok(()), 0b1_1101));
    let in_registers: Vec<_> = (0..5).map(|register| race.register(0, register)).collect();
    assert_eq!(in_registers[2], Some(hand[1]));
    let mut alone = self::race(&floor, &[&[hand[0]]]);
    run(&mut alone, &floor, 0..1);
    run(&mut race, &floor, 0..2);
    let (x, y, facing) = places(&alone)[0];
    let back = (0..3).fold(Cell::new(x, y), |cell, _| cell.step(facing.opposite()));
    assert_eq!(places(&race)[0], (back.x(), back.y(), facing));
}

#[test]
fn roborally_2023_t09_haywire_cards_without_a_choice() {
    for (card, place) in [
        (Haywire::Move2Right, (5, 3, East)),
        (Haywire::Move2Left, (5, 3, West)),
        (Haywire::Move1RightMove1, (6, 4, East)),
        (Haywire::Move1LeftMove1, (4, 4, West)),
        (Haywire::Move3UTurn, (5, 2, South)),
        (Haywire::Back3, (5, 8, North)),
        (Haywire::BackUTurn, (5, 6, South)),
        (Haywire::BackScrap, (5, 6, North)),
        (Haywire::Move5, (5, 0, North)),
        (Haywire::Move1Laser, (5, 4, North)),
        (Haywire::Move1Token, (5, 4, North)),
        (Haywire::Upgrade, (5, 5, North)),
    ] {
        assert_eq!(after(card, &[]), place, "{card:?}");
    }
    let (x, y, facing) = after(Haywire::Turn, &[]);
    assert!((x, y) == (5, 5) && [East, West].contains(&facing));
    let (x, y, facing) = after(Haywire::Sideways2, &[]);
    assert!((x - 5).abs() == 2 && (y, facing) == (5, North));
    let (x, y, facing) = after(Haywire::FaceMove1, &[]);
    assert_eq!(Cell::new(5, 5).step(facing), Cell::new(x, y));
}

#[test]
fn roborally_2023_t10_again_repeats_a_haywire_card() {
    assert_eq!(after(Haywire::Move1RightMove1, &[Again]), (7, 5, South));
}

#[test]
fn roborally_2023_t11_five_cells_and_a_wall() {
    let damage_from = |wall: bool| {
        let floor = floor(&[(5, 9, North)], |plan| {
            if wall {
                plan.wall(5, 6, North).expect("inside");
            }
        });
        let mut race = race(&floor, &[&[]]);
        race.set_haywire(0, 0, Haywire::Move5);
        run(&mut race, &floor, 0..1);
        (places(&race)[0].1, race.damage_cards(0))
    };
    assert_eq!((damage_from(true), damage_from(false)), ((6, 1), (4, 0)));
}

#[test]
fn roborally_2023_t12_the_stronger_laser() {
    let floor = floor(&[(5, 5, North), (5, 1, North)], |_| ());
    let mut race = race(&floor, &[&[], &[]]);
    race.set_haywire(0, 0, Haywire::Move1Laser);
    run(&mut race, &floor, 0..2);
    // Of two Haywire cards in one register the second is put away: damage counts what the robot has.
    let gone = race.damage_discards().haywires().filter(|&card| card != Haywire::Move1Laser).count();
    assert_eq!((race.damage_cards(0), usize::from(race.damage_cards(1)) + gone), (0, 3));
}

#[test]
fn roborally_2023_t13_the_token_is_taken_and_stays() {
    let floor = floor(&[(1, 5, North), (8, 5, North)], |_| ());
    let mut race = race(&floor, &[&[], &[]]);
    race.set_haywire(1, 0, Haywire::Move1Token);
    run(&mut race, &floor, 0..1);
    assert_eq!(race.token(), 1);
    race.clean_up();
    assert_eq!(race.token(), 1);
    race.clean_up();
    assert_eq!(race.token(), 0);
}

#[test]
fn roborally_2023_t14_two_cards_of_the_deck() {
    let floor = floor(&[(5, 5, North)], |_| ());
    for seed in 0..20 {
        let (cards, end) = two_cards(&floor, &[], seed);
        assert!(cards.contains(&Again) || cards.len() == 2, "both are put away");
        if let &[a, b] = &cards[..] {
            // Only the second can be *again*, with the first to repeat.
            let orders = [[a, b, b], [b, a, a]].into_iter().filter(|order| order[0] != Again);
            assert!(orders.map(|order| end_of(&floor, &order)).any(|other| other == end), "{cards:?}");
        }
    }
}

/// The cards drawn for [`Haywire::DrawTwo`] in the register after some cards, and where the robot is after an *again*.
fn two_cards(floor: &Floor, before: &[PlayCard], seed: u64) -> (Vec<PlayCard>, Vec<(i8, i8, Direction)>) {
    let mut race = race(floor, &[before]);
    let register = before.len();
    race.set_haywire(0, register, Haywire::DrawTwo);
    race.set_register(0, register + 1, Some(Again));
    let mut dice = Rng::new(seed);
    (0..=register).for_each(|register| race.run_register(floor, register, &mut dice));
    let cards = race.discards(0).iter().collect();
    race.run_register(floor, register + 1, &mut dice);
    (cards, places(&race))
}

/// Where a robot is after cards.
fn end_of(floor: &Floor, cards: &[PlayCard]) -> Vec<(i8, i8, Direction)> {
    let mut played = race(floor, &[cards]);
    run(&mut played, floor, 0..cards.len());
    places(&played)
}

#[test]
fn roborally_2023_t20_who_falls_by_the_first_of_two_cards_draws_no_second() {
    let floor = floor(&[(5, 5, North)], |plan| {
        for (x, y) in [(5, 4), (5, 6), (4, 5), (6, 5)] {
            plan.terrain(x, y, Terrain::Pit).expect("inside");
        }
    });
    let moves = |card: &PlayCard| [Move1, Move2, PlayCard::Move3, PlayCard::BackUp].contains(card);
    let mut falls = 0;
    for seed in 0..40 {
        let mut race = race(&floor, &[&[]]);
        race.set_haywire(0, 0, Haywire::DrawTwo);
        race.run_register(&floor, 0, &mut Rng::new(seed));
        let moving = race.discards(0).iter().filter(moves).count();
        assert_eq!(moving, usize::from(race.is_returning(0)), "seed {seed}");
        falls += moving;
    }
    assert!(falls > 20);
}

#[test]
fn roborally_2023_t21_again_as_the_first_of_two_cards() {
    let floor = floor(&[(5, 7, North)], |_| ());
    let (mut replaced, mut repeated) = (0, 0);
    for seed in 0..200 {
        // With nothing to repeat it is put away, and another card comes in its place.
        let (cards, end) = two_cards(&floor, &[], seed);
        if cards.len() == 3 {
            let others: Vec<PlayCard> = cards.iter().copied().filter(|&card| card != Again).collect();
            let orders = [[others[0], others[1], others[1]], [others[1], others[0], others[0]]];
            assert!(orders.iter().any(|order| end_of(&floor, order) == end), "{cards:?}");
            replaced += 1;
        }
        // After a card it repeats that one; as the second it repeats the first.
        let (cards, end) = two_cards(&floor, &[Move1], seed);
        assert_eq!(cards.len(), 2);
        if let Some(&other) = cards.iter().find(|&&card| card != Again).filter(|_| cards.contains(&Again)) {
            let orders = [[Move1, Move1, other, other], [Move1, other, other, other]];
            assert!(orders.iter().any(|order| end_of(&floor, order) == end), "{cards:?}");
            repeated += 1;
        }
    }
    assert!(replaced > 5 && repeated > 10, "{replaced} {repeated}");
}

#[test]
fn roborally_2023_t15_shutting_down() {
    let floor = floor(&[(9, 0, South), (9, 3, North)], |_| ());
    let mut race = race(&floor, &[&[], &[]]);
    race.draw_hands(&mut Rng::new(1));
    race.set_haywire(0, 2, Haywire::Pay);
    let hand = race.hand(0).len();
    race.order(0, &[None; REGISTERS]).expect("it shuts down");
    assert_eq!((race.hand(0).len(), race.discards(0).len(), race.haywire(0, 2)), (0, hand, None));
    race.set_register(0, 0, Some(Move1));
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race)[0], (9, 0, South));
    assert_eq!(race.positions().robot(0).map(|robot| robot.next_flag), Some(1), "it touches nothing");
    assert_eq!((race.damage_cards(0), race.damage_cards(1)), (1, 0), "it is hit and does not fire");
    race.clean_up();
    run(&mut race, &floor, 0..1);
    assert_eq!(race.positions().robot(0).map(|robot| robot.next_flag), Some(2));
}

#[test]
fn roborally_2023_t16_who_falls_is_back_in_the_next_turn() {
    let floor = floor(&[(2, 1, North)], |plan| plan.terrain(2, 0, Terrain::Pit).expect("inside"));
    let mut race = race(&floor, &[&[Move1, Move1, Move1]]);
    race.face_after_reboot(0, Some(West));
    run(&mut race, &floor, 0..5);
    assert!(
        race.is_returning(0) && race.positions().robot(0).is_some_and(|robot| robot.cell == Cell::NOWHERE)
    );
    assert_eq!((race.damage_cards(0) <= 2, race.register(0, 1), race.cards()), (true, None, 63));
    race.clean_up();
    race.draw_hands(&mut Rng::new(1));
    assert_eq!((race.hand(0).len(), race.place(0)), (9, Some(dock(5, 8, West))));
    let free = race.free_registers(0);
    race.set_register(0, 0, Some(Move2));
    run(&mut race, &floor, 0..1);
    let expected = if free & 1 == 1 { (3, 8, West) } else { places(&race)[0] };
    assert_eq!((places(&race)[0], race.is_returning(0)), (expected, false));
}

#[test]
fn roborally_2023_t17_two_return_to_one_token() {
    let floor = floor(&[(0, 3, West), (0, 5, West)], |_| ());
    let mut race = race(&floor, &[&[Move1], &[Move1]]);
    run(&mut race, &floor, 0..5);
    race.clean_up();
    // Robot 1 has the token and returns first.
    run(&mut race, &floor, 0..1);
    let ends: Vec<_> = places(&race).iter().map(|place| (place.0, place.1)).collect();
    assert!(ends.contains(&(5, 8)) && race.positions().check(floor.board()) == Ok(()), "{ends:?}");
}

#[test]
fn roborally_2023_t18_batteries() {
    let floor = floor(&[(0, 0, North)], |_| ());
    let mut race = race(&floor, &[&[]]);
    run(&mut race, &floor, 0..5);
    assert_eq!(race.energy(0), 8);
    race.clean_up();
    (0..3).for_each(|register| race.set_register(0, register, Some(PowerUp)));
    run(&mut race, &floor, 0..3);
    assert_eq!(race.energy(0), 10);
}

#[test]
fn roborally_2023_t19_the_damage_deck_runs_out() {
    let floor = floor(&[(4, 5, North)], |plan| {
        (0..4).for_each(|x| plan.laser(x, 5, East, 9).expect("inside"));
    });
    let mut race = race(&floor, &[&[]]);
    run(&mut race, &floor, 0..5);
    // 23 SPAM and a Haywire card in each register are all that a robot can have.
    assert_eq!((race.damage_cards(0), race.discards(0).count(Spam), race.cards()), (28, 23, 60));
}

proptest! {
    #[test]
    fn cards_are_neither_lost_nor_made_by_the_rules_of_2023(seed in 0_u64..400) {
        let floor = floor(&[(1, 5, East), (8, 5, West), (4, 2, South), (5, 6, North)], |plan| {
            plan.terrain(3, 3, Terrain::Pit).expect("inside");
            plan.laser(0, 4, East, 2).expect("inside");
            plan.pusher(2, 5, South, 0b1_0101).expect("inside");
        });
        let mut race = Race::by(&Rules::OF_2023, &floor, 4).expect("docks");
        let mut dice = Rng::new(seed);
        let all = race.cards();
        let mut scrapped = 0;
        for turn in 0..30 {
            if race.positions().is_over() {
                break;
            }
            race.draw_hands(&mut dice);
            for robot in 0..4 {
                prop_assert_eq!(race.hand(robot).len(), 9);
                let mut hand = race.hand(robot);
                let mut cards: Vec<PlayCard> = std::iter::from_fn(|| hand.draw(&mut dice)).collect();
                cards.truncate(race.free_registers(robot).count_ones() as usize);
                if (turn + robot) % 7 == 6 {
                    race.shut_down(robot);
                } else {
                    prop_assert_eq!(race.program(robot, &cards), Ok(()));
                }
                prop_assert!(race.is_programmed(robot));
            }
            for register in 0..REGISTERS {
                race.run_register(&floor, register, &mut dice);
                prop_assert_eq!(race.positions().check(floor.board()), Ok(()));
                prop_assert!(race.cards() <= all - scrapped);
                scrapped = all - race.cards();
            }
            race.clean_up();
        }
        // Only SPAM goes out of the game.
        prop_assert!(scrapped <= 23);
    }
}
