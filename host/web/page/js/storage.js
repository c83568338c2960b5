// The game as the browser keeps it over a reload, and the position that a link holds.

const KEY = "barrow.game";
const PLAYERS = "barrow.players";
const SETTINGS = "barrow.settings";
// Games of the server whose players are kept.
const GAMES = 50;

// Storages are named by words: where a browser forbids them, even looking at one fails.
function read(key, storage = "localStorage") {
  try {
    return JSON.parse(globalThis[storage].getItem(key));
  } catch {
    return null;
  }
}

function write(key, value, storage = "localStorage") {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing plays all the same.
  }
}

// What is read may be anybody's: another version's, another page's of the same origin, or half of it.
const isText = (value) => typeof value === "string";
const isObject = (value) => typeof value === "object" && value !== null;
const rows = (value) => (Array.isArray(value) ? value : []);

/** Who plays and how well, as far as it can be read. */
function readPlayers(kept) {
  const plays = (side) => ["person", "engine"].includes(kept?.players?.[side]);
  const { Yellow, Blue } = kept?.players ?? {};
  return { players: plays("Yellow") && plays("Blue") ? { Yellow, Blue } : null, level: isText(kept?.level) ? kept.level : null };
}

function readGame(storage) {
  const kept = read(KEY, storage);
  if (!isText(kept?.text)) return null;
  return { text: kept.text, lines: rows(kept.lines).filter(isText), link: isText(kept.link) ? kept.link : undefined, ...readPlayers(kept) };
}

/**
 * Keeps the game: its text, the lines entered, the players, and the link where a server has it. Each tab keeps its own over a
 * reload; the one that was played last is what a new tab goes on with.
 */
export function keepGame(game) {
  write(KEY, game, "sessionStorage");
  write(KEY, game);
}
export const keptGame = () => readGame("sessionStorage") ?? readGame("localStorage");

/** Keeps who plays a game of the server: another browser with its link may say otherwise. */
export function keepPlayers(link, players) {
  const others = rows(read(PLAYERS)).filter((row) => Array.isArray(row) && row[0] !== link);
  write(PLAYERS, [[link, players], ...others].slice(0, GAMES));
}
export function keptPlayers(link) {
  const row = rows(read(PLAYERS)).find((other) => Array.isArray(other) && other[0] === link);
  return row ? readPlayers(row[1]) : null;
}

export const keepSettings = (settings) => write(SETTINGS, settings);
export function keptSettings() {
  const kept = read(SETTINGS);
  return isObject(kept) ? kept : {};
}

/** Text of the position in the address, if it holds one. */
export function linkedPosition() {
  if (!location.hash.startsWith("#position=")) return null;
  const text = location.hash.slice("#position=".length);
  try {
    return decodeURIComponent(text);
  } catch {
    // The engine says what is wrong with it.
    return text;
  }
}

/** Link of the server's game in the address, if it holds one. */
export function linkedGame() {
  return location.hash.startsWith("#game=") ? location.hash.slice("#game=".length) : null;
}

/**
 * Puts the link of the server's game into the address, so that a reload goes on with it. The link of another game stays behind
 * the browser's button back: it may be kept nowhere else.
 */
export function keepLink(link) {
  const before = linkedGame();
  const put = before !== null && before !== link ? "pushState" : "replaceState";
  history[put](null, "", `#game=${link}`);
}

/** Address of this page with a game of the server. */
export function addressOfGame(link) {
  const url = new URL(location.href);
  url.hash = `game=${link}`;
  return url.href;
}

/** Address of this page with a position. */
export function linkOf(text) {
  const url = new URL(location.href);
  url.hash = `position=${encodeURIComponent(text)}`;
  return url.href;
}

/** Takes the position out of the address, once the game goes on from it. */
export function dropLink() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}
