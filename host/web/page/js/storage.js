// The game as the browser keeps it over a reload, and the position that a link holds.

const KEY = "barrow.game";
const PLAYERS = "barrow.players";
const SETTINGS = "barrow.settings";
// Games of the server whose players are kept.
const GAMES = 50;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing plays all the same.
  }
}

/** Keeps the game: its text, the lines entered, the players, and the link where a server has it. */
export const keepGame = (game) => write(KEY, game);
export const keptGame = () => read(KEY);
/** Keeps who plays a game of the server: another browser with its link may say otherwise. */
export function keepPlayers(link, players) {
  const others = (read(PLAYERS) ?? []).filter(([other]) => other !== link);
  write(PLAYERS, [[link, players], ...others].slice(0, GAMES));
}
export const keptPlayers = (link) => (read(PLAYERS) ?? []).find(([other]) => other === link)?.[1];

export const keepSettings = (settings) => write(SETTINGS, settings);
export const keptSettings = () => read(SETTINGS) ?? {};

/** Text of the position in the address, if it holds one. */
export function linkedPosition() {
  if (!location.hash.startsWith("#position=")) return null;
  try {
    return decodeURIComponent(location.hash.slice("#position=".length));
  } catch {
    return null;
  }
}

/** Link of the server's game in the address, if it holds one. */
export function linkedGame() {
  return location.hash.startsWith("#game=") ? location.hash.slice("#game=".length) : null;
}

/** Puts the link of the server's game into the address, so that a reload goes on with it. */
export function keepLink(link) {
  history.replaceState(null, "", `#game=${link}`);
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
