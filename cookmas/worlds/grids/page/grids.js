/* A grid of cells, for the adapters of worlds that have one: its places, what is on them, and who stands there.
   Every cell has its contents in words too, for those who cannot see them. */

const grids = (() => {
  const STEPS = { N: [0, -1, "north"], S: [0, 1, "south"], E: [1, 0, "east"], W: [-1, 0, "west"] };
  const TURNS = { N: 0, E: 90, S: 180, W: 270 };

  /* Returns {element, show(cells, bodies, others)}. `rows` is the text of the grid. `places` maps "x,y" to {kind, name, what, sign, thing}
     for a solid cell: its kind as a class of the style, its name, what it is in words, its sign, or a pair of signs for closed and open, and
     what it gives. `cells` maps "x,y" to {things, note, short, timer, says, lit, open}: each thing is {kind, label}; the note is drawn on a
     bar, which `timer` {at, of} fills; `short` is there in its place where there is little room, and `says` in words. A body is
     {name, number, colour, at, facing, holds}. A cell that `others` have differently is marked. */
  function draw(rows, places) {
    const cells = new Map();
    const cell = (x, y) => {
      const key = `${x},${y}`;
      const [inside, says] = [h("div", { class: "inside", "aria-hidden": "true" }), h("span", { class: "unseen" })];
      const element = h("div", { role: "cell", class: `tile ${places[key]?.kind ?? "floor"}` }, inside, says);
      cells.set(key, { element, inside, says, place: places[key] });
      return element;
    };
    const columns = Math.max(...rows.map((row) => row.length));
    const table = h("div", { class: "grid", role: "table", "aria-label": "the grid", style: { "--columns": columns, "--rows": rows.length } },
      rows.map((row, y) => h("div", { role: "row", class: "row" }, Array.from(row, (letter, x) => cell(x, y)))));
    const layer = h("div", { class: "bodies", "aria-hidden": "true" });
    table.append(layer);
    const drawn = new Map();
    const show = (contents, bodies, others = null) => {
      for (const [key, each] of cells) {
        const here = bodies.filter(({ at }) => at.join(",") === key);
        showCell(each, contents[key] ?? {}, here, others && JSON.stringify(others[key] ?? {}) !== JSON.stringify(contents[key] ?? {}));
      }
      for (const body of bodies) showBody(layer, drawn, body);
      for (const [name, element] of drawn) element.hidden = !bodies.some((body) => body.name === name);
    };
    return { element: table, show };
  }

  function showCell({ element, inside, says, place }, content, here, differs) {
    const { things = [], timer = null, note = "", short = note, lit = false, open = false, says: told = note } = content;
    keep(inside, JSON.stringify([content, differs]), () => [
      place?.name ? h("span", { class: "name" }, place.name) : null,
      place ? signOf(place, open) : null,
      things.length ? h("span", { class: `things n${Math.min(things.length, 4)}` }, things.map((thing) => showThing(thing))) : null,
      note ? h("span", { class: `timer ${timer ? "" : "over"}`, style: { "--share": timer ? `${Math.min(100, (100 * timer.at) / timer.of)}%` : "0%" } }, h("span", { class: "long" }, note), h("span", { class: "short" }, short)) : null,
      differs ? h("span", { class: "mark differs", title: "the runs differ here" }, "≠") : null,
    ]);
    element.classList.toggle("lit", lit);
    element.classList.toggle("open", open);
    const standing = here.map(({ name, facing, holds }) => `${name} looks ${STEPS[facing][2]}${holds ? `, holds ${holds.label}` : ""}`);
    const words = [[place?.what, place?.name].filter(Boolean).join(" "), things.map(({ label }) => label).join(", "), told, ...standing].filter(Boolean).join("; ");
    if (says.textContent !== words) fill(says, words);
  }

  /** The sign of a place, with that of the thing it gives. */
  function signOf({ sign, thing }, open) {
    const shown = Array.isArray(sign) ? sign[open ? 1 : 0] : sign;
    return shown ? h("span", { class: `sign ${thing ? "gives" : ""}` }, glyph(shown), thing ? glyph(thing, "given") : null) : null;
  }

  /** A thing by its sign, or by its name where it has none. */
  function showThing({ kind, label }) {
    const known = glyph(kind, "thing");
    return known ?? h("span", { class: "chip" }, label);
  }

  function showBody(layer, drawn, { name, number, colour, at, facing, holds }) {
    if (!drawn.has(name)) {
      const element = h("div", { class: "body" });
      drawn.set(name, element);
      layer.append(element);
    }
    const element = drawn.get(name);
    const [dx, dy] = STEPS[facing];
    for (const [property, value] of Object.entries({ "--x": at[0], "--y": at[1], "--dx": dx, "--dy": dy, "--colour": colour })) element.style.setProperty(property, value);
    keep(element, JSON.stringify([number, facing, holds]), () => [
      h("span", { class: "nose", style: { "--turn": `${TURNS[facing]}deg` } }, glyph("nose")),
      h("span", { class: "number" }, number),
      holds ? h("span", { class: "held" }, showThing(holds)) : null,
    ]);
  }

  /** The bodies of `cooks`, which maps names to {at, facing, holds}; `thing` makes a thing of what a cook holds. */
  function bodiesOf(film, cooks, thing) {
    return Object.entries(cooks).map(([name, { at, facing, holds }]) => ({
      name, number: film.run.workers.indexOf(name) + 1, colour: workerColour(film, name), at, facing, holds: holds && thing(holds),
    }));
  }

  /** Begin what is new in the map `now` by `begin(key, value)`, which returns a span; end the spans in the map `running` whose keys `now` lacks. */
  function follow(running, now, t, begin) {
    for (const [key, value] of now) {
      if (!running.has(key)) running.set(key, begin(key, value));
    }
    for (const [key, span] of [...running]) {
      if (now.has(key)) continue;
      span.to = t;
      running.delete(key);
    }
  }

  /** The shown timestep, of all timesteps if the run has a horizon. */
  function timeOf(film, t) {
    return h("span", {}, `timestep ${t}${film.run.horizon ? ` of ${film.run.horizon}` : ""}`);
  }

  /** What the bodies do, in words below the grid: `acts` maps each body's name to its words. */
  function legendOf(film, bodies, acts) {
    return bodies.map((body) => h("li", {}, badge(film, body.name), h("span", {}, h("strong", {}, spoken(body.name)), ` ${[body.holds ? `holds ${body.holds.label}` : "", acts[body.name]].filter(Boolean).join("; ") || "holds nothing"}`)));
  }

  return { draw, bodiesOf, follow, timeOf, legendOf };
})();
