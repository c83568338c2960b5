// The page: one game at a time, played by people and by the engine, with its boards and panels.

import { AnalysisPanel } from "./analysis.js";
import { drawBoards } from "./board_cards.js";
import { applyTheme, wireControls } from "./controls.js";
import { gamePanel, scorePanel, techPanel, turnPanel } from "./panels.js";
import { Picking } from "./picking.js";
import { engineOfPage } from "./pool.js";
import { dropLink, keepGame, keepLink, keptGame, keptSettings, linkedGame, linkedPosition } from "./storage.js";
import { Thinking } from "./thinking.js";
import { Tips } from "./tips.js";
import { Watch } from "./watch.js";
import { capital, sentence } from "./words.js";

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
      await this.engine.ready;
      this.book = await this.engine.ask("book");
      await this.firstPosition();
      document.documentElement.dataset.ready = "yes";
    } catch (error) {
      this.say(error.message, true);
      return;
    }
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
  }

  async firstPosition() {
    const game = this.engine.remote && linkedGame();
    if (game) {
      try {
        return await this.openGame(game);
      } catch (error) {
        this.say(`The game of the link cannot be opened: ${error.message}`, true);
      }
    }
    const link = linkedPosition();
    const kept = keptGame();
    if (link) {
      try {
        await this.show(await this.engine.ask("load", { text: link }));
        dropLink();
        this.say("Position of the link");
        return this.thinking.begin();
      } catch (error) {
        this.say(`The link cannot be read: ${error.message}`, true);
      }
    }
    if (kept?.text) {
      try {
        this.players = kept.players ?? this.players;
        this.level = kept.level ?? this.level;
        await this.show(await this.engine.ask("load", { text: kept.text }));
        for (const line of kept.lines ?? []) await this.show(await this.engine.ask("enter", { line }));
        this.say("The game goes on where you left it");
        return this.thinking.begin();
      } catch (error) {
        this.say(`The game that was kept cannot be read: ${error.message}`, true);
      }
    }
    await this.newGame({});
  }

  /** Opens a game that the server keeps. */
  async openGame(link) {
    this.takeLinks(await this.engine.ask("open", { link }));
    this.players = keptGame()?.players ?? this.players;
    await this.show(await this.engine.ask("position"));
    this.say(this.watching ? "You watch this game" : "The game goes on");
    this.thinking.begin();
  }

  takeLinks({ play, watch }) {
    this.links = { play, watch };
    this.watching = !play;
    keepLink(play ?? watch);
  }

  async newGame(asked, players = this.players, level = this.level) {
    await this.thinking.halt();
    this.players = players;
    this.level = level;
    const names = {};
    for (const side of ["Yellow", "Blue"]) names[`${side.toLowerCase()}_name`] = players[side] === "engine" ? `Barrow (${level})` : "You";
    const seed = Math.floor(Math.random() * 2 ** 31);
    this.lastArrows = [];
    this.analysis.forget();
    await this.act("new", { seed, ...names, ...asked });
    this.say(this.isPersons() ? "Your turn: choose a piece" : "The game begins");
    if (this.book.ruleset !== this.position.ruleset) this.book = await this.engine.ask("book");
    this.thinking.begin();
  }

  /** Sends a request that changes the game, and shows what comes of it. False where it was refused. */
  async act(ask, parts = {}) {
    try {
      this.looking = null;
      await this.show(await this.engine.ask(ask, parts));
      return true;
    } catch (error) {
      this.refuse(error.message);
      return false;
    }
  }

  async show(position) {
    this.position = position;
    this.picking.held = null;
    drawBoards(this);
    this.drawPanels();
    await this.keep();
    this.analysis.positionChanged();
  }

  async keep() {
    if (!this.position.is_latest) return;
    const { text } = await this.engine.ask("export", { form: "mgn" });
    keepGame({ text, lines: this.position.lines, players: this.players, level: this.level });
  }

  isPersons() {
    const { position } = this;
    return position.is_latest && !position.result && !this.watching && this.players[position.side] === "person";
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
    this.lastArrows = [];
    if (await this.act("enter", { line })) {
      const last = this.position.sentences.at(-1);
      if (last) this.say(capital(last));
    }
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

  async endTurn() {
    if (await this.act("end_turn")) {
      this.say("Turn ended");
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
  }

  engineChanged(state) {
    if (state.pushed?.reply === "game") this.takeLinks(state.pushed);
    if (state.pushed?.reply === "position" && !this.looking) this.show(state.pushed);
    if (state.lost) this.reconnect();
    if (state.taken) this.analysis.networkLoaded(state.error);
  }

  async reconnect() {
    this.say("The connection to the server was lost; trying again …", true);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    this.thinking.searching = null;
    try {
      this.engine.start();
      await this.engine.ready;
      await this.openGame(linkedGame());
    } catch (error) {
      this.say(error.message, true);
    }
  }
}

new Page().begin();
