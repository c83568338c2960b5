//! Sequences of calls of a solver with little memory and its internal checks on: every answer, every granted preference and
//! every core agrees with a search through all assignments.

#![no_main]

use std::cell::RefCell;

use arbitrary::Arbitrary;
use barrow_solver::cdcl::{Answer, Capacity, Group, Limits, Lit, Solver, Var};
use libfuzzer_sys::fuzz_target;

const CLOCKS: usize = 4;
/// Largest number of variables in most problems, for which the search through all assignments is short.
const FEW_VARS: u8 = 6;
/// Largest number of variables in one problem of 16.
const MAX_VARS: u8 = 12;
const MAX_GROUPS: usize = 8;
const MAX_CALLS: usize = 32;
const MAX_LITS: usize = 16;

#[derive(Arbitrary, Debug)]
struct Input {
    vars: u8,
    clauses: u8,
    store: u8,
    edges: u8,
    learnt: u8,
    calls: Vec<Call>,
}

#[derive(Arbitrary, Debug)]
enum Call {
    Clause(Vec<u8>, u8),
    AtMostOne(Vec<u8>, u8),
    Sum(Vec<(i8, u8)>, i8, u8),
    Order { guard: u8, earlier: u8, later: u8, strict: bool, group: u8 },
    Solve { assumed: Vec<u8>, groups: u8, preferences: Vec<u8>, budget: Option<u8> },
    Block { which: u16, group: u8 },
    Begin,
    Release(u8),
}

thread_local! {
    /// Memory of the solver, allocated once for all inputs.
    static MEMORY: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// A constraint for the search through all assignments.
enum Rule {
    Sum(Vec<(i32, Lit)>, i32),
    Order { guard: Lit, earlier: usize, later: usize, strict: bool },
}

/// A solver under test, with the constraints, groups and last model that it should have.
struct Session<'m> {
    vars: u8,
    solver: Solver<'m>,
    groups: Vec<(Group, usize)>,
    begun: usize,
    rules: Vec<(Option<usize>, Rule)>,
    model: Option<u16>,
}

fn holds(lit: Lit, model: u16) -> bool {
    (model >> lit.var().index() & 1 == 1) == lit.is_positive()
}

impl Session<'_> {
    fn lit(&self, byte: u8) -> Lit {
        let var = Var::new(usize::from(byte >> 1) % usize::from(self.vars)).expect("few variables");
        var.lit(byte & 1 == 0)
    }

    fn lits(&self, bytes: &[u8]) -> Vec<Lit> {
        bytes.iter().take(MAX_LITS).map(|&byte| self.lit(byte)).collect()
    }

    /// Reads a group; `None`, no group, for every even byte.
    fn group(&self, byte: u8) -> Option<(Group, usize)> {
        let index = usize::from(byte >> 1).checked_rem(self.groups.len())?;
        if byte & 1 == 0 { None } else { self.groups.get(index).copied() }
    }

    fn note(&mut self, result: Result<(), Capacity>, group: Option<(Group, usize)>, rule: Rule) {
        self.model = None;
        if result.is_ok() {
            self.rules.push((group.map(|(_, number)| number), rule));
        }
    }

    fn clause(&mut self, lits: &[Lit], group: u8) {
        let group = self.group(group);
        let result = match group {
            Some((group, _)) => self.solver.add_clause_in(group, lits),
            None => self.solver.add_clause(lits),
        };
        // A clause counts a repeated literal once.
        let mut once = lits.to_vec();
        once.sort_unstable();
        once.dedup();
        self.note(result, group, Rule::Sum(once.into_iter().map(|lit| (1, lit)).collect(), 1));
    }

    fn call(&mut self, call: &Call) {
        match call {
            Call::Clause(bytes, group) => self.clause(&self.lits(bytes), *group),
            Call::AtMostOne(bytes, group) => {
                let (lits, group) = (self.lits(bytes), self.group(*group));
                let result = match group {
                    Some((group, _)) => self.solver.add_at_most_one_in(group, &lits),
                    None => self.solver.add_at_most_one(&lits),
                };
                self.note(result, group, Rule::Sum(lits.into_iter().map(|lit| (-1, lit)).collect(), -1));
            }
            Call::Sum(terms, degree, group) => {
                let terms: Vec<(i32, Lit)> = terms
                    .iter()
                    .take(MAX_LITS)
                    .map(|&(weight, byte)| (i32::from(weight), self.lit(byte)))
                    .collect();
                let (degree, group) = (i32::from(*degree), self.group(*group));
                let result = match group {
                    Some((group, _)) => self.solver.add_linear_in(group, &terms, degree),
                    None => self.solver.add_linear(&terms, degree),
                };
                self.note(result, group, Rule::Sum(terms, degree));
            }
            Call::Order { guard, earlier, later, strict, group } => {
                let (guard, group, strict) = (self.lit(*guard), self.group(*group), *strict);
                let [earlier, later] = [earlier, later].map(|clock| clock % CLOCKS as u8);
                let result = match group {
                    Some((group, _)) => self.solver.add_order_in(group, guard, earlier, later, strict),
                    None => self.solver.add_order(guard, earlier, later, strict),
                };
                let (earlier, later) = (usize::from(earlier), usize::from(later));
                self.note(result, group, Rule::Order { guard, earlier, later, strict });
            }
            Call::Solve { assumed, groups, preferences, budget } => {
                self.solve(&self.lits(assumed), *groups, &self.lits(preferences), *budget);
            }
            Call::Block { which, group } => {
                let Some(model) = self.model else { return };
                let vars = (0..usize::from(self.vars)).filter(|var| which >> var & 1 == 1);
                let block: Vec<Lit> =
                    vars.filter_map(|var| Some(Var::new(var)?.lit(model >> var & 1 == 0))).collect();
                self.clause(&block, *group);
            }
            Call::Begin => {
                if self.groups.len() < MAX_GROUPS
                    && let Ok(group) = self.solver.new_group()
                {
                    self.groups.push((group, self.begun));
                    self.begun += 1;
                }
            }
            Call::Release(byte) => {
                if let Some(index) = usize::from(*byte).checked_rem(self.groups.len()) {
                    let (group, number) = self.groups.swap_remove(index);
                    self.solver.release(group).expect("a fact needs no memory");
                    self.rules.retain(|(group, _)| *group != Some(number));
                    self.model = None;
                }
            }
        }
    }

    fn solve(&mut self, own: &[Lit], mask: u8, preferences: &[Lit], budget: Option<u8>) {
        self.model = None;
        let mut assumptions = own.to_vec();
        let mut force = Vec::new();
        for (index, &(group, number)) in self.groups.iter().enumerate() {
            if mask >> index & 1 == 1 {
                // At varying places among the other assumptions.
                assumptions.insert(index % (assumptions.len() + 1), group.lit());
                force.push(number);
            }
        }
        let budget = budget.map_or(u64::MAX, u64::from);
        let answer =
            self.solver.solve_preferring(&assumptions, preferences, budget).expect("all literals are known");
        let all = 0..1u16 << self.vars;
        if answer == Answer::Unsat {
            let core: Vec<Lit> = self.solver.core().collect();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "the core was not assumed");
            let behind = self.groups.iter().filter(|(group, _)| core.contains(&group.lit()));
            let behind: Vec<usize> = behind.map(|&(_, number)| number).collect();
            let own: Vec<Lit> = core.into_iter().filter(|lit| own.contains(lit)).collect();
            let meets = |model: u16| own.iter().all(|&lit| holds(lit, model)) && self.fits(model, &behind);
            assert!(!all.into_iter().any(meets), "the core does not clash");
            return;
        }
        if answer == Answer::Unknown {
            assert_ne!(budget, u64::MAX, "no answer without a budget");
            return;
        }
        let meets = |model: &u16| own.iter().all(|&lit| holds(lit, *model)) && self.fits(*model, &force);
        let mut models: Vec<u16> = all.filter(meets).collect();
        let vars = (0..usize::from(self.vars)).filter_map(Var::new);
        let model =
            vars.fold(0, |model, var| model | u16::from(self.solver.holds(var.positive())) << var.index());
        assert!(models.contains(&model), "not a model");
        for &preference in preferences {
            let granted: Vec<u16> =
                models.iter().copied().filter(|&model| holds(preference, model)).collect();
            assert_eq!(holds(preference, model), !granted.is_empty(), "the preference {preference:?}");
            if !granted.is_empty() {
                models = granted;
            }
        }
        let mut times = [0; CLOCKS];
        self.solver.times(&mut times);
        for (earlier, later, strict) in self.edges(model, &force) {
            assert!(times[later] >= times[earlier] + u8::from(strict), "the times are wrong");
        }
        self.model = Some(model);
    }

    fn in_force(&self, force: &[usize]) -> impl Iterator<Item = &Rule> {
        let rules = self.rules.iter().filter(|(group, _)| group.is_none_or(|number| force.contains(&number)));
        rules.map(|(_, rule)| rule)
    }

    fn edges(&self, model: u16, force: &[usize]) -> impl Iterator<Item = (usize, usize, bool)> {
        self.in_force(force).filter_map(move |rule| match *rule {
            Rule::Order { guard, earlier, later, strict } if holds(guard, model) => {
                Some((earlier, later, strict))
            }
            _ => None,
        })
    }

    fn fits(&self, model: u16, force: &[usize]) -> bool {
        let sums = self.in_force(force).all(|rule| match rule {
            Rule::Sum(terms, degree) => {
                let held = terms.iter().filter(|(_, lit)| holds(*lit, model));
                held.map(|(weight, _)| weight).sum::<i32>() >= *degree
            }
            Rule::Order { .. } => true,
        });
        // Times rise to a fixed point, or beyond the number of clocks if there is a strict cycle.
        let mut times = [0; CLOCKS];
        let mut moved = sums;
        while moved && times.iter().all(|&time| time < CLOCKS) {
            moved = false;
            for (earlier, later, strict) in self.edges(model, force) {
                let least = times[earlier] + usize::from(strict);
                moved |= times[later] < least;
                times[later] = times[later].max(least);
            }
        }
        sums && times.iter().all(|&time| time < CLOCKS)
    }
}

fuzz_target!(|input: Input| {
    let vars = 1 + (input.vars & 15) % if input.vars < 240 { FEW_VARS } else { MAX_VARS };
    let all = usize::from(MAX_VARS) + 2 * MAX_GROUPS;
    let limits = Limits {
        vars: all,
        clocks: CLOCKS,
        ticks: CLOCKS,
        edges: usize::from(input.edges),
        clauses: 4 * usize::from(input.clauses),
        store: 4 * usize::from(input.store),
        learnt: usize::from(input.learnt),
    };
    MEMORY.with_borrow_mut(|memory| {
        // What a run before left is as good as any other content.
        memory.resize(memory.len().max(limits.words()), u32::MAX);
        play(&input, vars, &limits, memory);
    });
});

/// Makes the calls on a solver with this number of variables.
fn play(input: &Input, vars: u8, limits: &Limits, memory: &mut [u32]) {
    let mut solver = Solver::new(memory, limits).expect("the memory is as long as it says");
    for _ in 0..vars {
        solver.new_var().expect("there is room for variables");
    }
    let mut session = Session { vars, solver, groups: Vec::new(), begun: 0, rules: Vec::new(), model: None };
    for call in input.calls.iter().take(MAX_CALLS) {
        session.call(call);
    }
}
