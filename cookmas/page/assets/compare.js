/* Two runs beside each other, timestep by timestep. */

/** Where two films differ: {timesteps, first, workers(t)}; null where there is only one. */
function differences(films) {
  if (films.length < 2) return null;
  const [one, other] = films;
  const length = Math.max(one.length, other.length);
  const timesteps = Array.from({ length }, (_, t) => !same(one, other, t));
  const first = timesteps.indexOf(true);
  const workers = (t) => new Set([...new Set([...one.run.workers, ...other.run.workers])].filter((worker) => acted(one, worker, t) !== acted(other, worker, t)));
  return { timesteps, first: first < 0 ? null : first, workers };
}

function same(one, other, t) {
  const told = (film) => film.marksAt(t).filter((mark) => ["event", "refused", "call"].includes(mark.kind)).map((mark) => mark.text).join("|");
  const all = (film) => film.run.workers.map((worker) => acted(film, worker, t)).join("|");
  const over = (film) => (film.end && t === film.length ? film.end.termination : t < film.length);
  return told(one) === told(other) && all(one) === all(other) && over(one) === over(other);
}

function acted(film, worker, t) {
  const act = film.acts[t]?.[worker];
  return act ? `${act.action}${act.fail ?? ""}` : "";
}

/** What is to be said of the difference, with a way to it. */
function comparison(player, difference) {
  const count = difference.timesteps.filter(Boolean).length;
  if (difference.first === null) return h("p", { class: "compared" }, "The two runs are the same at every timestep.");
  return h("p", { class: "compared" },
    h("span", { class: "mark differs", "aria-hidden": "true" }, "≠ "),
    "They first differ at ", jump(difference.first, player, `timestep ${difference.first}`),
    `: ${whatDiffers(player, difference)}. In all ${count} of ${difference.timesteps.length} timesteps differ.`);
}

function whatDiffers(player, difference) {
  const t = difference.first;
  const worker = [...difference.workers(t)][0];
  if (!worker) return "what happens beside the actions";
  return player.films.map((film, n) => `in ${"AB"[n]} ${spoken(worker)} ${film.acts[t]?.[worker]?.words ?? "does nothing"}`).join(", ");
}
