// Dialogs: a list to pick from, a new game, text in and out.

import { addressOfGame, keepSettings, linkOf } from "./storage.js";
import { isRecord } from "./watch.js";
import { capital, el, mapName, sentence } from "./words.js";

// Bytes of a file that is opened: the engine reads no longer texts.
const MOST_BYTES = 4 << 20;

const dialog = () => document.getElementById("dialog");

function open(title, ...parts) {
  const root = dialog();
  const close = el("button", { class: "close", "aria-label": "Close", onclick: () => root.close() }, "×");
  root.replaceChildren(el("header", {}, el("h2", { id: "dialog-title" }, title), close), ...parts);
  if (!root.open) root.showModal();
  return root;
}

/** A list of choices with their words, of which one is picked; null where none is. Those with `why` cannot be. */
export function pickFrom(title, choices) {
  return new Promise((resolve) => {
    let picked = null;
    const rows = choices.map((choice) => el("li", {}, el("button", {
      disabled: Boolean(choice.why),
      onclick: () => {
        picked = choice;
        dialog().close();
      },
    }, el("b", {}, capital(choice.words)), choice.note ? el("small", {}, choice.note) : "", choice.why ? el("small", { class: "why" }, sentence(choice.why)) : "")));
    const root = open(title, choices.length ? el("ul", { class: "picks" }, ...rows) : el("p", {}, "Nothing can be done here now."));
    root.addEventListener("close", () => resolve(picked), { once: true });
  });
}

function field(label, input) {
  return el("label", { class: "field-row" }, label, input);
}

function select(id, rows, value) {
  const input = el("select", { id }, ...rows.map(([name, words]) => el("option", { value: name }, words)));
  input.value = value;
  return input;
}

function number(id, value, least, most) {
  return el("input", { id, type: "number", value, min: least, max: most, inputmode: "numeric" });
}

/** The dialog for a new game. */
export function newGameDialog(page) {
  const { book } = page;
  const maps = book.maps.map((map) => [map.name, mapName(map.name)]);
  const usual = ["BlackenedShores", "MidnightLake"];
  const chosen = el("div", { class: "maps" });
  const boards = number("boards-count", 2, 1, 8);
  const points = number("points", "", 1, 40);
  const fill = () => {
    const count = Math.min(8, Math.max(1, Number(boards.value) || 1));
    while (chosen.children.length > count) chosen.lastChild.remove();
    while (chosen.children.length < count) {
      const index = chosen.children.length;
      chosen.append(field(`Map ${index + 1}`, select(`map-${index}`, maps, usual[index] ?? maps[index % maps.length][0])));
    }
    points.placeholder = count - Math.floor(count / 4) || 1;
  };
  boards.addEventListener("input", fill);
  fill();
  const ruleset = select("ruleset", [["server", "full rules with spells"], ["spooky", "without spells (Spooky)"]], page.settings.ruleset ?? "server");
  const who = [["person", "You"], ["engine", "Barrow"]];
  const yellow = select("new-yellow", who, page.players.Yellow);
  const blue = select("new-blue", who, page.players.Blue);
  const level = select("new-level", book.levels.map((row) => [row.name, `${row.name}: ${row.about}`]), page.level);
  const handicap = (side) => el("fieldset", {}, el("legend", {}, `${side} has besides`),
    field("Souls", number(`${side}-souls`, 0, 0, 200)), field("Souls a turn", number(`${side}-income`, 0, 0, 40)), field("Techs unlocked", number(`${side}-unlocked`, 0, 0, 25)));
  const value = (id) => Number(document.getElementById(id).value) || 0;
  const given = (side) => ({ souls: value(`${side}-souls`), income: value(`${side}-income`), unlocked: value(`${side}-unlocked`) });
  const form = el("form", { class: "form", method: "dialog", onsubmit: (event) => {
    event.preventDefault();
    const asked = { ruleset: ruleset.value, maps: [...chosen.querySelectorAll("select")].map((input) => input.value), yellow: given("Yellow"), blue: given("Blue") };
    if (points.value) asked.points = Number(points.value);
    page.settings.ruleset = ruleset.value;
    keepSettings(page.settings);
    dialog().close();
    page.newGame(asked, { Yellow: yellow.value, Blue: blue.value }, level.value);
  } }, field("Yellow, who begins", yellow), field("Blue", blue), field("Level of Barrow", level), field("Rules", ruleset), field("Boards", boards), field("Points to win", points), chosen,
  el("details", {}, el("summary", {}, "Handicap"), handicap("Yellow"), handicap("Blue")), el("button", { class: "main", type: "submit", id: "begin" }, "Begin"));
  open("New game", form);
}

/** Whether a game ends within a turn, or with a position whose turn is missing: its program was killed. */
const breaksOff = ([text = ""]) => Math.max(text.lastIndexOf("\nturn"), text.lastIndexOf("\nposition ")) > text.lastIndexOf("\nendturn");

/** Games of a text, each with its lines alone: `[Mgn` begins one, and `game LABEL` says to which the lines behind it belong (docs/spec/notation.md). */
function gamesIn(text) {
  const games = [], open = new Map();
  let label = "";
  for (const line of text.match(/.*\n|.+/g) ?? []) {
    const named = /^\s*game\s+(\S+)\s*$/.exec(line);
    if (named) label = named[1];
    else if (line.trimStart().startsWith("[Mgn ")) open.set(label, games.push(line) - 1);
    else if (open.has(label)) games[open.get(label)] += line;
  }
  return games;
}

/** The dialog that reads a position or a game, from a file if one was dropped on the page. */
export function openDialog(page, dropped = null) {
  const text = el("textarea", { id: "load-text", rows: 10, spellcheck: "false" });
  const file = el("input", { type: "file", accept: ".mgn,.fen,.txt", id: "load-file", onchange: () => read(file.files[0]) });
  const error = el("p", { class: "message bad", role: "alert" });
  const rules = select("load-rules", [["", "as it says, else Spooky's"], ["server", "full rules with spells"], ["spooky", "without spells (Spooky)"]], "");
  const config = el("input", { id: "load-config", spellcheck: "false", placeholder: "2 BlackenedShores,MidnightLake S,P,W,…" });
  const place = number("load-number", 1, 1, 1);
  const placeRow = field("Game of the file", place);
  const games = () => gamesIn(text.value);
  const count = () => {
    place.max = Math.max(1, games().length);
    placeRow.hidden = games().length < 2;
  };
  text.addEventListener("input", count);
  // What is to be loaded: a game of several, or a position, which a log of UMI has on two lines.
  const asked = () => {
    const all = games();
    if (all.length > 1) return { text: all[Math.min(all.length, Math.max(1, Number(place.value))) - 1] };
    const line = (words) => new RegExp(`^${words} (.*)$`, "m").exec(text.value)?.[1];
    const fen = line("position fen");
    // A position in the extended form has a configuration of its own, whatever a log says before it.
    const named = { ruleset: rules.value, config: config.value.trim() || (fen?.includes(" x1") ? "" : line("config")) };
    return { text: fen ?? text.value, ...Object.fromEntries(Object.entries(named).filter(([, value]) => value)) };
  };
  const read = async (chosen) => {
    if (!chosen) return;
    error.textContent = "";
    try {
      if (chosen.size > MOST_BYTES) throw new Error(`it is longer than ${MOST_BYTES >> 20} MiB`);
      text.value = await chosen.text();
      count();
    } catch (fault) {
      error.textContent = `${chosen.name} cannot be read: ${fault.message}`;
    }
  };
  const load = el("button", { class: "main", id: "load", onclick: async () => {
    if (isRecord(text.value)) {
      dialog().close();
      return page.watch.open(text.value);
    }
    try {
      await page.thinking.halt();
      const sent = asked();
      const position = await page.engine.ask("load", sent);
      dialog().close();
      page.looking = null;
      page.keeps = true;
      page.analysis.forget();
      page.lastArrows = [];
      await page.show(position);
      const cut = breaksOff(gamesIn(sent.text)) ? "; it breaks off within a turn, which is left out" : "";
      page.say((placeRow.hidden ? "Loaded" : `Loaded game ${place.value} of ${games().length}`) + cut);
      page.thinking.begin();
    } catch (refusal) {
      error.textContent = `This cannot be read: ${refusal.message}`;
      page.thinking.begin();
    }
  } }, "Load");
  open("Open a position or a game", el("label", { for: "load-text" }, "FEN, a game as .mgn, or the record of a contest game"), text, field("From a file", file), placeRow,
    el("details", {}, el("summary", {}, "FEN that does not name its rules"), field("Rules", rules), field("Points, maps, techs", config)), error, load);
  count();
  read(dropped);
}

/** The dialog with the game as text, and a link. */
export async function shareDialog(page) {
  const texts = await Promise.all(["mgn", "link"].map((form) => page.engine.ask("export", { form })));
  const [mgn, latest] = texts.map((reply) => reply.text);
  // The position is the one on the page, which may be an earlier one; lines were entered in the latest only.
  const { fen, is_latest: isLatest } = page.position;
  const link = isLatest ? latest : [...latest.split("\n").slice(0, 3), fen].join("\n");
  const area = (id, label, value, rows) => {
    const text = el("textarea", { id, rows, readonly: true, spellcheck: "false" });
    text.value = value;
    const copy = el("button", { onclick: async () => {
      text.select();
      await navigator.clipboard?.writeText(value).catch(() => {});
      copy.textContent = "Copied";
    } }, "Copy");
    return el("div", { class: "text-out" }, el("label", { for: id }, label), text, copy);
  };
  const save = el("button", { onclick: () => {
    const url = URL.createObjectURL(new Blob([mgn], { type: "text/plain" }));
    el("a", { href: url, download: "game.mgn" }).click();
    URL.revokeObjectURL(url);
  } }, "Save as game.mgn");
  const links = page.links ? [area("share-play", "Link to play this game; whoever has it can play", page.links.play ? addressOfGame(page.links.play) : "none: you watch", 2), area("share-watch", "Link to watch it", addressOfGame(page.links.watch), 2)] : [];
  open("Save and share", ...links, area("share-link", "Link to this position", linkOf(link), 3), area("share-fen", "Position as FEN", fen, 3), area("share-mgn", "Game", mgn, 8), save);
}
