/* Shows a timestep: what happens, and what every worker does. */

function moment(player, difference, server) {
  const sides = player.films.map((film, n) => {
    const acts = new Map(film.run.workers.map((worker) => [worker, h("li", {})]));
    const [happened, others, over] = [h("ul", { class: "happened" }), h("ul", { class: "acts" }), h("p", { class: "over" })];
    return { film, n, happened, acts, others, over, body: h("div", {}, happened, h("ul", { class: "acts" }, [...acts.values()]), others, over) };
  });
  const said = h("p", { class: "unseen", role: "status" });
  const element = h("div", {}, h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.body))), said);
  function show(t) {
    for (const side of sides) showMoment(side, t, difference);
  }
  /** Tell screen readers of a moment at which the player rests. In a seat the log of the talk announces itself. */
  function rest(t) {
    if (!player.playing) fill(said, player.films.map((film) => momentInWords(film, t, !server.seat)).join(" "));
  }
  return { element, show, rest };
}

function showMoment({ film, happened, acts, others, over }, t, difference) {
  const marks = film.marksAt(t).filter((mark) => mark.kind !== "fail" && mark.kind !== "reached");
  keep(happened, marks.map(({ kind, text }) => `${kind} ${text}`).join("\n"), () => marks.map((mark) => h("li", {},
    h("span", { class: `mark ${mark.kind}`, "aria-hidden": "true" }, MARKS[mark.kind].sign), " ", mark.text)));
  happened.hidden = !marks.length;
  over.hidden = !(film.end && t >= film.length);
  const told = film.end && film.verdict?.why.includes(film.end.why); // then the heading has the reason
  keep(over, `${over.hidden} ${told}`, () => (over.hidden ? "" : `${film.end.termination}${told ? "" : `: ${film.end.why}`}`));
  const characters = Object.entries(film.toldAt("characters", t) ?? {});
  others.hidden = !characters.length;
  keep(others, JSON.stringify(characters), () => characters.map(([name, words]) => h("li", { class: "character" },
    badge(film, name), h("span", { class: "who" }, spoken(name)), h("span", {}, words))));
  for (const [worker, item] of acts) showAct(item, film, worker, t, difference);
}

function showAct(item, film, worker, t, difference) {
  const newest = t === film.length && !film.end;
  const moment = newest ? t - 1 : t;
  const act = film.acts[moment]?.[worker] ?? goesOn(film, worker, moment);
  const holds = film.adapter.holding?.(film, film.at(t), worker);
  const place = film.toldAt("places", t)?.[worker];
  const differs = difference?.workers(t)?.has(worker);
  item.className = [act?.fail && "failed", differs && "differs"].filter(Boolean).join(" ");
  keep(item, JSON.stringify([act, holds, place, differs, newest, t < film.length]), () => [
    badge(film, worker),
    h("span", { class: "who" }, spoken(worker)),
    h("span", {}, act ? act.words : film.adapter.unseen?.(film.at(t), worker) ? "is not seen" : t < film.length ? "does nothing" : newest ? "has not begun" : "is done",
      newest && act ? h("span", { class: "muted" }, " (just now)") : null,
      differs ? h("span", { class: "mark differs", title: "the runs differ here" }, " ≠") : null),
    act?.fail ? h("span", { class: "why" }, `✕ FAIL: ${act.why}`) : null,
    holds ? h("span", { class: "holds" }, `holds ${holds}`) : null,
    place ? h("span", { class: "holds place" }, place) : null]);
}

/** Return the act that a worker began before and continues; undefined if it continues none. */
function goesOn(film, worker, t) {
  if (t < film.first || !film.adapter.busy?.(film.at(t), worker)) return undefined;
  const begun = film.rows.get(worker)?.findLast((span) => span.from <= t && !span.fail);
  return begun && { words: `${begun.words} (continues)` };
}

function momentInWords(film, t, withTalk) {
  const acts = film.run.workers.map((worker) => {
    const act = film.acts[t]?.[worker] ?? goesOn(film, worker, t);
    return act ? `${spoken(worker)} ${act.words}${act.fail ? `, FAIL: ${act.why}` : ""}` : "";
  });
  const happened = film.marksAt(t).filter((mark) => mark.kind === "event").map((mark) => mark.text);
  const talk = withTalk ? film.said.filter((each) => each.t === t).map((each) => `${spoken(each.agent)} says: ${each.text}`) : [];
  const told = [...happened, ...talk, ...acts.filter(Boolean)].join("; ");
  return `Timestep ${t}.${told ? ` ${told}.` : ""}`;
}
