//! The attack-planning yardstick with the native model: reads every `NAME.json` of a folder (gzip-compressed or not),
//! sets its board up under ruleset `spooky`, plans an attack for its goals in their order, and prints the median times
//! per size class.
//!
//!     cargo run --release -p barrow-solver --example boards -- DIR
//!
//! The answers are compared with those of `expected.txt`, if it lies there. The model that these come from differs
//! from the rules in more than one respect (it knows no blinking, has one moment for a piece's move and its attacks,
//! and lets those who do not fight stand in nobody's way), but on none of its boards does that make a difference.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Map, Modifier, Piece, Ruleset, Side, UnitLabel, View};
use barrow_solver::attack::{AttackModel, AttackSolver, Goal, OrdinaryRoom, PlanAnswer};
use barrow_solver_testing::opb::{Failure, read};
use serde_json::Value;

/// Repetitions of a board's plan; the median is reported.
const ROUNDS: usize = 31;

/// A hex written as `(x, y)`.
fn hex(text: &str) -> Option<Hex> {
    let (x, y) = text.trim_matches(['(', ')']).split_once(',')?;
    Hex::at(x.trim().parse().ok()?, y.trim().parse().ok()?)
}

fn unit(name: &str) -> Option<UnitLabel> {
    UnitLabel::from_name(if name == "necro" { "necromancer" } else { name })
}

/// A piece with the figures that the yardstick has for this name. All are those of the ruleset except the initiate's
/// (damage 1, speed 1, not lumbering), as which a shackled warg attacks and a void is attacked.
fn piece(name: &str, side: Side, at: Hex) -> Option<Piece> {
    Some(match (name, side) {
        ("initiate", Side::Yellow) => {
            let warg = Piece::fresh(side, UnitLabel::Warg, at);
            warg.with_modifiers(warg.modifiers().with(Modifier::Shackled, 1)?)
        }
        ("initiate", Side::Blue) => Piece::fresh(side, UnitLabel::Void, at),
        _ => Piece::fresh(side, unit(name)?, at),
    })
}

fn pieces(value: &Value, side: Side, board: &mut Board) -> Option<()> {
    for (at, name) in value.as_object()? {
        let at = hex(at)?;
        board.set_piece(at, Some(piece(name.as_str()?, side, at)?));
    }
    Some(())
}

/// Terrain and pieces of a board.
fn position(value: &Value) -> Option<(Map, Board)> {
    let mut rows = [[b'.'; 10]; 10];
    for at in value.get("flood")?.as_array()? {
        let at = Hex::at(at.get(0)?.as_u64()? as u8, at.get(1)?.as_u64()? as u8)?;
        *rows.get_mut(usize::from(at.y()))?.get_mut(usize::from(at.x()))? = b'w';
    }
    let mut board = Board::empty();
    pieces(value.get("attackers")?, Side::Yellow, &mut board)?;
    pieces(value.get("defenders")?, Side::Blue, &mut board)?;
    Some((Map::from_rows(&rows.each_ref()), board))
}

/// The goals of a query file: literals whose names are `r(x, y)` or `p(x, y)`.
fn goals(value: &Value, query: &str) -> Option<Vec<Goal>> {
    let names = value.get("names")?;
    let mut all = Vec::new();
    for line in query.lines().filter(|line| !line.trim().is_empty()) {
        let (negative, number) = match line.trim().strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, line.trim()),
        };
        let name = names.get(number)?.as_str()?;
        all.push(match (name.get(..1)?, negative) {
            ("r", false) => Goal::Remove(hex(name.get(1..)?)?),
            ("r", true) => Goal::Spare(hex(name.get(1..)?)?),
            _ => Goal::Passive(hex(name.get(1..)?)?),
        });
    }
    Some(all)
}

/// The answers that are expected, by board, if they lie in the folder.
fn expected(folder: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(folder).join("expected.txt")).unwrap_or_default();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(name, answers)| (name.to_owned(), answers.trim().to_owned())).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn main() -> Result<(), Failure> {
    let folder = env::args().nth(1).ok_or("usage: boards DIR")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.to_string_lossy().contains(".json"));
    files.sort();
    let rules = Ruleset::Spooky.rules();
    let mut memory = vec![0; 1 << 18];
    let mut room = OrdinaryRoom::new();
    let expected = expected(&folder);
    let mut equal = 0;
    let mut classes: BTreeMap<char, [Vec<f64>; 2]> = BTreeMap::new();
    for path in &files {
        let value: Value = serde_json::from_str(&read(path)?)?;
        let shown = path.display().to_string();
        let (map, board) = position(&value).ok_or_else(|| format!("{shown}: no board"))?;
        let query = read(Path::new(&shown.replace(".json", ".qry")))?;
        let goals = goals(&value, &query).ok_or_else(|| format!("{shown}: no goals"))?;
        let view = View { rules: &rules, map: &map, board: &board, side: Side::Yellow };
        let mut times = [Vec::new(), Vec::new()];
        let mut answers = String::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let model = AttackModel::new(&view, &mut room)?;
            let mut solver = AttackSolver::prepare(&model, &mut memory)?;
            times[0].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            let planned = solver.plan(&goals, u64::MAX)?;
            times[1].push(start.elapsed().as_secs_f64() * 1e6);
            if !matches!(planned, PlanAnswer::Plan(_)) {
                return Err(format!("{shown}: no plan").into());
            }
            answers = goals.iter().map(|&goal| if solver.grants(goal) { '1' } else { '0' }).collect();
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let board = name.split('.').next().unwrap_or_default();
        println!("{board} {answers}");
        equal += usize::from(expected.get(board) == Some(&answers));
        let class = classes.entry(name.chars().next().unwrap_or('?')).or_default();
        for (all, own) in class.iter_mut().zip(times) {
            all.push(median(own));
        }
    }
    if !expected.is_empty() {
        println!("* {equal} of {} boards as expected", files.len());
    }
    for (class, [built, planned]) in classes {
        let (built, planned) = (median(built), median(planned));
        println!("* class {class}: build {built:.1} us, cand {planned:.1} us (medians)");
    }
    Ok(())
}
