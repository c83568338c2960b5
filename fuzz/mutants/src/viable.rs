//! Which mutants compile: many at a time, at most one in each function or table, whose errors tell it from the others.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::Options;
use crate::cargo::{self, Build};
use crate::mutant::{self, Mutant};
use crate::results::{Outcome, Results};
use crate::tree::Tree;

/// Mutant of a lot: its file, the lines of the function or table around it as the file has them with the lot in it.
struct Placed {
    number: usize,
    lines: Range<usize>,
}

/// Notes as not viable those of the mutants that do not compile.
pub fn sort_out(
    options: &Options,
    tree: &Tree,
    all: &[Mutant],
    numbers: &[usize],
    results: &Results,
) -> Result<(), String> {
    let tree = Tree::copied(&tree.source, &options.copy.with_extension("single"), &[])?;
    let mut files: Vec<&str> = numbers.iter().map(|&number| all[number].file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut items = Vec::new();
    for file in &files {
        items.push(Items::of(&tree.read(file)?).map_err(|error| format!("{file}: {error}"))?);
    }
    let item = |number: usize| {
        let file = files.binary_search(&all[number].file.as_str()).unwrap_or_default();
        (file, items[file].around(all[number].start.line))
    };
    let mut left = numbers.to_vec();
    let mut viable = 0;
    while !left.is_empty() {
        let mut taken = BTreeSet::new();
        let (lot, later): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&number| {
            let (file, lines) = item(number);
            taken.insert((file, lines.start))
        });
        left = later;
        viable += try_lot(options, &tree, all, lot, &|number| item(number).1, results)?;
    }
    println!("{viable} of {} mutants compile by themselves", numbers.len());
    Ok(())
}

/// Notes which of a lot do not compile; the number of those that do.
fn try_lot(
    options: &Options,
    tree: &Tree,
    all: &[Mutant],
    mut lot: Vec<usize>,
    item: &dyn Fn(usize) -> Range<usize>,
    results: &Results,
) -> Result<usize, String> {
    let touched: BTreeSet<&str> = lot.iter().map(|&number| all[number].file.as_str()).collect();
    let restore = || touched.iter().try_for_each(|file| tree.write(file, tree.read(file)?.as_bytes()));
    while !lot.is_empty() {
        let mut placed = Vec::new();
        for &file in &touched {
            let mut inside: Vec<usize> =
                lot.iter().copied().filter(|&number| all[number].file == file).collect();
            inside.sort_by_key(|&number| all[number].start);
            placed.extend(write(tree, file, all, &inside, item)?);
        }
        let output = cargo::run(&options.recipe, tree, Build::Check)?;
        if output.status.success() {
            break;
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let values = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let errors = values.map(|value| value["message"].clone()).filter(|one| one["level"] == "error");
        let mut faulty: BTreeSet<usize> = errors.filter_map(|error| blamed(&error, all, &placed)).collect();
        if lot.len() == 1 {
            faulty.extend(&lot);
        }
        if faulty.is_empty() {
            // An error outside of all of them, in what is computed from one of them: they are told apart by halves.
            restore()?;
            let other = lot.split_off(lot.len() / 2);
            let first = try_lot(options, tree, all, lot, item, results)?;
            return Ok(first + try_lot(options, tree, all, other, item, results)?);
        }
        for number in &faulty {
            results.add(&all[*number].name, Outcome::Unviable)?;
        }
        lot.retain(|number| !faulty.contains(number));
    }
    restore()?;
    Ok(lot.len())
}

/// Writes a file with some of its mutants, given in its order.
fn write(
    tree: &Tree,
    file: &str,
    all: &[Mutant],
    inside: &[usize],
    item: &dyn Fn(usize) -> Range<usize>,
) -> Result<Vec<Placed>, String> {
    let text = tree.read(file)?;
    let (mut changed, mut position, mut shift) = (String::new(), 0, 0);
    let mut placed = Vec::new();
    for &number in inside {
        let mutant = &all[number];
        let (start, end) = (mutant::offset(&text, mutant.start), mutant::offset(&text, mutant.end));
        changed.push_str(&text[position..start]);
        changed.push_str(&mutant.replacement);
        position = end;
        let lines = item(number);
        let first = lines.start.saturating_add_signed(shift);
        let count = |text: &str| text.matches('\n').count() as isize;
        shift += count(&mutant.replacement) - count(&text[start..end]);
        placed.push(Placed { number, lines: first..lines.end.saturating_add_signed(shift) });
    }
    changed.push_str(&text[position..]);
    tree.write(file, changed.as_bytes())?;
    Ok(placed)
}

/// Mutant in whose function or table an error lies.
fn blamed(error: &Value, all: &[Mutant], placed: &[Placed]) -> Option<usize> {
    let spans = error["spans"].as_array()?;
    let (first, others): (Vec<_>, Vec<_>) = spans.iter().partition(|span| span["is_primary"] == true);
    first.into_iter().chain(others).find_map(|span| {
        let (file, line) = (span["file_name"].as_str()?, span["line_start"].as_u64()? as usize);
        let here = |one: &&Placed| one.lines.contains(&line) && file.ends_with(&all[one.number].file);
        placed.iter().find(here).map(|one| one.number)
    })
}

/// Lines of functions and tables of a file.
struct Items(Vec<Range<usize>>);

impl Items {
    fn of(text: &str) -> Result<Items, syn::Error> {
        let mut items = Items(Vec::new());
        items.visit_file(&syn::parse_file(text)?);
        Ok(items)
    }

    fn add(&mut self, item: &impl Spanned) {
        self.0.push(item.span().start().line..item.span().end().line + 1);
    }

    /// The outermost one around a line: closures and inner functions are checked with what is around them.
    fn around(&self, line: usize) -> Range<usize> {
        let found = self.0.iter().filter(|range| range.contains(&line));
        found.max_by_key(|range| range.len()).cloned().unwrap_or(line..line + 1)
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add(item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.add(item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.add(item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add(item);
    }
}
