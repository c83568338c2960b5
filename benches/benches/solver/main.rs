//! Solver: how long does it take for the attack-planning yardstick, and how long do other solvers?
//!
//! The problems are nine boards of the yardstick, three of each size (`benches/data/attack`), in pseudo-Boolean
//! constraints; other solvers get them in clauses. Every figure is per board.

mod cnf;
mod order;
mod solvers;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use barrow_core::rng::Rng;
use barrow_solver::cdcl::Lit;
use barrow_solver_testing::opb::{Problem, load, name_of, problems_in};
use cnf::Cnf;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use solvers::{Ask, Barrow, Batsat, Peer, Varisat, limits, next_models, prophecy};

/// Number of further plans after the first.
const NEXT: usize = 10;

struct Board {
    name: String,
    problem: Problem,
    cnf: Cnf,
    preferences: Vec<i32>,
    /// Variables that distinguish plans.
    plan: Vec<i32>,
    expected: String,
}

fn boards(class: char) -> Vec<Board> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/attack");
    let expected = fs::read_to_string(folder.join("expected.txt")).expect("it is part of the repository");
    let files = problems_in(&folder).expect("they are part of the repository");
    let boards = files.iter().filter(|path| name_of(path).starts_with(class)).map(|path| {
        let (name, problem) = (name_of(path), load(path).expect("a problem"));
        let plan = fs::read_to_string(folder.join(format!("{name}.prj"))).expect("beside the problem");
        let line = expected.lines().find_map(|line| line.strip_prefix(&name)).expect("its answer");
        Board {
            cnf: Cnf::new(&problem),
            preferences: problem.preferences.iter().map(|preference| preference.to_dimacs()).collect(),
            plan: plan.split_whitespace().map(|word| word.parse().expect("a number")).collect(),
            expected: line.trim().to_owned(),
            name,
            problem,
        }
    });
    boards.collect()
}

/// Measures a step on each board, with a new preparation each time; the result is the mean of the boards.
fn measure<'b, T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    boards: &'b [Board],
    mut prepare: impl FnMut(&'b Board) -> T,
    mut step: impl FnMut(&'b Board, &mut T),
) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                for board in boards {
                    let mut prepared = prepare(board);
                    let start = Instant::now();
                    step(board, &mut prepared);
                    total += start.elapsed();
                }
            }
            total / boards.len() as u32
        });
    });
}

fn peer<P: Peer>(groups: &mut Groups<'_>, name: &str, boards: &[Board]) {
    groups.at("build", |group| {
        measure(group, name, boards, |_| None, |board, solver| *solver = Some(P::with(&board.cnf)));
    });
    groups.at("cand", |group| {
        measure(
            group,
            name,
            boards,
            |board| P::with(&board.cnf),
            |board, solver| {
                assert_eq!(prophecy(solver, &board.preferences), board.expected, "{}", board.name);
            },
        );
    });
    groups.at("next", |group| {
        let prepare = |board: &Board| {
            let mut solver = P::with(&board.cnf);
            solver.solve(&[]);
            solver
        };
        measure(group, name, boards, prepare, |board, solver| {
            assert_eq!(next_models(solver, &board.plan, NEXT), NEXT, "{}", board.name);
        });
    });
}

/// Benchmark groups of one size class; their names are question and class.
struct Groups<'c> {
    criterion: &'c mut Criterion,
    class: char,
}

impl Groups<'_> {
    fn at(&mut self, question: &str, body: impl FnOnce(&mut BenchmarkGroup<'_, WallTime>)) {
        let mut group = self.criterion.benchmark_group(format!("{question} {}", self.class));
        group
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(2));
        body(&mut group);
        group.finish();
    }
}

/// Measures a step of Barrow's solver like [`measure`], in one piece of memory for all boards.
fn measure_barrow(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    boards: &[Board],
    prepare: impl Fn(&Board, &mut Barrow<'_>),
    mut step: impl FnMut(&Board, &mut Barrow<'_>),
) {
    let words = boards.iter().map(|board| limits(&board.problem).words()).max().unwrap_or(0);
    let mut memory = vec![0; words];
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                for board in boards {
                    let mut solver = Barrow::new(&board.problem, &mut memory);
                    prepare(board, &mut solver);
                    let start = Instant::now();
                    step(board, &mut solver);
                    total += start.elapsed();
                }
            }
            total / boards.len() as u32
        });
    });
}

fn barrow(groups: &mut Groups<'_>, boards: &[Board]) {
    groups.at("build", |group| {
        let words = boards.iter().map(|board| limits(&board.problem).words()).max().unwrap_or(0);
        let mut memory = vec![0; words];
        measure(
            group,
            "barrow",
            boards,
            |_| (),
            |board, ()| {
                black_box(Barrow::new(&board.problem, &mut memory));
            },
        );
    });
    let nothing = |_: &Board, _: &mut Barrow<'_>| ();
    groups.at("cand", |group| {
        measure_barrow(group, "barrow", boards, nothing, |board, solver| {
            assert!(solver.prefer(&board.problem.preferences), "{}", board.name);
        });
        measure_barrow(group, "barrow, preference by preference", boards, nothing, |board, solver| {
            assert_eq!(prophecy(solver, &board.preferences), board.expected, "{}", board.name);
        });
    });
    let solve = |_: &Board, solver: &mut Barrow<'_>| {
        solver.solve(&[]);
    };
    groups.at("next", |group| {
        measure_barrow(group, "barrow", boards, solve, |board, solver| {
            assert_eq!(next_models(solver, &board.plan, NEXT), NEXT, "{}", board.name);
        });
    });
    // Saved phases repeat the assignments of the model, so that there are no conflicts.
    groups.at("propagate", |group| {
        measure_barrow(group, "barrow", boards, solve, |board, solver| {
            let fact = board.plan[0];
            assert!(solver.solve(&[if solver.holds(fact) { fact } else { -fact }]), "{}", board.name);
        });
    });
}

fn attack(criterion: &mut Criterion) {
    for class in ['s', 'm', 'l'] {
        let boards = boards(class);
        let mut groups = Groups { criterion, class };
        barrow(&mut groups, &boards);
        peer::<Varisat>(&mut groups, "varisat", &boards);
        peer::<Batsat>(&mut groups, "batsat", &boards);
        #[cfg(feature = "cadical")]
        peer::<cadical::Solver>(&mut groups, "cadical", &boards);
    }
}

/// Generates an unsatisfiable problem: 300 random clauses of three literals over 60 variables, which spends all time in
/// conflicts.
fn unsatisfiable(seed: u64) -> Board {
    let (vars, clauses) = (60, 300);
    let mut rng = Rng::new(seed);
    let mut constraints = Vec::new();
    while constraints.len() < clauses {
        let lits: [Option<Lit>; 3] = core::array::from_fn(|_| Lit::new(rng.below(2 * vars) as usize));
        let [a, b, c] = lits.map(|lit| lit.expect("few variables"));
        if a.var() != b.var() && b.var() != c.var() && c.var() != a.var() {
            constraints.push((vec![(1, a), (1, b), (1, c)], 1));
        }
    }
    let problem = Problem { vars: vars as usize, constraints, preferences: Vec::new() };
    let (cnf, name) = (Cnf::new(&problem), format!("seed {seed}"));
    Board { name, problem, cnf, preferences: Vec::new(), plan: Vec::new(), expected: String::new() }
}

fn refute<P: Peer>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, boards: &[Board]) {
    measure(
        group,
        name,
        boards,
        |board| P::with(&board.cnf),
        |board, solver| {
            assert!(!solver.solve(&[]), "{}", board.name);
        },
    );
}

fn conflicts(criterion: &mut Criterion) {
    let boards: Vec<Board> = (1..=8).map(unsatisfiable).collect();
    let mut group = criterion.benchmark_group("refute");
    let nothing = |_: &Board, _: &mut Barrow<'_>| ();
    let mut met = [0; 2];
    measure_barrow(&mut group, "barrow", &boards, nothing, |board, solver| {
        assert!(!solver.solve(&[]), "{}", board.name);
        met[0] += solver.solver.statistics().conflicts;
        met[1] += 1;
    });
    println!("conflicts per problem: {}", met[0].checked_div(met[1]).unwrap_or(0));
    refute::<Varisat>(&mut group, "varisat", &boards);
    refute::<Batsat>(&mut group, "batsat", &boards);
    #[cfg(feature = "cadical")]
    refute::<cadical::Solver>(&mut group, "cadical", &boards);
    group.finish();
}

criterion_group!(benches, attack, conflicts, order::order);
criterion_main!(benches);
