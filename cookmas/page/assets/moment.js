/* This timestep: what happens, and what every worker does. */

function moment(player, difference) {
  const sides = player.films.map((film, n) => ({ film, body: h("div", {}), n }));
  const said = h("p", { class: "unseen", role: "status" });
  const element = h("div", {}, h("div", { class: "pair" }, sides.map((side) => h("div", { class: "side" }, sideName(player, side.n), side.body))), said);
  function show(t) {
    for (const { film, body } of sides) fill(body, momentOf(film, t, player, difference));
    if (!player.playing) fill(said, player.films.map((film) => momentInWords(film, t)).join(" "));
  }
  return { element, show };
}

function momentOf(film, t, player, difference) {
  const marks = film.marksAt(t).filter((mark) => mark.kind !== "fail" && mark.kind !== "served");
  const happened = marks.map((mark) => h("li", {},
    h("span", { class: `mark ${mark.kind}`, "aria-hidden": "true" }, MARKS[mark.kind].sign), " ", mark.text));
  const over = film.end && t >= film.length ? h("p", { class: "over" }, `${film.end.termination}: ${film.end.why}`) : null;
  return [
    happened.length ? h("ul", { class: "happened" }, happened) : null,
    h("ul", { class: "acts" }, film.run.workers.map((worker) => actOf(film, worker, t, difference))),
    over,
  ];
}

function actOf(film, worker, t, difference) {
  const newest = t === film.length && !film.end;
  const act = film.acts[newest ? t - 1 : t]?.[worker];
  const holds = film.adapter.holding?.(film, film.at(t), worker);
  const differs = difference?.workers(t)?.has(worker);
  return h("li", { class: [act?.fail && "failed", differs && "differs"].filter(Boolean).join(" ") || null },
    badge(film, worker),
    h("span", { class: "who" }, spoken(worker)),
    h("span", { class: "does" }, act ? act.words : t < film.length ? "does nothing" : newest ? "has not begun" : "is done",
      newest && act ? h("span", { class: "muted" }, " (just now)") : null,
      differs ? h("span", { class: "mark differs", title: "the runs differ here" }, " ≠") : null),
    act?.fail ? h("span", { class: "why" }, `✕ FAIL: ${act.why}`) : null,
    holds ? h("span", { class: "holds" }, `holds ${holds}`) : null);
}

function momentInWords(film, t) {
  const acts = film.run.workers.map((worker) => {
    const act = film.acts[t]?.[worker];
    return act ? `${spoken(worker)} ${act.words}${act.fail ? `, FAIL: ${act.why}` : ""}` : "";
  });
  const happened = film.marksAt(t).filter((mark) => mark.kind === "event").map((mark) => mark.text);
  return `Timestep ${t}. ${[...happened, ...acts.filter(Boolean)].join("; ")}.`;
}
