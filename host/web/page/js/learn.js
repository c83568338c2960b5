// The page to learn from: positions to solve, and cards of units, spells and terrain.

import { Board } from "./board.js";
import { engineOfPage } from "./pool.js";
import { capital, el, plain, sentence } from "./words.js";

const $ = (id) => document.getElementById(id);
const TASKS = { kill: "Kill the enemy necromancer in this turn.", defend: "The enemy is about to win by graveyards: take some back, so that it has fewer than eight.", trade: "Find the attack that gains most." };

class Lessons {
  async begin() {
    this.engine = engineOfPage();
    await this.engine.ready;
    const response = await fetch("tactics.fen");
    const lines = (await response.text()).trim().split("\n").map((line) => line.split("\t"));
    // Positions on one board first: they are easier to survey.
    const simple = lines.filter(([task, , , fen]) => task !== "trade" && !fen.split(" x1")[0].includes(" n|", fen.indexOf(" n|") + 1));
    this.all = [...simple.filter(([task]) => task === "kill"), ...simple.filter(([task]) => task === "defend")];
    this.number = 0;
    $("undo").onclick = () => this.act("undo");
    $("hint").onclick = () => this.hint();
    $("check").onclick = () => this.check();
    $("next").onclick = () => this.open(this.number + 1).catch((error) => ($("feedback").textContent = `The lesson cannot be opened: ${error.message}`));
    $("rules").onchange = () => this.cards();
    await this.cards();
    await this.open(0);
    document.documentElement.dataset.ready = "yes";
  }

  async open(number) {
    this.number = number % this.all.length;
    const [task, board, , fen] = this.all[this.number];
    this.task = task;
    this.index = Number(board);
    $("feedback").textContent = "";
    const position = await this.engine.ask("load", { text: fen, keep: false });
    this.mover = position.side;
    $("task").textContent = `${this.number + 1} of ${this.all.length}: you are ${position.side} (${position.side === "Yellow" ? "round" : "square"}). ${TASKS[task]}`;
    this.board = new Board(this.index, (...event) => this.onHex(...event));
    $("exercise").replaceChildren(el("div", { class: "card" }, this.board.root));
    this.show(position);
  }

  show(position) {
    this.position = position;
    this.held = null;
    this.board.draw(position.boards[this.index], "Position to solve");
    this.board.mark([]);
    this.board.arrows([]);
    $("so-far").replaceChildren(...position.sentences.map((words) => el("li", {}, capital(words))));
    $("undo").disabled = position.lines.length === 0;
  }

  async act(ask, parts = {}) {
    try {
      this.show(await this.engine.ask(ask, parts));
      $("feedback").textContent = "";
      return true;
    } catch (error) {
      $("feedback").textContent = `Not possible: ${sentence(error.message)}`;
      return false;
    }
  }

  async onHex(what, board, hex, event, to) {
    if (what === "drop" && to) return this.go(hex, to);
    if (what === "cancel") return this.show(this.position);
    if (what !== "choose") return;
    const own = this.position.boards[this.index].pieces.find((piece) => piece.hex === hex && piece.side === this.mover);
    if (this.held && !own) return this.go(this.held, hex);
    if (!own) return;
    const found = await this.engine.ask("choices", { board: this.index, hex });
    this.held = hex;
    this.board.mark([[hex, "held"], ...found.choices.filter((choice) => choice.hexes.length).map((choice) => [choice.hexes[0], choice.kind === "attack" ? "attack" : "walk"]), ...found.after_walking.map((at) => [at, "after"])]);
    if (found.why) $("feedback").textContent = sentence(found.why);
  }

  go(from, to) {
    return this.act("enter", { line: `${this.index} ${from}${to}` });
  }

  async hint() {
    let best;
    try {
      const found = await this.engine.ask("search", { nodes: 400, movetime: 4000, candidates: 1, progress: false });
      best = found.turns[0];
      if (!best) throw new Error("the search has found no turn");
    } catch (error) {
      $("feedback").textContent = `There is no hint: ${error.message}`;
      return;
    }
    this.board.arrows(best.arrows.filter((arrow) => arrow.board === this.index));
    $("feedback").textContent = `The engine would play: ${best.sentences.filter((words) => words.startsWith(`board ${this.index}:`)).slice(0, 3).map(sentence).join("; ")}`;
  }

  check() {
    const board = this.position.boards[this.index];
    const theirs = this.mover === "Yellow" ? 1 : 0;
    const solved = board.won || (this.task === "defend" && board.graveyards[theirs] < board.graveyards_to_win);
    const feedback = $("feedback");
    feedback.classList.toggle("solved", solved);
    if (solved) feedback.textContent = "Solved.";
    else if (this.task === "defend") feedback.textContent = `Not yet: the enemy stands on ${board.graveyards[theirs]} graveyards.`;
    else feedback.textContent = "Not yet: the necromancer is still there.";
  }

  async cards() {
    const book = await this.engine.ask("book", { ruleset: $("rules").value });
    const unit = (row) => {
      const [, ...lines] = row.card.trim().split("\n");
      return el("article", { class: "unit-card" }, el("h3", {}, `${row.letter.toUpperCase()} · ${plain(row.name)}`), el("ul", {}, ...lines.map((line) => el("li", {}, sentence(line.trim())))));
    };
    $("units").replaceChildren(...book.units.map(unit));
    const spell = (row) => el("article", { class: "unit-card" }, el("h3", {}, plain(row.name)), el("p", {}, `${capital(row.effect)}.`),
      el("small", {}, `${row.mana > 0 ? `brings ${row.mana} mana` : row.mana < 0 ? "costs 1 mana" : "no mana"}; ${row.spawn_phase ? "spawn phase" : "any phase"}; ${row.copies} in the deck`));
    $("spells").replaceChildren(...book.spells.map(spell));
    $("terrain").replaceChildren(...book.terrain.map((row) => el("article", { class: "unit-card" }, el("h3", {}, plain(row.kind)), el("p", {}, `${capital(row.effect)}.`))));
  }
}

new Lessons().begin().catch((error) => {
  $("task").textContent = `The lessons cannot be loaded: ${error.message}`;
});
