/* The adapters of the worlds. One has

     title                                  what is drawn is called
     begin(film)                            at the beginning of a film
     alter(film, setup)                     a fork has altered the world: `setup` is its new one
     change(film, before, after, t, entry)  a state has become another; tells film.goal, film.span
     scene(film, player)                    {element, show(state, t, other)}: the drawing; `other`
                                            is the state of the film beside it, or null
     holding(film, state, worker)           what a worker holds, in words, or nothing
     busy(state, worker)                    whether a worker continues what it began before
     unseen(state, worker)                  whether the person may not see a worker
     decided(film, check)                   {t, words}: what was done that made a check fail, or nothing
     sort(action)                           "go", "handle", "work", "serve" or "idle"

   and whatever it leaves out is as for a world that brings none. To `film.goal(name, t, value)` it
   tells what is asked for: `what` it is, a `note` in somebody's words, when it is `due`, the world's
   word for its `status`, and its `tone`: "open", "reached", "dropped" or "lost". To
   `film.span(track, t, about)` it tells what is in use from `t` on; it closes the span with `to`.

   A world without an adapter is drawn by its panels, which the entries have in words. */

const worlds = {};

const PLAIN = {
  title: "State",
  scene: (film) => {
    const element = h("div", { class: "panels" });
    const show = (state, t) => {
      const panels = film.toldAt("panels", t) ?? [{ title: "", items: Object.entries(state).map(([name, value]) => ({ name, what: JSON.stringify(value) })) }];
      keep(element, JSON.stringify(panels), () => panels.map(({ title, items }) => h("section", {}, h("h3", {}, title),
        h("dl", { class: "plain" }, items.map(({ name, what, note, alarming }) => [
          h("dt", {}, name), h("dd", { class: alarming ? "bad" : "" }, what, note ? h("span", { class: "muted" }, ` ${note}`) : null)])))));
    };
    return { element, show };
  },
  sort: () => "work",
};

function adapterOf(world) {
  return { ...PLAIN, ...worlds[world] };
}

/** A colour of the palette for the n-th worker. */
function workerColour(film, worker) {
  const number = film.run.workers.indexOf(worker);
  return number < 0 ? "var(--muted)" : `var(--worker-${(number % 6) + 1})`;
}

/** The round sign of a worker: its number; of another agent its initial. */
function badge(film, worker) {
  const number = film.run.workers.indexOf(worker) + 1 || worker.charAt(0).toUpperCase();
  return h("span", { class: "badge", "aria-hidden": "true", style: { "--colour": workerColour(film, worker) } }, number);
}
