//! Page of a loop: its history as a table with charts of strength and losses, in one file without scripts or other files.

use std::fmt::Write;

use super::history::{GateReport, GenerationReport, strengths};
use super::state::LearnState;
use crate::chart::{Chart, ChartLine, escaped};

/// Head of the page. It is read anew every half minute.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta http-equiv=\"refresh\" content=\"30\"><title>barrow learn</title>\n<style>\
body{font-family:sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}\
td,th{border:1px solid #ccc;padding:.2em .6em;text-align:right}svg{max-width:40em;margin:1em 1em 0 0}\
.accepted{background:#e6f4ea}.rejected{background:#fce8e6}</style></head><body>\n<h1>barrow learn</h1>\n";

/// Names of the columns of the table.
const COLUMNS: [&str; 11] = [
    "generation",
    "verdict",
    "games learnt from",
    "positions",
    "loss",
    "win loss",
    "won, lost, drawn",
    "Elo",
    "LLR",
    "minutes",
    "network",
];

/// Text of the page. `gate` is the match that is being played, `loss` the newest loss curve as SVG.
pub(super) fn page(state: &LearnState, gate: Option<&GateReport>, loss: Option<&str>) -> String {
    let mut page = HEAD.to_owned();
    let mut add = |text: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = page.write_fmt(text);
        page.push('\n');
    };
    let LearnState { generation, stage, player, history, settings, .. } = state;
    let player = escaped(&player.network);
    add(format_args!(
        "<p>Generation {generation}: {}. The player is <code>{player}</code>.</p>",
        stage.name()
    ));
    if let Some(GateReport { games, wins, losses, draws, elo, elo_error, llr, .. }) = gate {
        add(format_args!(
            "<p>{games} games: won {wins}, lost {losses}, drew {draws}; {elo:+.0} ± {elo_error:.0} Elo, LLR {llr:+.2}</p>"
        ));
    }
    add(format_args!("{}", strength_chart(history).svg()));
    add(format_args!("{}", loss_chart(history).svg()));
    add(format_args!("{}", loss.unwrap_or_default()));
    add(format_args!("<table><tr>{}</tr>", COLUMNS.map(|name| format!("<th>{name}</th>")).concat()));
    for report in history.iter().rev() {
        add(format_args!("{}", row(report)));
    }
    add(format_args!("</table>"));
    let settings = serde_json::to_string(settings).unwrap_or_default();
    add(format_args!("<p>Settings: <code>{}</code></p></body></html>", escaped(&settings)));
    page
}

/// Row of the table.
fn row(report: &GenerationReport) -> String {
    let GenerationReport { generation, lesson, gate, verdict, seconds, .. } = report;
    let GateReport { wins, losses, draws, elo, elo_error, llr, .. } = gate;
    let cells = [
        generation.to_string(),
        verdict.name().to_owned(),
        lesson.games.to_string(),
        lesson.positions.to_string(),
        format!("{:.4}", lesson.loss),
        format!("{:.4}", lesson.win_loss),
        format!("{wins}, {losses}, {draws}"),
        format!("{elo:+.0} ± {elo_error:.0}"),
        format!("{llr:+.2}"),
        format!("{:.0}", seconds.iter().sum::<f64>() / 60.0),
        lesson.sha256.chars().take(8).collect(),
    ];
    let cells = cells.map(|cell| format!("<td>{}</td>", escaped(&cell))).concat();
    format!("<tr class=\"{}\">{cells}</tr>", verdict.name())
}

/// Chart of the player's strength after each generation.
fn strength_chart(history: &[GenerationReport]) -> Chart {
    let after = history.iter().zip(strengths(history));
    let points = after.map(|(report, strength)| (f64::from(report.generation), strength));
    let points = std::iter::once((0.0, 0.0)).chain(points).collect();
    Chart {
        title: "strength of the player".to_owned(),
        x_label: "generation".to_owned(),
        y_label: "Elo over the first player".to_owned(),
        lines: vec![ChartLine { name: "player".to_owned(), points, dotted: true, scattered: false }],
    }
}

/// Chart of the held-out win losses of each generation.
fn loss_chart(history: &[GenerationReport]) -> Chart {
    let line = |name: &str, value: fn(&GenerationReport) -> f64| {
        let points = history.iter().map(|report| (f64::from(report.generation), value(report))).collect();
        ChartLine { name: name.to_owned(), points, dotted: true, scattered: false }
    };
    Chart {
        title: "loss on held-out games".to_owned(),
        x_label: "generation".to_owned(),
        y_label: "nats".to_owned(),
        lines: vec![
            line("win, against the blend", |report| report.lesson.win_loss),
            line("win, against the result", |report| report.lesson.result_loss),
        ],
    }
}
