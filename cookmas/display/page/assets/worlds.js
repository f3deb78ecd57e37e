/* The adapters of the worlds. An adapter has

     title                                  the title of the drawing
     begin(film)                            is called at the beginning of a film
     alter(film, setup)                     is called if a fork has altered the world; `setup` is its new one
     change(film, before, after, t, entry)  is called if a state has become another; calls film.goal, film.span
     scene(film, player)                    returns the drawing {element, show(state, t, other)}; `other`
                                            is the state of the film beside it, or null
     holding(film, state, worker)           returns what a worker holds, in words, or nothing
     busy(state, worker)                    returns whether a worker continues what it began before
     unseen(state, worker)                  returns whether the person may not see a worker
     decided(film, check)                   returns {t, words}, the act that made a check fail, or nothing
     sort(action)                           returns "go", "handle", "work", "serve" or "idle"

   Functions that it leaves out are those of a world without an adapter. It calls `film.goal(name, t, value)`
   for what is asked for. The value has `what` it is, a `note` in somebody's words, when it is `due`, the
   world's word for its `status`, and its `tone`: "open", "reached", "dropped" or "lost". It calls
   `film.span(track, t, about)` for what is in use from `t` on, and ends the span by its `to`.

   A world without an adapter is shown by its panels, which the entries have in words. */

const worlds = {};

const PLAIN = {
  title: "State",
  scene: (film) => {
    const element = h("div", {});
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

/** Return the colour of a worker. */
function workerColour(film, worker) {
  const number = film.run.workers.indexOf(worker);
  return number < 0 ? "var(--muted)" : `var(--worker-${(number % 6) + 1})`;
}

/** Make the round sign of an agent: the number of a worker, the initial of another agent. */
function badge(film, worker) {
  const number = film.run.workers.indexOf(worker) + 1 || worker.charAt(0).toUpperCase();
  return h("span", { class: "badge", "aria-hidden": "true", style: { "--colour": workerColour(film, worker) } }, number);
}
