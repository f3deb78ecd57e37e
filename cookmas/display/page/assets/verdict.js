/* Shows the verdict with its evidence. Each part links to the timestep that decided it. */

const CHECKS_SHOWN = 60;

const OUTCOME = new Map([[true, ["good", "✓ success"]], [false, ["bad", "✕ failed"]], [null, ["open", "not scored"]]]);

function outcome(film) {
  if (!film.verdict) return h("span", { class: "outcome going" }, film.end ? "not judged" : film.broken ? "cannot be read" : "under way");
  const [look, words] = OUTCOME.get(film.verdict.success ?? null);
  const graded = film.verdict.score ?? null;
  return h("span", { class: `outcome ${look}` }, graded === null ? words : film.verdict.outcome.toLowerCase());
}

function verdict(player) {
  const sides = player.films.map((film, n) => ({ film, n, body: h("div", { class: "verdict" }) }));
  const element = h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.body)));
  function show() {
    for (const { film, body } of sides) keep(body, `${film.verdict ? "judged" : film.end ? "over" : film.broken ?? ""}`, () => verdictOf(film, player));
  }
  return { element, show };
}

function verdictOf(film, player) {
  if (!film.verdict) return h("p", {}, film.end ? "There is no verdict." : film.broken ? `There is no verdict: ${film.broken}.` : "There is no verdict before the end.");
  const { why, goals = [], checks = [], summary = {}, measured } = film.verdict;
  const judged = checks.filter((check) => "passed" in check);
  judged.sort((one, other) => Number(one.passed) - Number(other.passed));
  const rest = checks.filter((check) => !("passed" in check));
  return [
    h("p", {}, outcome(film), ...(film.verdict.success === null && film.verdict.score == null ? [] : [" ", linked(why, player)])),
    goals.length ? table(["name", "what", "in words", "became", "at"], goals.map((goal) => [
      goal.name, goal.what, goal.note, goal.status, atOf(goal.when ?? lostAt(film, goal.name), player)])) : null,
    h("h3", {}, "Judged"),
    longTable(["", "what", "of", "why", "evidence", "decided"], judged, (check) => [
      h("span", { class: check.passed ? "good" : "bad" }, check.passed ? "✓" : "✕", h("span", { class: "unseen" }, check.passed ? "passed" : "not passed")),
      spoken(check.name), linked(check.subject, player), linked(check.reason ?? "", player), linked(check.evidence ?? "", player),
      decidedAt(film, check, player)]),
    h("h3", {}, "Measured"),
    h("dl", { class: "figures" }, Object.entries(summary).filter(([, value]) => value !== null).map(([name, value]) => h("div", {}, h("dt", {}, spoken(name)), h("dd", {}, String(value))))),
    measured ? h("p", {}, `Beside the trace: ${measured.wall_seconds.toFixed(1)} s in all${measured.model_seconds ? `, ${measured.model_seconds.toFixed(1)} s of them for models` : ""}${measured.cost === null ? "" : `, cost ${measured.cost}`}.`) : null,
    h("details", {}, h("summary", {}, `Everything that was measured (${rest.length})`),
      longTable(["what", "of", "value", "why", "evidence"], rest, (check) => [
        spoken(check.name), check.subject, check.value === undefined || check.value === null ? "not scored" : String(check.value), linked(check.reason ?? "", player), linked(check.evidence ?? "", player)])),
  ];
}

/** Link to the timestep that decided a check: the act that made it fail if the world can tell, else its goal's end. */
function decidedAt(film, check, player) {
  if (check.at === null || check.at === undefined) return "";
  const lost = check.passed ? null : lostAt(film, check.subject);
  if (lost !== null) return [jump(lost, player, `${lost}`), " it was lost"];
  const made = check.passed ? null : film.adapter.decided?.(film, check);
  return made ? [jump(made.t, player, `${made.t}`), ` ${made.words}`] : jump(check.at, player, `${check.at}`);
}

function atOf(t, player) {
  return t === null ? "" : jump(t, player, `${t}`);
}

/** Return the timestep from which on a goal could not be reached any more; null if there is none. */
function lostAt(film, name) {
  const lost = film.goals.get(name)?.history.find(([, value]) => value.tone === "lost");
  return lost ? lost[0] : null;
}

function table(heads, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": heads.filter(Boolean).join(", ") }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}

/** Make a table that shows its first rows, and the others on demand. */
function longTable(heads, items, row) {
  const shown = table(heads, items.slice(0, CHECKS_SHOWN).map(row));
  if (items.length <= CHECKS_SHOWN) return shown;
  const box = h("div", {}, shown, h("button", { type: "button", onclick: () => fill(box, table(heads, items.map(row))) }, `Show all ${items.length}`));
  return box;
}
