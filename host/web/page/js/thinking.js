// The engine as a player: it thinks when it has the move, can be told to stop, and gives hints.

import { Lost } from "./engine.js";
import { sentence } from "./words.js";

// Milliseconds before the engine thinks again: after a turn, and at least and at most after a search without one.
const SOON = 50;
const LATER = 1_000;
const LATEST = 60_000;

export class Thinking {
  /** Search for the engine's turn, null where there is none. What an earlier one finds is played nowhere. */
  searching = null;
  wait = SOON;

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
    clearTimeout(this.again);
    const { page } = this;
    const { position } = page;
    if (!position?.is_latest || position.result || page.watching || page.players[position.side] !== "engine" || this.searching) return;
    page.analysis.pause();
    const search = { side: position.side };
    this.searching = search;
    page.drawPanels();
    page.say(`${position.side} thinks …`);
    const limits = { ...this.limits(), candidates: 8 };
    const told = (soFar) => this.searching === search && page.say(`${position.side} thinks … ${soFar.nodes} positions`);
    const together = limits.movetime && page.engine.searchTogether;
    let found;
    try {
      found = await (together ? page.engine.searchTogether(limits, told) : page.engine.ask("search", limits, told));
    } catch (error) {
      // After a lost connection the game is opened anew, and that lets the engine think.
      if (this.searching !== search || error instanceof Lost) return;
      page.say(error.message, true);
      return this.ended(false);
    }
    if (this.searching !== search) return;
    this.searching = null;
    const [best] = found.turns;
    if (!best) page.say("The search has found no turn", true);
    const played = best && (await page.act("play", { turn: best.lines, value: [best.value, best.expected_error], seen: position.history.length }));
    if (played) {
      page.lastArrows = best.arrows;
      page.drawMarks();
      page.say(page.position.result ? page.resultWords() : `${position.side} has played: ${sentence(best.summary)}`);
    }
    if (!this.searching) this.ended(played);
  }

  /** Shows that nobody thinks. The next search begins soon after a turn, and later and later where none could be played. */
  ended(played) {
    this.searching = null;
    this.page.drawPanels();
    this.page.analysis.positionChanged();
    this.wait = played ? SOON : Math.min(LATEST, Math.max(LATER, this.wait * 2));
    this.again = setTimeout(() => this.begin(), this.wait);
  }

  /** Takes no notice of what is found any more. */
  forget() {
    clearTimeout(this.again);
    this.searching = null;
  }

  /** Ends the engine's thinking without a turn. */
  async halt() {
    this.page.analysis?.pause();
    const { searching } = this;
    this.forget();
    if (searching) await this.page.engine.stop();
  }

  /** Others play from now on: who has taken the side over for which the engine thinks plays its turn himself. */
  async playersChanged() {
    const { page, searching } = this;
    if (searching && page.players[searching.side] !== "engine") {
      await this.halt().catch(() => {});
      page.say(page.isPersons() ? "Your turn: choose a piece" : "");
    }
    page.drawPanels();
    return this.begin();
  }

  async hint() {
    const { page } = this;
    if (!page.isPersons()) return;
    page.analysis.pause();
    page.say("Looking for a turn …");
    const turns = page.position.history.length;
    try {
      const found = await page.engine.ask("search", { nodes: 400, movetime: 3000, candidates: 1, progress: false });
      // The turn may have been ended meanwhile.
      if (!page.isPersons() || page.position.history.length !== turns) return;
      const [best] = found.turns;
      if (!best) return page.say("The search has found no turn", true);
      // They stay until something is entered.
      page.shownArrows = null;
      page.lastArrows = best.arrows;
      page.drawMarks();
      page.say(`Hint: ${sentence(best.summary)}`);
    } catch (error) {
      page.say(error.message, true);
    }
  }
}
