//! Writes the attack problems of crowded boards for other solvers: for every board of a file of positions a problem in the
//! OPB format whose least objective the best plan has, and on standard output a line with its name, the wishes granted
//! (1) and denied (0), a binary number that is the objective's negation, how many wishes are decided, and the
//! microseconds that took, model and encoding included.
//!
//! `cargo run --release -p barrow-solver --features proof --example crowded -- FILE.fen FOLDER [BUDGET]`

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use barrow_core::minions::text::fen;
use barrow_core::minions::{GameConfig, Ruleset, View};
use barrow_solver::attack::{AttackModel, AttackSolver, Goal, LargeRoom, limits_for};

/// A goal for the removal of every enemy piece, necromancers first, then by price.
fn dearest_first(view: &View<'_>) -> Vec<Goal> {
    let enemies = view.board.iter(view.side.opponent());
    let mut targets: Vec<_> = enemies
        .map(|(hex, piece)| (!view.unit(piece).necromancer, u8::MAX - view.unit(piece).cost, hex))
        .collect();
    targets.sort_unstable();
    targets.into_iter().map(|(_, _, hex)| Goal::Remove(hex)).collect()
}

/// The problem with a header and with variables that are all called by numbers, as most readers ask.
fn numbered(objective: &str, constraints: &str, vars: usize) -> String {
    let (mut thresholds, mut body) = (HashMap::new(), String::new());
    for line in constraints.lines() {
        for word in line.split_whitespace() {
            let (sign, name) = word.strip_prefix('~').map_or(("", word), |name| ("~", name));
            if name.starts_with('t') {
                let next = vars + thresholds.len() + 1;
                let number = *thresholds.entry(name).or_insert(next);
                let _ = write!(body, "{sign}x{number} ");
            } else {
                let _ = write!(body, "{word} ");
            }
        }
        body.push('\n');
    }
    let (count, lines) = (vars + thresholds.len(), constraints.lines().count());
    format!("* #variable= {count} #constraint= {lines}\n{objective}{body}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, folder, rest @ ..] = &arguments[..] else {
        return Err("usage: crowded FILE.fen FOLDER [BUDGET]".into());
    };
    let budget = rest.first().map_or(Ok(500_000), |text| text.parse())?;
    fs::create_dir_all(folder)?;
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let (mut room, mut memory) = (Box::new(LargeRoom::new()), Vec::new());
    for (number, line) in fs::read_to_string(file)?.lines().enumerate() {
        let game = fen::parse(line, &config)?;
        for board in 0..game.config().num_boards() {
            let view = game.view(board).ok_or("no such board")?;
            let mut goals = dearest_first(&view);
            let started = Instant::now();
            let model = AttackModel::new(&view, &mut *room)?.for_removals();
            goals.retain(|goal| model.targets().any(|at| *goal == Goal::Remove(at)));
            let limits = limits_for(&model)?;
            memory.resize(limits.words().max(memory.len()), 0);
            let mut solver = AttackSolver::new(&model, &limits, &mut memory)?;
            let best = solver.best_plan(&goals, budget)?;
            let time = started.elapsed().as_micros();
            let answer: String =
                goals.iter().map(|&goal| if solver.grants(goal) { '1' } else { '0' }).collect();
            let (mut problem, mut steps, mut objective) = (String::new(), String::new(), String::new());
            let solver = AttackSolver::proving(&model, &limits, &mut memory, &mut problem, &mut steps)?;
            if !solver.write_objective(&goals, &mut objective)? {
                return Err("more goals than weights".into());
            }
            let name = format!("{:03}-{board}", number + 1);
            fs::write(
                Path::new(folder).join(format!("{name}.opb")),
                numbered(&objective, &problem, limits.vars),
            )?;
            println!("{name} {answer} {}/{} {time}", best.decided, best.wishes);
        }
    }
    Ok(())
}
