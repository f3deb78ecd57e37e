/* Draws the timeline: what every worker did and what was in use, at the timesteps around the shown one. It
   draws only what can be seen, so a long run takes no longer. */

const ROW = 24;
const GAP = 6;

function timeline(player, difference) {
  const canvas = h("canvas", { role: "img", tabindex: "0", "aria-labelledby": "timeline-title", "aria-describedby": "timeline-words" });
  const tip = h("div", { class: "tip", hidden: true });
  const box = h("div", { class: "canvas" }, canvas, tip);
  const words = h("div", { id: "timeline-words" });
  const details = h("details", { ontoggle: () => show(player.t) }, h("summary", {}, "The same in words"), words);
  const zoom = (factor) => () => {
    scale = Math.max(2, Math.min(64, scale * factor));
    show(player.t);
  };
  const element = h("div", {},
    h("div", { class: "tools" },
      legend(["event", "call", "reached", "fail", ...(difference ? ["differs"] : []), ...(player.films.some((film) => film.marks.some((mark) => mark.kind === "fork")) ? ["fork"] : [])]),
      h("button", { type: "button", onclick: zoom(1 / 1.5), "aria-label": "Show more timesteps" }, "−"),
      h("button", { type: "button", onclick: zoom(1.5), "aria-label": "Show fewer timesteps" }, "+")),
    box, details);
  const sized = widthOf(box, () => player.refresh());
  let scale = 0;
  let view = { from: 0, left: 0, rows: [], width: 0 };

  function show(t) {
    const { width } = sized;
    if (!width) return;
    const left = width < 560 ? 84 : 120;
    const most = player.length - player.first + 1;
    if (!scale) scale = Math.max(10, Math.min(28, (width - left) / most));
    const shown = (width - left) / scale;
    const from = player.first + (shown >= most ? 0 : Math.max(0, Math.min(most - shown, t - player.first - shown / 2)));
    const rows = rowsOf(player, difference);
    const height = rows.at(-1).y + ROW + 2;
    view = { from, left, rows, width, height, scale, t, to: Math.min(from + shown, player.length) };
    const pen = sharp(canvas, width, height);
    drawTimeline(pen, view, player, difference);
    canvas.setAttribute("aria-label", `Timeline of workers and appliances, timesteps ${Math.floor(from)} to ${Math.min(player.length, Math.ceil(view.to))}`);
    if (details.open) fill(words, inWords(player, t));
  }

  const timestepAt = (event) => view.from + (event.offsetX - view.left) / view.scale;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.offsetX < view.left) return;
    player.pause();
    player.go(Math.floor(timestepAt(event)));
  });
  canvas.addEventListener("pointermove", (event) => {
    const row = view.rows.find((each) => event.offsetY >= each.y && event.offsetY < each.y + ROW);
    const t = timestepAt(event);
    const said = row && event.offsetX > view.left ? hint(row, t) : "";
    tip.hidden = !said;
    if (!said) return;
    fill(tip, said);
    const x = Math.min(event.offsetX + 12, view.width - tip.offsetWidth - 4);
    tip.style.transform = `translate(${x}px, ${row.y + ROW + 2}px)`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  return { element, show };
}

/** Return the rows of all films: first what happened, then the workers, then what is in use. */
function rowsOf(player, difference) {
  const rows = [];
  let y = 18;
  const two = player.films.length > 1;
  const add = (row) => {
    rows.push({ ...row, y });
    y += ROW;
  };
  const label = (name, n) => (two ? `${spoken(name)} ${"AB"[n]}` : spoken(name));
  if (difference) add({ kind: "differs", label: "differs" });
  player.films.forEach((film, n) => add({ kind: "marks", film, label: two ? `events ${"AB"[n]}` : "events" }));
  y += GAP;
  const workers = new Set(player.films.flatMap((film) => film.run.workers));
  for (const worker of workers) {
    player.films.forEach((film, n) => {
      if (film.rows.has(worker)) add({ kind: "worker", film, worker, label: label(worker, n), spans: film.rows.get(worker) });
    });
    if (two) y += GAP;
  }
  if (!two) y += GAP;
  const tracks = [...new Set(player.films.flatMap((film) => [...film.tracks.keys()]))].sort(byNumber);
  for (const track of tracks) {
    player.films.forEach((film, n) => {
      const spans = film.tracks.get(track);
      if (spans) add({ kind: "track", film, label: label(track, n), spans });
    });
  }
  return rows;
}

function byNumber(one, other) {
  return one.localeCompare(other, "en", { numeric: true });
}

function drawTimeline(pen, view, player, difference) {
  const colour = colours();
  const x = (t) => view.left + (t - view.from) * view.scale;
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.save();
  pen.beginPath();
  pen.rect(view.left, 0, view.width - view.left, view.height);
  pen.clip();
  drawGrid(pen, view, x, colour);
  for (const row of view.rows) {
    if (row.kind === "marks") drawMarks(pen, view, row, x, colour);
    else if (row.kind === "differs") drawDifference(pen, view, row, x, colour, difference);
    else drawSpans(pen, view, row, x, colour);
  }
  pen.fillStyle = colour("--now");
  pen.fillRect(x(view.t), 0, Math.max(2, Math.min(view.scale, 3)), view.height);
  pen.restore();
  pen.fillStyle = colour("--ink");
  for (const row of view.rows) pen.fillText(clipped(pen, row.label, view.left - 12), 2, row.y + ROW / 2);
}

function drawGrid(pen, view, x, colour) {
  const every = [1, 2, 5, 10, 20, 50, 100].find((step) => step * view.scale >= 44) ?? 200;
  for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) {
    pen.fillStyle = colour("--line");
    pen.fillRect(x(t), 14, 1, view.height);
    pen.fillStyle = colour("--muted");
    pen.fillText(String(t), x(t) + 3, 8);
  }
}

function drawMarks(pen, view, row, x, colour) {
  for (let t = Math.floor(view.from); t <= view.to; t += 1) {
    const kinds = new Set(row.film.marksAt(t).map((mark) => mark.kind));
    let place = 0;
    for (const kind of kinds) {
      pen.fillStyle = colour(MARKS[kind].colour);
      pen.fillText(MARKS[kind].sign, x(t) + 1 + place, row.y + ROW / 2);
      place += Math.min(11, view.scale);
    }
  }
}

function drawDifference(pen, view, row, x, colour, difference) {
  pen.fillStyle = colour("--differs");
  for (let t = Math.floor(view.from); t <= view.to; t += 1) {
    if (difference.timesteps[t]) pen.fillRect(x(t), row.y + 8, view.scale, ROW - 16);
  }
}

function drawSpans(pen, view, row, x, colour) {
  const { spans, film } = row;
  for (let i = firstAfter(spans, view.from); i < spans.length && spans[i].from <= view.to; i += 1) {
    const span = spans[i];
    const [a, b] = [x(span.from), x(span.to ?? film.length)];
    if (row.kind === "worker") drawAct(pen, row, span, a, b, colour);
    else drawUse(pen, row, span, a, b, x, colour);
  }
}

const LOOK = {
  go: { fill: "--go", text: "--muted", tall: 8 },
  handle: { fill: "--handle", text: "--ink", tall: 14 },
  work: { fill: "--work", text: "--on-work", tall: 20 },
  serve: { fill: "--good", text: "--on-work", tall: 20 },
};

function drawAct(pen, row, span, a, b, colour) {
  const [y, tall, wide] = [row.y + 2, ROW - 4, Math.max(1, b - a - 1)];
  if (span.fail) {
    pen.strokeStyle = pen.fillStyle = colour("--bad");
    pen.strokeRect(a + 0.5, y + 0.5, wide - 1, tall - 1);
    pen.fillText(clipped(pen, "✕ FAIL", wide - 4), a + 3, row.y + ROW / 2);
    return;
  }
  if (span.idle) {
    pen.fillStyle = colour("--line");
    pen.fillRect(a, row.y + ROW / 2 - 1, wide, 2);
    return;
  }
  const look = LOOK[row.film.adapter.sort(span.action)] ?? LOOK.work;
  const words = clipped(pen, span.words, wide - 6);
  const height = words ? tall : look.tall;
  pen.fillStyle = colour(look.fill);
  pen.beginPath();
  pen.roundRect(a, row.y + (ROW - height) / 2, wide, height, Math.min(3, wide / 2));
  pen.fill();
  pen.fillStyle = colour(look.text);
  pen.fillText(words, a + 3, row.y + ROW / 2);
}

/** Draw something in use with the windows of its doneness. Windows that it did not reach are faint. */
function drawUse(pen, row, span, a, b, x, colour) {
  const [y, tall] = [row.y + 3, ROW - 6];
  pen.fillStyle = colour(span.waiting ? "--line" : "--heat");
  pen.fillRect(a, y, Math.max(1, b - a - 1), tall);
  for (const [name, low, high] of span.windows ?? []) {
    const [from, to] = [x(span.base + low), x(span.base + high + 1)];
    pen.globalAlpha = from >= b ? 0.4 : 1;
    pen.fillStyle = colour("--window");
    pen.fillRect(from, y, Math.min(to, Math.max(b, from)) - from - 1, tall);
    pen.strokeStyle = colour("--good");
    pen.strokeRect(from + 0.5, y + 0.5, to - from - 2, tall - 1);
    pen.fillStyle = colour("--ink");
    pen.fillText(clipped(pen, name, to - from - 6), from + 3, row.y + ROW / 2);
    pen.globalAlpha = 1;
  }
  if (span.to !== null && !span.waiting) {
    pen.fillStyle = colour("--heat-strong");
    pen.fillRect(b - 2, y - 1, 3, tall + 2);
  }
  if (span.burnt) {
    pen.fillStyle = colour("--bad");
    pen.fillRect(x(span.base + span.burnt), y - 2, 2, tall + 4);
  }
  const until = span.windows?.length ? Math.min(b, x(span.base + span.windows[0][1])) : b;
  pen.fillStyle = colour("--ink");
  pen.fillText(clipped(pen, span.label, until - a - 6), a + 3, row.y + ROW / 2);
}

/** Return as much of a text as fits into a width; "" if too little fits. */
function clipped(pen, text, width) {
  const letter = 6.4;
  if (width < letter * 1.5) return "";
  if (text.length * letter <= width || pen.measureText(text).width <= width) return text;
  const fits = Math.floor(width / letter) - 1;
  return fits < 3 ? "" : `${text.slice(0, fits)}…`;
}

/** Describe what a row has at a moment. */
function hint(row, t) {
  if (row.kind === "marks") return row.film.marksAt(Math.floor(t)).map((mark) => mark.text).join("; ");
  const span = row.spans?.[firstAfter(row.spans, t)];
  if (!span || span.from > t) return "";
  const when = `timesteps ${span.from} to ${(span.to ?? row.film.length) - 1}`;
  if (row.kind === "worker") return `${span.words}${span.fail ? ` FAILs: ${span.why}` : ""} (${when})`;
  const windows = (span.windows ?? []).map(([name, low, high]) => `${name} ${low} to ${high} min`);
  const burnt = span.burnt ? [`burnt from ${span.burnt} min`] : [];
  return [`${span.label} (${when})`, ...windows, ...burnt].join("; ");
}

/** Return the timeline around a moment as a table. */
function inWords(player, t) {
  const rows = player.films.flatMap((film, n) => [...film.rows, ...film.tracks].map(([name, spans]) => {
    const first = Math.max(0, firstAfter(spans, t) - 1);
    const near = spans.slice(first, first + 4);
    const two = player.films.length > 1 ? ` ${"AB"[n]}` : "";
    return h("tr", {}, h("th", { scope: "row" }, spoken(name) + two),
      h("td", {}, near.map((span) => h("span", { class: "near" },
        jump(span.from, player, `${span.from}`), ` ${span.words ?? span.label}${span.fail ? " (FAIL)" : ""}; `))));
  }));
  return h("table", {}, h("tbody", {}, rows));
}
