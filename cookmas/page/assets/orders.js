/* The order board: what was asked for, in whose words, what was changed, what became of it. */

const CLOSED_SHOWN = 12; // closed lines that are shown below the open ones

const STATUS = {
  open: { sign: "◔", name: "open" },
  served: { sign: "✓", name: "served" },
  cancelled: { sign: "–", name: "cancelled" },
  refused: { sign: "✕", name: "refused" },
  lost: { sign: "✕", name: "lost" },
};

function orders(player) {
  const sides = player.films.map((film, n) => ({ film, n, list: h("ul", { class: "orders" }), more: h("p", { class: "more" }), cards: new Map() }));
  const element = h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.list, side.more)));
  function show(t) {
    for (const side of sides) showOrders(side, t, player);
  }
  return { element, show };
}

function showOrders({ film, list, more, cards }, t, player) {
  const there = [...film.lines.values()].filter((line) => line.since <= t);
  const values = new Map(there.map((line) => [line, lineAt(line, t)]));
  const open = there.filter((line) => values.get(line).status === "open");
  const closed = there.filter((line) => values.get(line).status !== "open");
  const recent = closed.slice(-CLOSED_SHOWN).reverse();
  const shown = [...open, ...recent];
  const judged = film.verdict ? "judged" : "";
  arrange(list, shown.map((line) => {
    const key = [line.history.findLastIndex(([since]) => since <= t), line.history.length, judged].join();
    const known = cards.get(line.name);
    if (known?.key === key) return known.card;
    const card = orderCard(film, line, values.get(line), t, player);
    cards.set(line.name, { key, card });
    return card;
  }));
  const left = closed.length - recent.length;
  keep(more, `${left}|${there.length}`, () => (left ? `and ${left} closed before` : there.length ? "" : "Nothing is asked for yet."));
}

function orderCard(film, line, value, t, player) {
  const status = STATUS[value.status] ?? STATUS.open;
  const steps = line.history.filter(([since]) => since <= t);
  const before = steps.slice(1).filter(([, now], i) => now.words !== steps[i][1].words);
  return h("li", { class: `order ${value.status}` },
    h("span", { class: "pill" }, h("span", { "aria-hidden": "true" }, status.sign), ` ${status.name}`),
    h("span", { class: "name" }, line.name),
    h("strong", {}, value.item),
    value.words ? h("q", {}, value.words) : null,
    h("span", { class: "dates" }, "since ", jump(line.since, player, `${line.since}`),
      before.map(([since]) => [", changed at ", jump(since, player, `${since}`)]),
      value.status === "open" ? (value.due === null || value.due === undefined ? null : `, due at ${value.due}`)
        : [`, ${status.name} at `, jump(steps.at(-1)[0] - (value.status === "served" ? 1 : 0), player, `${steps.at(-1)[0] - (value.status === "served" ? 1 : 0)}`)]),
    value.status === "served" ? becameOf(film, line.name) : null);
}

/** What the verdict says of a line, once there is one. */
function becameOf(film, name) {
  const checks = (film.verdict?.checks ?? []).filter((check) => check.subject.split(":")[0] === name && "passed" in check && check.name !== "served");
  return checks.map((check) => h("span", { class: `became ${check.passed ? "good" : "bad"}` },
    `${check.passed ? "✓" : "✕"} ${spoken(check.name)}${check.subject.includes(":") ? check.subject.slice(check.subject.indexOf(":")) : ""}${check.passed ? "" : `: ${check.reason ?? ""}`}`));
}
