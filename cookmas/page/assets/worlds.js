/* The adapters of the worlds. One has

     title                                  what is drawn is called
     begin(film)                            at the beginning of a film
     alter(film, setup)                     a fork has altered the world: `setup` is its new one
     change(film, before, after, t, entry)  a state has become another; tells film.line, film.span
     scene(film, player)                    {element, show(state, t, other)}: the drawing; `other`
                                            is the state of the film beside it, or null
     holding(film, state, worker)           what a worker holds, in words, or nothing
     decided(film, check)                   {t, words}: what was done that made a check fail, or nothing
     sort(action)                           "go", "handle", "work", "serve" or "idle"

   and whatever it leaves out is as for a world that brings none. */

const worlds = {};

const PLAIN = {
  title: "State",
  scene: () => {
    const element = h("dl", { class: "plain" });
    const show = (state) => {
      fill(element, Object.entries(state).map(([key, value]) => [
        h("dt", {}, key),
        h("dd", {}, typeof value === "string" ? value : JSON.stringify(value)),
      ]));
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
  return `var(--worker-${(film.run.workers.indexOf(worker) % 6) + 1})`;
}

/** The round sign of a worker. */
function badge(film, worker) {
  const number = film.run.workers.indexOf(worker) + 1;
  return h("span", { class: "badge", "aria-hidden": "true", style: { "--colour": workerColour(film, worker) } }, number);
}
