/* The recipes as they were looked up, and what the planner understood of them so far. */

const RECIPES_SHOWN = 60;

function recipes(player) {
  const element = h("div", { class: "recipes" });
  const all = () => new Map(player.films.flatMap((each) => [...each.recipes]));
  function show(t) {
    const known = [...all().values()].filter((recipe) => recipe.t <= t);
    const read = player.films.map((each) => understoodAt(each, t));
    const key = [known.length, ...read.map((each) => each?.t), ...player.films.map((each) => each.calls.length)].join();
    keep(element, key, () => (known.length ? known.slice(-RECIPES_SHOWN).map((recipe) => recipeOf(player, recipe, t)) : h("p", {}, "Nothing has been looked up yet.")));
  }
  return { element, show };
}

/** The last plan up to a moment that says what was understood. */
function understoodAt(film, t) {
  for (let i = standingCall(film, t); i >= 0; i -= 1) {
    const call = film.calls[i];
    const plan = call && call.t <= t ? call.plans.findLast((each) => each.understood) : null;
    if (plan) return plan;
  }
  return null;
}

/** What was understood for a line: by the last plan that says so. */
function understoodOf(film, name, t) {
  for (let i = standingCall(film, t); i >= 0; i -= 1) {
    const call = film.calls[i];
    const plan = call && call.t <= t ? call.plans.findLast((each) => each.understood?.[name]) : null;
    if (plan) return { t: plan.t, what: plan.understood[name], doubts: doubtsOf(plan, name) };
  }
  return null;
}

/** What a plan says that it did not understand of a line. */
function doubtsOf(plan, name) {
  const about = `${name}: `;
  return (plan.doubts ?? []).filter((each) => each.startsWith(about)).map((each) => each.slice(about.length));
}

function recipeOf(player, recipe, t) {
  const meant = player.films.flatMap((film, n) => [...film.lines.values()]
    .filter((line) => line.since <= t && lineAt(line, t).item === recipe.key).slice(-6)
    .map((line) => ({ film, n, line, value: lineAt(line, t), understood: understoodOf(film, line.name, t) })));
  const own = player.films.map((film) => understoodOf(film, recipe.key, t)).find(Boolean);
  return h("article", { class: "recipe" },
    h("h3", {}, recipe.key),
    recipe.text.split(/\n\s*\n/).map((part) => h("p", { class: "prose" }, part.replace(/\s*\n\s*/g, " "))),
    own ? h("p", { class: "understood" }, "Understood: ", h("code", {}, own.what.join("; "))) : null,
    meant.map(({ n, line, value, understood }) => h("div", { class: "understood" },
      h("p", {}, h("strong", {}, line.name), player.films.length > 1 ? ` in ${"AB"[n]}` : "", value.words ? [": ", h("q", {}, value.words)] : ""),
      understood
        ? [h("p", {}, "Understood at ", jump(understood.t, player, `${understood.t}`), ":"), h("ul", {}, understood.what.map((what) => h("li", {}, h("code", {}, what)))),
          understood.doubts.map((doubt) => h("p", { class: "bad" }, "In doubt about ", doubt))]
        : h("p", { class: "muted" }, "The planner does not say how it understood this."))));
}
