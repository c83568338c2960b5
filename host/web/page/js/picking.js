// What the player takes in hand, by click, drag or key: a piece, a unit or a card, the hexes where it may go, and why it may not.

import { attackWords } from "./board.js";
import { pickFrom } from "./dialogs.js";
import { capital, plain, sentence } from "./words.js";

export class Picking {
  /** What is in hand: choices, and on which board. */
  held = null;

  constructor(page) {
    this.page = page;
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

  async onHex(what, board, hex, event, to) {
    if (what === "hover") return this.page.tips.hover(board, hex, event);
    if (what === "focus") return hex && this.tellOf(board, hex, event);
    if (what === "cancel") return this.letGo();
    if (what === "grab") {
      this.page.tips.hide();
      return this.page.isPersons() && this.take({ board, hex }, true);
    }
    if (what === "drop") return this.drop(board, hex, to);
    this.page.tips.hide();
    if (what === "choose") return this.choose(board, hex);
  }

  letGo() {
    this.held = null;
    this.page.drawMarks();
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
    if (!this.page.isPersons()) return null;
    const found = await this.page.engine.ask("choices", subject);
    this.held = { ...subject, choices: found.choices, after: found.after_walking, chosen: [] };
    this.page.drawMarks();
    this.markPressed();
    if (found.choices.length === 0) {
      if (!silently) this.page.refuse(found.why);
      if (!silently) this.held = null;
    } else if (!silently) {
      const hasHexes = found.choices.some((choice) => choice.hexes.length > 0);
      this.page.say(`${capital(found.title)}: ${hasHexes ? "choose a marked hex" : sentence(found.why ?? "choose in the list")}`);
    }
    // Cards without a target, discards, pieces that blink: what needs no hex is offered in a list.
    const plainOnes = found.choices.filter((choice) => choice.hexes.length === 0);
    if (plainOnes.length && !silently && (subject.spell || plainOnes.length === found.choices.length)) this.offer(plainOnes, found);
    return found;
  }

  async offer(choices, found) {
    const others = found.choices.length > choices.length ? [{ words: "choose a target on the board", line: null }] : [];
    const chosen = await pickFrom(capital(found.title), [...others, ...choices]);
    if (chosen?.line) await this.page.enter(chosen.line);
  }

  async choose(board, hex) {
    if (!this.page.isPersons()) {
      return this.page.say(this.page.position.result ? "The game is over" : this.page.position.is_latest ? "It is not your turn" : "This is an earlier position");
    }
    const held = this.held;
    if (held && held.board === board && hex !== held.hex) {
      const matching = held.choices.filter((choice) => choice.hexes[held.chosen.length] === hex && held.chosen.every((chosen, place) => choice.hexes[place] === chosen));
      if (matching.length) return this.chooseOf(matching, hex);
      const own = this.page.position.boards[board].pieces.find((piece) => piece.hex === hex && piece.side === this.page.position.side);
      if (!own) {
        if (held.hex) await this.explain(board, held.hex, hex);
        else this.page.refuse(held.unit ? await this.whyNot(`${board} spawn ${held.unit} ${hex}`) : "that is no target");
        return this.letGo();
      }
    }
    if (held?.hex === hex && held.board === board) {
      const extra = held.choices.filter((choice) => choice.hexes.length === 0);
      if (extra.length) return this.offer(extra, { title: hex, choices: held.choices });
      return this.letGo();
    }
    const piece = this.page.position.boards[board].pieces.find((other) => other.hex === hex);
    const tile = this.page.boards[board].tileAt.get(hex);
    if (!piece && tile === "spawner") return this.boardMenu(board);
    if (piece?.side === this.page.position.side) return this.take({ board, hex });
    this.letGo();
    if (piece) this.page.say(`${plain(piece.unit)} of ${piece.side}: choose one of your pieces first`);
  }

  async chooseOf(matching, hex) {
    const { held } = this;
    const longer = matching.filter((choice) => choice.hexes.length > held.chosen.length + 1);
    if (longer.length === matching.length) {
      held.chosen.push(hex);
      this.page.say("Choose where it goes");
      return this.page.drawMarks();
    }
    const choice = matching.length === 1 ? matching[0] : await pickFrom("What shall it be?", matching);
    if (choice) await this.page.enter(choice.line);
  }

  async drop(board, from, to) {
    if (!this.page.isPersons()) return this.page.refuse("it is not your turn");
    if (!to || to === from) return this.letGo();
    const found = await this.page.engine.ask("choices", { board, hex: from });
    const matching = found.choices.filter((choice) => choice.hexes[0] === to);
    if (matching.length === 0) {
      await this.explain(board, from, to);
      return this.letGo();
    }
    const choice = matching.length === 1 ? matching[0] : await pickFrom("What shall it be?", matching);
    if (choice) await this.page.enter(choice.line);
  }

  async whyNot(line) {
    const { why } = await this.page.engine.ask("check", { line });
    return why ?? "choose a marked hex";
  }

  /** Says why a piece cannot go to a hex. */
  async explain(board, from, to) {
    this.page.refuse(`${from} to ${to}: ${await this.whyNot(`${board} ${from}${to}`)}`);
  }

  /** What a board can do besides: units to buy and to keep, tiles, the end of the phase, resignation. */
  async boardMenu(board) {
    const found = await this.page.engine.ask("choices", { board });
    const souls = this.page.position.souls[this.page.side()];
    const rows = found.choices.map((choice) => {
      if (choice.kind !== "buy") return choice;
      const unit = this.page.book.units.find((row) => row.name === choice.unit);
      const figures = `${attackWords(unit)}, defense ${unit.defense}, speed ${unit.speed}, range ${unit.range}`;
      return { ...choice, words: `${plain(choice.unit)} for ${choice.price}`, note: figures };
    });
    const chosen = await pickFrom(`Board ${board + 1}: ${souls} souls`, rows);
    if (chosen?.line) await this.page.enter(chosen.line);
  }

  tellOf(board, hex) {
    if (!document.activeElement?.matches?.(".hit:focus-visible")) return;
    this.page.tips.hover(board, hex, null);
  }
}
