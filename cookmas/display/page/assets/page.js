/* Puts the panels of the page together around one player. A panel is an entry of PANELS:
   {id, title, beside, make(player, difference, server)}. `make` returns {element, show(t), needed()}, or null
   if there is nothing to show. Panels that are `beside` stand next to the drawing on a wide screen. A panel
   is hidden as long as it is not `needed`; without this function it is always shown. `server` has what can be
   asked of a server; it is empty on a page from disk. */

const PANELS = [
  { id: "schedule", title: "Your schedule", make: (player, difference, server) => orchestratorPanel(server, player) },
  { id: "scene", title: (film) => film.adapter.title, make: (player) => scenes(player) },
  { id: "seat", title: "Your move", beside: true, make: (player, difference, server) => seatPanel(server, player.films[0]) },
  { id: "talk", title: "Talk", beside: true, make: (player, difference, server) => talkPanel(player, server) },
  { id: "moment", title: "This timestep", beside: true, make: (player, difference, server) => moment(player, difference, server) },
  { id: "guest", title: "Send a message", beside: true, make: (player, difference, server) => guestPanel(server, player.films[0]) },
  { id: "goals", beside: true, title: (film) => titled(film.run.terms?.goals ?? "goals"), make: (player) => goals(player) },
  { id: "timeline", title: "Timeline", make: (player, difference) => timeline(player, difference) },
];

const TABS = [
  { id: "calls", title: "Planner calls", make: (player) => plannerCalls(player) },
  { id: "verdict", title: "Verdict", make: (player) => verdict(player) },
  { id: "texts", title: (film) => titled(film.run.terms?.texts ?? "texts"), make: (player) => texts(player) },
];

function panel({ id, title }, made, film) {
  const section = h("section", { id, class: "panel", "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, worded(title, film)), made.element);
  if (made.needed) {
    const { show } = made;
    made.show = (t) => {
      section.hidden = !made.needed();
      show(t);
    };
  }
  return section;
}

/** Return the panels in order, with those beside the drawing in one column. */
function arranged(made, film) {
  const sections = made.map((each) => panel(each, each.made, film));
  const column = sections.filter((section, n) => made[n].beside);
  const first = made.findIndex(({ beside }) => beside);
  return [sections.slice(0, first), h("div", { class: "beside" }, column), sections.slice(first).filter((section) => !column.includes(section))];
}

/** Return a title. It may be a function of the film, if the world has a word for it. */
const worded = (title, film) => (typeof title === "function" ? title(film) : title);

const titled = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Put panels into tabs, of which one is shown. */
function tabs(panels, film) {
  const buttons = panels.map(({ id, title }, n) => h("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id, "aria-selected": n === 0, tabindex: n === 0 ? 0 : -1, onclick: () => choose(n),
    onkeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = (n + step + panels.length) % panels.length;
      choose(next);
      buttons[next].focus();
    },
  }, worded(title, film)));
  const bodies = panels.map(({ id, made }, n) => h("div", { id, role: "tabpanel", "aria-labelledby": `tab-${id}`, hidden: n > 0 }, made.element));
  let shown = 0;
  let last = 0;
  function choose(n) {
    shown = n;
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", i === n);
      button.setAttribute("tabindex", i === n ? 0 : -1);
      bodies[i].hidden = i !== n;
    });
    panels[n].made.show(last);
  }
  const element = h("section", { class: "panel tabs", "aria-label": "Planner, verdict, texts" }, h("div", { role: "tablist", class: "tablist" }, buttons), bodies);
  const show = (t) => {
    last = t;
    panels[shown].made.show(t);
  };
  return { element, show };
}

function plannedBy(film) {
  const names = film.plannedBy;
  const kinds = new Set([film.run, ...film.forks].map((each) => each.planner_class));
  const kind = kinds.size > 1 ? "mixed" : [...kinds][0];
  return `planned by ${names}${kind === names ? "" : ` (${kind})`}`;
}

function heading(player, server, difference) {
  const state = h("span", { class: "state", role: "status" });
  const chips = player.films.map((film, n) => h("div", { class: "run" }));
  const dark = h("button", { type: "button", onclick: () => {
    document.documentElement.dataset.scheme = scheme() === "dark" ? "light" : "dark";
    player.refresh();
  } }, "Light or dark");
  const earlier = h("button", { type: "button", hidden: !player.films[0].run.part, onclick: () => player.films[0].earlier() }, "Load what was earlier");
  const element = h("header", {}, h("div", { class: "runs" }, chips), difference ? comparison(player, difference) : null, h("div", { class: "aside" }, state, earlier, dark));
  const show = () => player.films.forEach((film, n) => keep(chips[n], `${film.verdict ? 1 : 0}${film.end ? 1 : 0}${film.broken ?? ""}${film.forks.length}`, () => [
    h("h1", {}, player.films.length > 1 ? h("span", { class: "letter" }, "AB"[n]) : null, ` ${film.run.scenario}`),
    h("p", {}, film.verdict?.title ? `${film.verdict.title} · ` : "", plannedBy(film),
      film.forks.map((fork) => [` · branches off from ${fork.run} at `, jump(fork.t, player)])),
    outcome(film),
    film.verdict ?? film.broken ? h("p", { class: "why" }, film.verdict?.why ?? film.broken) : null]));
  return { element, show, state };
}

/** Build the page for these films; return its player and its heading. */
function build(films, server, at = null) {
  const player = new Player(films);
  const difference = differences(films);
  const head = heading(player, server, difference);
  const make = (list) => list.map((each) => ({ ...each, made: each.make(player, difference, server) })).filter(({ made }) => made);
  const made = make(PANELS);
  const tabbed = tabs(make(TABS), films[0]);
  const bar = controls(player, difference);
  const main = h("main", { class: films.length > 1 ? "two" : "one" }, arranged(made, films[0]), tabbed.element);
  fill(document.body, head.element, main, bar.element);
  for (const part of [head, ...made.map((each) => each.made), tabbed]) player.onShow(part, !part.needed);
  player.onShow(bar, false);
  window.onhashchange = ({ newURL }) => player.fromAddress(new URL(newURL));
  if (at !== null) player.go(at);
  else if (!player.fromAddress()) player.go(0);
  return { player, head };
}

async function begin() {
  const server = JSON.parse(atob(document.getElementById("server").textContent));
  const films = await Promise.all([...document.querySelectorAll("script.film")].map(embedded));
  if (films.length) {
    const { player } = build(films, server);
    listenToKeys(player);
    window.cookmas = { player };
    return;
  }
  follow(server);
}

/** Build a page that its server feeds. */
function follow(server) {
  let shown = null;
  const keys = { go: (t) => shown?.player.go(t), get t() { return shown?.player.t ?? 0; }, get length() { return shown?.player.length ?? 0; }, toggle: () => shown?.player.toggle(), happening: (step) => shown?.player.happening(step) };
  listenToKeys(keys);
  const told = {
    following: (film) => shown?.player.films[0] === film && shown.player.following,
    grown: (film) => {
      if (!film.run) return;
      if (shown?.player.films[0] === film) {
        shown.player.grown();
        return;
      }
      const address = /^#t=/.test(location.hash) && !shown;
      const focused = document.activeElement;
      const stays = shown && !shown.player.following ? shown.player.t : film.length;
      shown = build([film], server, address ? null : stays);
      if (focused?.isConnected) focused.focus();
      window.cookmas = { player: shown.player };
    },
    state: (words) => { if (shown) fill(shown.head.state, words); },
    over: (film, why) => {
      told.grown(film);
      if (shown) told.state(why);
      else fill(waiting, `The run cannot be shown: ${why}`);
    },
  };
  const waiting = h("p", { class: "waiting", role: "status" }, "Waiting for the run to begin…");
  const seat = PANELS.find(({ id }) => id === "seat");
  const own = seatPanel(server);
  fill(document.body, waiting,
    own ? h("main", { class: "one" }, panel(seat, own)) : null);
  own?.show();
  listen(server, told);
}

begin();
