// Panels beside the boards: score, turn, techs, game.

import { redraw } from "./redraw.js";
import { capital, el, firstTurn, percent, plain, sentence } from "./words.js";

/** Points, souls and income of both sides, and whose turn it is. */
export function scorePanel(page, root) {
  const { position } = page;
  const side = (index, name) => {
    const moving = position.side === name && !position.result;
    const who = page.watching ? "" : page.players[name] === "engine" ? `Barrow, ${page.level}` : "You";
    return el("div", { class: `purse ${name.toLowerCase()}${moving ? " moving" : ""}` },
      el("strong", {}, `${name === "Yellow" ? "●" : "■"} ${name}`), el("span", { class: "who" }, who),
      el("span", {}, `${position.points[index]} of ${position.points_to_win} points`),
      el("span", { title: "Souls to spend; in brackets those that come with the next turn" }, `${position.souls[index]} souls (+${position.pending[index]})`));
  };
  const state = position.result ? page.resultWords() : `Turn ${position.turn + 1}: ${position.side} to move`;
  root.replaceChildren(side(0, "Yellow"), el("p", { class: "state" }, state), side(1, "Blue"));
}

/** What was entered, what is still due, and the row of cards. */
export function turnPanel(page, root) {
  const { position } = page;
  const parts = [];
  if (!position.is_latest) {
    parts.push(el("p", { class: "note" }, `This is the position after ${position.after} turn${position.after === 1 ? "" : "s"}. `, el("button", { onclick: () => page.look(Infinity) }, "Back to the game")));
  }
  if (position.result) parts.push(el("p", { class: "result" }, page.resultWords()));
  if (!position.result && (page.isPersons() || position.sentences.length > 0)) {
    parts.push(el("h2", {}, page.isPersons() ? "Your turn so far" : `${position.side}'s turn so far`));
    if (position.sentences.length === 0) parts.push(el("p", {}, "Choose a piece (◉ marks those that can act), then a marked hex. Drag works as well."));
    parts.push(el("ol", { class: "sentences" }, ...position.sentences.map((words) => el("li", {}, capital(words)))));
    if (position.end_refused) parts.push(el("p", { class: "due" }, `Before the turn ends: ${sentence(position.end_refused)}.`));
    for (const words of position.reminders) parts.push(el("p", { class: "reminder" }, capital(words)));
  }
  if (position.row.length) {
    parts.push(el("h2", {}, "Cards for the boards"));
    for (const card of position.row) parts.push(rowCard(page, card));
  }
  const last = position.history[position.after - 1];
  if (last) {
    const sentences = last.sentences.map((words) => el("li", {}, capital(words)));
    parts.push(el("details", { open: position.lines.length === 0 }, el("summary", {}, `${last.side} has played`), el("ol", { class: "sentences" }, ...sentences)));
  }
  parts.push(el("p", { class: "keys" }, "Keys: 1–8 board, arrows hex, Enter choose, Esc let go, u undo, e end turn, h hint."));
  redraw(root, ...parts);
}

function rowCard(page, card) {
  const gives = card.lines.map((line, board) => el("button", { disabled: !line || !page.isPersons(), onclick: () => page.enter(line), "aria-label": `Give ${plain(card.spell)} to board ${board + 1}` }, `→ ${board + 1}`));
  return el("div", { class: `spell-card${card.taken ? " taken" : ""}` }, el("strong", {}, plain(card.spell)),
    el("span", {}, page.spellWords(card.spell)), el("span", { class: "gives" }, ...(card.taken ? [el("em", {}, "given")] : gives)));
}

const STATES = { locked: ["·", "locked"], unlocked: ["○", "unlocked"], acquired: ["✔", "acquired"] };

/** The tech line with both sides' levels. */
export function techPanel(page, root) {
  const { position } = page;
  const persons = page.isPersons();
  const points = position.tech_points;
  const parts = [el("p", {}, `${points} tech point${points === 1 ? "" : "s"}. Unlock the techs of the line in their order; an unlocked one can be acquired, and its unit bought.`)];
  const general = [];
  if (position.march) general.push(el("button", { disabled: !persons, onclick: () => page.enter(position.march) }, "Unlock the next tech"));
  if (position.buy_spell) general.push(el("button", { disabled: !persons, onclick: () => page.enter(position.buy_spell) }, `Buy a tech point (${position.spell_price} souls)`));
  if (position.sell) general.push(el("button", { disabled: !persons, onclick: () => page.enter(position.sell) }, "Sell the tech point"));
  parts.push(el("div", { class: "general" }, ...general));
  const rows = position.techs.map((tech) => {
    const level = (index) => {
      const [sign, words] = STATES[tech.state[index]];
      return el("td", { class: `level ${tech.state[index]}` }, el("span", { "aria-hidden": "true" }, sign), el("span", { class: "hidden" }, words));
    };
    const unit = tech.unit && page.book.units.find((row) => row.name === tech.unit);
    const figures = unit ? `${unit.cost} souls · ${unit.attack}${unit.attacks > 1 ? `×${unit.attacks}` : ""}/${unit.defense} · speed ${unit.speed} · range ${unit.range}` : tech.effect;
    const step = tech.state[page.side()] === "locked" ? "Unlock" : "Acquire";
    return el("tr", {}, el("th", { scope: "row" }, plain(tech.name), el("small", {}, figures)), level(0), level(1),
      el("td", {}, tech.line && persons ? el("button", { onclick: () => page.enter(tech.line), "aria-label": `${step} ${plain(tech.name)}` }, step) : ""));
  });
  const head = el("tr", {}, el("th", { scope: "col" }, "Tech"), el("th", { scope: "col" }, "Yellow"), el("th", { scope: "col" }, "Blue"), el("th", { scope: "col" }, "Step"));
  parts.push(el("table", { class: "techs" }, el("thead", {}, head), el("tbody", {}, ...rows)));
  redraw(root, ...parts);
}

/** Turns of the game, its players, and what ends it. */
export function gamePanel(page, root) {
  const { position } = page;
  const parts = [el("h2", {}, "Players")];
  for (const name of ["Yellow", "Blue"]) {
    const choice = el("select", { id: `player-${name}`, onchange: (event) => {
      page.players[name] = event.target.value;
      page.keeps = true;
      page.keep();
      page.thinking.playersChanged();
    } }, el("option", { value: "person" }, "You"), el("option", { value: "engine" }, "Barrow"));
    choice.value = page.players[name];
    parts.push(el("label", { class: "field-row" }, name, choice));
  }
  const level = el("select", { id: "level", onchange: (event) => {
    page.level = event.target.value;
    page.keeps = true;
    page.keep();
    page.drawPanels();
  } }, ...page.book.levels.map((row) => el("option", { value: row.name }, `${row.name}: ${row.about}`)));
  level.value = page.level;
  parts.push(el("label", { class: "field-row" }, "Level", level));
  parts.push(el("h2", {}, "Turns"));
  if (position.history.length === 0) parts.push(el("p", {}, "None yet."));
  const turns = position.history.map((turn, number) => el("li", {},
    el("button", { class: "turn-link", "aria-current": position.after === number + 1 ? "true" : null, onclick: () => page.look(number + 1) },
      `${turn.side === "Yellow" ? "●" : "■"} ${turn.value ? `${percent(turn.value[0])} ` : ""}${sentence(turn.summary)}`)));
  parts.push(el("ol", { class: "turns", start: firstTurn(position) }, ...turns));
  const resigned = position.result_reason === "resignation";
  parts.push(el("div", { class: "general" },
    el("button", { disabled: turnsLeft(page) === null, onclick: () => takeBack(page) }, resigned ? "Take the resignation back" : "Take my last turn back"),
    el("button", { disabled: !page.isPersons(), onclick: () => resign(page) }, "Resign the game")));
  redraw(root, ...parts);
}

/** Turns that are left when a person takes the last own one back, or the resignation; null where there is neither. */
function turnsLeft(page) {
  const { history, result_reason: reason } = page.position;
  if (page.watching) return null;
  if (reason === "resignation") return history.length;
  const own = history.findLastIndex((turn) => page.players[turn.side] === "person");
  return own < 0 ? null : own;
}

async function takeBack(page) {
  await page.thinking.halt();
  const turns = turnsLeft(page);
  if (turns !== null) await page.act("take_back", { turns });
  page.thinking.begin();
}

async function resign(page) {
  if (await page.act("resign")) page.say(page.resultWords());
}
