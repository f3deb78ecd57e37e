"use strict";

/* All elements are made here. Data enter them as text, never as markup, so that no event, text or answer of
   a model can become anything but words. */

const ATTRIBUTES = new Set([
  "class", "id", "for", "type", "role", "title", "min", "max", "step", "value", "name", "tabindex",
  "hidden", "disabled", "required", "list", "placeholder", "maxlength", "autocomplete", "scope",
  "open", "selected", "rows", "colspan", "viewBox", "d", "width", "height", "dir",
]);

/** Make an element. `attributes` may have `onclick` and the like (functions), `aria-*`, `data-*`, and
 *  `style` as an object of custom properties. Children are text, elements, or nothing. */
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

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g; // characters that change the direction of the text behind them

/** Replace the children of an element. Characters that change the direction of text become spaces, as at a terminal. */
function fill(element, ...children) {
  const said = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...said.map((child) => (child instanceof Node ? child : String(child).replace(TURNING, " "))));
  return element;
}

/** Fill an element, unless it was last filled for the same `key`. */
function keep(element, key, make) {
  if (element.filledFor === key) return;
  element.filledFor = key;
  fill(element, make());
}

/** Give an element these children in this order. Those that it has already stay as they are. */
function arrange(element, wanted) {
  const staying = new Set(wanted);
  for (const child of [...element.children]) if (!staying.has(child)) child.remove();
  wanted.forEach((child, n) => {
    if (element.children[n] !== child) element.insertBefore(child, element.children[n] ?? null);
  });
}

/** Return the width of an element as {width}, kept up to date; 0 before the element is shown. Reading it causes
 *  no second layout of a frame. `changed` is called when the width changes. */
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

/** Make a button that goes to a timestep. */
function jump(t, player, words = `timestep ${t}`) {
  return h("button", { type: "button", class: "jump", onclick: () => player.go(t) }, words);
}

/** Return a text in which every "timestep 7", and a number before a colon, is a button that goes there. */
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

/** Return a name such as `worker_1` as people say it. */
function spoken(name) {
  return String(name).replaceAll("_", " ");
}

/** Return a number of things in words. */
function counted(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
