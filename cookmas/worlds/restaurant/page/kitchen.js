/* The drawing of a kitchen: stations by purpose, their contents, and the workers at them. */

const ZONES = [
  ["Storage", ["pantry", "fridge", "plates"]],
  ["Preparing", ["board", "mixer"]],
  ["Aisle", ["aisle"]],
  ["Out", ["pass", "bin"]],
  ["Heat", ["grill", "pan", "fryer", "pot", "oven"]],
  ["Plating", ["plating"]],
  ["Counters", ["counter"]],
];

const ICONS = {
  pantry: "M4 3h16v18H4zM4 9h16M4 15h16", fridge: "M6 2h12v20H6zM6 9h12M9 5v2M9 12v4", plates: "M12 4a8 8 0 1 0 .1 0M12 8a4 4 0 1 0 .1 0",
  board: "M3 14h18v5H3zM5 11l9-7 4 4-7 3z", mixer: "M5 10h14l-2 9H7zM12 10V4h6", plating: "M3 15h18M5 15a7 7 0 0 1 14 0M12 8V6",
  grill: "M3 8h18M5 8l2 6h10l2-6M8 14l-2 7M16 14l2 7", pan: "M2 9h13v3a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5zM15 10h7", fryer: "M4 8h16l-2 12H6zM8 8V4M12 8V3M16 8V4",
  pot: "M4 9h16v8a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3zM2 11h2M20 11h2M8 5v2M12 4v3M16 5v2", oven: "M3 4h18v16H3zM6 10h12v7H6zM7 7h2M12 7h2", counter: "M2 8h20v4H2zM5 12v8M19 12v8",
  pass: "M4 17h16M6 17a6 6 0 0 1 12 0M12 11V8M10 8h4", bin: "M5 7h14M7 7l1 14h8l1-14M9 7V4h6v3", aisle: "M8 4v16M16 4v16",
};

function kitchenScene(film, player) {
  const cooks = new Map(film.run.workers.map((worker) => [worker, h("div", { class: "cook", role: "img" })]));
  const element = h("div", { class: "floor" });
  const floor = { setup: null, tiles: new Map(), places: null };
  widthOf(element, () => { floor.places = null; player.refresh(); });
  let last = -1;

  /** Draw the stations of a kitchen; a fork may change the kitchen. */
  function build(setup) {
    if (setup === floor.setup) return;
    Object.assign(floor, { setup, places: null, tiles: new Map(setup.stations.map((station) => [station.name, tile(station)])) });
    fill(element, ZONES.map(([title, kinds]) => zone(title, setup.stations.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => floor.tiles.get(name).element))), [...cooks.values()]);
  }

  function show(state, t, other) {
    element.classList.toggle("calm", Math.abs(t - last) !== 1);
    last = t;
    build(film.setupAt(t));
    for (const [name, each] of floor.tiles) showTile(film, each, name, state, t, other);
    showCooks(film, cooks, (floor.places ??= placesOf(floor.tiles)), state);
  }
  return { element, show };
}

function zone(title, tiles) {
  if (!tiles.length) return null;
  return h("div", { class: `zone ${title.toLowerCase()}`, style: { "--stations": tiles.length } }, h("h4", {}, title), h("ul", { class: "tiles" }, tiles));
}

function tile(station) {
  const foods = h("div", { class: "foods" });
  const element = h("li", { class: `tile ${station.role}` },
    h("div", { class: "station" }, h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[station.kind] ?? "" })), h("span", {}, spoken(station.name))),
    foods, h("div", { class: "stand" }));
  return { element, foods, station };
}

const FOODS_SHOWN = 2; // per tile, as all tiles have one height

function showTile(film, { element, foods, station }, name, state, t, other) {
  const contents = state.contents[name] ?? [];
  const out = state.out[name];
  const since = out ? out[0] : t;
  const differs = other !== null && JSON.stringify(contents) !== JSON.stringify(other.contents?.[name] ?? []);
  const shown = contents.length > FOODS_SHOWN ? FOODS_SHOWN - 1 : FOODS_SHOWN;
  const cooking = contents.some(([, , started]) => started !== null);
  keep(foods, `${JSON.stringify(contents)}|${cooking ? since : ""}|${out ? 1 : 0}|${differs}`, () => [
    out ? h("p", { class: "out" }, "out of service") : null,
    contents.slice(0, shown).map(([, thing, started]) => foodIn(film, station, thing, started === null ? null : since - started, contents.length === 1)),
    contents.length > shown ? h("p", { class: "more", title: contents.slice(shown).map(([, thing]) => thing).join("; ") }, `and ${contents.length - shown} more`) : null,
    differs ? h("span", { class: "mark differs", title: "the runs differ here" }, "≠") : null,
  ]);
  element.classList.toggle("lit", cooking && !out);
  element.classList.toggle("broken", Boolean(out));
}

/** Draw a food at a station; `minutes` is null if it does not cook. */
function foodIn(film, station, thing, minutes, alone) {
  const name = thingName(thing);
  const window = minutes === null ? null : donenessOf(film, foodsIn(thing)[0], station.process);
  const level = window ? levelAt(window, minutes) : "";
  return h("div", { class: "food", title: thing }, dots(thing), h("span", { class: "food-name" }, name),
    minutes === null ? null : h("span", { class: `minutes ${level === "burnt" ? "bad" : ""}` }, `${minutes} min`),
    window && alone ? h("div", { class: "doneness" }, bar(window, minutes), h("span", {}, level)) : null);
}

/** Draw a bar of the minutes so far over the windows of the levels. */
function bar(window, minutes) {
  const share = (value) => `${Math.min(100, (100 * value) / window.burnt)}%`;
  return h("div", { class: "bar", "aria-hidden": "true" },
    Object.values(window.levels).map(([low, high]) => h("i", { class: "level", style: { left: share(low), width: share(high + 1 - low) } })),
    h("i", { class: "at", style: { left: share(minutes) } }));
}

function donenessOf(film, food, process) {
  return film.run.setup.doneness.find((each) => each.food === food && each.process === process);
}

function levelAt(window, minutes) {
  if (minutes >= window.burnt) return "burnt";
  for (const [name, [low, high]] of Object.entries(window.levels)) if (minutes >= low && minutes <= high) return name;
  return minutes < Math.min(...Object.values(window.levels).map(([low]) => low)) ? "not done" : "overdone";
}

/** Return the places of workers: the lower edge of each station. */
function placesOf(tiles) {
  return new Map([...tiles].map(([name, { element }]) => [name, {
    x: element.offsetLeft + 6, y: element.offsetTop + element.offsetHeight - 31, width: element.offsetWidth - 12,
  }]));
}

function showCooks(film, cooks, places, state) {
  const there = new Map();
  for (const [worker, cook] of cooks) {
    const [station, held] = state.workers[worker];
    const place = there.get(station) ?? 0;
    there.set(station, place + 1);
    const out = state.out[worker] ? ", out of service" : "";
    cook.place = { station, place };
    keep(cook, `${held}|${out}|${station}`, () => [badge(film, worker), held ? h("span", { class: "held" }, dots(held), h("span", {}, thingName(held))) : null]);
    cook.setAttribute("aria-label", `${spoken(worker)} at ${spoken(station)}${held ? `, holds ${thingName(held)}` : ""}${out}`);
  }
  for (const cook of cooks.values()) {
    const { x, y, width } = places.get(cook.place.station);
    const together = there.get(cook.place.station);
    const each = together === 1 ? width : Math.max(30, width / together);
    cook.style.maxWidth = `${each}px`;
    cook.style.transform = `translate(${x + cook.place.place * each}px, ${y}px)`;
  }
}
