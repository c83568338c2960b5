//! Text of a file with its mutants compiled in. Each is followed and preceded by a comment with its number, by which
//! the compiler's messages are led back to it.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use crate::mutant::Mutant;
use crate::nodes::{Form, Node};

/// Source to be written: a file, its nodes, and the mutants that turned out not to compile.
pub struct Page<'a> {
    /// Text of the file.
    pub text: &'a str,
    /// Its nodes, in order.
    pub nodes: &'a [Node],
    /// Number of its first node among those of all files.
    pub first_node: usize,
    /// All mutants.
    pub all: &'a [Mutant],
    /// Mutants that are left out.
    pub dropped: &'a HashSet<usize>,
}

/// Condition that a mutant is switched on. Numbers begin at 1: nothing is switched on by 0.
fn on(mutant: usize) -> String {
    format!("crate::mutation_schema::on({})", mutant + 1)
}

impl Page<'_> {
    /// Text of the whole file.
    pub fn render(&self) -> String {
        let mut out = String::with_capacity(2 * self.text.len());
        self.part(0..self.text.len(), 0, &mut out);
        out
    }

    /// Text of a range, whose nodes have at least the number given.
    fn part(&self, range: Range<usize>, from: usize, out: &mut String) {
        let mut position = range.start;
        for index in from..self.nodes.len() {
            let node = &self.nodes[index];
            if node.range.start > range.end {
                break;
            }
            let mutants: Vec<usize> =
                node.mutants.iter().copied().filter(|mutant| !self.dropped.contains(mutant)).collect();
            if node.range.start < position || node.range.end > range.end || mutants.is_empty() {
                continue;
            }
            out.push_str(&self.text[position..node.range.start]);
            let _ = write!(out, "/*@n{}*/", self.first_node + index);
            self.node(index, &mutants, out);
            let _ = write!(out, "/*@n*/");
            position = node.range.end;
        }
        out.push_str(&self.text[position..range.end]);
    }

    fn inner(&self, range: &Range<usize>, index: usize) -> String {
        let mut out = String::new();
        self.part(range.clone(), index + 1, &mut out);
        out
    }

    /// Branches `if on(N) { .. } else`, one for each mutant.
    fn branches(&self, mutants: &[usize], branch: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        for &mutant in mutants {
            let text = branch(&self.all[mutant].replacement);
            let _ = write!(out, "if {} {{/*@m{mutant}*/{text}/*@m*/}} else ", on(mutant));
        }
        out
    }

    fn node(&self, index: usize, mutants: &[usize], out: &mut String) {
        let node = &self.nodes[index];
        let text = match &node.form {
            Form::Body(constant) => self.body(*constant, mutants),
            Form::Logic(and, left, right) => {
                let (left, right) = (self.inner(left, index), self.inner(right, index));
                let sign = if *and { "==" } else { "!=" };
                let on = on(mutants[0]);
                format!("(match {left} {{ l_ => if l_ {sign} {on} {{ l_ }} else {{ {right} }} }})")
            }
            Form::Compare(sign, left, right) => {
                let branches = self.branches(mutants, |sign| format!("*l_ {sign} *r_"));
                let (left, right) = (self.inner(left, index), self.inner(right, index));
                format!("(match (&({left}), &({right})) {{ (l_, r_) => {branches}{{ *l_ {sign} *r_ }} }})")
            }
            Form::Compute(sign, left, right) => {
                let branches = self.branches(mutants, |sign| format!("l_ {sign} r_"));
                let (left, right) = (self.inner(left, index), self.inner(right, index));
                format!("(match ({left}, {right}) {{ (l_, r_) => {branches}{{ l_ {sign} r_ }} }})")
            }
            Form::Assign(sign, left, right) => {
                let branches = self.branches(mutants, |sign| format!("*l_ {sign} r_"));
                let (left, right) = (self.inner(left, index), self.inner(right, index));
                format!(
                    "({{ let r_ = {right}; match &mut ({left}) {{ l_ => {branches}{{ *l_ {sign} r_ }} }} }})"
                )
            }
            Form::Unary(sign, operand) => {
                let (operand, on) = (self.inner(operand, index), on(mutants[0]));
                format!("(match {operand} {{ v_ => if {on} {{ v_ }} else {{ {sign}v_ }} }})")
            }
            Form::Arm(guard) => self.arm(index, guard.as_ref(), mutants),
            Form::Table(name, kind) => {
                let (kind, value) = (&self.text[kind.clone()], &self.text[node.range.clone()]);
                let inner = self.inner(&node.range, index);
                format!(
                    "{value}; static {name}_AT_RUN_TIME: crate::mutation_schema::LazyLock<{kind}> = \
                     crate::mutation_schema::LazyLock::new(|| {inner})"
                )
            }
            Form::Use(name) => format!("(*crate::mutation_schema::table(&{name}, &{name}_AT_RUN_TIME))"),
            Form::Field(name, value, base) => {
                let (value, on) = (self.inner(value, index), on(mutants[0]));
                let base = &self.text[base.clone()];
                format!("{name}: if {on} {{ ({base}).{name} }} else {{ {value} }}")
            }
        };
        out.push_str(&text);
    }

    fn body(&self, constant: bool, mutants: &[usize]) -> String {
        let mut out = String::new();
        for &mutant in mutants {
            let value = &self.all[mutant].replacement;
            let value =
                if constant { format!("crate::mutation_schema::run(|| {value})") } else { value.clone() };
            let _ = write!(out, "/*@m{mutant}*/if {} {{ return {value}; }}/*@m*/", on(mutant));
        }
        out
    }

    /// The guard of an arm that can be left out, or whose guard can be true or false.
    fn arm(&self, index: usize, guard: Option<&Range<usize>>, mutants: &[usize]) -> String {
        let with = |replacement: &str| {
            mutants
                .iter()
                .find(|&&mutant| self.all[mutant].replacement == replacement)
                .map(|&mutant| on(mutant))
        };
        let mut text =
            guard.map_or_else(|| "true".to_owned(), |guard| format!("({})", self.inner(guard, index)));
        if let Some(always) = with("true") {
            text = format!("({always} || {text})");
        }
        // Before the guard, which is not evaluated then.
        for never in [with("false"), with("")].into_iter().flatten() {
            text = format!("!{never} && {text}");
        }
        if guard.is_some() { text } else { format!(" if {text}") }
    }
}

/// Module that every changed library gets: which mutant is switched on, and a note of those that are reached. It is the
/// only code that is not safe: the number is read before `main` begins and never written again, so that the compiler may
/// keep it in a register.
pub const RUNTIME: &str = r#"
#[allow(warnings, unsafe_code, clippy::all, clippy::pedantic)]
mod mutation_schema {
    extern crate std;
    use std::io::Write;
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::sync::OnceLock;
    pub(crate) use std::sync::LazyLock;

    static mut ID: u32 = 0;
    static LOG: OnceLock<std::fs::File> = OnceLock::new();
    static SEEN: [AtomicU8; 1 << 14] = [const { AtomicU8::new(0) }; 1 << 14];

    #[inline(always)]
    pub(crate) const fn on(mutant: u32) -> bool {
        core::intrinsics::const_eval_select((mutant,), off, asked)
    }
    const fn off(_: u32) -> bool {
        false
    }
    #[inline(always)]
    fn asked(mutant: u32) -> bool {
        let id = unsafe { ID };
        if id == u32::MAX {
            note(mutant);
        }
        id == mutant
    }
    #[inline(never)]
    #[cold]
    fn note(mutant: u32) {
        if SEEN[mutant as usize & ((1 << 14) - 1)].swap(1, Ordering::Relaxed) == 0 {
            if let Some(mut log) = LOG.get() {
                let mut text = *b"00000\n";
                let mut rest = mutant;
                for place in (0..5).rev() {
                    text[place] = b'0' + (rest % 10) as u8;
                    rest /= 10;
                }
                let _ = log.write_all(&text);
            }
        }
    }
    pub(crate) const fn run<T, F: FnOnce() -> T + Copy>(value: F) -> T {
        core::intrinsics::const_eval_select((value,), never, call)
    }
    pub(crate) const fn table<T>(known: &'static T, computed: &'static LazyLock<T>) -> &'static T {
        core::intrinsics::const_eval_select((known, computed), first, second)
    }
    const fn first<T>(known: &'static T, _: &'static LazyLock<T>) -> &'static T {
        known
    }
    fn second<T>(_: &'static T, computed: &'static LazyLock<T>) -> &'static T {
        computed
    }
    const fn never<T, F: Copy>(_: F) -> T {
        panic!()
    }
    fn call<T, F: FnOnce() -> T>(value: F) -> T {
        value()
    }
    #[used]
    #[unsafe(link_section = ".init_array")]
    static START: extern "C" fn() = start;
    extern "C" fn start() {
        let id = std::env::var("BARROW_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        if let Ok(path) = std::env::var("BARROW_MUTANT_LOG") {
            if let Ok(file) = std::fs::File::options().create(true).append(true).open(path) {
                let _ = LOG.set(file);
            }
        }
        unsafe { ID = id };
    }
}
"#;

/// Text of a crate's first file with the module added.
pub fn with_runtime(text: &str) -> String {
    let text = text.replace("#![forbid(unsafe_code)]", "").replace("#![deny(unsafe_code)]", "");
    format!("#![feature(core_intrinsics, const_eval_select)]\n#![allow(warnings)]\n{text}\n{RUNTIME}")
}
