/* Shows the goals: what was asked for in which words, what was changed, and what became of it. */

const CLOSED_SHOWN = 12; // this many closed goals are shown below the open ones

const SIGNS = { open: "◔", reached: "✓", dropped: "–", lost: "✕" };

function goals(player) {
  const sides = player.films.map((film, n) => ({ film, n, list: h("ul", { class: "goals" }), more: h("p", { class: "more" }), cards: new Map() }));
  const element = h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.list, side.more)));
  function show(t) {
    for (const side of sides) showGoals(side, t, player);
  }
  return { element, show };
}

function showGoals({ film, list, more, cards }, t, player) {
  const there = [...film.goals.values()].filter((goal) => goal.since <= t);
  const values = new Map(there.map((goal) => [goal, goalAt(goal, t)]));
  const open = there.filter((goal) => values.get(goal).tone === "open");
  const closed = there.filter((goal) => values.get(goal).tone !== "open");
  const recent = closed.slice(-CLOSED_SHOWN).reverse();
  const shown = [...open, ...recent];
  const judged = film.verdict ? "judged" : "";
  arrange(list, shown.map((goal) => {
    const key = [goal.history.findLastIndex(([since]) => since <= t), goal.history.length, judged].join();
    const known = cards.get(goal.name);
    if (known?.key === key) return known.card;
    const card = goalCard(film, goal, values.get(goal), t, player);
    cards.set(goal.name, { key, card });
    return card;
  }));
  const left = closed.length - recent.length;
  keep(more, `${left}|${there.length}`, () => (left ? `and ${left} closed before` : there.length ? "" : "Nothing is asked for yet."));
}

/** Return the timestep at which a goal was closed, given its history. */
function closedAt(steps) {
  const [, { tone }] = steps.at(-1);
  const before = steps.findLastIndex(([, value]) => value.tone !== tone);
  const [since, , now] = steps[before + 1];
  return tone === "reached" ? now : since;
}

function goalCard(film, goal, value, t, player) {
  const steps = goal.history.filter(([since]) => since <= t);
  const before = steps.slice(1).filter(([, now], i) => now.note !== steps[i][1].note && now.tone === "open");
  return h("li", { class: `goal ${value.tone}` },
    h("span", { class: "pill" }, h("span", { "aria-hidden": "true" }, SIGNS[value.tone]), ` ${value.status}`),
    h("span", { class: "name" }, goal.name),
    h("strong", {}, value.what),
    value.note ? h("q", {}, value.note) : null,
    h("span", { class: "dates" }, "since ", jump(goal.since, player, `${goal.since}`),
      before.map(([since]) => [", changed at ", jump(since, player, `${since}`)]),
      value.tone === "open" ? (value.due === null || value.due === undefined ? null : `, due at ${value.due}`)
        : [`, ${value.status} at `, jump(closedAt(steps), player, `${closedAt(steps)}`)]),
    value.tone === "reached" ? becameOf(film, goal.name, value.status) : null);
}

/** Return what the verdict says of a goal; nothing before there is a verdict. */
function becameOf(film, name, status) {
  const checks = (film.verdict?.checks ?? []).filter((check) => check.subject.split(":")[0] === name && "passed" in check && check.name !== status);
  return checks.map((check) => h("span", { class: `became ${check.passed ? "good" : "bad"}` },
    `${check.passed ? "✓" : "✕"} ${spoken(check.name)}${check.subject.includes(":") ? check.subject.slice(check.subject.indexOf(":")) : ""}${check.passed ? "" : `: ${check.reason ?? ""}`}`));
}
