// Analysis: what the engine thinks of the position while it searches, and of every turn of the game.

import { redraw } from "./redraw.js";
import { capital, el, firstTurn, percent, sentence, svg } from "./words.js";

// Loss of win chance from which a turn is a blunder; from half of it on it is a mistake.
const BLUNDER = 0.15;
// Nodes for each position of a review.
const REVIEW_NODES = 200;

export class AnalysisPanel {
  constructor(page, root) {
    this.page = page;
    this.root = root;
    this.on = false;
    this.visible = false;
    this.found = null;
    this.chosen = 0;
    this.review = [];
    this.reviewed = null;
    this.reviewing = null;
    this.network = "small";
  }

  /** The panel was shown or hidden. */
  shown(visible) {
    this.visible = visible;
    if (visible) {
      this.draw();
      if (this.on) this.search();
    } else {
      this.pause();
      this.clearBoards();
    }
  }

  /** Another game has begun. What a review of the one before still finds is shown nowhere. */
  forget() {
    if (this.reviewing) this.page.engine.stop().catch(() => {});
    this.reviewing = null;
    this.review = [];
    this.reviewed = null;
  }

  positionChanged() {
    // A review is of the game as it was.
    if (this.reviewed && !this.reviewing && this.page.position.history.length !== this.reviewed.positions - 1) this.forget();
    this.found = null;
    this.chosen = 0;
    if (!this.visible) return;
    this.draw();
    if (this.on && !this.page.thinking.searching) this.search();
  }

  /** Ends the search that runs; the switch stays as it is. */
  pause() {
    if (!this.running) return;
    this.running = null;
    this.page.engine.stop().catch(() => {});
  }

  /** Whether the position on the boards is the end of the game. */
  isOver() {
    return Boolean(this.page.position.result && this.page.position.is_latest);
  }

  async search() {
    const { page } = this;
    this.pause();
    if (this.isOver()) return this.draw();
    const token = {};
    this.running = token;
    const place = { after: page.position.after };
    const take = (found) => {
      if (this.running !== token) return;
      this.found = found;
      this.draw();
    };
    try {
      take(await page.engine.ask("search", { place, stages: true, candidates: 5, nodes: 100000 }, take));
    } catch (error) {
      if (this.running === token) this.found = { error: error.message };
    }
    if (this.running === token) this.running = null;
    this.draw();
  }

  clearBoards() {
    this.page.shownArrows = null;
    this.page.shading = null;
    this.page.drawMarks();
  }

  networkLoaded(error) {
    this.network = error ? `small (${error})` : "large";
    if (!error) {
      this.page.say("The large network is loaded");
      if (this.on && this.visible) this.search();
    }
    this.draw();
  }

  draw() {
    if (!this.visible || !this.page.position) return;
    const { page, found } = this;
    const parts = [el("div", { class: "general" },
      el("button", { id: "analyse", "aria-pressed": String(this.on), class: this.on ? "main" : "", onclick: () => this.toggle() }, this.on ? "Stop" : "Analyse"),
      el("button", { id: "review", disabled: page.position.history.length === 0 || this.reviewing !== null, onclick: () => this.reviewGame() }, this.reviewing ? `Reviewing … ${this.reviewed ? `${this.reviewed.searched} of ${this.reviewed.positions}` : ""}` : "Review the game"),
      this.network === "small" && !page.engine.remote ? el("button", { onclick: () => this.loadNetwork() }, "Load the large network (5.6 MB)") : "")];
    if (found?.error) parts.push(el("p", { class: "due" }, sentence(found.error)));
    else if (found) parts.push(...this.foundParts(found));
    else if (this.on) parts.push(el("p", {}, this.isOver() ? "The game is over: there is nothing to search." : "Searching …"));
    else parts.push(el("p", {}, "The engine shows win chances, the turns that it considers, who will fall, and why."));
    parts.push(...this.curveParts());
    redraw(this.root, ...parts);
    this.showOnBoards();
  }

  showOnBoards() {
    const { page, found } = this;
    page.shownArrows = this.on && found?.turns ? (found.turns[this.chosen]?.arrows ?? []) : null;
    page.shading = this.on && found?.boards ? found.boards.map((board) => board.fates.filter((fate) => fate.kind !== "passive" && fate.chance >= 0.1)) : null;
    page.drawMarks();
  }

  toggle() {
    this.on = !this.on;
    if (this.on) this.search();
    else {
      this.pause();
      this.found = null;
      this.clearBoards();
    }
    this.draw();
  }

  loadNetwork() {
    this.network = "loading";
    this.page.engine.loadNetwork("desktop.brw");
    this.draw();
  }

  /** Win chance of Yellow from that of the side to move. */
  yellows(chance, side) {
    return side === "Yellow" ? chance : 1 - chance;
  }

  foundParts(found) {
    const yellow = this.yellows(found.value, found.side);
    const proved = found.proved ? ` (proved ${found.proved})` : "";
    const parts = [el("div", { class: "verdict" },
      el("strong", {}, `${found.side}: ${percent(found.value)} ± ${Math.round(found.expected_error * 100)}${proved}`),
      this.bar(yellow, found.expected_error, "Win chance of Yellow"),
      el("small", {}, `${found.nodes} positions, depth ${found.depth}, ${found.seconds.toFixed(1)} s, ${found.network} network`))];
    parts.push(el("h2", {}, "Boards"));
    for (const [index, board] of found.boards.entries()) {
      const win = board.win === null ? null : this.yellows(board.win, found.side);
      const ahead = board.souls_ahead >= 0 ? `${found.side} ${board.souls_ahead.toFixed(0)} souls ahead` : `${found.side} ${(-board.souls_ahead).toFixed(0)} souls behind`;
      parts.push(el("div", { class: "board-value" }, el("span", {}, `Board ${index + 1}: ${ahead}`), win === null ? "" : this.bar(win, board.win_error ?? 0, `Board ${index + 1}, win chance of Yellow`)));
    }
    const spent = found.boards.map((board) => board.spent);
    const most = Math.max(...spent, 1);
    if (spent.some((souls) => souls > 0)) {
      parts.push(el("h2", {}, "Souls of the best turn"));
      parts.push(el("div", { class: "money" }, ...spent.map((souls, index) => el("div", {}, el("span", {}, `Board ${index + 1}: ${souls}`), el("meter", { min: 0, max: most, value: souls, "aria-label": `Souls spent on board ${index + 1}` })))));
    }
    parts.push(el("h2", {}, "Turns considered"));
    parts.push(el("ol", { class: "candidates" }, ...found.turns.map((turn, index) => this.candidate(turn, index))));
    if (found.expected_reply) parts.push(el("p", {}, `Expected answer: ${sentence(found.expected_reply)}`));
    if (found.stages) parts.push(this.why(found.stages));
    return parts;
  }

  bar(yellow, error, label) {
    const meter = el("div", { class: "chance-bar", role: "img", "aria-label": `${label}: ${percent(yellow)} ± ${Math.round(error * 100)}` });
    const at = (share) => `${Math.max(0, Math.min(1, share)) * 100}`;
    const drawing = svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { x: 0, y: 0, width: at(yellow), height: 8, class: "yellow" }), svg("rect", { x: at(yellow), y: 0, width: 100 - at(yellow), height: 8, class: "blue" }));
    if (error > 0) drawing.append(svg("rect", { x: at(yellow - error), y: 2.5, width: at(yellow + error) - at(yellow - error), height: 3, class: "doubt" }));
    meter.append(drawing);
    return meter;
  }

  candidate(turn, index) {
    const chosen = index === this.chosen;
    const title = `${percent(turn.value)} ± ${Math.round(turn.expected_error * 100)}${turn.wins ? ", wins" : ""} · ${turn.visits} visits`;
    const body = chosen ? [el("ul", {}, ...turn.sentences.map((words) => el("li", {}, capital(words)))),
      this.page.isPersons() ? el("button", { onclick: () => this.page.act("propose", { turn: turn.lines }) }, "Enter this turn") : ""] : [];
    return el("li", {}, el("button", { class: "turn-link", "aria-expanded": String(chosen), onclick: () => {
      this.chosen = index;
      this.draw();
    } }, el("b", {}, title), el("span", {}, sentence(turn.summary))), ...body);
  }

  why(stages) {
    const list = (title, choices) => choices.length ? [el("h3", {}, title), el("ul", {}, ...choices.slice(0, 5).map((choice) => el("li", { class: choice.chosen ? "chosen" : "" }, `${choice.visits ? percent(choice.value) : "–"}, ${choice.visits} visits: ${sentence(choice.words)}`)))] : [];
    const open = this.whyOpen;
    return el("details", { open, ontoggle: (event) => {
      this.whyOpen = event.target.open;
    } }, el("summary", {}, "Why this turn"), ...list("Techs", stages.general), ...stages.attacks.flatMap((choices, board) => list(`Attacks on board ${board + 1}`, choices)),
    ...stages.money.flatMap((choices, board) => list(`Souls for board ${board + 1}`, choices)));
  }

  /** The value curve: win chance of Yellow by turns, from the review, or from what the players said. */
  curveParts() {
    const { history } = this.page.position;
    const points = this.review.length
      ? this.review.map((turn) => [turn.turn - 1, turn.yellow, turn])
      : history.flatMap((turn, index) => (turn.value ? [[index, this.yellows(turn.value[0], turn.side), null]] : []));
    if (points.length < 2) return [];
    const width = Math.max(1, history.length - 1);
    const x = (turn) => (turn / width) * 292 + 4;
    const y = (chance) => 76 - chance * 72;
    const drawing = svg("svg", { viewBox: "0 0 300 80", class: "curve", role: "img", "aria-label": "Win chance of Yellow by turns" },
      svg("line", { x1: 0, x2: 300, y1: 40, y2: 40, class: "even" }),
      svg("polyline", { points: points.map(([turn, chance]) => `${x(turn).toFixed(1)},${y(chance).toFixed(1)}`).join(" "), class: "line" }));
    for (const [turn, chance, reviewed] of points) {
      if (reviewed?.mark) drawing.append(svg("path", { d: "M-4 4 0-4 4 4Z", transform: `translate(${x(turn).toFixed(1)} ${y(chance).toFixed(1)})`, class: `mark ${reviewed.mark}` }));
    }
    const parts = [el("h2", {}, "Win chance of Yellow"), drawing];
    const marked = this.review.filter((turn) => turn.mark);
    if (marked.length) {
      parts.push(el("ol", { class: "turns", id: "marked" }, ...marked.map((turn) => el("li", {}, el("button", { class: "turn-link", onclick: () => this.page.look(turn.turn - 1) },
        `${turn.mark === "blunder" ? "??" : "?"} Turn ${turn.turn - 1 + firstTurn(this.page.position)}, ${turn.side}: ${percent(turn.loss)} given away. Better: ${sentence(turn.better?.summary ?? "")}`)))));
    } else if (this.review.length && !this.reviewing) parts.push(el("p", {}, "No mistake found."));
    if (this.review.length && !this.reviewing) parts.push(this.totals());
    return parts;
  }

  /** Lets the engine review the whole game: every position is searched, and turns that gave much away are marked. */
  async reviewGame() {
    const { page } = this;
    this.pause();
    this.on = false;
    const token = {};
    this.reviewing = token;
    this.review = [];
    this.clearBoards();
    const take = (review) => {
      if (this.reviewing !== token) return;
      this.review = review.turns;
      this.reviewed = review;
      this.draw();
    };
    this.draw();
    try {
      take(await page.engine.ask("review", { nodes: REVIEW_NODES, blunder: BLUNDER }, take));
    } catch (error) {
      if (this.reviewing === token) page.say(error.message, true);
    }
    if (this.reviewing !== token) return;
    this.reviewing = null;
    this.draw();
  }

  /** What both sides gave away, once the game is reviewed. */
  totals() {
    const { reviewed } = this;
    const words = (name, side) => `${name}: ${side.blunders} blunders, ${side.mistakes} mistakes in ${side.turns} turns, ${(100 * side.mean_loss).toFixed(1)} % given away a turn`;
    return el("ul", { class: "sentences" }, el("li", {}, words("Yellow", reviewed.yellow)), el("li", {}, words("Blue", reviewed.blue)));
  }
}
