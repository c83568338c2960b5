// Controls around the boards: buttons, tabs, keys, light and dark.

import { newGameDialog, openDialog, shareDialog } from "./dialogs.js";
import { keepSettings, linkedGame, linkedPosition } from "./storage.js";

const $ = (id) => document.getElementById(id);

export function wireControls(page) {
  $("undo").onclick = () => page.back("undo");
  $("clear").onclick = () => page.back("clear");
  $("end-turn").onclick = () => page.endTurn();
  $("hint").onclick = () => page.thinking.hint();
  $("stop").onclick = () => page.engine.stop();
  $("new-game").onclick = () => newGameDialog(page);
  $("open").onclick = () => openDialog(page);
  $("share").onclick = () => shareDialog(page).catch((error) => page.say(error.message, true));
  $("contests").onclick = () => page.watch.show(!page.watch.shown).catch((error) => {
    page.watch.show(false);
    page.say(error.message, true);
  });
  $("theme").onclick = () => toggleTheme(page);
  // Followed as a link it would take the game's out of the address.
  document.querySelector(".skip").onclick = (event) => {
    event.preventDefault();
    $("boards").focus();
  };
  wireTabs(page);
  wireDrops(page);
  addEventListener("keydown", (event) => shortcut(page, event));
  addEventListener("hashchange", () => (linkedPosition() ?? linkedGame()) && location.reload());
}

function wireTabs(page) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const select = (tab) => {
    for (const other of tabs) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !on;
    }
    page.analysis.shown(tab.id === "tab-analysis");
  };
  for (const [place, tab] of tabs.entries()) {
    tab.onclick = () => select(tab);
    tab.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      next.focus();
      select(next);
    };
  }
}

/** A file that is dropped is opened: a browser would leave the page for it. */
function wireDrops(page) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file && !$("open").disabled) openDialog(page, file);
  });
}

function shortcut(page, event) {
  if (event.target.closest?.("dialog, input, textarea, select") || event.altKey || page.watch.shown) return;
  // A key that is held down is pressed once.
  if (event.repeat) return;
  if (event.key === "Escape") page.picking.letGo();
  else if ((event.ctrlKey || event.metaKey) && event.key === "z") page.back("undo");
  else if (event.ctrlKey || event.metaKey) return;
  else if (event.key === "u") page.back("undo");
  else if (event.key === "e") page.endTurn();
  else if (event.key === "h") page.thinking.hint();
  else if (/^[1-8]$/.test(event.key)) {
    const board = page.boards[Number(event.key) - 1];
    board?.focusHex(board.focus);
  }
}

/** Sets light or dark as it was chosen, or as the system has it. Returns whether it is dark. */
export function applyTheme(page) {
  const { theme } = page.settings;
  if (theme) document.documentElement.dataset.theme = theme;
  const dark = theme === "dark" || (!theme && matchMedia("(prefers-color-scheme: dark)").matches);
  $("theme").setAttribute("aria-pressed", String(dark));
  return dark;
}

function toggleTheme(page) {
  page.settings.theme = applyTheme(page) ? "light" : "dark";
  keepSettings(page.settings);
  applyTheme(page);
}
