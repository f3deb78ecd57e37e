/* Shows the texts that were looked up, and what the planner understood of them so far. */

const TEXTS_SHOWN = 60;

function texts(player) {
  const element = h("div", { class: "texts" });
  const all = () => new Map(player.films.flatMap((each) => [...each.texts]));
  function show(t) {
    const known = [...all().values()].filter((text) => text.t <= t);
    const read = player.films.map((each) => understoodAt(each, t));
    const key = [known.length, ...read.map((each) => each?.t), ...player.films.map((each) => each.calls.length)].join();
    keep(element, key, () => (known.length ? known.slice(-TEXTS_SHOWN).map((text) => textOf(player, text, t)) : h("p", {}, "Nothing has been looked up yet.")));
  }
  return { element, show };
}

/** Return the last plan up to a moment that says what was understood; null if there is none. */
function understoodAt(film, t) {
  for (let i = standingCall(film, t); i >= 0; i -= 1) {
    const call = film.calls[i];
    const plan = call && call.t <= t ? call.plans.findLast((each) => each.understood) : null;
    if (plan) return plan;
  }
  return null;
}

/** Return what the last plan that tells it understood for a goal; null if no plan does. */
function understoodOf(film, name, t) {
  for (let i = standingCall(film, t); i >= 0; i -= 1) {
    const call = film.calls[i];
    const plan = call && call.t <= t ? call.plans.findLast((each) => each.understood?.[name]) : null;
    if (plan) return { t: plan.t, what: plan.understood[name], doubts: doubtsOf(plan, name) };
  }
  return null;
}

/** Return the doubts of a plan about a goal. */
function doubtsOf(plan, name) {
  const about = `${name}: `;
  return (plan.doubts ?? []).filter((each) => each.startsWith(about)).map((each) => each.slice(about.length));
}

function textOf(player, text, t) {
  const meant = player.films.flatMap((film, n) => [...film.goals.values()]
    .filter((goal) => goal.since <= t && goalAt(goal, t).what === text.key).slice(-6)
    .map((goal) => ({ film, n, goal, value: goalAt(goal, t), understood: understoodOf(film, goal.name, t) })));
  const own = player.films.map((film) => understoodOf(film, text.key, t)).find(Boolean);
  return h("article", { class: "text" },
    h("h3", {}, text.key),
    text.text.split(/\n\s*\n/).map((part) => h("p", { class: "prose" }, part.replace(/\s*\n\s*/g, " "))),
    own ? h("p", { class: "understood" }, "Understood: ", h("code", {}, own.what.join("; "))) : null,
    meant.map(({ n, goal, value, understood }) => h("div", { class: "understood" },
      h("p", {}, h("strong", {}, goal.name), player.films.length > 1 ? ` in ${"AB"[n]}` : "", value.note ? [": ", h("q", {}, value.note)] : ""),
      understood
        ? [h("p", {}, "Understood at ", jump(understood.t, player, `${understood.t}`), ":"), h("ul", {}, understood.what.map((what) => h("li", {}, h("code", {}, what)))),
          understood.doubts.map((doubt) => h("p", { class: "bad" }, "In doubt about ", doubt))]
        : h("p", { class: "muted" }, "The planner does not say how it understood this."))));
}
