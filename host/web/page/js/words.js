// Words: names as people write them, boards counted from one.

/** `mana_necromancer` as `mana necromancer`, `doubleCantrip` as `double cantrip`. */
export function plain(name) {
  return name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** A map's name with blanks before its capital letters. */
export function mapName(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2");
}

/** A sentence of the engine for people: boards counted from one, no underscores. */
export function sentence(text) {
  const counted = text.replace(/\bboard (\d+)/g, (_, board) => `board ${Number(board) + 1}`);
  return counted.replaceAll("_", " ");
}

/** A sentence with a capital letter. */
export function capital(text) {
  const words = sentence(text);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Number of the first turn of a game: one that began from a position does not begin with turn 1. */
export const firstTurn = (position) => position.turn - position.after + 1;

/** A win chance in per cent. */
export function percent(chance) {
  return `${Math.round(chance * 100)} %`;
}

/** An element with attributes, which may be handlers, and children. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (value === true) element.setAttribute(key, "");
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
