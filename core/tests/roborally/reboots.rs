//! Reboots of the second edition (rules §16.5, §17.6): nobody is lost by them, on no built-in course.

use std::collections::HashSet;

use barrow_core::contests::roborally::second_edition::{
    Aside, COURSES, Floor, PlayCard, Race, RaceRobot, Reboot, Rules,
};
use barrow_core::contests::roborally::{BoardBuilder, Cell, Direction, Dock, REGISTERS, Terrain};
use barrow_core::rng::Rng;

use crate::floor_races::{dock, places, race_by, run};
use Direction::{East, North, South, West};
use PlayCard::{Move1, Worm};

/// A floor of five by five with the antenna in the north-west corner and one reboot token.
fn small(docks: &[(usize, usize, Direction)], token: Dock, more: impl FnOnce(&mut BoardBuilder)) -> Floor {
    let mut plan = BoardBuilder::new(5, 5).expect("small");
    plan.flag(4, 0).expect("inside");
    for &(x, y, facing) in docks {
        plan.dock(x, y, facing).expect("inside");
    }
    more(&mut plan);
    let reboot = Reboot { token, corners: [Cell::new(0, 0), Cell::new(4, 4)] };
    Floor::new(plan, dock(0, 0, East), &[reboot], &[]).expect("a floor")
}

#[test]
fn roborally_rule_s21_nobody_is_pushed_off_the_floor_by_a_reboot() {
    // The arrow points at a pit, and to its right a robot stands at the edge.
    let floor = small(&[(0, 4, West), (3, 2, South), (4, 2, South)], dock(3, 2, North), |plan| {
        plan.terrain(3, 1, Terrain::Pit).expect("inside");
    });
    let mut race = race_by(&Rules::OF_2016, &floor, &[&[Move1], &[], &[]]);
    run(&mut race, &floor, 0..1);
    assert_eq!(places(&race), [(3, 2, North), (3, 3, South), (4, 2, South)]);
    assert_eq!([0, 1, 2].map(|robot| race.damage_cards(robot)), [2, 0, 0]);
}

#[test]
fn roborally_rule_s22_where_nobody_can_be_pushed_the_nearest_free_cell() {
    let floor = small(&[(4, 4, North), (2, 0, East), (2, 1, West)], dock(2, 1, North), |plan| {
        plan.terrain(1, 1, Terrain::Pit).expect("inside");
        plan.wall(2, 1, East).expect("inside");
        plan.wall(2, 1, South).expect("inside");
    });
    let mut race = race_by(&Rules::OF_2016, &floor, &[&[Worm], &[], &[Move1]]);
    run(&mut race, &floor, 0..1);
    // To the north two robots stand at the edge, to the west is a pit. Then robot 2 falls into that, and finds the token
    // free.
    assert_eq!(places(&race), [(3, 1, North), (2, 0, East), (2, 1, North)]);
    assert_eq!([0, 1, 2].map(|robot| race.damage_cards(robot)), [2, 0, 2]);
    // By the rules of 2023 whoever is in the way falls there, and is back in the next turn.
    let mut late = race_by(&Rules::OF_2023, &floor, &[&[], &[], &[]]);
    let mut robots: Vec<RaceRobot> = (0..3).filter_map(|robot| late.robot(robot)).collect();
    (robots[0].place, robots[0].returns) = (dock(2, 1, North), true);
    let aside =
        Aside { rules: &Rules::OF_2023, cubes: &[], token: 0, damage_discards: late.damage_discards() };
    late = Race::restored(&floor, &robots, &aside).expect("a race");
    run(&mut late, &floor, 0..1);
    assert_eq!([0, 1, 2].map(|robot| late.is_returning(robot)), [false, true, false]);
    assert_eq!(places(&late)[2], (2, 0, West));
}

/// Programs that owners who choose at random have, *again* last for the rules of 2016.
fn program_at_random(race: &mut Race, robot: usize, dice: &mut Rng) {
    let mut hand = race.hand(robot);
    let mut cards: Vec<PlayCard> = std::iter::from_fn(|| hand.draw(dice)).collect();
    cards.sort_by_key(|&card| card == PlayCard::Again);
    cards.truncate(race.free_registers(robot).count_ones() as usize);
    race.program(robot, &cards).expect("a hand holds a program");
}

/// Checks that every robot is on a cell of its own, but for those that return in the next turn.
fn check(race: &Race, floor: &Floor, robots: usize, name: &str) {
    assert_eq!(race.positions().check(floor.board()), Ok(()), "{name}");
    let on_floor = (0..robots).filter(|&robot| !race.is_returning(robot)).collect::<Vec<_>>();
    assert!(race.rules().has_haywire() || on_floor.len() == robots, "{name}: {:?}", places(race));
    let places = places(race);
    let cells = on_floor.iter().map(|&robot| (places[robot].0, places[robot].1)).collect::<HashSet<_>>();
    assert_eq!(cells.len(), on_floor.len(), "{name}: {places:?}");
    assert!(!cells.contains(&(floor.antenna().cell.x(), floor.antenna().cell.y())));
}

/// The race built from its robots again, as from a text.
fn rebuilt(race: &Race, floor: &Floor, robots: usize) -> Race {
    let parts = (0..robots).filter_map(|robot| race.robot(robot)).collect::<Vec<_>>();
    let cubes = floor.energy().iter().enumerate().filter(|&(space, _)| race.has_cube(space));
    let cubes = cubes.map(|(_, &cell)| cell).collect::<Vec<_>>();
    let aside = Aside {
        rules: race.rules(),
        cubes: &cubes,
        token: race.token(),
        damage_discards: race.damage_discards(),
    };
    Race::restored(floor, &parts, &aside).expect("its own robots")
}

#[test]
fn no_robot_is_lost_on_a_built_in_course() {
    for (rules, course) in [&Rules::OF_2016, &Rules::OF_2023]
        .into_iter()
        .flat_map(|rules| COURSES.iter().map(move |course| (rules, course)))
    {
        let floor = course.floor().expect("a course");
        let robots = course.players();
        for seed in 0..6 {
            let mut race = Race::by(rules, &floor, robots).expect("docks");
            let mut dice = Rng::new(seed);
            for _ in 0..40 {
                race.draw_hands(&mut dice);
                (0..robots).for_each(|robot| program_at_random(&mut race, robot, &mut dice));
                for register in 0..REGISTERS {
                    race.run_register(&floor, register, &mut dice);
                    check(&race, &floor, robots, course.name());
                }
                race.clean_up();
                check(&race, &floor, robots, course.name());
                if race.positions().is_over() {
                    break;
                }
                let again = rebuilt(&race, &floor, robots);
                let of = |race: &Race| (0..robots).map(|robot| race.robot(robot)).collect::<Vec<_>>();
                assert_eq!(of(&again), of(&race), "{}", course.name());
            }
        }
    }
}
