// Redrawing a part of the page while somebody is in it with the keyboard: what had the focus has it afterwards, too.

const FOCUSABLE = "a[href], button, input, select, summary, textarea";

const nameOf = (element) => element.id || element.getAttribute("aria-label") || element.textContent;

/** Puts other children into an element. The focus goes to the one of the same name, or else of the same place. */
export function redraw(root, ...parts) {
  const place = [...root.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  const name = place < 0 ? null : nameOf(document.activeElement);
  root.replaceChildren(...parts);
  if (place < 0) return;
  const all = [...root.querySelectorAll(FOCUSABLE)];
  const there = all[place];
  const same = there && nameOf(there) === name ? there : (all.find((element) => nameOf(element) === name) ?? there);
  // What can no longer be used leaves the focus to the panel around it.
  const next = same && !same.disabled ? same : root.closest("[tabindex]");
  next?.focus({ preventScroll: true });
}
