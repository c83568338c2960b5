// The engine as a player: it thinks when it has the move, can be told to stop, and gives hints.

import { sentence } from "./words.js";

export class Thinking {
  /** Side that the engine searches for. */
  searching = null;

  constructor(page) {
    this.page = page;
  }

  limits() {
    const level = this.page.book.levels.find((row) => row.name === this.page.level) ?? this.page.book.levels[2];
    const limits = { seed: this.page.position.turn };
    if (level.nodes) limits.nodes = level.nodes;
    if (level.movetime) limits.movetime = level.movetime;
    return limits;
  }

  /** Lets the engine play, where it has the move. */
  async begin() {
    const { position } = this.page;
    if (!position.is_latest || position.result || this.page.watching || this.page.players[position.side] !== "engine" || this.searching) return;
    this.page.analysis.pause();
    this.searching = position.side;
    this.page.drawPanels();
    this.page.say(`${position.side} thinks …`);
    try {
      const limits = { ...this.limits(), candidates: 8 };
      const told = (soFar) => this.page.say(`${position.side} thinks … ${soFar.nodes} positions`);
      const together = limits.movetime && this.page.engine.searchTogether;
      const found = await (together ? this.page.engine.searchTogether(limits, told) : this.page.engine.ask("search", limits, told));
      if (this.searching !== position.side) return;
      this.searching = null;
      const best = found.turns[0];
      if (!best) throw new Error("the search has found no turn");
      if (await this.page.act("play", { turn: best.lines, value: [best.value, best.expected_error] })) {
        this.page.lastArrows = best.arrows;
        this.page.drawMarks();
        this.page.say(this.page.position.result ? this.page.resultWords() : `${position.side} has played: ${sentence(best.summary)}`);
      }
    } catch (error) {
      this.page.say(error.message, true);
    }
    this.searching = null;
    this.page.drawPanels();
    this.page.analysis.positionChanged();
    setTimeout(() => this.begin(), 50);
  }

  /** Ends the engine's thinking without a turn. */
  async halt() {
    this.page.analysis?.pause();
    if (!this.searching) return;
    this.searching = null;
    await this.page.engine.stop();
  }

  async hint() {
    if (!this.page.isPersons()) return;
    this.page.analysis.pause();
    this.page.say("Looking for a turn …");
    try {
      const found = await this.page.engine.ask("search", { nodes: 400, movetime: 3000, candidates: 1, progress: false });
      this.page.shownArrows = found.turns[0]?.arrows ?? null;
      this.page.drawMarks();
      this.page.say(`Hint: ${sentence(found.turns[0].summary)}`);
    } catch (error) {
      this.page.say(error.message, true);
    }
    this.page.shownArrows = null;
  }
}
