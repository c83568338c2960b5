//! Properties of every board and every race.

use barrow_core::contests::roborally::numbering::Classes;
use barrow_core::contests::roborally::{Card, CardSet, Profile, Robot, State};
use proptest::prelude::*;

use barrow_testing::generators::choices::Choices;
use barrow_testing::roborally::generators::{board, race};

proptest! {
    #[test]
    fn races_stay_valid(bytes in prop::collection::vec(any::<u8>(), 200..1500)) {
        let mut choices = Choices::new(&bytes);
        let board = board(&mut choices);
        race(&board, &mut choices, 12);
    }

    #[test]
    fn equal_races_end_equally(bytes in prop::collection::vec(any::<u8>(), 200..600)) {
        let run = || {
            let mut choices = Choices::new(&bytes);
            let board = board(&mut choices);
            race(&board, &mut choices, 4)
        };
        prop_assert_eq!(run(), run());
    }

    /// The order of robots in the list does not matter to a turn: priorities are printed on the cards.
    #[test]
    fn robots_have_no_rank(bytes in prop::collection::vec(any::<u8>(), 200..600), turn in 1_usize..8) {
        let mut choices = Choices::new(&bytes);
        let board = board(&mut choices);
        let state = race(&board, &mut choices, 2);
        prop_assume!(!state.is_over() && state.profile() == Profile::Classic);
        let count = state.robots();
        let robots: Vec<Robot> = (0..count).filter_map(|robot| state.robot(robot)).collect();
        let order: Vec<usize> = (0..count).map(|robot| (robot + turn) % count).collect();
        let turned: Vec<Robot> = order.iter().map(|&robot| robots[robot]).collect();
        let [mut state, mut other] =
            [&robots, &turned].map(|robots| State::from_robots(&board, Profile::Classic, robots).expect("valid"));
        let mut deck: Vec<Card> = CardSet::DECK.iter().collect();
        for robot in 0..count {
            for register in 0..5 {
                let card = deck.swap_remove(choices.below(deck.len()));
                state.set_register(robot, register, Some(card)).expect("a register");
                let place = order.iter().position(|&at| at == robot).expect("a permutation");
                other.set_register(place, register, Some(card)).expect("a register");
            }
        }
        state.run_registers(&board);
        other.run_registers(&board);
        for (place, &robot) in order.iter().enumerate() {
            prop_assert_eq!(state.robot(robot), other.robot(place));
        }
    }

    /// Claim of rules §9: programs of one action come to the same, whatever the others hold.
    #[test]
    fn equivalent_programs_come_to_the_same(
        bytes in prop::collection::vec(any::<u8>(), 200..600),
        cards in prop::collection::vec(0_usize..84, 84),
        swaps in prop::collection::vec(any::<bool>(), 9),
    ) {
        let mut choices = Choices::new(&bytes);
        let board = board(&mut choices);
        let mut deck: Vec<Card> = CardSet::DECK.iter().collect();
        let mut draw = |place: usize| deck.swap_remove(cards[place] % deck.len());
        let hand: CardSet = (0..9).map(&mut draw).collect();
        let classes = Classes::of(hand).expect("nine cards");
        let number = cards[83] as u32 * 97 % classes.sizes().count(5);
        let program = classes.program(5, number).expect("an action");
        // Another choice out of the same classes.
        let mut other: Vec<Card> = program.to_vec();
        for class in classes.iter() {
            for (pair, &swap) in class.windows(2).zip(&swaps) {
                if swap {
                    for card in &mut other {
                        *card = if *card == pair[0] { pair[1] } else if *card == pair[1] { pair[0] } else { *card };
                    }
                }
            }
        }
        let robots = board.docks().len();
        let mut state = State::new(&board, Profile::Classic, robots, 2).expect("docks");
        for robot in 1..robots {
            for register in 0..5 {
                let card = draw(9 + robot * 5 + register);
                state.set_register(robot, register, Some(card)).expect("a register");
            }
        }
        let ends = [&program[..], &other].map(|program| {
            let mut state = state;
            state.program(0, hand, program).expect("out of the hand");
            state.run_registers(&board);
            (0..robots).map(|robot| state.robot(robot)).collect::<Vec<_>>()
        });
        prop_assert_eq!(&ends[0], &ends[1]);
    }
}
