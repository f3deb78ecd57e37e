/* CuisineWorld's adapter: orders that run out, tools that are occupied, the places. */

worlds["cuisineworld"] = (() => {
  const SORTS = { goto: "go", get: "handle", put: "handle", activate: "work", noop: "idle" };

  function begin(film) {
    film.ordered = []; // the open orders, the earliest first
    film.count = 0;
    film.busy = new Map();
  }

  function change(film, before, after, t, entry) {
    if (entry.kind === "event" && after.arrived > before.arrived) {
      const dish = after.orders.map(([, each]) => each).find((each) => count(after, each) > count(before, each));
      film.count += 1;
      const order = { name: `order ${film.count}`, dish, due: t + (film.run.setup.dishes[dish] ?? 0) };
      film.ordered.push(order);
      film.goal(order.name, t, { what: dish, due: order.due, status: "open", tone: "open" });
    }
    for (const [field, status] of [["completed", "completed"], ["failed", "lost"]]) {
      for (const dish of after[field].slice(before[field].length)) close(film, dish, status, t);
    }
    for (const place of new Set([...Object.keys(before.busy), ...Object.keys(after.busy)])) use(film, place, before, after, t);
  }

  const count = (state, dish) => state.orders.filter(([, each]) => each === dish).length;

  function close(film, dish, status, t) {
    const at = film.ordered.findIndex((order) => order.dish === dish);
    if (at < 0) return;
    const [order] = film.ordered.splice(at, 1);
    film.goal(order.name, t, { what: dish, due: order.due, status, tone: status === "lost" ? "lost" : "reached" });
  }

  function use(film, place, before, after, t) {
    const running = film.busy.get(place);
    if (after.busy[place] && !running) {
      film.busy.set(place, film.span(place, t - 1, { label: (before.inside[place] ?? after.inside[place] ?? []).join(", ") }));
    } else if (!after.busy[place] && running) {
      running.to = t;
      film.busy.delete(place);
    }
  }

  function scene(film) {
    const { agents, places } = film.run.setup;
    const cells = new Map(Object.entries(places).map(([place, kind]) => [place, { kind, inside: h("div", { class: "inside" }), element: null }]));
    for (const [place, cell] of cells) cell.element = h("li", { class: "cell" }, h("strong", {}, place), cell.inside);
    const element = h("ul", { class: "cells" }, [...cells.values()].map((cell) => cell.element));
    const show = (state, t, other) => {
      for (const [place, cell] of cells) {
        const standing = state.agents.map((agent, n) => [agent, agents[n]]).filter(([[at]]) => at === place);
        const inside = state.inside[place] ?? [];
        const differs = other !== null && JSON.stringify(inside) !== JSON.stringify(other.inside[place] ?? []);
        keep(cell.inside, JSON.stringify([standing, inside, state.busy[place], differs]), () => [
          inside.length ? h("p", {}, inside.join(", "), differs ? " ≠" : "") : null,
          state.busy[place] ? h("p", { class: "busy" }, `occupied for ${state.busy[place]}`) : null,
          standing.map(([[, held], name]) => h("p", {}, badge(film, name), h("span", { class: "unseen" }, ` ${name} `), held ? ` ${held}` : ""))]);
        cell.element.classList.toggle("lit", Boolean(state.busy[place]));
      }
    };
    return { element, show };
  }

  const holding = (film, state, worker) => state.agents[film.run.workers.indexOf(worker)]?.[1];

  return { title: "Kitchen", begin, change, scene, holding, sort: (action) => SORTS[action.split("_")[0]] ?? "work" };
})();
