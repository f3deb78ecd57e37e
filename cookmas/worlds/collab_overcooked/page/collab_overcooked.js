/* The adapter of Collab-Overcooked: the grid with its cooks, the order, and the utensils at work. */

worlds["collab-overcooked"] = (() => {
  const SORTS = { pickup: "handle", place_obj_on_counter: "handle", put_obj_in_utensil: "handle", fill_dish_with_food: "handle", deliver: "serve", wait: "idle" };

  function begin(film) {
    film.working = new Map();
  }

  const works = (film, product, ticks) => product !== null && ticks < film.run.setup.ticks;
  const runs = (film, state) => new Map(state.utensils.filter(([, , , product, ticks]) => works(film, product, ticks)).map(([name, , , product]) => [name, product]));

  function change(film, before, after, t) {
    if (after.order !== null && (before.order === null || before.served !== after.served)) {
      film.goal("order", t, { what: spoken(after.order), status: after.served ? "delivered" : "open", tone: after.served ? "reached" : "open" });
    }
    grids.follow(film.working, runs(film, after), t, (name, product) => film.span(name, t - 1, { label: spoken(product) }));
  }

  const label = (name, kind) => spoken(name) + (kind === "with_dish" ? " in a dish" : "");
  const thing = (name, kind) => ({ kind: kind === "with_dish" ? "" : name, label: label(name, kind) });

  /** What lies on the counters and is in the utensils, by cell. */
  function cellsOf(film, state) {
    const cells = {};
    for (const [x, y, name, kind] of state.counters) cells[`${x},${y}`] = { things: [thing(name, kind)] };
    const { ticks: all, utensils } = film.run.setup;
    for (const [name, items, , product, ticks] of state.utensils) {
      const lit = works(film, product, ticks);
      const note = product === null ? "" : lit ? `${ticks}/${all}` : "ready";
      const short = lit ? ticks : note && "✓";
      const things = product === null ? items.map((item) => thing(item)) : [thing(product)];
      cells[utensils[name]] = { things, lit, note, short, timer: lit ? { at: ticks, of: all } : null };
    }
    return cells;
  }

  function scene(film) {
    const { grid, places } = film.run.setup;
    const drawing = grids.draw(grid, places);
    const [score, standing] = [h("p", { class: "score" }), h("ul", { class: "standing" })];
    const show = (state, t, other) => {
      const bodies = grids.bodiesOf(film, state.cooks, (held) => thing(...held));
      drawing.show(cellsOf(film, state), bodies, other && cellsOf(film, other));
      const order = state.order === null ? "no order yet" : `${spoken(state.order)}, ${state.served ? "delivered" : "not delivered"}`;
      fill(score, h("span", {}, "order: ", h("strong", {}, order)), grids.timeOf(film, t));
      fill(standing, grids.legendOf(film, bodies, Object.fromEntries(Object.entries(state.cooks).map(([name, cook]) => [name, cook.doing ? (goesOn(film, name, t)?.words ?? cook.doing) : "to decide"]))));
    };
    return { element: h("div", {}, score, drawing.element, standing), show };
  }

  const holding = (film, state, worker) => (state.cooks[worker]?.holds ? label(...state.cooks[worker].holds) : "");
  const sort = (action) => SORTS[action.split("(")[0]] ?? "work";
  const busy = (state, worker) => Boolean(state.cooks[worker]?.doing);
  return { title: "Kitchen", begin, change, scene, holding, busy, sort };
})();
