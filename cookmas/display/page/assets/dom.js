"use strict";

/* The one place where elements are made. Whatever is said is put in as text, never as markup, so
   that no event, text or answer of a model can become anything but words. */

const ATTRIBUTES = new Set([
  "class", "id", "for", "type", "role", "title", "min", "max", "step", "value", "name", "tabindex",
  "hidden", "disabled", "required", "list", "placeholder", "maxlength", "autocomplete", "scope",
  "open", "selected", "rows", "colspan", "viewBox", "d", "width", "height", "dir",
]);

/** An element. `attributes` may have `onclick` and the like (functions), `aria-*`, `data-*`, and
 *  `style` as an object of custom properties; children are text, elements, or nothing. */
function h(tag, attributes = {}, ...children) {
  const svg = tag === "svg" || tag === "path";
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [key, to] of Object.entries(value)) element.style.setProperty(key, String(to));
    } else if (ATTRIBUTES.has(name) || /^(aria|data)-[a-z-]+$/.test(name)) {
      element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
    } else throw new Error(`no attribute ${name}`);
  }
  return fill(element, ...children);
}

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g; // marks that turn the words behind them around

/** Put children in the place of those there; a mark that turns words around is a space, as at a terminal. */
function fill(element, ...children) {
  const said = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...said.map((child) => (child instanceof Node ? child : String(child).replace(TURNING, " "))));
  return element;
}

/** Fill an element anew only if `key` is not what it was filled for last. */
function keep(element, key, make) {
  if (element.filledFor === key) return;
  element.filledFor = key;
  fill(element, make());
}

/** Have these elements as children in this order; those that are there already stay as they are. */
function arrange(element, wanted) {
  const staying = new Set(wanted);
  for (const child of [...element.children]) if (!staying.has(child)) child.remove();
  wanted.forEach((child, n) => {
    if (element.children[n] !== child) element.insertBefore(child, element.children[n] ?? null);
  });
}

/** The width of an element, known without asking for it in the middle of a frame, which would have
 *  the page laid out twice; 0 before it is there. `changed` is called when it is another one. */
function widthOf(element, changed) {
  const known = { width: 0 };
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width === known.width) return;
    known.width = width;
    changed();
  }).observe(element);
  return known;
}

/** A button that goes to a timestep. */
function jump(t, player, words = `timestep ${t}`) {
  return h("button", { type: "button", class: "jump", onclick: () => player.go(t) }, words);
}

/** Text in which every "timestep 7", and a number before a colon, goes there. */
function linked(text, player) {
  const parts = [];
  let from = 0;
  const pattern = /\btimesteps? (\d+)|(?<=^|; )(\d+)(?=: )|(?<=\bat )(\d+)\b/g;
  for (const match of text.matchAll(pattern)) {
    const t = Number(match[1] ?? match[2] ?? match[3]);
    if (t > player.length) continue;
    parts.push(text.slice(from, match.index), jump(t, player, match[0]));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** `worker_1` as people say it. */
function spoken(name) {
  return String(name).replaceAll("_", " ");
}

/** A number of things, in words. */
function counted(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
