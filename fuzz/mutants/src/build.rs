//! Builds of the copy, and the mutants that keep it from being built.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::mutant::Mutant;
use crate::nodes::{self, Node};
use crate::render::{self, Page};
use crate::tree::Tree;

/// A program with tests.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of its target.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Folder in which it runs.
    pub folder: PathBuf,
}

/// How a crate is built.
pub struct Recipe {
    /// Package whose tests are built.
    pub package: String,
    /// Folder of the package, from the root of the repository.
    pub folder: String,
    /// Arguments of `cargo test`.
    pub arguments: Vec<String>,
}

/// A file with mutants.
struct File {
    name: String,
    text: String,
    nodes: Vec<Node>,
    first_node: usize,
    /// Text as it lies in the copy.
    written: String,
}

/// Outcome of a build.
enum Answer {
    /// Programs with tests.
    Built(Vec<Program>),
    /// Mutants that do not compile.
    Faulty(BTreeSet<usize>),
}

/// All mutants of a list in one build.
pub struct Schema<'a> {
    tree: &'a Tree,
    all: &'a [Mutant],
    files: Vec<File>,
    /// Mutants that are not in the build.
    pub dropped: HashSet<usize>,
    /// Mutants of code that the compiler may evaluate.
    pub constant: HashSet<usize>,
    /// Mutants of tables, which are reached only where the program looks into them.
    pub tabled: HashSet<usize>,
}

impl<'a> Schema<'a> {
    /// Nodes of all mutants; those that have none are dropped.
    pub fn new(tree: &'a Tree, all: &'a [Mutant]) -> Result<Schema<'a>, String> {
        let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, mutant) in all.iter().enumerate() {
            by_file.entry(&mutant.file).or_default().push(number);
        }
        let mut files = Vec::new();
        let (mut dropped, mut constant): (HashSet<usize>, _) = ((0..all.len()).collect(), HashSet::new());
        let mut tabled = HashSet::new();
        let (mut first_node, mut next_table) = (0, all.len());
        for (name, numbers) in by_file {
            let text = tree.read(name)?;
            let nodes = nodes::find(&text, all, &numbers, &mut next_table)
                .map_err(|error| format!("{name}: {error}"))?;
            for node in &nodes {
                node.mutants.iter().for_each(|mutant| _ = dropped.remove(mutant));
                if node.constant {
                    constant.extend(node.mutants.iter().copied());
                }
                if node.tabled {
                    tabled.extend(node.mutants.iter().copied());
                }
            }
            let count = nodes.len();
            files.push(File { name: name.to_owned(), text, nodes, first_node, written: String::new() });
            first_node += count;
        }
        Ok(Schema { tree, all, files, dropped, constant, tabled })
    }

    /// Number of mutants that are not in the build.
    pub fn missing(&self) -> usize {
        self.dropped.iter().filter(|&&number| number < self.all.len()).count()
    }

    /// Writes the files of the copy.
    fn write(&mut self, recipe: &Recipe) -> Result<(), String> {
        let root = format!("{}/src/lib.rs", recipe.folder);
        for file in &mut self.files {
            let page = Page {
                text: &file.text,
                nodes: &file.nodes,
                first_node: file.first_node,
                all: self.all,
                dropped: &self.dropped,
            };
            file.written = page.render();
            if file.name == root {
                file.written = render::with_runtime(&file.written);
            }
            self.tree.write(&file.name, file.written.as_bytes())?;
        }
        if !self.files.iter().any(|file| file.name == root) {
            let text = self.tree.read(&root)?;
            self.tree.write(&root, render::with_runtime(&text).as_bytes())?;
        }
        Ok(())
    }

    /// Builds the tests, without the mutants that do not compile.
    pub fn build(&mut self, recipe: &Recipe) -> Result<Vec<Program>, String> {
        let mut checked = false;
        for _ in 0..60 {
            self.write(recipe)?;
            // A library is checked in a fraction of the time that its tests take to build.
            match self.cargo(recipe, if checked { "test" } else { "check" })? {
                Answer::Built(programs) if checked => return Ok(programs),
                Answer::Built(_) => checked = true,
                Answer::Faulty(faulty) => {
                    println!("{} mutants and tables do not compile", faulty.len());
                    self.dropped.extend(faulty);
                }
            }
        }
        Err("too many builds without an end".to_owned())
    }

    fn cargo(&self, recipe: &Recipe, verb: &str) -> Result<Answer, String> {
        let mut command = Command::new("cargo");
        command.args([verb, "--package", &recipe.package, "--message-format=json", "--quiet"]);
        if verb == "check" {
            command.arg("--lib").args(check_arguments(&recipe.arguments));
        } else {
            command.arg("--no-run").args(&recipe.arguments);
        }
        let output = command
            .current_dir(&self.tree.copy)
            .env("RUSTC_BOOTSTRAP", recipe.package.replace('-', "_"))
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if output.status.success() {
            return Ok(Answer::Built(messages.iter().filter_map(program).collect()));
        }
        let mut faulty = BTreeSet::new();
        let mut unknown = Vec::new();
        for message in messages.iter().map(|message| &message["message"]) {
            if message["level"] != "error" {
                continue;
            }
            let found = self.blamed(message);
            if found.is_empty() {
                unknown.extend(message["rendered"].as_str().map(str::to_owned));
            }
            faulty.extend(found);
        }
        if faulty.is_empty() {
            return Err(format!("does not build, and no mutant is to blame:\n{}", unknown.concat()));
        }
        Ok(Answer::Faulty(faulty))
    }

    /// Mutants around the places that an error of the compiler names: of the first place that has any.
    fn blamed(&self, message: &Value) -> BTreeSet<usize> {
        let spans = message["spans"].as_array().map_or(&[][..], Vec::as_slice);
        let (first, others): (Vec<_>, Vec<_>) = spans.iter().partition(|span| span["is_primary"] == true);
        for exact in [true, false] {
            for span in first.iter().chain(&others) {
                let found = self.around(span, exact);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        BTreeSet::new()
    }

    /// Mutants of the innermost marks around a place, or those on its lines.
    fn around(&self, span: &Value, exact: bool) -> BTreeSet<usize> {
        let file = span["file_name"].as_str().unwrap_or_default();
        let Some(file) = self.files.iter().find(|known| file.ends_with(&known.name)) else {
            return BTreeSet::new();
        };
        let offset = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
        let (mut start, mut end) = (offset("byte_start"), offset("byte_end"));
        let bytes = file.written.as_bytes();
        if exact {
            return self.innermost(file, start, end);
        }
        start = bytes[..start].iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        end += bytes[end..].iter().position(|&byte| byte == b'\n').unwrap_or(0);
        let live = |mutant: &usize| !self.dropped.contains(mutant);
        marks(&file.written)
            .filter(|mark| start <= mark.0 && mark.0 <= end)
            .flat_map(|(_, mark)| self.meant(file, mark))
            .filter(live)
            .collect()
    }

    /// Mutants of the innermost mark around a part of a written file.
    fn innermost(&self, file: &File, start: usize, end: usize) -> BTreeSet<usize> {
        let mut open: Vec<&str> = Vec::new();
        // Marks open at the start, of which those that are closed before the end are taken away.
        let mut around: Option<Vec<&str>> = None;
        for (position, mark) in marks(&file.written) {
            if position >= start && around.is_none() {
                around = Some(open.clone());
            }
            if position >= end {
                break;
            }
            if mark.len() == 1 {
                open.pop();
            } else {
                open.push(mark);
            }
            if let Some(around) = &mut around {
                around.truncate(open.len());
            }
        }
        around.unwrap_or(open).last().map(|mark| self.meant(file, mark).collect()).unwrap_or_default()
    }

    /// Mutants that a mark stands for.
    fn meant<'s>(&'s self, file: &'s File, mark: &str) -> impl Iterator<Item = usize> + 's {
        let number: Option<usize> = mark[1..].parse().ok();
        let node = number
            .filter(|_| mark.starts_with('n'))
            .and_then(|number| file.nodes.get(number - file.first_node));
        let one = number.filter(|_| mark.starts_with('m'));
        node.into_iter().flat_map(|node| node.mutants.iter().copied()).chain(one)
    }
}

/// Marks of a written file, `n12` or `m12` where something begins, `n` or `m` where it ends.
fn marks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("/*@").filter_map(|(position, _)| {
        let rest = &text[position + 3..];
        Some((position, &rest[..rest.find("*/")?]))
    })
}

/// Arguments of `cargo test` that a check of the library takes, too.
pub fn check_arguments(arguments: &[String]) -> Vec<&String> {
    let shared = |argument: &String| ["--features", "--config", "--profile"].contains(&argument.as_str());
    arguments.windows(2).filter(|pair| shared(&pair[0])).flatten().collect()
}

/// The test program that a message of Cargo names.
pub fn program(message: &Value) -> Option<Program> {
    let path = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    Some(Program {
        name: message["target"]["name"].as_str()?.to_owned(),
        path: path.into(),
        folder: manifest.parent()?.to_owned(),
    })
}
