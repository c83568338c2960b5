// A board as SVG: terrain, pieces that can be read without a legend, marks, arrows, and shading of who will fall.

import { plain, svg } from "./words.js";

const STEP = 40;
const ROW = 34.64;
const SIDE = 23.09;
const MARGIN = 16;
export const WIDTH = 2 * MARGIN + STEP * 14.5;
export const HEIGHT = 2 * MARGIN + ROW * 9 + 2 * SIDE;

const COLUMNS = "abcdefghij";

/** Middle of a hex. */
export function middle(hex) {
  const x = COLUMNS.indexOf(hex[0]);
  const y = Number(hex[1]);
  return [MARGIN + STEP * (0.5 + x + y / 2), MARGIN + SIDE + ROW * y];
}

const CORNERS = [[0, -SIDE], [STEP / 2, -SIDE / 2], [STEP / 2, SIDE / 2], [0, SIDE], [-STEP / 2, SIDE / 2], [-STEP / 2, -SIDE / 2]];

function outline([x, y], shrink = 0) {
  const factor = 1 - shrink / SIDE;
  return CORNERS.map(([dx, dy]) => `${(x + dx * factor).toFixed(1)},${(y + dy * factor).toFixed(1)}`).join(" ");
}

/** All hexes, row by row. */
export const HEXES = Array.from({ length: 100 }, (_, index) => COLUMNS[index % 10] + Math.floor(index / 10));

/** The neighbour of a hex by an arrow key; rows are shifted, so up and down keep near the column on the screen. */
export function neighbour(hex, key) {
  let x = COLUMNS.indexOf(hex[0]);
  let y = Number(hex[1]);
  if (key === "ArrowLeft") x -= 1;
  else if (key === "ArrowRight") x += 1;
  else if (key === "ArrowUp") {
    x += y % 2 === 0 ? 0 : 1;
    y -= 1;
  } else if (key === "ArrowDown") {
    x -= y % 2 === 0 ? 1 : 0;
    y += 1;
  }
  if (y < 0 || y > 9) return null;
  x = Math.min(9, Math.max(0, x));
  return COLUMNS[x] + y;
}

// Signs of terrain, drawn with a few strokes in a hex around the origin.
const SIGNS = {
  graveyard: "M-7 9V-3a7 7 0 0 1 14 0V9Z M-3 -2h6 M0 -5v8",
  water: "M-11 -3q3-4 6 0t6 0t6 0 M-11 4q3-4 6 0t6 0t6 0",
  earthquake: "M-9 8l5-9 3 4 4-9 6 5",
  firestorm: "M0 10c-8 0-8-9-3-12 0 4 3 4 2-4 6 3 8 8 6 12q-2 4-5 4",
  whirlwind: "M-9-7h18 M-6-2h13 M-4 3h8 M-1 8h3",
  sorcery_node: "M0-10 2.500-2.500 10 0 2.500 2.500 0 10-2.500 2.500-10 0-2.500-2.500Z",
  teleporter: "M0-9a9 9 0 1 1-6 3 M0-4a4 4 0 1 0 3 2",
  spawner: "M-8 8h16 M-5 8V-2a5 5 0 0 1 10 0v10 M0-2v4 M-2 0h4",
  mist: "M-10-5h14 M-6 0h16 M-10 5h13",
  wall: "M-11-7h22v14h-22Z M-11 0h22 M-3-7v7 M4 0v7",
};

// Marks in words, for who does not see them.
const MARKS = { held: "chosen", walk: "can go here", spawn: "can be placed here", attack: "can be attacked", after: "can be attacked after a walk", cast: "can be chosen" };

function describe(board, hex) {
  const parts = [hex];
  const piece = board.pieceAt.get(hex);
  if (piece) {
    parts.push(`${piece.side} ${plain(piece.unit)}`);
    parts.push(attackWords(piece));
    parts.push(`defense ${piece.defense - piece.damage} of ${piece.defense}`);
    if (piece.ready) parts.push("ready");
    if (piece.exhausted) parts.push("exhausted");
    for (const modifier of piece.modifiers) parts.push(plain(modifier.name));
  } else parts.push("free");
  const tile = board.tileAt.get(hex);
  if (tile) parts.push(plain(tile));
  parts.push(...(board.marksAt.get(hex) ?? []));
  return parts.join(", ");
}

/** Attack of a piece in words. */
export function attackWords(piece) {
  if (piece.attack === "none") return "no attack";
  const times = piece.attacks > 1 ? `, ${piece.attacks} times` : "";
  if (piece.attack === "unsummon") return `unsummons${times}`;
  if (piece.attack === "deathtouch") return `deathtouch${times}`;
  return `attack ${piece.attack}${times}`;
}

const ATTACK_SIGNS = { none: "–", unsummon: "↩", deathtouch: "☠" };

function drawPiece(piece) {
  const yellow = piece.side === "Yellow";
  const group = svg("g", { class: `piece ${yellow ? "yellow" : "blue"}${piece.ready ? " ready" : ""}${piece.exhausted ? " spent" : ""}` });
  // Sides differ by shape as well as by colour.
  group.append(yellow ? svg("circle", { r: 16.5, class: "body" }) : svg("rect", { x: -15, y: -15, width: 30, height: 30, rx: 5, class: "body" }));
  if (piece.necromancer) group.append(svg("path", { d: "M-6-15.500l3 3.500 3-5 3 5 3-3.500v7h-12Z", class: "crown" }));
  const letter = svg("text", { y: piece.necromancer ? 4 : 2, class: "letter" });
  letter.textContent = piece.letter.toUpperCase();
  const name = svg("text", { y: 11.5, class: "name" });
  const words = plain(piece.unit).replace(/ ?necromancer$/, "") || "necro";
  name.textContent = words;
  if (words.length > 7) {
    name.setAttribute("textLength", "27");
    name.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  group.append(letter, name);
  const attack = svg("g", { transform: "translate(-12 -11)" });
  const strength = ATTACK_SIGNS[piece.attack] ?? piece.attack;
  const text = svg("text", { class: "figure", y: 3 });
  text.textContent = piece.attacks > 1 ? `${strength}×${piece.attacks}` : strength;
  attack.append(svg("rect", { x: piece.attacks > 1 ? -9 : -6, y: -6, width: piece.attacks > 1 ? 18 : 12, height: 12, rx: 3, class: "badge attack" }), text);
  const left = svg("text", { class: "figure", y: 3 });
  left.textContent = piece.defense - piece.damage;
  const defense = svg("g", { transform: "translate(12 -11)" });
  defense.append(svg("path", { d: "M-6-6h12v6q0 5-6 7q-6-2-6-7Z", class: `badge defense${piece.damage > 0 ? " hurt" : ""}` }), left);
  group.append(attack, defense);
  if (piece.modifiers.length > 0) group.append(svg("circle", { cx: 13, cy: 11, r: 4, class: "modified" }));
  if (piece.ready) group.append(svg("circle", { cx: 0, cy: 17, r: 3, class: "can" }));
  return group;
}

/** A board on the page. It is drawn anew with each position; `onact` gets what the player does with a hex. */
export class Board {
  constructor(index, onact) {
    this.index = index;
    this.onact = onact;
    this.focus = "c2";
    /** Words of the marks on hexes. */
    this.marksAt = new Map();
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT.toFixed(0)}`, class: "board", role: "group" });
    this.layers = {};
    for (const name of ["hexes", "shade", "marks", "pieces", "arrows", "hits"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    const defs = svg("defs");
    for (const kind of ["walk", "attack", "cast"]) {
      const head = svg("marker", { id: `head-${kind}-${index}`, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3.6, markerHeight: 3.6, orient: "auto-start-reverse" });
      head.append(svg("path", { d: "M0 0 10 5 0 10Z", class: `head ${kind}` }));
      defs.append(head);
    }
    this.root.append(defs);
    this.cells = new Map();
    this.drawHits();
  }

  drawHits() {
    for (const hex of HEXES) {
      const cell = svg("polygon", { points: outline(middle(hex), 1), class: "hit", role: "button", tabindex: hex === this.focus ? 0 : -1, "data-hex": hex });
      this.cells.set(hex, cell);
      this.layers.hits.append(cell);
    }
    const hexOf = (event) => event.target.closest?.("[data-hex]")?.dataset.hex;
    this.root.addEventListener("keydown", (event) => this.onkey(event, hexOf(event)));
    this.root.addEventListener("pointerover", (event) => this.onact("hover", this.index, hexOf(event) ?? null, event));
    this.root.addEventListener("pointerleave", (event) => this.onact("hover", this.index, null, event));
    this.root.addEventListener("focusin", (event) => this.onact("focus", this.index, hexOf(event) ?? null, event));
    this.root.addEventListener("pointerdown", (event) => this.ondown(event, hexOf(event)));
  }

  onkey(event, hex) {
    if (!hex) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onact("choose", this.index, hex, event);
    } else if (event.key === "Escape") this.onact("cancel", this.index, hex, event);
    else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const next = neighbour(hex, event.key);
      if (next) this.focusHex(next);
    }
  }

  focusHex(hex) {
    this.cells.get(this.focus).setAttribute("tabindex", -1);
    this.focus = hex;
    const cell = this.cells.get(hex);
    cell.setAttribute("tabindex", 0);
    cell.focus();
  }

  // A press and release on one hex chooses it; on two, the piece of the first was dropped on the second.
  ondown(event, from) {
    if (!from || event.button !== 0) return;
    const piece = this.pieceAt?.get(from);
    let ghost = null;
    const began = [event.clientX, event.clientY];
    const move = (next) => {
      if (!piece || Math.hypot(next.clientX - began[0], next.clientY - began[1]) < 8) return;
      if (!ghost) {
        ghost = drawPiece(piece);
        ghost.classList.add("ghost");
        this.layers.arrows.append(ghost);
        this.onact("grab", this.index, from, next);
      }
      const point = new DOMPoint(next.clientX, next.clientY).matrixTransform(this.root.getScreenCTM().inverse());
      ghost.setAttribute("transform", `translate(${point.x} ${point.y})`);
    };
    const up = (next) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      ghost?.remove();
      // The finger scrolls the page.
      if (next.type === "pointercancel") return this.onact("cancel", this.index, from, next);
      const target = document.elementFromPoint(next.clientX, next.clientY);
      const to = this.root.contains(target) ? target.closest("[data-hex]")?.dataset.hex : null;
      if (ghost) this.onact("drop", this.index, from, next, to);
      else if (to === from) {
        this.cells.get(this.focus).setAttribute("tabindex", -1);
        this.focus = from;
        this.cells.get(from).setAttribute("tabindex", 0);
        this.onact("choose", this.index, from, next);
      }
    };
    if (piece) event.preventDefault();
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  /** Draws a position. */
  draw(view, title) {
    this.pieceAt = new Map(view.pieces.map((piece) => [piece.hex, piece]));
    this.tileAt = new Map(view.tiles.map((tile) => [tile.hex, tile.kind]));
    for (const movable of view.movables) this.tileAt.set(movable.hex, movable.kind);
    const movable = new Set(view.movables.map((tile) => tile.hex));
    this.root.setAttribute("aria-label", title);
    const hexes = [];
    const names = [];
    for (const hex of HEXES) {
      const at = middle(hex);
      const kind = this.tileAt.get(hex) ?? "ground";
      hexes.push(svg("polygon", { points: outline(at), class: `hex ${kind}${movable.has(hex) ? " movable" : ""}` }));
      if (SIGNS[kind]) hexes.push(svg("path", { d: SIGNS[kind], transform: `translate(${at[0]} ${at[1]})`, class: `sign ${kind}` }));
      const name = svg("text", { x: at[0], y: at[1] + 18.5, class: "coordinate" });
      name.textContent = hex;
      names.push(name);
    }
    this.layers.hexes.replaceChildren(...hexes, ...names);
    const pieces = view.pieces.map((piece) => {
      const [x, y] = middle(piece.hex);
      const group = drawPiece(piece);
      group.setAttribute("transform", `translate(${x} ${y})`);
      return group;
    });
    this.layers.pieces.replaceChildren(...pieces);
    for (const [hex, cell] of this.cells) cell.setAttribute("aria-label", describe(this, hex));
  }

  /** Marks hexes: a list of `[hex, kind]`. */
  mark(marks) {
    const before = this.marksAt;
    this.marksAt = new Map();
    for (const [hex, kind] of marks) this.marksAt.set(hex, new Set(this.marksAt.get(hex)).add(MARKS[kind]));
    for (const hex of new Set([...before.keys(), ...this.marksAt.keys()])) this.cells.get(hex).setAttribute("aria-label", describe(this, hex));
    const drawn = marks.map(([hex, kind]) => {
      const at = middle(hex);
      // Kinds differ by shape: a dot for where one can go, a ring of dashes for whom one can hit.
      if (kind === "walk" || kind === "spawn") return svg("circle", { cx: at[0], cy: at[1], r: kind === "walk" ? 7 : 9, class: `mark ${kind}` });
      return svg("polygon", { points: outline(at, 3), class: `mark ${kind}` });
    });
    this.layers.marks.replaceChildren(...drawn);
  }

  /** Draws arrows of turns; each has `kind`, `from` and `to`. */
  arrows(list) {
    const drawn = list.map(({ kind, from, to }) => {
      const [x1, y1] = middle(from);
      const [x2, y2] = middle(to);
      if (from === to) return svg("circle", { cx: x1, cy: y1, r: 18.5, class: `arrow ring ${kind}` });
      const head = kind === "attack" ? "attack" : kind === "walk" ? "walk" : "cast";
      const length = Math.hypot(x2 - x1, y2 - y1);
      const cut = Math.min(9, length / 5) / length;
      return svg("line", { x1: x1 + (x2 - x1) * cut, y1: y1 + (y2 - y1) * cut, x2: x2 - (x2 - x1) * cut, y2: y2 - (y2 - y1) * cut, class: `arrow ${kind}`, "marker-end": `url(#head-${head}-${this.index})` });
    });
    this.layers.arrows.replaceChildren(...drawn);
  }

  /** Shades hexes by the fates of their pieces. */
  shade(fates) {
    const drawn = fates.map(({ hex, kind, chance }) => {
      const at = middle(hex);
      const fill = svg("polygon", { points: outline(at, 1), class: `fate ${kind}`, "fill-opacity": (0.12 + 0.68 * chance).toFixed(2) });
      const text = svg("text", { x: at[0], y: at[1] - 14, class: "chance" });
      text.textContent = `${Math.round(chance * 100)}`;
      return kind === "passive" ? fill : svg("g", {}, fill, text);
    });
    this.layers.shade.replaceChildren(...drawn);
  }
}
