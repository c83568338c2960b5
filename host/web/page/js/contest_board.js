// Picture of a contest game: a field of squares as SVG, what lies on it all the time, and what a scene puts on it. Players are
// told apart by number and shape, not by colour alone.

import { svg } from "./words.js";

// Side of a square in the picture.
const SIDE = 20;
const TURN = { N: 0, E: 90, S: 180, W: 270 };

const at = (x, y, turn = 0) => `translate(${x * SIDE + SIDE / 2} ${y * SIDE + SIDE / 2})${turn ? ` rotate(${turn})` : ""}`;
const words = (text) => {
  const title = svg("title");
  title.textContent = text;
  return title;
};
const label = (text, kind = "", x = 0, y = 3.4) => {
  const element = svg("text", { class: `contest-label ${kind}`, x, y });
  element.textContent = text;
  return element;
};

// Fixtures by kind, around the middle of their square and facing north.
const FIXTURES = {
  pit: () => [svg("rect", { x: -10, y: -10, width: 20, height: 20, class: "pit" }), svg("circle", { r: 6.5, class: "hole" })],
  void: () => [svg("rect", { x: -10, y: -10, width: 20, height: 20, class: "void" })],
  wall: () => [svg("rect", { x: -10, y: -10, width: 20, height: 20, class: "block" })],
  repair: () => [svg("path", { d: "M-5 0H5M0-5V5", class: "repair" })],
  gear_right: () => [svg("circle", { r: 7, class: "gear" }), svg("path", { d: "M-4 2A4.5 4.5 0 1 1 4 2L6-1M4 2 1 1", class: "gear-way" })],
  gear_left: () => [svg("circle", { r: 7, class: "gear" }), svg("path", { d: "M4 2A4.5 4.5 0 1 0-4 2L-6-1M-4 2-1 1", class: "gear-way" })],
  belt: () => [svg("rect", { x: -8, y: -10, width: 16, height: 20, class: "belt" }), svg("path", { d: "M-4 3 0-3 4 3", class: "belt-way" })],
  express: () => [svg("rect", { x: -8, y: -10, width: 16, height: 20, class: "belt express" }), svg("path", { d: "M-4 6 0 0 4 6M-4 0 0-6 4 0", class: "belt-way" })],
  edge: () => [svg("path", { d: "M-10-9.2H10", class: "edge" })],
  laser: () => [svg("path", { d: "M0 10V-10", class: "beam" }), svg("rect", { x: -2.5, y: 6, width: 5, height: 4, class: "emitter" })],
  pusher: () => [svg("path", { d: "M-5 9H5M0 9V3", class: "pusher" })],
  dock: (fixture) => [svg("circle", { r: 5, class: "dock" }), label(fixture.label, "small")],
  flag: (fixture) => [svg("path", { d: "M-5 8V-8L7-4-5 0", class: "flag" }), label(fixture.label, "flag-number", -1.6, -1.2)],
  spawn: () => [svg("circle", { r: 3, class: "spawn-mark" })],
  shelter: () => [svg("path", { d: "M-7 7V-1L0-7 7-1V7Z", class: "shelter" })],
  mine_spot: () => [svg("path", { d: "M0-5 5 0 0 5-5 0Z", class: "mine-spot" })],
};

// Bodies of what belongs to players, by kind.
const BODIES = {
  robot: "M0-9 7-1V8H-7V-1Z",
  "robot-down": "M0-9 7-1V8H-7V-1Z",
  explorer: "M0-8A8 8 0 0 1 0 8 8 8 0 0 1 0-8Z",
  unit: "M-7-7H7V7H-7Z",
  headquarters: "M-8 8V-3L0-9 8-3V8Z",
  tower: "M-5 8V-8H-2V-5H2V-8H5V8Z",
  mine: "M0-8 8 0 0 8-8 0Z",
  wanderer: "M-8 7 0-8 8 7Z",
  slasher: "M-8-6H8L0 8Z",
};

function token(piece) {
  const kind = piece.kind.replace("-spawning", "");
  const group = svg("g", { class: `token ${piece.kind} seat-${piece.seat ?? "none"}`, transform: at(piece.x, piece.y) }, words(`${piece.words}, column ${piece.x}, row ${piece.y}`));
  if (kind === "plan" || kind === "light") group.append(svg("circle", { r: kind === "plan" ? 9.4 : 8.6, class: kind }));
  else if (kind === "energy") group.append(label(piece.label, "small energy"));
  else {
    // Of two players the first is round.
    const round = kind === "unit" && piece.seat === 0;
    const body = round ? svg("circle", { r: 7.6 }) : svg("path", { d: BODIES[kind] ?? BODIES.unit, transform: piece.facing ? `rotate(${TURN[piece.facing]})` : null });
    body.classList.add("contest-body");
    group.append(body, label(piece.label));
  }
  return group;
}

export class ContestBoard {
  constructor(game) {
    const { width, height } = game;
    this.land = svg("g", { class: "land" });
    this.tokens = svg("g", { class: "tokens" });
    const ground = svg("g", { class: "ground" }, svg("rect", { width: width * SIDE, height: height * SIDE, class: "floor" }));
    const lines = [];
    for (let x = 0; x <= width; x += 1) lines.push(`M${x * SIDE} 0V${height * SIDE}`);
    for (let y = 0; y <= height; y += 1) lines.push(`M0 ${y * SIDE}H${width * SIDE}`);
    const fixtures = svg("g", { class: "fixtures" }, ...game.fixtures.map((fixture) => svg("g", { transform: at(fixture.x, fixture.y, TURN[fixture.facing] ?? 0) }, words(fixture.words), ...(FIXTURES[fixture.kind]?.(fixture) ?? []))));
    this.root = svg("svg", { viewBox: `-2 -2 ${width * SIDE + 4} ${height * SIDE + 4}`, class: "contest-board", role: "img" }, ground, this.land, svg("path", { d: lines.join(""), class: "lines" }), fixtures, this.tokens);
  }

  draw(scene) {
    this.root.setAttribute("aria-label", `${scene.title}: ${scene.tokens.length} pieces; they are listed below`);
    const rects = scene.land.flatMap((row, y) => [...row].flatMap((letter, x) => (letter === "." ? [] : [svg("rect", { x: x * SIDE, y: y * SIDE, width: SIDE, height: SIDE, class: `land-${letter.toLowerCase()}${letter === letter.toLowerCase() ? " cut-off" : ""}` })])));
    this.land.replaceChildren(...rects);
    this.tokens.replaceChildren(...scene.tokens.map(token));
  }
}
