/* The signs, names and colours of what happened, the same everywhere. Nothing is told by colour alone. */

const MARKS = {
  event: { sign: "●", name: "event", colour: "--event" },
  refused: { sign: "○", name: "refused", colour: "--muted" },
  call: { sign: "▲", name: "planner called", colour: "--call" },
  fail: { sign: "✕", name: "FAIL", colour: "--bad" },
  reached: { sign: "✓", name: "reached", colour: "--good" },
  fork: { sign: "◆", name: "branches off", colour: "--differs" },
  differs: { sign: "≠", name: "runs differ", colour: "--differs" },
};

const READ = { scheme: null, known: new Map() };

/** Return a function that returns a colour of the theme, for canvases. Colours are read once for each scheme. */
function colours() {
  if (READ.scheme !== scheme()) Object.assign(READ, { scheme: scheme(), known: new Map() });
  return (name) => {
    if (!READ.known.has(name)) {
      const probe = h("i", { style: { color: `var(${name})` } });
      document.body.append(probe);
      READ.known.set(name, getComputedStyle(probe).color);
      probe.remove();
    }
    return READ.known.get(name);
  };
}

/** Return the scheme of colours that is shown: "light" or "dark". */
function scheme() {
  const chosen = document.documentElement.dataset.scheme;
  return chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** Give a canvas a size in pixels, sharp on any screen, and return its empty drawing context. */
function sharp(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h2] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h2) {
    canvas.width = w;
    canvas.height = h2;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** Return the meanings of signs. */
function legend(kinds) {
  return h("p", { class: "legend" }, kinds.map((kind) => h("span", {},
    h("span", { class: `mark ${kind}`, "aria-hidden": "true" }, MARKS[kind].sign), ` ${MARKS[kind].name}`)));
}
