// Tooltips: cards of pieces, units and terrain, and the reach of a piece under the pointer.

import { attackWords } from "./board.js";
import { capital, el, plain, sentence } from "./words.js";

// Time that the pointer rests before a card is shown, in milliseconds.
const REST = 180;

export class Tips {
  constructor(page, root) {
    this.page = page;
    this.root = root;
  }

  hide() {
    clearTimeout(this.timer);
    this.root.hidden = true;
  }

  hover(board, hex, event) {
    const { page } = this;
    clearTimeout(this.timer);
    if (!hex) return page.unhover();
    const piece = page.position?.boards[board]?.pieces.find((other) => other.hex === hex);
    const tile = page.boards[board].tileAt?.get(hex);
    if (!piece && !tile) return page.unhover();
    this.timer = setTimeout(() => this.show(board, hex, piece, tile, event), REST);
  }

  async show(board, hex, piece, tile, event) {
    const { page } = this;
    const parts = piece ? this.piece(piece) : [];
    if (piece && !page.picking.held && page.isPersons() && piece.side === page.position.side) {
      const found = await page.engine.ask("choices", { board, hex });
      if (!page.picking.held) page.boards[board].mark(page.picking.marksOf({ hex, choices: found.choices, after: found.after_walking, chosen: [] }));
      if (found.why) parts.push(el("em", {}, sentence(found.why)));
    }
    if (tile) {
      const effect = page.book.terrain.find((row) => row.kind === tile)?.effect;
      parts.push(el("span", { class: "terrain" }, `${capital(plain(tile))}: ${effect}`));
    }
    this.place(parts, event ?? page.boards[board].cells.get(hex).getBoundingClientRect());
  }

  piece(piece) {
    const parts = [el("strong", {}, `${capital(plain(piece.unit))} of ${piece.side}, ${piece.hex}`),
      el("span", {}, `${attackWords(piece)} (${piece.attacks_made} made) · range ${piece.range} · defense ${piece.defense - piece.damage}/${piece.defense} · speed ${piece.speed} (${piece.steps_made} used)`)];
    const notes = piece.modifiers.map((modifier) => `${plain(modifier.name)} for ${modifier.turns} turns`);
    if (piece.exhausted) notes.push("exhausted");
    if (notes.length) parts.push(el("em", {}, notes.join(", ")));
    // Of the card the keywords: figures stand above, as they are now.
    const card = this.page.book.units.find((unit) => unit.name === piece.unit)?.card ?? "";
    const keywords = card.split("\n").slice(5).map((line) => line.trim()).filter((line) => line && !line.startsWith("made to") && !line.startsWith("tech "));
    return [...parts, ...keywords.map((line) => el("span", {}, capital(line)))];
  }

  unit(name, event) {
    const row = this.page.book.units.find((unit) => unit.name === name);
    this.place(row.card.trim().split("\n").map((line, place) => el(place ? "span" : "strong", {}, capital(line.trim()))), event);
  }

  place(parts, at) {
    this.root.replaceChildren(...parts);
    this.root.hidden = false;
    const x = at.clientX ?? at.right;
    const y = at.clientY ?? at.bottom;
    const { width, height } = this.root.getBoundingClientRect();
    this.root.style.left = `${Math.max(4, Math.min(x + 16, innerWidth - width - 8))}px`;
    this.root.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 18) : y + 18}px`;
  }
}
