//! Limits that are too large to be numbered, and calls that fail for want of room: the problem stays as it was.

use barrow_solver::cdcl::{Answer, Capacity, Limits, MAX_WORDS, Resource, Solver};

const NONE: Limits = Limits { vars: 4, clocks: 0, ticks: 0, edges: 0, clauses: 0, store: 40, learnt: 10 };

#[test]
fn limits_that_cannot_be_numbered_are_refused_whatever_they_add_up_to() {
    let most = usize::MAX;
    let too_large = [
        (Resource::Vars, Limits { vars: most, ..NONE }),
        (Resource::Clocks, Limits { clocks: most, ..NONE }),
        (Resource::Ticks, Limits { clocks: 4, ticks: most, ..NONE }),
        (Resource::Edges, Limits { edges: most, ..NONE }),
        (Resource::Clauses, Limits { clauses: most, ..NONE }),
        // These add up to nothing where numbers wrap.
        (Resource::Clauses, Limits { clauses: most - NONE.words() + 1, ..NONE }),
        (Resource::Clauses, Limits { clauses: MAX_WORDS + 1, ..NONE }),
        (Resource::Store, Limits { store: MAX_WORDS + 1, ..NONE }),
        (Resource::Learnt, Limits { learnt: MAX_WORDS + 1, ..NONE }),
    ];
    for (what, limits) in too_large {
        assert_eq!(limits.words(), most, "{limits:?}");
        let refused = Solver::new(&mut [], &limits).err().map(|error| error.what);
        assert_eq!(refused, Some(what), "{limits:?}");
    }
    for size in [Limits::clause_words, Limits::at_most_one_words, Limits::linear_words] {
        assert_eq!(size(most), most);
    }
    let limits = Limits { clauses: MAX_WORDS, ..NONE };
    assert!(limits.words() > MAX_WORDS && limits.words() < most);
    let refused = Solver::new(&mut [], &limits).err();
    assert_eq!(refused, Some(Capacity { what: Resource::Memory, needed: limits.words(), available: 0 }));
}

#[test]
fn many_clocks_have_few_ticks() {
    for (clocks, ticks) in [(256, 128), (181, 181), (129, 255), (0, 255)] {
        let limits = Limits { clocks, ticks, ..NONE };
        assert!(Solver::new(&mut vec![0; limits.words()], &limits).is_ok(), "{clocks} clocks, {ticks} ticks");
    }
    for (clocks, ticks, available) in [(256, 129, 128), (182, 182, 181), (1, 256, 255)] {
        let refused = Solver::new(&mut [0; 100], &Limits { clocks, ticks, ..NONE }).err();
        assert_eq!(refused, Some(Capacity { what: Resource::Ticks, needed: ticks, available }));
    }
}

/// An order constraint of a group is a variable, two clauses and an edge: without room for one of them there is none of
/// the others.
#[test]
fn an_order_constraint_of_a_group_is_added_as_a_whole_or_not_at_all() {
    let enough = Limits { vars: 4, clocks: 2, ticks: 2, edges: 1, clauses: 8, store: 4, learnt: 40 };
    let lacking = [
        (Resource::Vars, Limits { vars: 2, ..enough }),
        (Resource::Clocks, Limits { clocks: 1, ..enough }),
        (Resource::Ticks, Limits { ticks: 1, ..enough }),
        (Resource::Edges, Limits { edges: 0, ..enough }),
        (Resource::Clauses, Limits { clauses: 0, ..enough }),
        (Resource::Store, Limits { store: 0, ..enough }),
    ];
    for (what, limits) in
        lacking.into_iter().map(|(what, limits)| (Some(what), limits)).chain([(None, enough)])
    {
        let mut memory = vec![u32::MAX; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        let guard = solver.new_var().unwrap().positive();
        let group = solver.new_group().unwrap();
        let before = solver.used_words();
        for _ in 0..3 {
            let failed = solver.add_order_in(group, guard, 0, 1, true).err().map(|error| error.what);
            if what.is_none() {
                break;
            }
            assert_eq!(failed, what);
            assert_eq!(solver.used_words(), before, "{what:?}");
        }
        if what.is_some_and(|what| what != Resource::Vars) {
            solver.new_var().unwrap();
            solver.new_var().unwrap();
        }
        assert_eq!(solver.solve(&[group.lit(), guard]), Ok(Answer::Sat));
        if what.is_none() {
            let mut times = [0; 2];
            solver.times(&mut times);
            assert!(times[0] < times[1], "{times:?}");
            assert_eq!(solver.solve(&[group.lit()]), Ok(Answer::Sat));
            solver.release(group).unwrap();
            // What can never be in force takes nothing.
            let used = solver.used_words();
            solver.add_order_in(group, guard, 1, 0, true).unwrap();
            assert_eq!((solver.used_words(), solver.solve(&[guard])), (used, Ok(Answer::Sat)));
        }
    }
}
