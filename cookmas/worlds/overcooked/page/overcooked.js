/* The adapter of Overcooked-AI: the grid with its cooks, pots and gates, the score, and the soups that were delivered. */

worlds["overcooked"] = (() => {
  const MANY = { onion: "onions", tomato: "tomatoes" };
  const MOVES = ["north", "south", "east", "west", "move_away"];

  function begin(film) {
    film.cooking = new Map();
    film.served = new Map(); // by order: how often it was delivered
    film.run.setup.orders.forEach((order) => tellOrder(film, 0, order));
  }

  function tellOrder(film, t, [what, points]) {
    const times = film.served.get(what) ?? 0;
    film.goal(`soup of ${what}`, t, { what: `${points} points${times ? `, delivered ${counted(times, "time")}` : ""}`, status: "open", tone: "open" });
  }

  const key = (x, y) => `${x},${y}`;

  /** The timesteps that a soup has yet to cook; nothing while it does not cook. */
  function leftOf(film, items, ticks) {
    return ticks < 0 ? null : film.run.setup.times[items.join(",")] - ticks;
  }

  function change(film, before, after, t) {
    for (const [name, cook] of Object.entries(after.cooks)) {
      if (cook?.deed !== "deliver soup" || !before.cooks[name]?.holds) continue;
      const what = ingredientsOf(before.cooks[name].holds.slice(1));
      const order = film.run.setup.orders.find(([each]) => each === what);
      film.mark(t - 1, "reached", `soup of ${what} is delivered${order ? "" : ", which nobody ordered"}`);
      if (!order) continue;
      film.served.set(what, (film.served.get(what) ?? 0) + 1);
      tellOrder(film, t, order);
    }
    const now = new Map(after.pots.filter(([, , items, ticks]) => leftOf(film, items, ticks) > 0).map(([x, y, items]) => [key(x, y), items]));
    grids.follow(film.cooking, now, t, (cell, items) => film.span(`pot ${film.run.setup.places[cell].name}`, t - 1, { label: labelOf(["soup", ...items]) }));
  }

  /** An item `[kind, ...ingredients]` in words. */
  const labelOf = ([kind, ...ingredients]) => (ingredients.length ? `${kind} of ${ingredientsOf(ingredients)}` : kind);

  function ingredientsOf(ingredients) {
    const counts = Object.keys(MANY).map((each) => [each, ingredients.filter((one) => one === each).length]).filter(([, count]) => count);
    return counts.map(([each, count]) => `${count} ${count === 1 ? each : MANY[each]}`).join(", ");
  }

  function thingOf([kind, ...ingredients]) {
    const kinds = new Set(ingredients);
    const sort = kinds.size > 1 ? "soup-mixed" : kinds.has("tomato") ? "soup-tomato" : "soup";
    return { kind: kind === "soup" ? sort : kind, label: labelOf([kind, ...ingredients]) };
  }

  /** What lies on the counters and is in the pots, and which gates are open, by cell. */
  function cellsOf(film, state) {
    const { setup } = film.run;
    const cells = {};
    for (const [x, y, item] of state.counters) cells[key(x, y)] = { things: [thingOf(item)] };
    for (const [x, y, items, ticks] of state.pots) {
      const [left, all] = [leftOf(film, items, ticks), setup.times[items.join(",")]];
      const raw = items.map((item) => thingOf([item]));
      if (left === null) cells[key(x, y)] = { things: raw, note: items.length === setup.capacity ? "to start" : "", short: "start" };
      else if (left > 0) cells[key(x, y)] = { things: raw, lit: true, note: `${ticks}/${all}`, short: ticks, timer: { at: ticks, of: all } };
      else cells[key(x, y)] = { things: raw, note: "ready", short: "✓" };
    }
    for (const [x, y, open, ticks] of state.gates) {
      const left = setup.gate_ticks + 1 - ticks;
      cells[key(x, y)] = open ? { open, note: `open ${left}`, short: left, timer: { at: left, of: setup.gate_ticks } } : { says: "closed" };
    }
    return cells;
  }

  function scene(film) {
    const { grid, places } = film.run.setup;
    const drawing = grids.draw(grid, places);
    const [score, standing] = [h("p", { class: "score" }), h("ul", { class: "standing" })];
    const show = (state, t, other) => {
      const seen = Object.entries(state.cooks).filter(([, cook]) => cook);
      const bodies = grids.bodiesOf(film, Object.fromEntries(seen), thingOf);
      drawing.show(cellsOf(film, state), bodies, other && cellsOf(film, other));
      fill(score, h("span", {}, h("strong", {}, `${state.score} points`)), h("span", {}, counted(state.delivered, "soup")), grids.timeOf(film, t));
      fill(standing, grids.legendOf(film, bodies, Object.fromEntries(seen.map(([name, cook]) => [name, cook.doing ? (goesOn(film, name, t)?.words ?? cook.doing) : (cook.deed ?? "")]))));
    };
    return { element: h("div", {}, score, drawing.element, standing), show };
  }

  const holding = (film, state, worker) => (state.cooks[worker]?.holds ? labelOf(state.cooks[worker].holds) : "");
  function sort(action) {
    if (MOVES.includes(action)) return "go";
    if (action === "stay") return "idle";
    return action.startsWith("deliver") ? "serve" : "handle";
  }
  const unseen = (state, worker) => state.cooks[worker] === null;
  const busy = (state, worker) => Boolean(state.cooks[worker]?.doing);
  return { title: "Kitchen", begin, change, scene, holding, busy, unseen, sort };
})();
