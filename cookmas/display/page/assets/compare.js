/* Compares two runs, timestep by timestep. */

/* These kinds are compared at a timestep, in this order, as in cookmas/display/page/comparing.py. Talk and
   model calls are not compared. */
const KINDS = {
  event: "what happens",
  trigger: "why the planner is called",
  schedule: "what the planner answers",
  end: "whether it is over",
  action: "what the workers do",
  state: "the result of the same actions",
};

/** Return where two films differ: {timesteps, first, kind, acted, workers(t)}; null if there is one film only. */
function differences(films) {
  if (films.length < 2) return null;
  const facts = films.map(factsOf);
  const differs = (t, kind) => facts[0](t, kind) !== facts[1](t, kind);
  const length = Math.max(...films.map((film) => film.length));
  const kinds = Array.from({ length: length + 1 }, (_, t) => Object.keys(KINDS).find((kind) => differs(t, kind)) ?? null);
  const first = kinds.findIndex((kind) => kind);
  const acted = kinds.findIndex((kind, t) => kind && differs(t, "action"));
  const [one, other] = films;
  const workers = (t) => new Set([...new Set([...one.run.workers, ...other.run.workers])].filter((worker) => actOfWorker(one, worker, t) !== actOfWorker(other, worker, t)));
  return { timesteps: kinds.map(Boolean), first: first < 0 ? null : first, kind: kinds[first], acted: acted < 0 ? null : acted, workers };
}

/** Return a function of a timestep and a kind, which returns what is compared, as text. */
function factsOf(film) {
  const calls = new Map(film.calls.map((call) => [call.t, call]));
  const told = (t, kinds) => film.marksAt(t).filter((mark) => kinds.includes(mark.kind)).map((mark) => [mark.kind, mark.text]);
  const facts = {
    event: (t) => told(t, ["event", "refused"]),
    trigger: (t) => (calls.get(t)?.triggers ?? []).map(({ trigger, cause }) => [trigger, cause]),
    schedule: (t) => (calls.get(t)?.plans ?? []).map((plan) => [plan.agent ?? null, plan.schedule, plan.refused ?? null, plan.gave_up ?? null]),
    end: (t) => (t < film.length ? null : (film.end?.termination ?? "unfinished")),
    action: (t) => film.run.workers.map((worker) => actOfWorker(film, worker, t)),
    state: (t) => (t < film.length ? film.patches[t + 1][0] : null),
  };
  return (t, kind) => JSON.stringify(facts[kind](t));
}

function actOfWorker(film, worker, t) {
  const act = film.acts[t]?.[worker];
  return act ? `${act.action} ${act.fail ?? ""}` : "";
}

/** Describe the difference, with buttons that go to it. */
function comparison(player, difference) {
  const count = difference.timesteps.filter(Boolean).length;
  if (difference.first === null) return h("p", { class: "compared" }, "The two runs are the same at every timestep.");
  const { first, kind, acted } = difference;
  const done = acted === null || kind === "end" ? null : `: ${whatDiffers(player, difference)}`;
  return h("p", { class: "compared" },
    h("span", { class: "mark differs", "aria-hidden": "true" }, "≠ "),
    "They part at ", jump(first, player, `timestep ${first}`), `, in ${KINDS[kind]}`,
    acted === first || done === null ? done : ["; other things are done from ", jump(acted, player, `timestep ${acted}`), " on", done],
    `. In all ${count} of ${difference.timesteps.length} moments differ.`);
}

function whatDiffers(player, { acted, workers }) {
  const worker = [...workers(acted)][0];
  return player.films.map((film, n) => `in ${"AB"[n]} ${spoken(worker)} ${film.acts[acted]?.[worker]?.words ?? "does nothing"}`).join(", ");
}
