// The page: one game at a time, played by people and by the engine, with its boards and panels.

import { AnalysisPanel } from "./analysis.js";
import { Board, attackWords } from "./board.js";
import { applyTheme, wireControls } from "./controls.js";
import { pickFrom } from "./dialogs.js";
import { gamePanel, scorePanel, techPanel, turnPanel } from "./panels.js";
import { engineOfPage } from "./pool.js";
import { dropLink, keepGame, keepLink, keptGame, keptSettings, linkedGame, linkedPosition } from "./storage.js";
import { Tips } from "./tips.js";
import { capital, el, mapName, plain, sentence } from "./words.js";

const $ = (id) => document.getElementById(id);

class Page {
  boards = [];
  position = null;
  book = null;
  /** What the player has taken in hand: choices, and on which board. */
  held = null;
  /** Arrows of the turn played last. */
  lastArrows = [];
  /** Arrows and shading that the analysis shows. */
  shownArrows = null;
  shading = null;
  searching = null;
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
        return this.think();
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
        return this.think();
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
    this.think();
  }

  takeLinks({ play, watch }) {
    this.links = { play, watch };
    this.watching = !play;
    keepLink(play ?? watch);
  }

  async newGame(asked, players = this.players, level = this.level) {
    await this.halt();
    this.players = players;
    this.level = level;
    const names = {};
    for (const side of ["Yellow", "Blue"]) names[`${side.toLowerCase()}_name`] = players[side] === "engine" ? `Barrow (${level})` : "You";
    const seed = Math.floor(Math.random() * 2 ** 31);
    this.lastArrows = [];
    await this.act("new", { seed, ...names, ...asked });
    this.say(this.isPersons() ? "Your turn: choose a piece" : "The game begins");
    if (this.book.ruleset !== this.position.ruleset) this.book = await this.engine.ask("book");
    this.think();
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
    this.held = null;
    this.drawBoards();
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

  drawBoards() {
    const { position } = this;
    if (this.boards.length !== position.boards.length) {
      this.boards = position.boards.map((_, index) => new Board(index, (...event) => this.onHex(...event)));
      const cards = this.boards.map((board, index) => el("article", { class: "card", id: `board-${index}` },
        el("header", { class: "board-title", id: `title-${index}` }), board.root, el("div", { class: "hand", id: `hand-${index}` })));
      $("boards").replaceChildren(...cards);
      $("boards").dataset.count = position.boards.length;
    }
    position.boards.forEach((view, index) => {
      const title = `Board ${index + 1}, ${mapName(view.map)}`;
      this.boards[index].draw(view, title);
      $(`title-${index}`).replaceChildren(...this.titleOf(view, index));
      $(`hand-${index}`).replaceChildren(...this.handOf(view, index));
    });
    this.drawMarks();
  }

  titleOf(view, index) {
    const [yellow, blue] = view.graveyards;
    const parts = [el("h2", {}, `${index + 1} · ${mapName(view.map)}`)];
    parts.push(el("span", { class: "yellow-text", title: "Graveyards of Yellow, of 8 that win the board" }, `● graves ${yellow}/${view.graveyards_to_win} · +${view.income[0]}`));
    parts.push(el("span", { class: "blue-text", title: "Graveyards of Blue" }, `■ graves ${blue}/${view.graveyards_to_win} · +${view.income[1]}`));
    if (view.mana !== 0 || view.hands[this.side()].length) parts.push(el("span", { title: "Mana" }, `✦ ${view.mana}`));
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

  side() {
    return this.position.side === "Yellow" ? 0 : 1;
  }

  /** What a board has besides its pieces: units to place, cards, and what can be bought. */
  handOf(view, index) {
    const side = this.side();
    const persons = this.isPersons();
    const parts = [];
    const buy = el("button", { class: "buy", "data-board": index, onclick: () => this.boardMenu(index), disabled: !persons }, view.awaits_setup ? "Keep a unit …" : view.state === "normal" || view.state === "first_turn" ? "Buy …" : "Buy or keep …");
    parts.push(buy);
    for (const unit of view.reinforcements[side]) {
      parts.push(el("button", { class: `chip ${this.position.side.toLowerCase()}`, disabled: !persons, "data-unit": unit.unit, "data-board": index, "aria-pressed": "false",
        onclick: () => this.take({ board: index, unit: unit.unit }),
        onpointerenter: (event) => this.tips.unit(unit.unit, event), onpointerleave: () => this.tips.hide() },
      el("b", {}, unit.letter.toUpperCase()), ` ${plain(unit.unit)} ×${unit.count}`));
    }
    for (const [place, spell] of view.hands[side].entries()) {
      parts.push(el("button", { class: "chip spell", disabled: !persons, "data-place": place, title: this.spellWords(spell), onclick: () => this.take({ board: index, spell }) }, `✦ ${plain(spell)}`));
    }
    const other = view.reinforcements[1 - side];
    if (other.length) {
      const words = other.map((unit) => `${unit.count} ${plain(unit.unit)}`).join(", ");
      parts.push(el("span", { class: "waiting" }, `${side === 0 ? "Blue" : "Yellow"} waits with ${words}`));
    }
    return parts;
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
    $("hint").disabled = !persons || this.searching !== null;
    $("stop").hidden = this.searching === null;
  }

  drawMarks() {
    for (const board of this.boards) {
      const held = this.held?.board === board.index ? this.held : null;
      board.mark(held ? this.marksOf(held) : []);
      const arrows = this.shownArrows ?? this.lastArrows;
      board.arrows(held ? [] : arrows.filter((arrow) => arrow.board === board.index));
      board.shade(this.shading?.[board.index] ?? []);
    }
  }

  marksOf(held) {
    const marks = held.hex ? [[held.hex, "held"]] : [];
    for (const choice of held.choices) {
      const hex = choice.hexes[held.chosen.length];
      if (!hex || !held.chosen.every((chosen, place) => choice.hexes[place] === chosen)) continue;
      const kind = choice.kind === "attack" ? "attack" : choice.kind === "spawn" ? "spawn" : choice.kind === "walk" ? "walk" : "cast";
      marks.push([hex, kind]);
    }
    for (const hex of held.after ?? []) marks.push([hex, "after"]);
    return marks;
  }

  // --- What the player does with hexes

  async onHex(what, board, hex, event, to) {
    if (what === "hover") return this.tips.hover(board, hex, event);
    if (what === "focus") return hex && this.tellOf(board, hex, event);
    if (what === "cancel") return this.letGo();
    if (what === "grab") {
      this.tips.hide();
      return this.isPersons() && this.take({ board, hex }, true);
    }
    if (what === "drop") return this.drop(board, hex, to);
    this.tips.hide();
    if (what === "choose") return this.choose(board, hex);
  }

  letGo() {
    this.held = null;
    this.drawMarks();
    this.markPressed();
  }

  markPressed() {
    for (const chip of document.querySelectorAll(".chip[data-unit]")) {
      const pressed = this.held?.unit === chip.dataset.unit && this.held.board === Number(chip.dataset.board);
      chip.setAttribute("aria-pressed", String(pressed));
    }
  }

  /** Takes a piece, a unit or a card in hand. */
  async take(subject, silently = false) {
    if (!this.isPersons()) return null;
    const found = await this.engine.ask("choices", subject);
    this.held = { ...subject, choices: found.choices, after: found.after_walking, chosen: [] };
    this.drawMarks();
    this.markPressed();
    if (found.choices.length === 0) {
      if (!silently) this.refuse(found.why);
      if (!silently) this.held = null;
    } else if (!silently) this.say(`${capital(found.title)}: choose a marked hex`);
    // Cards without a target, discards, pieces that blink: what needs no hex is offered in a list.
    const plainOnes = found.choices.filter((choice) => choice.hexes.length === 0);
    if (plainOnes.length && !silently && (subject.spell || plainOnes.length === found.choices.length)) this.offer(plainOnes, found);
    return found;
  }

  async offer(choices, found) {
    const others = found.choices.length > choices.length ? [{ words: "choose a target on the board", line: null }] : [];
    const chosen = await pickFrom(capital(found.title), [...others, ...choices]);
    if (chosen?.line) await this.enter(chosen.line);
  }

  async choose(board, hex) {
    if (!this.isPersons()) {
      return this.say(this.position.result ? "The game is over" : this.position.is_latest ? "It is not your turn" : "This is an earlier position");
    }
    const held = this.held;
    if (held && held.board === board && hex !== held.hex) {
      const matching = held.choices.filter((choice) => choice.hexes[held.chosen.length] === hex && held.chosen.every((chosen, place) => choice.hexes[place] === chosen));
      if (matching.length) return this.chooseOf(matching, hex);
      const own = this.position.boards[board].pieces.find((piece) => piece.hex === hex && piece.side === this.position.side);
      if (!own) {
        if (held.hex) await this.explain(board, held.hex, hex);
        else this.refuse(held.unit ? await this.whyNot(`${board} spawn ${held.unit} ${hex}`) : "that is no target");
        return this.letGo();
      }
    }
    if (held?.hex === hex && held.board === board) {
      const extra = held.choices.filter((choice) => choice.hexes.length === 0);
      if (extra.length) return this.offer(extra, { title: hex, choices: held.choices });
      return this.letGo();
    }
    const piece = this.position.boards[board].pieces.find((other) => other.hex === hex);
    const tile = this.boards[board].tileAt.get(hex);
    if (!piece && tile === "spawner") return this.boardMenu(board);
    if (piece?.side === this.position.side) return this.take({ board, hex });
    this.letGo();
    if (piece) this.say(`${plain(piece.unit)} of ${piece.side}: choose one of your pieces first`);
  }

  async chooseOf(matching, hex) {
    const { held } = this;
    const longer = matching.filter((choice) => choice.hexes.length > held.chosen.length + 1);
    if (longer.length === matching.length) {
      held.chosen.push(hex);
      this.say("Choose where it goes");
      return this.drawMarks();
    }
    const choice = matching.length === 1 ? matching[0] : await pickFrom("What shall it be?", matching);
    if (choice) await this.enter(choice.line);
  }

  async drop(board, from, to) {
    if (!this.isPersons()) return this.refuse("it is not your turn");
    if (!to || to === from) return this.letGo();
    const found = await this.engine.ask("choices", { board, hex: from });
    const matching = found.choices.filter((choice) => choice.hexes[0] === to);
    if (matching.length === 0) {
      await this.explain(board, from, to);
      return this.letGo();
    }
    const choice = matching.length === 1 ? matching[0] : await pickFrom("What shall it be?", matching);
    if (choice) await this.enter(choice.line);
  }

  async whyNot(line) {
    const { why } = await this.engine.ask("check", { line });
    return why ?? "choose a marked hex";
  }

  /** Says why a piece cannot go to a hex. */
  async explain(board, from, to) {
    this.refuse(`${from} to ${to}: ${await this.whyNot(`${board} ${from}${to}`)}`);
  }

  async enter(line) {
    this.lastArrows = [];
    if (await this.act("enter", { line })) {
      const last = this.position.sentences.at(-1);
      if (last) this.say(capital(last));
    }
  }

  /** What a board can do besides: units to buy and to keep, tiles, the end of the phase, resignation. */
  async boardMenu(board) {
    const found = await this.engine.ask("choices", { board });
    const souls = this.position.souls[this.side()];
    const rows = found.choices.map((choice) => {
      if (choice.kind !== "buy") return choice;
      const unit = this.book.units.find((row) => row.name === choice.unit);
      const figures = `${attackWords(unit)}, defense ${unit.defense}, speed ${unit.speed}, range ${unit.range}`;
      return { ...choice, words: `${plain(choice.unit)} for ${choice.price}`, note: figures };
    });
    const chosen = await pickFrom(`Board ${board + 1}: ${souls} souls`, rows);
    if (chosen?.line) await this.enter(chosen.line);
  }

  // --- Words

  say(words, bad = false) {
    $("message").textContent = words;
    $("message").classList.toggle("bad", bad);
  }

  refuse(words) {
    this.say(`Not possible: ${sentence(words ?? "nothing can be done here")}`, true);
  }

  tellOf(board, hex) {
    if (!document.activeElement?.matches?.(".hit:focus-visible")) return;
    this.tips.hover(board, hex, null);
  }

  unhover() {
    this.tips.hide();
    if (!this.held) this.drawMarks();
  }

  // --- Turns and the engine

  async endTurn() {
    if (await this.act("end_turn")) {
      this.say("Turn ended");
      this.think();
    }
  }

  limits() {
    const level = this.book.levels.find((row) => row.name === this.level) ?? this.book.levels[2];
    const limits = { seed: this.position.turn };
    if (level.nodes) limits.nodes = level.nodes;
    if (level.movetime) limits.movetime = level.movetime;
    return limits;
  }

  /** Lets the engine play, where it has the move. */
  async think() {
    const { position } = this;
    if (!position.is_latest || position.result || this.watching || this.players[position.side] !== "engine" || this.searching) return;
    this.analysis.pause();
    this.searching = position.side;
    this.drawPanels();
    this.say(`${position.side} thinks …`);
    try {
      const limits = { ...this.limits(), candidates: 8 };
      const told = (soFar) => this.say(`${position.side} thinks … ${soFar.nodes} positions`);
      const together = limits.movetime && this.engine.searchTogether;
      const found = await (together ? this.engine.searchTogether(limits, told) : this.engine.ask("search", limits, told));
      if (this.searching !== position.side) return;
      this.searching = null;
      const best = found.turns[0];
      if (!best) throw new Error("the search has found no turn");
      if (await this.act("play", { turn: best.lines, value: [best.value, best.expected_error] })) {
        this.lastArrows = best.arrows;
        this.drawMarks();
        this.say(this.position.result ? this.resultWords() : `${position.side} has played: ${sentence(best.summary)}`);
      }
    } catch (error) {
      this.say(error.message, true);
    }
    this.searching = null;
    this.drawPanels();
    this.analysis.positionChanged();
    setTimeout(() => this.think(), 50);
  }

  resultWords() {
    const { result, result_reason: reason } = this.position;
    if (!result) return "";
    return result === "draw" ? "The game is drawn" : `${result} has won${reason ? ` by ${reason}` : ""}`;
  }

  /** Ends the engine's thinking without a turn. */
  async halt() {
    this.analysis?.pause();
    if (!this.searching) return;
    this.searching = null;
    await this.engine.stop();
  }

  async hint() {
    if (!this.isPersons()) return;
    this.analysis.pause();
    this.say("Looking for a turn …");
    try {
      const found = await this.engine.ask("search", { nodes: 400, movetime: 3000, candidates: 1, progress: false });
      this.shownArrows = found.turns[0]?.arrows ?? null;
      this.drawMarks();
      this.say(`Hint: ${sentence(found.turns[0].summary)}`);
    } catch (error) {
      this.say(error.message, true);
    }
    this.shownArrows = null;
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
    this.searching = null;
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
