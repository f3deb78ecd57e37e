/* The corridor's adapter: walkers in a row of places, and the bells that were rung there. */

worlds["corridor"] = (() => {
  function change(film, before, after, t) {
    for (const [name, bell] of Object.entries(after.bells)) {
      const was = before.bells[name];
      if (was && was.rung === bell.rung) continue;
      film.goal(name, t, bell.rung === null ? { what: "bell", status: "open", tone: "open" } : { what: "bell", status: "rung", tone: "reached" });
    }
  }

  function scene(film) {
    const places = Array.from({ length: film.run.setup.length + 1 }, (_, n) => n);
    const rows = new Map(film.run.workers.map((walker) => [walker, places.map(() => h("td", {}))]));
    const bells = places.map(() => h("td", {}));
    const element = h("div", { class: "scroll" }, h("table", { class: "corridor" },
      h("tr", {}, h("th", { scope: "row" }, "place"), places.map((place) => h("th", { scope: "col" }, place))),
      [...rows].map(([walker, cells]) => h("tr", {}, h("th", { scope: "row" }, spoken(walker)), cells)),
      h("tr", {}, h("th", { scope: "row" }, "rung"), bells)));
    const show = (state) => {
      for (const [walker, cells] of rows) cells.forEach((cell, place) => fill(cell, state.places[walker] === place ? badge(film, walker) : null));
      const rung = Object.entries(state.bells).filter(([, bell]) => bell.rung !== null);
      bells.forEach((cell, place) => fill(cell, rung.filter(([, bell]) => bell.rung === place).map(([name]) => name).join(", ")));
    };
    return { element, show };
  }

  const sort = (action) => (action === "stay" ? "idle" : action.startsWith("ring") ? "serve" : "go");
  return { title: "Corridor", change, scene, sort };
})();
