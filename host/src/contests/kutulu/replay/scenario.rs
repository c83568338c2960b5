//! Scenario files: a map and a state each, then turns with answers and the lines after each turn.

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::contests::kutulu::{
    Cell, Constants, EXPLORERS, Effect, EffectKind, Explorer, Map, MapTables, Minion, MinionPhase, State,
};
use barrow_core::contests::lcg48::Lcg48;

use crate::replay::Tally;
use barrow_session::contests::kutulu::state_lines::{difference, read_actions, state_lines};
use barrow_session::contests::lines::{LineReader, numbers};

pub(super) fn replay(lines: &mut LineReader<'_>, file: &str, tally: &mut Tally) -> Result<()> {
    while lines.peek().is_some() {
        let title = lines.need("SCENARIO")?;
        let id = title.split(' ').next().unwrap_or(title);
        let (tables, mut state) = start(lines)?;
        while let Some(turn) = lines.after("TURN") {
            state.turn = turn.parse()?;
            state.check(tables.map()).map_err(|why| anyhow!("not a possible state: {why:?}"))?;
            let found = turn_of(lines, &tables, &mut state)?;
            tally.count(found.map(|what| format!("{file}:{}: {id} turn {turn}: {what}", lines.number())));
        }
    }
    Ok(())
}

fn turn_of(lines: &mut LineReader<'_>, tables: &MapTables, state: &mut State) -> Result<Option<String>> {
    let actions = read_actions(lines, tables, state)?;
    let before = state.scores;
    state.play(tables, &actions).ok().context("more minions or effects than a game has")?;
    let expected = lines.need("EXPECT")?.parse().map_err(anyhow::Error::from);
    let expected = lines.block(expected?)?;
    let mut scores = before;
    while let Some(score) = lines.after("SCORE") {
        let [id, score] = numbers::<i16, 2>(score)?;
        *scores.get_mut(id as usize).context("no such explorer")? = Some(score);
    }
    let is_over = lines.after("OVER").is_some();
    let found = difference(&expected, &state_lines(state, tables.map()));
    let found = found.or_else(|| {
        (state.scores != scores).then(|| format!("expected {scores:?}, found {:?}", state.scores))
    });
    Ok(found.or_else(|| (state.is_over() != is_over).then(|| format!("over: {}", state.is_over()))))
}

fn start(lines: &mut LineReader<'_>) -> Result<(Box<MapTables>, State)> {
    let height: usize = lines.need("MAP")?.parse()?;
    let rows = lines.rows(height)?;
    let width = rows.first().map_or(0, |row| row.len());
    let map = Map::read(width, height, rows.iter().copied())?;
    let constants = Constants::read(lines.need("CONSTS")?).context("expected four constants")?;
    let mut state = State::empty(constants, Lcg48::new(lines.need("SEED")?.parse()?));
    state.next_id = lines.need("NEXTID")?.parse()?;
    let slashers: [u8; EXPLORERS] = numbers(lines.need("SLASHERS")?)?;
    while let Some(line) = lines.peek().filter(|line| !line.starts_with("TURN ")) {
        lines.take()?;
        let full = || anyhow!("more than a state can hold");
        match line.split_once(' ') {
            Some(("EXPLORER", rest)) => explorer(&mut state, &map, rest)?,
            Some((kind @ ("WANDERER" | "SLASHER"), rest)) => {
                let minion = minion(&map, kind == "SLASHER", rest)?;
                state.minions.push(minion).map_err(|_| full())?;
            }
            Some(("EFFECT", rest)) => state.effects.push(effect(&map, rest)?).map_err(|_| full())?,
            _ => bail!("expected an explorer, a minion, an effect or a turn"),
        }
    }
    for (explorer, had_slasher) in state.explorers.iter_mut().zip(slashers) {
        explorer.had_slasher = had_slasher != 0;
    }
    Ok((Box::new(MapTables::new(&map)), state))
}

fn cell(map: &Map, x: i16, y: i16) -> Result<Cell> {
    map.at(x, y).with_context(|| format!("({x}, {y}) is no floor"))
}

/// Reads an explorer: `id x y sanity plans lights` and the ids of explorers that have yelled at it.
fn explorer(state: &mut State, map: &Map, text: &str) -> Result<()> {
    let words: Vec<i16> = text.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [id, x, y, sanity, plans, lights, ref yellers @ ..] = words[..] else {
        bail!("expected six numbers or more");
    };
    let id = usize::try_from(id)?;
    ensure!(id < EXPLORERS, "no such explorer");
    state.alive |= 1 << id;
    let known = state.explorers[id];
    state.explorers[id] = Explorer {
        cell: cell(map, x, y)?,
        sanity: sanity.try_into()?,
        plans: plans.try_into()?,
        lights: lights.try_into()?,
        ..known
    };
    for &yeller in yellers {
        let yeller = state.explorers.get_mut(usize::try_from(yeller)?).context("no such yeller")?;
        yeller.yelled_at |= 1 << id;
    }
    Ok(())
}

/// Reads a minion: `id x y STATE counter target`, and for a slasher the remembered square.
fn minion(map: &Map, is_slasher: bool, text: &str) -> Result<Minion> {
    let words: Vec<&str> = text.split(' ').collect();
    let [id, x, y, phase, counter, target, ref last @ ..] = words[..] else {
        bail!("expected six words or more");
    };
    let names = ["SPAWNING", "WANDERING", "STALKING", "RUSH", "STUNNED"];
    let phase =
        names.iter().zip(MinionPhase::ALL).find(|(name, _)| **name == phase).context("no such state")?.1;
    let remembered = match last {
        [] | ["-1", "-1"] => None,
        [x, y] => Some(cell(map, x.parse()?, y.parse()?)?),
        _ => bail!("expected a square"),
    };
    let target = if target == "-1" { None } else { Some(target.parse()?) };
    let (id, cell) = (id.parse()?, cell(map, x.parse()?, y.parse()?)?);
    let counts = !is_slasher || !matches!(phase, MinionPhase::Wandering | MinionPhase::Rush);
    let counter = if counts { counter.parse()? } else { 0 };
    Ok(Minion { id, is_slasher, phase, cell, counter, target, remembered })
}

/// Reads an effect: `PLAN|LIGHT caster turns`, `YELL caster turns victim` or `SHELTER -1 energy x y`.
fn effect(map: &Map, text: &str) -> Result<Effect> {
    let (name, rest) = text.split_once(' ').context("expected an effect's numbers")?;
    Ok(match name {
        "PLAN" | "LIGHT" => {
            let [caster, left] = numbers(rest)?;
            let kind = if name == "PLAN" { EffectKind::Plan } else { EffectKind::Light };
            Effect { kind, caster: Some(caster), left }
        }
        "YELL" => {
            let [caster, left, victim] = numbers(rest)?;
            Effect { kind: EffectKind::Yell { victim }, caster: Some(caster), left }
        }
        "SHELTER" => {
            let [_, energy, x, y] = numbers::<i16, 4>(rest)?;
            let kind = EffectKind::Shelter { cell: cell(map, x, y)? };
            Effect { kind, caster: None, left: energy.try_into()? }
        }
        _ => bail!("no such effect"),
    })
}
