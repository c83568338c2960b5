//! Order constraints by bounds propagation: each clock has an earliest and a latest tick, true edges push both, and the
//! guard of an edge that would leave a clock no tick is false (bounds propagation with explanations as in Ohrimenko,
//! Stuckey & Codish, "Propagation via lazy clause generation", 2009). A strict cycle is detected when a new edge
//! pushes the clock it starts from (Cotton & Maler, "Fast and flexible difference constraint propagation for
//! DPLL(T)", 2006), so bounds never creep.
//!
//! No horizon is needed: a chain without a strict cycle leaves each group of simultaneous clocks by at most one strict
//! edge, so that one tick more suffices than clocks have strict edges from them, or to them, whichever are fewer. That
//! makes the propagation complete and weak: the guard of an edge that would close a cycle is false only when the chains
//! at both ends leave no tick.
//!
//! A propagator that looks for cycles along each new edge, and refutes every guard that would close one (acyclicity in
//! the sense of Gebser, Janhunen & Rintanen, "SAT modulo graphs: acyclicity", 2014), was measured against this one and
//! lost: a prophecy on the yardstick's boards (example `boards`, 20 of each size) takes 2.5 / 11 / 47 µs with bounds
//! and 2.3 / 14 / 107 µs with cycles, with the same answers. Bounds pay with memory, two pushes for each clock and
//! tick.

use super::arena::{Arena, words_of_bytes, words_of_halves};
use super::array::Array;
use super::clock_set::ClockSet;
use super::lit::Lit;
use super::occurrences::{self, List, Occurrences};
use super::trail::{Reason, Trail};

/// Most ticks of a problem.
pub const MAX_TICKS: usize = 255;

/// End of a list of edges or pushes.
const END: u16 = u16::MAX;

/// 64-bit words of a hashed set of edges: 1,024 edges have bits of their own, and boards of ordinary games have fewer.
const SIEVE: usize = 16;

/// Side of a clock's bounds: earliest ticks are pushed up along the edges, latest ones down against them.
#[derive(Clone, Copy)]
enum Side {
    Earliest = 0,
    Latest = 1,
}

/// Order constraints: guarded edges between clocks. A bound is a number of ticks: for the earliest tick from the first
/// one, for the latest from the last one, so that it starts at 0 and grows on both sides. It is found at twice the
/// clock plus the side.
pub(super) struct Order<'m> {
    /// Guard, clocks and strictness by edge.
    guards: Array<'m, u16>,
    earlier: Array<'m, u8>,
    later: Array<'m, u8>,
    strict: Array<'m, u8>,
    /// By edge the next one with the same guard.
    same_guard: Array<'m, u32>,
    /// By edge the next true one with the same earlier clock, and with the same later clock.
    next_ahead: Array<'m, u16>,
    next_behind: Array<'m, u16>,
    /// By bound the edges that may no longer fit when it grows, true or not, as lists linked by the two arrays below.
    touched: Array<'m, u16>,
    next_from: Array<'m, u16>,
    next_to: Array<'m, u16>,
    /// Number of pushes when the guard became true, at the first of its edges; or when the guard became false by this
    /// edge.
    marks: Array<'m, u16>,
    /// By clock the newest true edge with this earlier clock, and with this later clock.
    ahead: Array<'m, u16>,
    behind: Array<'m, u16>,
    bounds: Array<'m, u8>,
    /// By bound its newest push.
    newest: Array<'m, u16>,
    /// By push its bound, the new value, the edge that caused it, and the previous push of that bound.
    which: Array<'m, u16>,
    values: Array<'m, u8>,
    causes: Array<'m, u16>,
    before: Array<'m, u16>,
    pushes: usize,
    len: usize,
    /// Ticks between the first and the last tick.
    span: usize,
    /// Clocks with strict edges from them, and with strict edges to them.
    sources: ClockSet,
    targets: ClockSet,
}

/// Most edges, which are numbers of 16 bits.
pub(super) const MOST_EDGES: usize = u16::MAX as usize - 1;

/// Most pushes, which are numbers of 16 bits, too.
pub(super) const MOST_PUSHES: usize = MOST_EDGES;

/// Most ticks with so many clocks.
pub(super) fn most_ticks(clocks: usize) -> usize {
    MOST_PUSHES.checked_div(clocks.saturating_mul(2)).map_or(MAX_TICKS, |steps| MAX_TICKS.min(steps + 1))
}

/// Most pushes on the trail: each bound takes each of its values once.
pub(super) const fn most_pushes(clocks: usize, ticks: usize) -> usize {
    2 * clocks * ticks.saturating_sub(1)
}

impl<'m> Order<'m> {
    /// Words that [`Order::new`] takes.
    pub(super) const fn words(clocks: usize, ticks: usize, edges: usize) -> usize {
        let pushes = most_pushes(clocks, ticks);
        let by_edge = 6 * words_of_halves(edges) + 3 * words_of_bytes(edges) + edges;
        let by_clock =
            2 * words_of_halves(clocks) + words_of_bytes(2 * clocks) + 2 * words_of_halves(2 * clocks);
        by_edge + by_clock + words_of_bytes(pushes) + 3 * words_of_halves(pushes)
    }

    pub(super) fn new(arena: &mut Arena<'m>, clocks: usize, ticks: usize, edges: usize) -> Self {
        let pushes = most_pushes(clocks, ticks);
        let mut order = Order {
            guards: arena.halves(edges),
            earlier: arena.bytes(edges),
            later: arena.bytes(edges),
            strict: arena.bytes(edges),
            same_guard: arena.words(edges),
            next_ahead: arena.halves(edges),
            next_behind: arena.halves(edges),
            touched: arena.halves(2 * clocks),
            next_from: arena.halves(edges),
            next_to: arena.halves(edges),
            marks: arena.halves(edges),
            ahead: arena.halves(clocks),
            behind: arena.halves(clocks),
            bounds: arena.bytes(2 * clocks),
            newest: arena.halves(2 * clocks),
            which: arena.halves(pushes),
            values: arena.bytes(pushes),
            causes: arena.halves(pushes),
            before: arena.halves(pushes),
            pushes: 0,
            len: 0,
            span: ticks.saturating_sub(1),
            sources: ClockSet::EMPTY,
            targets: ClockSet::EMPTY,
        };
        order.clear();
        order
    }

    /// Removes all edges.
    fn clear(&mut self) {
        self.ahead.fill(END);
        self.behind.fill(END);
        self.touched.fill(END);
        self.bounds.fill(0);
        self.newest.fill(END);
        (self.pushes, self.len) = (0, 0);
        (self.sources, self.targets) = (ClockSet::EMPTY, ClockSet::EMPTY);
    }

    /// Ticks that would be needed with one more edge, if there are not as many.
    pub(super) fn missing_ticks(&self, earlier: u8, later: u8, strict: bool) -> Option<usize> {
        if !strict || self.span + 1 >= self.clocks() {
            return None;
        }
        let sources = self.sources.len() + usize::from(!self.sources.contains(earlier));
        let targets = self.targets.len() + usize::from(!self.targets.contains(later));
        let steps = sources.min(targets);
        (steps > self.span).then_some(steps + 1)
    }

    /// Number of edges.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Most edges.
    pub(super) fn capacity(&self) -> usize {
        self.guards.len()
    }

    /// Number of clocks.
    pub(super) fn clocks(&self) -> usize {
        self.ahead.len()
    }

    /// Guard of an edge.
    pub(super) fn guard(&self, edge: u16) -> Lit {
        Lit::wrapped(u32::from(self.guards[usize::from(edge)]))
    }

    /// Adds an edge; its guard must be free. The caller has made sure of room.
    pub(super) fn add(
        &mut self,
        occurrences: &mut Occurrences<'_>,
        guard: Lit,
        earlier: u8,
        later: u8,
        strict: bool,
    ) {
        let edge = self.len;
        self.guards[edge] = guard.index() as u16;
        self.earlier[edge] = earlier;
        self.later[edge] = later;
        self.strict[edge] = u8::from(strict);
        let (from, to) = (2 * usize::from(earlier), 2 * usize::from(later) + 1);
        self.next_from[edge] = core::mem::replace(&mut self.touched[from], edge as u16);
        self.next_to[edge] = core::mem::replace(&mut self.touched[to], edge as u16);
        let first = occurrences.first(!guard, List::Edges);
        self.same_guard[edge] = *first;
        *first = edge as u32;
        self.len += 1;
        if strict {
            self.sources.insert(earlier);
            self.targets.insert(later);
        }
    }

    /// Inserts the edges of an occurrence list, whose guard has become true, into the graph of true edges.
    pub(super) fn insert(&mut self, first: u32) {
        if let Some(mark) = self.marks.get_mut(first as usize) {
            *mark = self.pushes as u16;
        }
        let mut edge = first;
        while edge != occurrences::END {
            self.insert_edge(edge as u16);
            edge = self.same_guard[edge as usize];
        }
    }

    /// Inserts one edge into the graph of true edges.
    fn insert_edge(&mut self, edge: u16) {
        let index = usize::from(edge);
        let (from, to) = (usize::from(self.earlier[index]), usize::from(self.later[index]));
        self.next_ahead[index] = self.ahead[from];
        self.ahead[from] = edge;
        self.next_behind[index] = self.behind[to];
        self.behind[to] = edge;
    }

    /// Propagates the edges of an occurrence list, whose guard is true: pushes bounds, and makes the guards of edges
    /// that no longer fit false. On conflict returns the edge that pushes too far.
    pub(super) fn propagate(&mut self, first: u32, trail: &mut Trail<'_>) -> Result<(), u16> {
        let pushes = self.pushes;
        let mut edge = first;
        while edge != occurrences::END {
            self.push(edge as u16)?;
            edge = self.same_guard[edge as usize];
        }
        self.refute_touched(pushes, trail);
        Ok(())
    }

    /// Propagates the newest edge, which was added at level 0. On conflict returns the edge.
    pub(super) fn propagate_newest(&mut self, trail: &mut Trail<'_>) -> Result<(), u16> {
        let Some(newest) = self.len.checked_sub(1) else { return Ok(()) };
        let edge = newest as u16;
        if !trail.is_true(self.guard(edge)) {
            self.refute(newest, trail);
            return Ok(());
        }
        let pushes = self.pushes;
        self.insert_edge(edge);
        self.push(edge)?;
        self.refute_touched(pushes, trail);
        Ok(())
    }

    /// Removes the edges whose guards are false at level 0, where the trail must be.
    pub(super) fn remove_satisfied(&mut self, occurrences: &mut Occurrences<'_>, trail: &Trail<'_>) {
        let edges = self.len;
        occurrences.clear(List::Edges);
        self.clear();
        for edge in 0..edges {
            let guard = self.guard(edge as u16);
            if trail.is_false(guard) {
                continue;
            }
            let newest = self.len as u16;
            self.add(occurrences, guard, self.earlier[edge], self.later[edge], self.strict[edge] != 0);
            if trail.is_true(guard) {
                self.insert_edge(newest);
                // All edges together were consistent, so that fewer of them are.
                let pushed = self.push(newest);
                debug_assert!(pushed.is_ok());
            }
        }
    }

    /// Removes the edges of an occurrence list, whose guard becomes free again, from the graph, and undoes their
    /// pushes.
    pub(super) fn restore(&mut self, first: u32) {
        while self.pushes > usize::from(self.marks[first as usize]) {
            self.pushes -= 1;
            let (which, before) = (usize::from(self.which[self.pushes]), self.before[self.pushes]);
            self.newest[which] = before;
            self.bounds[which] = self.values.get(usize::from(before)).copied().unwrap_or(0);
        }
        let mut edge = first;
        let mut count = 0;
        while edge != occurrences::END {
            count += 1;
            edge = self.same_guard[edge as usize];
        }
        // Newest edge first, as it is at the front of its lists.
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

    /// The clocks from which and to which an edge pushes.
    fn ends(&self, edge: u16, side: Side) -> (usize, usize) {
        let (earlier, later) = (self.earlier[usize::from(edge)], self.later[usize::from(edge)]);
        match side {
            Side::Earliest => (usize::from(earlier), usize::from(later)),
            Side::Latest => (usize::from(later), usize::from(earlier)),
        }
    }

    /// Number of ticks.
    pub(super) const fn ticks(&self) -> usize {
        self.span + 1
    }

    /// Whether an edge fits between the bounds of its clocks.
    fn fits(&self, edge: usize) -> bool {
        let (from, to) = (usize::from(self.earlier[edge]), usize::from(self.later[edge]));
        let ticks = [self.bounds[2 * from], self.strict[edge], self.bounds[2 * to + 1]];
        ticks.map(usize::from).iter().sum::<usize>() <= self.span
    }

    /// Makes the guard of an edge false if the edge does not fit.
    fn refute(&mut self, edge: usize, trail: &mut Trail<'_>) {
        if !self.fits(edge) && trail.is_free(self.guard(edge as u16)) {
            self.marks[edge] = self.pushes as u16;
            trail.assign(!self.guard(edge as u16), Reason::Order(edge as u16));
        }
    }

    /// Makes the guards of edges false that no longer fit after the pushes from `first` on, in the order in which the
    /// edges were added. Only edges at pushed bounds are checked: the others fit as before.
    fn refute_touched(&mut self, first: usize, trail: &mut Trail<'_>) {
        if first == self.pushes {
            return;
        }
        let mut touched = [0u64; SIEVE];
        for push in first..self.pushes {
            let which = usize::from(self.which[push]);
            let next = if which.is_multiple_of(2) { &self.next_from } else { &self.next_to };
            let mut edge = self.touched[which];
            while edge != END {
                let index = usize::from(edge);
                // Beyond the size of the sieve several edges share a bit.
                touched[index / 64 % SIEVE] |= 1 << (index % 64);
                edge = next[index];
            }
        }
        for start in (0..self.len).step_by(64) {
            let mut word = touched[start / 64 % SIEVE];
            while word != 0 {
                let edge = start + word.trailing_zeros() as usize;
                word &= word - 1;
                if edge < self.len {
                    self.refute(edge, trail);
                }
            }
        }
    }

    /// Pushes bounds by an edge of the graph, and by the edges that follow it. On conflict returns the edge that pushes
    /// too far.
    fn push(&mut self, new: u16) -> Result<(), u16> {
        for side in [Side::Earliest, Side::Latest] {
            let upward = matches!(side, Side::Earliest);
            let (start, next) = self.ends(new, side);
            let mut pending = ClockSet::EMPTY;
            if self.push_by(new, side, start)? {
                pending.insert(next as u8);
            }
            while let Some(clock) = pending.pop() {
                let mut edge = if upward { self.ahead[clock] } else { self.behind[clock] };
                while edge != END {
                    if self.push_by(edge, side, start)? {
                        pending.insert(self.ends(edge, side).1 as u8);
                    }
                    let index = usize::from(edge);
                    edge = if upward { self.next_ahead[index] } else { self.next_behind[index] };
                }
            }
        }
        Ok(())
    }

    /// Pushes one bound by one edge, and returns whether the bound grew. It is a conflict if no tick is left, and if
    /// the pushed clock is `start`, from which the new edge pushes: then there is a strict cycle.
    fn push_by(&mut self, edge: u16, side: Side, start: usize) -> Result<bool, u16> {
        let (from, to) = self.ends(edge, side);
        let which = 2 * to + side as usize;
        let bound = self.bounds[2 * from + side as usize] + self.strict[usize::from(edge)];
        if bound <= self.bounds[which] {
            return Ok(false);
        }
        if to == start || usize::from(bound) + usize::from(self.bounds[which ^ 1]) > self.span {
            return Err(edge);
        }
        self.which[self.pushes] = which as u16;
        self.values[self.pushes] = bound;
        self.causes[self.pushes] = edge;
        self.before[self.pushes] = self.newest[which];
        self.newest[which] = self.pushes as u16;
        self.bounds[which] = bound;
        self.pushes += 1;
        Ok(true)
    }

    /// Visits the negated guards of the edges because of which `edge` no longer fits: on the chains that pushed its
    /// clocks, no more than are needed. If the guard of `edge` is true, which is a conflict, a strict cycle through
    /// `edge` may come first.
    pub(super) fn explain(&self, edge: u16, trail: &Trail<'_>, mut visit: impl FnMut(Lit)) {
        let clash = trail.is_true(self.guard(edge));
        let until = if clash { self.pushes } else { usize::from(self.marks[usize::from(edge)]) };
        let strict = usize::from(self.strict[usize::from(edge)]);
        let mut missing = (self.span + 1).saturating_sub(strict);
        for side in [Side::Earliest, Side::Latest] {
            let (near, far) = self.ends(edge, side);
            let (mut clock, mut time, mut turns) = (near, until, strict);
            while missing > 0 {
                let mut push = self.newest[2 * clock + side as usize];
                while push != END && usize::from(push) >= time {
                    push = self.before[usize::from(push)];
                }
                let Some(&cause) = self.causes.get(usize::from(push)) else { break };
                visit(!self.guard(cause));
                let step = usize::from(self.strict[usize::from(cause)]);
                (clock, time) = (self.ends(cause, side).0, usize::from(push));
                (missing, turns) = (missing - step, turns + step);
                if clash && clock == far && turns > 0 {
                    return;
                }
            }
        }
    }

    /// Writes times that satisfy all true edges: the earliest ticks.
    pub(super) fn times(&self, times: &mut [u8]) {
        times.fill(0);
        for (time, &[earliest, _]) in times.iter_mut().zip(self.bounds.as_chunks().0) {
            *time = earliest;
        }
    }

    /// Checks all bounds against pushing until nothing changes, and that edges which do not fit have false guards.
    #[cfg(feature = "check")]
    pub(super) fn check(&self, trail: &Trail<'_>) {
        let mut slow = [[0u8; 2]; super::clock_set::MAX_CLOCKS];
        let held = || (0..self.len as u16).filter(|&edge| trail.is_true(self.guard(edge)));
        let mut changed = true;
        while changed {
            changed = false;
            for (edge, side) in held().flat_map(|edge| [(edge, Side::Earliest), (edge, Side::Latest)]) {
                let (from, to) = self.ends(edge, side);
                let bound = slow[from][side as usize] + self.strict[usize::from(edge)];
                changed |= bound > slow[to][side as usize];
                slow[to][side as usize] = bound.max(slow[to][side as usize]);
            }
        }
        assert_eq!(*self.bounds, *slow[..self.clocks()].as_flattened(), "a bound is wrong");
        let loose = |edge| !self.fits(edge) && !trail.is_false(self.guard(edge as u16));
        assert!(!(0..self.len).any(loose), "an edge does not fit and is not refuted");
    }
}
