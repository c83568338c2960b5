// Contest games: records that are opened and games between built-in bots, watched moment by moment. The rules run in the
// engine: a record is replayed by them, and what it has otherwise is told.

import { ContestBoard } from "./contest_board.js";
import { capital, el } from "./words.js";

const $ = (id) => document.getElementById(id);

// Scenes that are ready ahead of the one that is shown, while bots play.
const AHEAD = 8;

/** Whether a text is a record of a contest game. */
export const isRecord = (text) => /^\s*(\/\/.*\n\s*)*(COURSE|BOARD|SEED) /.test(text);

export class Watch {
  constructor(page, root) {
    this.page = page;
    this.root = root;
    this.game = null;
    this.at = 0;
    this.timer = null;
    root.addEventListener("keydown", (event) => this.key(event));
  }

  get shown() {
    return !this.root.hidden;
  }

  /** Shows the contest games in the place of Minions, or the other way round. */
  async show(on) {
    const { page } = this;
    this.root.hidden = !on;
    $("score").hidden = on;
    $("table").hidden = on;
    $("contests").setAttribute("aria-pressed", String(on));
    $("contests").textContent = on ? "Back to Minions" : "Other games";
    if (!on) return this.pause();
    page.analysis.pause();
    if (this.rows) return;
    ({ contests: this.rows } = await page.engine.ask("contests"));
    this.build();
  }

  build() {
    const contest = el("select", { id: "contest", onchange: () => this.fill() }, ...this.rows.map((row) => el("option", { value: row.contest }, row.name)));
    const seed = el("input", { id: "contest-seed", type: "number", min: 0, value: 1, inputmode: "numeric" });
    this.seats = el("div", { class: "seats" });
    this.map = el("select", { id: "contest-map" });
    this.mapRow = el("label", { class: "field-row" }, "Map", this.map);
    const file = el("input", { type: "file", id: "record-file", accept: ".txt", onchange: async () => file.files[0] && this.open(await file.files[0].text()) });
    const begin = el("button", { id: "contest-begin", class: "main", onclick: () => this.begin({ contest: contest.value, map: this.map.value || null, seed: Number(seed.value) || 0, bots: [...this.seats.querySelectorAll("select")].map((input) => input.value) }) }, "Let them play");
    this.stage = el("div", { class: "stage", id: "stage" }, el("p", {}, "Choose bots and let them play, or open a record: the arenas of the program write one with --record."));
    this.status = el("p", { class: "message", id: "watch-status", role: "status", "aria-live": "polite" });
    const setup = el("form", { class: "setup", onsubmit: (event) => event.preventDefault() }, el("h2", {}, "Bots play"), el("label", { class: "field-row" }, "Game", contest), this.mapRow, this.seats, el("label", { class: "field-row" }, "Seed", seed), begin, el("h2", {}, "A record"), el("label", { class: "field-row" }, "From a file", file));
    this.root.replaceChildren(el("div", { class: "watching" }, el("div", {}, this.status, this.stage), setup));
    this.contest = contest;
    this.fill();
  }

  /** Bots and maps of the chosen game. */
  fill() {
    const row = this.rows.find((other) => other.contest === this.contest.value);
    this.map.replaceChildren(el("option", { value: "" }, "the usual one"), ...row.maps.map((name) => el("option", { value: name }, name)));
    this.mapRow.hidden = row.maps.length === 0;
    this.seats.replaceChildren(...Array.from({ length: row.seats }, (_, seat) => el("label", { class: "field-row" }, `Player ${seat}`, el("select", {}, ...row.bots.map((bot) => el("option", { value: bot }, bot))))));
  }

  say(words, bad = false) {
    this.status.textContent = words;
    this.status.classList.toggle("bad", bad);
  }

  async begin(ask) {
    await this.take("match", Object.fromEntries(Object.entries(ask).filter(([, value]) => value !== null)));
    if (this.game) this.play();
  }

  /** Opens a record. */
  async open(text) {
    await this.show(true);
    await this.take("watch", { text });
  }

  async take(ask, parts) {
    this.pause();
    this.say(ask === "watch" ? "The record is replayed …" : "The game begins …");
    try {
      this.game = await this.page.engine.ask(ask, parts);
    } catch (error) {
      return this.say(`Not possible: ${error.message}`, true);
    }
    this.at = 0;
    this.board = new ContestBoard(this.game);
    this.stageParts();
    this.draw();
    if (this.game.mismatch) this.say(`The record differs from the rules, ${this.game.mismatch}. What is shown is what the rules say.`, true);
  }

  stageParts() {
    const button = (id, sign, words, act) => el("button", { id, "aria-label": words, title: words, onclick: act }, sign);
    this.scrub = el("input", { type: "range", id: "scrub", min: 0, value: 0, "aria-label": "Moment of the game", oninput: () => {
      this.pause();
      this.go(Number(this.scrub.value));
    } });
    this.speed = el("select", { id: "speed", onchange: () => this.timer && this.play() }, ...[[1, "1 a second"], [2, "2"], [4, "4"], [8, "8"], [20, "20"]].map(([value, words]) => el("option", { value }, words)));
    this.speed.value = 4;
    this.playing = button("contest-play", "▶", "Play", () => (this.timer ? this.pause() : this.play()));
    const bar = el("div", { class: "transport", role: "group", "aria-label": "Moments" }, button("first", "|◀", "To the beginning", () => this.step(-Infinity)), button("back", "◂", "One moment back", () => this.step(-1)), this.playing, button("forward", "▸", "One moment on", () => this.step(1)), button("last", "▶|", "To the end so far", () => this.step(Infinity)), el("label", {}, "Speed ", this.speed));
    this.title = el("h2", { id: "moment" });
    this.events = el("ul", { class: "sentences" });
    this.standings = el("ul", { class: "standings" });
    this.places = el("ul", { class: "sentences" });
    this.stage.replaceChildren(this.title, this.board.root, bar, this.scrub, this.standings, el("details", { open: true }, el("summary", {}, "What happens"), this.events), el("details", {}, el("summary", {}, "Who stands where"), this.places), el("p", { class: "keys" }, "Keys: ← → step, Home End, space plays and pauses."));
  }

  draw() {
    const { game } = this;
    const scene = game.scenes[this.at];
    this.board.draw(scene);
    this.title.textContent = `${game.title} · ${scene.title}`;
    this.scrub.max = game.scenes.length - 1;
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", scene.title);
    this.events.replaceChildren(...scene.events.map((words) => el("li", {}, words)));
    this.standings.replaceChildren(...scene.standings.map((row) => el("li", { class: `seat-${row.seat}${row.is_out ? " is-out" : ""}` }, el("b", {}, `${row.seat} · ${game.players[row.seat]}`), ` ${row.words}`)));
    this.places.replaceChildren(...scene.tokens.map((piece) => el("li", {}, `column ${piece.x}, row ${piece.y}: ${piece.words}`)));
    // While it plays, nobody can listen as fast.
    if (!this.timer) this.say(`${capital(scene.title)}, ${this.at + 1} of ${game.scenes.length}${scene.events.length ? `: ${scene.events.join("; ")}` : ""}`);
    else if (this.status.classList.contains("bad") || this.status.textContent !== "Playing") this.say("Playing");
  }

  async go(to) {
    const { game } = this;
    if (!game) return;
    if (to >= game.scenes.length && game.is_live) await this.more();
    if (game !== this.game) return;
    this.at = Math.max(0, Math.min(to, game.scenes.length - 1));
    this.draw();
    if (game.is_live && this.at + AHEAD >= game.scenes.length) this.more();
  }

  step(by) {
    this.pause();
    return this.go(by === Infinity ? this.game.scenes.length - 1 : this.at + by);
  }

  /** A turn more of the bots; one at a time. */
  more() {
    const { game } = this;
    this.fetching ??= this.page.engine.ask("match_turn").then(({ scenes, is_live: live }) => {
      if (game !== this.game) return;
      game.scenes.push(...scenes);
      game.is_live = live;
      this.scrub.max = game.scenes.length - 1;
    }).catch((error) => {
      game.is_live = false;
      this.say(error.message, true);
    }).finally(() => {
      this.fetching = null;
    });
    return this.fetching;
  }

  play() {
    if (!this.game) return;
    clearInterval(this.timer);
    const { game } = this;
    if (this.at >= game.scenes.length - 1 && !game.is_live) this.at = 0;
    this.timer = setInterval(() => this.beat(), 1000 / Number(this.speed.value));
    this.playing.textContent = "⏸";
    this.playing.setAttribute("aria-label", "Pause");
    this.draw();
  }

  async beat() {
    const { game, at } = this;
    if (at >= game.scenes.length - 1 && !game.is_live) return this.pause();
    if (!this.beating) {
      this.beating = true;
      await this.go(at + 1);
      this.beating = false;
    }
  }

  pause() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.playing.textContent = "▶";
    this.playing.setAttribute("aria-label", "Play");
    this.draw();
  }

  key(event) {
    if (!this.game || event.target.closest("input, select, textarea, summary")) return;
    const acts = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.step(-Infinity), End: () => this.step(Infinity), " ": () => (this.timer ? this.pause() : this.play()) };
    if (!acts[event.key] || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    acts[event.key]();
  }
}
