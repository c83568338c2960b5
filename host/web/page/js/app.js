// The page: one game at a time, played by people and by the engine, with its boards and panels.

import { AnalysisPanel } from "./analysis.js";
import { drawBoards } from "./board_cards.js";
import { applyTheme, wireControls } from "./controls.js";
import { Lost } from "./engine.js";
import { gamePanel, scorePanel, techPanel, turnPanel } from "./panels.js";
import { Picking } from "./picking.js";
import { engineOfPage } from "./pool.js";
import { dropLink, keepGame, keepLink, keepPlayers, keptGame, keptPlayers, keptSettings, linkedGame, linkedPosition } from "./storage.js";
import { Thinking } from "./thinking.js";
import { Tips } from "./tips.js";
import { Watch } from "./watch.js";
import { capital, el, sentence } from "./words.js";

const $ = (id) => document.getElementById(id);

class Page {
  boards = [];
  position = null;
  book = null;
  picking = new Picking(this);
  thinking = new Thinking(this);
  /** Arrows of the turn played last. */
  lastArrows = [];
  /** Arrows and shading that the analysis shows. */
  shownArrows = null;
  shading = null;
  players = { Yellow: "person", Blue: "engine" };
  /** Whether this browser keeps the game: not one that somebody only looks at. */
  keeps = true;
  level = "medium";
  /** Turns after which the position on the page is, where it is an earlier one. */
  looking = null;

  async begin() {
    this.settings = keptSettings();
    this.tips = new Tips(this, $("tooltip"));
    applyTheme(this);
    this.engine = engineOfPage((state) => this.engineChanged(state));
    this.analysis = new AnalysisPanel(this, $("panel-analysis"));
    this.watch = new Watch(this, $("watch"));
    wireControls(this);
    try {
      await this.connected();
    } catch (error) {
      // Where a connection failed, the page is trying again.
      if (!(error instanceof Lost)) this.say(error.message, true);
    }
  }

  /** The game begins, or goes on, with an engine that is there. */
  async connected() {
    await this.engine.ready;
    this.book ??= await this.engine.ask("book");
    await this.firstPosition();
    document.documentElement.dataset.ready = "yes";
    for (const button of document.querySelectorAll("nav button")) button.disabled = false;
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
  }

  async firstPosition() {
    const kept = keptGame();
    const position = linkedPosition();
    const game = this.engine.remote && (linkedGame() ?? (position ? null : kept?.link));
    if (game) return this.openGame(game);
    let trouble = null;
    if (position) {
      try {
        // The game that was kept stays so until something is played here.
        this.keeps = false;
        const shown = await this.engine.ask("load", { text: position });
        this.players = { Yellow: "engine", Blue: "engine", [shown.side]: "person" };
        await this.show(shown);
        this.say("Position of the link");
        return this.thinking.begin();
      } catch (error) {
        if (error instanceof Lost) throw error;
        this.keeps = true;
        trouble = `The link cannot be read: ${error.message}`;
      }
    }
    const unread = kept ? await this.goOn(kept) : null;
    if (!kept || unread) await this.newGame({});
    trouble ??= unread;
    if (trouble) this.say(trouble, true);
  }

  /** Lets those play who played a game, as far as that was kept. */
  seat({ players, level }) {
    this.players = players ?? this.players;
    if (this.book.levels.some((row) => row.name === level)) this.level = level;
  }

  /** Goes on with the text of a game that this browser has kept. Returns what is wrong where it cannot be read. */
  async goOn(kept) {
    this.looking = null;
    try {
      const position = await this.engine.ask("load", { text: kept.text });
      this.keeps = true;
      this.seat(kept);
      await this.show(position);
    } catch (error) {
      if (error instanceof Lost) throw error;
      return `The game that was kept cannot be read: ${error.message}`;
    }
    this.say("The game goes on where you left it");
    for (const line of kept.lines) if (!(await this.act("enter", { line }))) break;
    this.thinking.begin();
    return null;
  }

  /** Opens a game that the server keeps. Where that fails the link stays as it is: it may be the only one that there is. */
  async openGame(link) {
    try {
      this.takeLinks(await this.engine.ask("open", { link }));
    } catch (error) {
      if (error instanceof Lost) throw error;
      return this.offerAnother(link, error.message);
    }
    // Who comes by a link lets nobody play but people, unless this browser has said otherwise for this game.
    this.looking = null;
    this.players = { Yellow: "person", Blue: "person" };
    this.seat(keptPlayers(link) ?? {});
    // Another game that this browser has kept stays so until something is played here.
    this.keeps = keptGame()?.link === link;
    await this.show(await this.engine.ask("position"));
    this.say(this.watching ? "You watch this game" : "The game goes on");
    this.thinking.begin();
  }

  /** Says that a game cannot be opened, and what can be done. */
  offerAnother(link, words) {
    this.say(`The game of the link cannot be opened: ${words}. `, true);
    const kept = keptGame();
    const button = (text, onclick) => $("message").append(el("button", { onclick }, text), " ");
    button("Try again", () => this.openGame(link));
    const goOn = async () => {
      const unread = await this.goOn(kept);
      if (unread) this.say(unread, true);
    };
    if (kept?.link === link) button("Go on with the copy in this browser", goOn);
  }

  takeLinks({ play, watch }) {
    this.links = { play, watch };
    this.watching = !play;
    keepLink(play ?? watch);
  }

  async newGame(asked, players = this.players, level = this.level) {
    await this.thinking.halt();
    const before = { players: this.players, level: this.level };
    this.players = players;
    this.level = level;
    const names = {};
    for (const side of ["Yellow", "Blue"]) names[`${side.toLowerCase()}_name`] = players[side] === "engine" ? `Barrow (${level})` : "You";
    const seed = Math.floor(Math.random() * 2 ** 31);
    this.analysis.forget();
    // What was refused leaves the game as it was, and the engine at it.
    if (!(await this.act("new", { seed, ...names, ...asked }))) this.seat(before);
    else this.say(this.isPersons() ? "Your turn: choose a piece" : "The game begins");
    this.thinking.begin();
  }

  /** Sends a request that changes the game, and shows what comes of it. False where it was refused. */
  async act(ask, parts = {}) {
    try {
      this.looking = null;
      const position = await this.engine.ask(ask, { seen: this.position?.history.length, ...parts });
      this.keeps = true;
      this.lastArrows = [];
      await this.show(position);
      return true;
    } catch (error) {
      // A turn of the engine for a position that somebody else was faster at is no news.
      const isLate = parts.seen !== undefined && parts.seen !== this.position.history.length;
      if (!(error instanceof Lost) && !isLate) this.refuse(error.message);
      return false;
    }
  }

  async show(position) {
    // Figures of units are those of the game's rules.
    if (this.book.ruleset !== position.ruleset) this.book = await this.engine.ask("book", { ruleset: position.ruleset });
    this.position = position;
    this.picking.held = null;
    drawBoards(this);
    this.drawPanels();
    if (position.is_latest) await this.keep();
    this.analysis.positionChanged();
  }

  async keep() {
    if (this.watching || !this.keeps) return;
    // Who plays can be said while an earlier position is shown; what is kept is the game as it is now.
    const { lines } = this.position.is_latest ? this.position : await this.engine.ask("position");
    const { text } = await this.engine.ask("export", { form: "mgn" });
    const { players, level } = this;
    const link = this.links?.play;
    keepGame({ text, lines, players, level, link });
    if (link) keepPlayers(link, { players, level });
    else if (linkedPosition() !== null) dropLink();
  }

  isPersons() {
    const { position } = this;
    return Boolean(position?.is_latest) && !position.result && !this.watching && this.players[position.side] === "person";
  }

  // --- Drawing

  side() {
    return this.position.side === "Yellow" ? 0 : 1;
  }

  spellWords(name) {
    return this.book.spells.find((spell) => spell.name === name)?.effect ?? "";
  }

  drawPanels() {
    scorePanel(this, $("score"));
    turnPanel(this, $("panel-turn"));
    techPanel(this, $("panel-techs"));
    gamePanel(this, $("panel-game"));
    const persons = this.isPersons();
    $("undo").disabled = !persons || this.position.lines.length === 0;
    $("clear").disabled = $("undo").disabled;
    $("end-turn").disabled = !persons;
    $("hint").disabled = !persons || this.thinking.searching !== null;
    $("stop").hidden = this.thinking.searching === null;
  }

  drawMarks() {
    for (const board of this.boards) {
      const held = this.picking.held?.board === board.index ? this.picking.held : null;
      board.mark(held ? this.picking.marksOf(held) : []);
      const arrows = this.shownArrows ?? this.lastArrows;
      board.arrows(held ? [] : arrows.filter((arrow) => arrow.board === board.index));
      board.shade(this.shading?.[board.index] ?? []);
    }
  }

  async enter(line) {
    const before = [...this.position.sentences];
    if (!(await this.act("enter", { line }))) return;
    // What was entered need not be the last in the turn.
    const isNew = (words) => {
      const at = before.indexOf(words);
      if (at >= 0) before.splice(at, 1);
      return at < 0;
    };
    const { sentences } = this.position;
    const entered = sentences.filter(isNew).at(-1) ?? sentences.at(-1);
    if (entered) this.say(capital(entered));
  }

  // --- Words

  say(words, bad = false) {
    $("message").textContent = words;
    $("message").classList.toggle("bad", bad);
  }

  refuse(words) {
    this.say(`Not possible: ${sentence(words ?? "nothing can be done here")}`, true);
  }

  unhover() {
    this.tips.hide();
    if (!this.picking.held) this.drawMarks();
  }

  // --- Turns and the engine

  /** Takes lines of the turn back, where a person has the move. */
  async back(ask) {
    if (this.isPersons()) await this.act(ask);
  }

  async endTurn() {
    if (this.isPersons() && (await this.act("end_turn"))) {
      this.say(this.resultWords() || "Turn ended");
      this.thinking.begin();
    }
  }

  resultWords() {
    const { result, result_reason: reason } = this.position;
    if (!result) return "";
    return result === "draw" ? "The game is drawn" : `${result} has won${reason ? ` by ${reason}` : ""}`;
  }

  async look(turns) {
    const latest = this.position.history.length;
    this.looking = turns >= latest ? null : turns;
    this.lastArrows = [];
    await this.show(await this.engine.ask("position", { after: this.looking }));
    this.say(this.looking === null ? this.resultWords() || "The game as it is now" : `The position after ${turns} turn${turns === 1 ? "" : "s"}`);
    this.thinking.begin();
  }

  /** Shows what somebody else has made of the game, and lets the engine answer where it has the move by that. */
  async changed(position) {
    const goesOn = this.position !== null && this.position.history.length !== position.history.length;
    // What is being searched is no position of the game any more.
    if (goesOn && this.thinking.searching) this.thinking.halt().catch(() => {});
    await this.show(position);
    if (goesOn) this.thinking.begin();
  }

  engineChanged(state) {
    if (state.pushed?.reply === "game") this.takeLinks(state.pushed);
    if (state.pushed?.reply === "position" && this.looking === null) this.changed(state.pushed);
    if (state.lost) this.reconnect();
    if (state.taken) this.analysis.networkLoaded(state.error);
  }

  async reconnect() {
    this.say("The connection to the server was lost; trying again …", true);
    if (await this.engine.refusesPages()) return this.say(`The server answers no pages of ${location.origin}: whoever runs it can allow that by --origin ${location.origin}`, true);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    this.thinking.forget();
    try {
      this.engine.start();
      await this.connected();
    } catch (error) {
      if (!(error instanceof Lost)) this.say(error.message, true);
    }
  }
}

new Page().begin();
