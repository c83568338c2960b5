// Cards of the boards: each has a heading, the board, and below it what waits to be placed, cast or bought.

import { Board } from "./board.js";
import { redraw } from "./redraw.js";
import { el, mapName, plain } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Draws all boards with what belongs to them. */
export function drawBoards(page) {
  const { position } = page;
  if (page.boards.length !== position.boards.length) {
    page.boards = position.boards.map((_, index) => new Board(index, (...event) => page.picking.onHex(...event)));
    const cards = page.boards.map((board, index) => el("article", { class: "card", id: `board-${index}` },
      el("header", { class: "board-title", id: `title-${index}` }), board.root, el("div", { class: "hand", id: `hand-${index}` })));
    $("boards").replaceChildren(...cards);
    $("boards").dataset.count = position.boards.length;
  }
  position.boards.forEach((view, index) => {
    const title = `Board ${index + 1}, ${mapName(view.map)}`;
    page.boards[index].draw(view, title);
    $(`title-${index}`).replaceChildren(...titleOf(page, view, index));
    redraw($(`hand-${index}`), ...handOf(page, view, index));
  });
  page.drawMarks();
}

function titleOf(page, view, index) {
  const [yellow, blue] = view.graveyards;
  const parts = [el("h2", {}, `${index + 1} · ${mapName(view.map)}`)];
  parts.push(el("span", { class: "yellow-text", title: "Graveyards of Yellow, of 8 that win the board" }, `● graves ${yellow}/${view.graveyards_to_win} · +${view.income[0]}`));
  parts.push(el("span", { class: "blue-text", title: "Graveyards of Blue" }, `■ graves ${blue}/${view.graveyards_to_win} · +${view.income[1]}`));
  if (view.mana !== 0 || view.hands[page.side()].length) parts.push(el("span", { title: "Mana" }, `✦ ${view.mana}`));
  const notes = [];
  if (view.won) notes.push("won");
  if (view.lost) notes.push("lost");
  if (view.resigned) notes.push("resigned");
  if (view.awaits_setup) notes.push("choose the unit you keep");
  else if (view.state === "first_turn") notes.push("no placing yet");
  else if (view.state.startsWith("reset")) notes.push("begins anew");
  if (view.spawn_phase) notes.push("spawn phase");
  if (notes.length) parts.push(el("span", { class: "note" }, notes.join(", ")));
  return parts;
}

/** What a board has besides its pieces: units to place, cards, and what can be bought. */
function handOf(page, view, index) {
  const side = page.side();
  const persons = page.isPersons();
  const parts = [];
  const buy = el("button", { class: "buy", "data-board": index, onclick: () => page.picking.boardMenu(index), disabled: !persons }, view.awaits_setup ? "Keep a unit …" : view.state === "normal" || view.state === "first_turn" ? "Buy …" : "Buy or keep …");
  parts.push(buy);
  for (const unit of view.reinforcements[side]) {
    parts.push(el("button", { class: `chip ${page.position.side.toLowerCase()}`, disabled: !persons, "data-unit": unit.unit, "data-board": index, "aria-pressed": "false",
      onclick: () => page.picking.take({ board: index, unit: unit.unit }),
      onpointerenter: (event) => page.tips.unit(unit.unit, event), onpointerleave: () => page.tips.hide() },
    el("b", {}, unit.letter.toUpperCase()), ` ${plain(unit.unit)} ×${unit.count}`));
  }
  for (const [place, spell] of view.hands[side].entries()) {
    parts.push(el("button", { class: "chip spell", disabled: !persons, "data-place": place, title: page.spellWords(spell), onclick: () => page.picking.take({ board: index, spell }) }, `✦ ${plain(spell)}`));
  }
  const other = view.reinforcements[1 - side];
  if (other.length) {
    const words = other.map((unit) => `${unit.count} ${plain(unit.unit)}`).join(", ");
    parts.push(el("span", { class: "waiting" }, `${side === 0 ? "Blue" : "Yellow"} waits with ${words}`));
  }
  return parts;
}
