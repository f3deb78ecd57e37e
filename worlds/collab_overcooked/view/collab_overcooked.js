/* The adapter of Collab-Overcooked: the grid with its cooks, the order, and the utensils at work. */

worlds["collab-overcooked"] = (() => {
  const SORTS = { pickup: "handle", place_obj_on_counter: "handle", put_obj_in_utensil: "handle", fill_dish_with_food: "handle", deliver: "serve", wait: "idle" };

  function begin(film) {
    film.working = new Map();
  }

  const TICKS = 3; // timesteps that a utensil works
  const works = (product, ticks) => product !== null && ticks < TICKS;
  const runs = (state) => new Map(state.utensils.filter(([, , , product, ticks]) => works(product, ticks)).map(([name, , , product]) => [name, product]));

  function change(film, before, after, t) {
    if (after.order !== null && (before.order === null || before.served !== after.served)) {
      film.goal("order", t, { what: spoken(after.order), status: after.served ? "delivered" : "open", tone: after.served ? "reached" : "open" });
    }
    const now = runs(after);
    for (const [name, product] of now) {
      if (!film.working.has(name)) film.working.set(name, film.span(name, t - 1, { label: spoken(product) }));
    }
    for (const [name, span] of [...film.working]) {
      if (now.has(name)) continue;
      span.to = t;
      film.working.delete(name);
    }
  }

  const food = (name, kind) => spoken(name) + (kind === "with_dish" ? " in a dish" : "");

  function scene(film) {
    const { grid, places, utensils } = film.run.setup;
    const drawing = grids.draw(grid, places);
    const words = h("ul", {});
    const show = (state) => {
      const cells = {};
      for (const [x, y, name, kind] of state.counters) cells[`${x},${y}`] = { parts: [food(name, kind)] };
      for (const [name, items, , product, ticks] of state.utensils) {
        const inside = product === null ? items.map(spoken).join(", ") : `${spoken(product)} ${works(product, ticks) ? `${ticks}/${TICKS}` : "ready"}`;
        cells[utensils[name]] = { parts: [inside], lit: works(product, ticks) };
      }
      for (const [name, cook] of Object.entries(state.cooks)) {
        const held = cook.holds === null ? "" : ` ${food(cook.holds[0], cook.holds[1])}`;
        cells[cook.at.join(",")] = { parts: [badge(film, name), ` ${grids.ARROWS[cook.facing]}${held}`] };
      }
      drawing.show(cells);
      fill(words, Object.entries(state.cooks).map(([name, cook]) => h("li", {}, `${name}: ${cook.doing ?? "to decide"}`)));
    };
    return { element: h("div", {}, drawing.element, words), show };
  }

  const holding = (film, state, worker) => (state.cooks[worker]?.holds ? food(...state.cooks[worker].holds) : "");
  const sort = (action) => SORTS[action.split("(")[0]] ?? "work";
  return { title: "Kitchen", begin, change, scene, holding, sort };
})();
