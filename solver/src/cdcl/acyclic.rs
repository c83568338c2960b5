//! Order reasoning without ticks, the alternative to `order.rs`, which tells by how much it lost: clocks are points on
//! a line, and a guarded edge says `later >= earlier` or, when strict, `later > earlier`. A set of true guards is
//! consistent exactly when no cycle of its edges contains a strict one, so the propagator looks for cycles and
//! refutes the guards that would close one (acyclicity in the sense of Gebser, Janhunen & Rintanen, "SAT modulo
//! graphs: acyclicity", 2014).

use super::limits::{Carver, MAX_CLOCKS, bytes, halves};
use super::lit::Lit;
use super::occurrences::{self, Heads, List};
use super::trail::{Reason, Trail};

const END: u16 = u16::MAX;

/// Clocks reached by a search: plainly, and over at least one strict edge.
#[derive(Clone, Copy)]
struct Reached {
    plain: u128,
    strict: u128,
}

/// Guarded edges between clocks. `ahead` lists true edges by their earlier clock, `behind` by their later one.
pub(super) struct Order<'m> {
    guards: &'m mut [u16],
    earlier: &'m mut [u8],
    later: &'m mut [u8],
    strict: &'m mut [u8],
    /// Next edge with the same guard.
    same_guard: &'m mut [u32],
    next_ahead: &'m mut [u16],
    next_behind: &'m mut [u16],
    ahead: &'m mut [u16],
    behind: &'m mut [u16],
    stack: &'m mut [u16],
    len: usize,
}

impl<'m> Order<'m> {
    /// Words that [`Order::new`] takes.
    pub(super) const fn words(clocks: usize, edges: usize) -> usize {
        let by_edge = 3 * halves(edges) + 3 * bytes(edges) + edges;
        by_edge + 2 * halves(clocks) + halves(2 * clocks)
    }

    pub(super) fn new(carver: &mut Carver<'m>, clocks: usize, edges: usize) -> Self {
        let order = Order {
            guards: carver.halves(edges),
            earlier: carver.bytes(edges),
            later: carver.bytes(edges),
            strict: carver.bytes(edges),
            same_guard: carver.words(edges),
            next_ahead: carver.halves(edges),
            next_behind: carver.halves(edges),
            ahead: carver.halves(clocks),
            behind: carver.halves(clocks),
            stack: carver.halves(2 * clocks),
            len: 0,
        };
        order.ahead.fill(END);
        order.behind.fill(END);
        order
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn capacity(&self) -> usize {
        self.guards.len()
    }

    pub(super) fn clocks(&self) -> usize {
        self.ahead.len()
    }

    pub(super) fn guard(&self, edge: u16) -> Lit {
        Lit::wrapped(u32::from(self.guards[usize::from(edge)]))
    }

    /// Adds an edge; its guard must be free. The caller has made sure of room.
    pub(super) fn add(&mut self, heads: &mut Heads<'_>, guard: Lit, earlier: u8, later: u8, strict: bool) {
        let edge = self.len;
        self.guards[edge] = guard.index() as u16;
        self.earlier[edge] = earlier;
        self.later[edge] = later;
        self.strict[edge] = u8::from(strict);
        let head = heads.first(!guard, List::Edges);
        self.same_guard[edge] = *head;
        *head = edge as u32;
        self.len += 1;
    }

    /// Puts the edges of a list, whose guard has become true, into the graph.
    pub(super) fn insert(&mut self, first: u32) {
        let mut edge = first;
        while edge != occurrences::END {
            self.insert_edge(edge as u16);
            edge = self.same_guard[edge as usize];
        }
    }

    fn insert_edge(&mut self, edge: u16) {
        let index = usize::from(edge);
        let (from, to) = (usize::from(self.earlier[index]), usize::from(self.later[index]));
        self.next_ahead[index] = self.ahead[from];
        self.ahead[from] = edge;
        self.next_behind[index] = self.behind[to];
        self.behind[to] = edge;
    }

    /// Refutes the guards of edges that would close a cycle with the edges of a list, whose guard is true. On
    /// conflict returns the edge that closes one.
    pub(super) fn propagate(&mut self, first: u32, trail: &mut Trail<'_>) -> Result<(), u16> {
        let mut edge = first;
        while edge != occurrences::END {
            self.refute(edge as u16, trail)?;
            edge = self.same_guard[edge as usize];
        }
        Ok(())
    }

    /// Brings the newest edge, added at the root, up to date with the trail. On conflict returns the edge.
    pub(super) fn settle_newest(&mut self, trail: &mut Trail<'_>) -> Result<(), u16> {
        let Some(newest) = self.len.checked_sub(1) else { return Ok(()) };
        let edge = newest as u16;
        let guard = self.guard(edge);
        if trail.is_true(guard) {
            self.insert_edge(edge);
            return self.refute(edge, trail);
        }
        let after = self.search(usize::from(self.later[newest]), true);
        let start = 1u128 << self.earlier[newest];
        let reached = if self.strict[newest] != 0 { after.plain } else { after.strict };
        if reached & start != 0 && trail.is_free(guard) {
            trail.assign(!guard, Reason::Order(edge));
        }
        Ok(())
    }

    /// Forgets edges whose guards are false at level 0, where the trail must be.
    pub(super) fn sweep(&mut self, heads: &mut Heads<'_>, trail: &Trail<'_>) {
        let edges = self.len;
        self.len = 0;
        heads.clear(List::Edges);
        self.ahead.fill(END);
        self.behind.fill(END);
        for edge in 0..edges {
            let guard = self.guard(edge as u16);
            if trail.is_false(guard) {
                continue;
            }
            let newest = self.len as u16;
            self.add(heads, guard, self.earlier[edge], self.later[edge], self.strict[edge] != 0);
            if trail.is_true(guard) {
                self.insert_edge(newest);
            }
        }
    }

    /// Takes the edges of a list out whose guard becomes free again; newest first, as they are at the front.
    pub(super) fn restore(&mut self, first: u32) {
        let mut edge = first;
        let mut count = 0;
        while edge != occurrences::END {
            count += 1;
            edge = self.same_guard[edge as usize];
        }
        for skip in (0..count).rev() {
            let mut edge = first;
            for _ in 0..skip {
                edge = self.same_guard[edge as usize];
            }
            let index = edge as usize;
            self.ahead[usize::from(self.earlier[index])] = self.next_ahead[index];
            self.behind[usize::from(self.later[index])] = self.next_behind[index];
        }
    }

    /// Looks for cycles through an edge of the graph.
    fn refute(&mut self, new: u16, trail: &mut Trail<'_>) -> Result<(), u16> {
        let index = usize::from(new);
        let strict = self.strict[index] != 0;
        let after = self.search(usize::from(self.later[index]), true);
        let start = 1u128 << self.earlier[index];
        if after.strict & start != 0 || (strict && after.plain & start != 0) {
            return Err(new);
        }
        let before = self.search(usize::from(self.earlier[index]), false);
        for other in 0..self.len {
            let guard = self.guard(other as u16);
            if !trail.is_free(guard) {
                continue;
            }
            // The other edge would run from a clock after the new edge to a clock before it.
            let (from, to) = (1u128 << self.earlier[other], 1u128 << self.later[other]);
            let closes = after.plain & from != 0 && before.plain & to != 0;
            let turns =
                strict || self.strict[other] != 0 || after.strict & from != 0 || before.strict & to != 0;
            if closes && turns {
                trail.assign(!guard, Reason::Order(other as u16));
            }
        }
        Ok(())
    }

    /// Clocks reached from a clock along (or against) the edges of the graph.
    fn search(&mut self, from: usize, forward: bool) -> Reached {
        let mut reached = Reached { plain: 1 << from, strict: 0 };
        let mut depth = 0;
        self.stack[depth] = from as u16;
        depth += 1;
        // A clock is visited at most twice: when first reached, and when first reached strictly.
        while depth > 0 {
            depth -= 1;
            let clock = usize::from(self.stack[depth]);
            let was_strict = reached.strict & 1 << clock != 0;
            let mut edge = if forward { self.ahead[clock] } else { self.behind[clock] };
            while edge != END {
                let index = usize::from(edge);
                let next = usize::from(if forward { self.later[index] } else { self.earlier[index] });
                let bit = 1u128 << next;
                let turns = was_strict || self.strict[index] != 0;
                if reached.plain & bit == 0 || (turns && reached.strict & bit == 0) {
                    reached.plain |= bit;
                    if turns {
                        reached.strict |= bit;
                    }
                    if depth < self.stack.len() {
                        self.stack[depth] = next as u16;
                        depth += 1;
                    }
                }
                edge = if forward { self.next_ahead[index] } else { self.next_behind[index] };
            }
        }
        reached
    }

    /// Visits the negated guards of a path that closes a cycle with `edge`, all of them assigned before
    /// `position`: a shortest walk from the edge's later clock to its earlier one that is strict if the edge is
    /// not (breadth first over clock and strictness).
    pub(super) fn explain(&self, edge: u16, position: usize, trail: &Trail<'_>, mut visit: impl FnMut(Lit)) {
        let index = usize::from(edge);
        let (from, to) = (usize::from(self.later[index]), usize::from(self.earlier[index]));
        let goal = (2 * to) | usize::from(self.strict[index] == 0);
        let start = 2 * from;
        // For each clock and strictness: the edge by which it was first reached, and from which node.
        let mut came_by = [(END, 0u16); 2 * MAX_CLOCKS];
        let mut queue = [0u16; 2 * MAX_CLOCKS];
        let (mut head, mut tail) = (0, 1);
        queue[0] = start as u16;
        let mut seen = [0u128; 2];
        seen[0] |= 1 << from;
        while head < tail && came_by[goal].0 == END {
            let node = usize::from(queue[head]);
            head += 1;
            let mut edge = self.ahead[node / 2];
            while edge != END {
                let at = usize::from(edge);
                let next = usize::from(self.later[at]);
                let turns = (node % 2) | usize::from(self.strict[at] != 0);
                let early = trail.position_of(self.guard(edge).var()) < position;
                if early && edge != index as u16 && seen[turns] & 1 << next == 0 {
                    seen[turns] |= 1 << next;
                    came_by[2 * next + turns] = (edge, node as u16);
                    queue[tail] = (2 * next + turns) as u16;
                    tail += 1;
                }
                edge = self.next_ahead[at];
            }
        }
        // A strict edge closes a cycle over any way back, be it strict itself.
        let mut node = if came_by[goal].0 == END { goal | 1 } else { goal };
        while node != start && came_by[node].0 != END {
            let (edge, previous) = came_by[node];
            visit(!self.guard(edge));
            node = usize::from(previous);
        }
    }

    /// Times that satisfy all true edges: for each clock the number of strict edges on the longest way to it.
    pub(super) fn times(&self, times: &mut [u8]) {
        times.fill(0);
        for _ in 0..self.clocks() {
            let mut changed = false;
            for clock in 0..self.clocks() {
                let mut edge = self.ahead[clock];
                while edge != END {
                    let at = usize::from(edge);
                    let earliest = times[clock].saturating_add(self.strict[at]);
                    let later = &mut times[usize::from(self.later[at])];
                    if *later < earliest {
                        *later = earliest;
                        changed = true;
                    }
                    edge = self.next_ahead[at];
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Adds up all ways between clocks until nothing changes, and looks for guards that would close a cycle.
    #[cfg(feature = "check")]
    pub(super) fn check(&self, trail: &Trail<'_>) {
        let edges = || {
            (0..self.len).map(|edge| {
                let (from, to) = (usize::from(self.earlier[edge]), usize::from(self.later[edge]));
                (self.guard(edge as u16), from, to, self.strict[edge] != 0)
            })
        };
        let (mut plain, mut strict) = ([0u128; MAX_CLOCKS], [0u128; MAX_CLOCKS]);
        for (clock, reached) in plain.iter_mut().enumerate() {
            *reached = 1 << clock;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (_, from, to, turns) in edges().filter(|edge| trail.is_true(edge.0)) {
                let more =
                    (plain[from] | plain[to], strict[from] | if turns { plain[to] } else { strict[to] });
                changed |= more != (plain[from], strict[from]);
                (plain[from], strict[from]) = more;
            }
        }
        for (guard, from, to, turns) in edges().filter(|edge| !trail.is_false(edge.0)) {
            let back = if turns { plain[to] } else { strict[to] };
            assert!(back >> from & 1 == 0, "the guard {guard:?} closes a cycle and is not refuted");
        }
    }
}
