/* The restaurant's adapter of the page: order lines, appliances with doneness windows, the kitchen. */

worlds["restaurant"] = (() => {
  const SORTS = { navigate: "go", pick: "handle", place: "handle", discard: "handle", serve: "serve", wait: "idle" };

  const TONES = { open: "open", served: "reached", cancelled: "dropped", refused: "lost", lost: "lost" };

  function begin(film) {
    film.appliances = new Map();
    alter(film, film.run.setup);
  }

  /** Add the appliances of an altered kitchen; keep the tracks of the earlier ones. */
  function alter(film, setup) {
    for (const station of setup.stations) {
      const known = film.appliances.has(station.name);
      if (station.role === "appliance" && !known) film.appliances.set(station.name, { station, lanes: [] });
    }
  }

  function change(film, before, after, t, entry) {
    const used = new Set();
    for (const [path, ...value] of entry.change) {
      if (path[0] === "lines" && value.length) {
        const named = path.length === 1 ? Object.entries(value[0]) : [[path[1], value[0]]];
        for (const [name, [item, note, due, status]] of named) film.goal(name, t, { what: item, note, due, status, tone: TONES[status] });
      }
      if (path[0] === "contents") (path.length === 1 ? [...film.appliances.keys()] : [path[1]]).forEach((name) => used.add(name));
    }
    for (const name of used) {
      const appliance = film.appliances.get(name);
      if (appliance) follow(film, appliance, after.contents[name] ?? [], t);
    }
  }

  /** Update the spans of an appliance. Foods started together are one span in one lane. */
  function follow(film, appliance, contents, t) {
    const groups = new Map();
    for (const [, thing, since] of contents) {
      if (!groups.has(since)) groups.set(since, []);
      groups.get(since).push(thing);
    }
    appliance.lanes.forEach((lane, n) => {
      if (lane && !groups.has(lane.since)) {
        lane.span.to = groups.has(t - 1) && lane.since === null ? t - 1 : t;
        appliance.lanes[n] = null;
      }
    });
    for (const [since, things] of groups) {
      const label = things.map(thingName).join(", ");
      const lane = appliance.lanes.find((each) => each?.since === since);
      if (lane) lane.span.label = label.length > lane.span.label.length ? label : lane.span.label;
      else start(film, appliance, since, things, label, t);
    }
  }

  function start(film, appliance, since, things, label, t) {
    const free = appliance.lanes.findIndex((each) => !each);
    const n = free < 0 ? appliance.lanes.length : free;
    const { name, process } = appliance.station;
    const track = n ? `${name} (${n + 1})` : name;
    const about = since === null ? { waiting: true } : { base: since, ...windowsOf(film, things, process) };
    const span = film.span(track, t - 1, { label, ...about });
    appliance.lanes[n] = { since, span };
  }

  /** Return the public doneness windows of a food, or else the minutes that the planner read for it. */
  function windowsOf(film, things, process) {
    for (const food of things.flatMap(foodsIn)) {
      const known = donenessOf(film, food, process);
      if (known) return { windows: Object.entries(known.levels).map(([name, [low, high]]) => [name, low, high]), burnt: known.burnt };
    }
    const read = things.flatMap(foodsIn).map((food) => minutesRead(film, food, process)).find(Boolean);
    return read ? { windows: [["read", ...read]] } : {};
  }

  function minutesRead(film, food, process) {
    const texts = film.calls.findLast((call) => call.plans.some((plan) => plan.understood))?.plans.findLast((plan) => plan.understood).understood ?? {};
    for (const text of Object.values(texts).flat()) {
      for (const part of text.split(/[+;()]/)) {
        const [name, ...steps] = part.split(" > ").map((word) => word.trim());
        const step = name === food && steps.find((each) => each.startsWith(`${process} `));
        const minutes = step && /(\d+)(?:-(\d+))?$/.exec(step);
        if (minutes) return [Number(minutes[1]), Number(minutes[2] ?? minutes[1])];
      }
    }
    return null;
  }

  function holding(film, state, worker) {
    const held = state.workers[worker]?.[1];
    return held ? thingName(held) : "";
  }

  const LOOKED_BACK = 400; // timesteps to search before the serving

  /** Return when the cause of a check arose: the reading of a line, or else the state of a served food. */
  function decided(film, check) {
    return check.name === "reading" ? readAt(film, check) : cookedAt(film, check);
  }

  /** Return the answer of the planner that first had its final reading of a line. */
  function readAt(film, { subject, at }) {
    let read = null;
    for (const { t, understood } of film.calls.flatMap((call) => call.plans)) {
      const what = t <= at ? understood?.[subject]?.join("; ") : undefined;
      if (what !== undefined && what !== read?.what) read = { t, what };
    }
    return read && { t: read.t, words: "the planner understood it so" };
  }

  /** Return the timestep at which the food of a check reached the state in which it was served. */
  function cookedAt(film, check) {
    const foods = (check.evidence ?? "").split("; ").map((part) => part.replace(/^dish\[|\]$/g, ""));
    const whole = check.evidence ?? "";
    for (const thing of [whole, ...foods]) {
      const t = madeAt(film, thing, check.at);
      if (t !== null) return { t, words: wordsOf(film, t, thing) };
    }
    return null;
  }

  function madeAt(film, thing, served) {
    let made = null;
    for (let t = served; t >= Math.max(0, served - LOOKED_BACK); t -= 1) {
      if (isThere(film.at(t), thing)) made = t;
      else if (made !== null) break;
    }
    return made ? made - 1 : null;
  }

  function isThere(state, thing) {
    const held = Object.values(state.workers).some(([, each]) => each === thing);
    return held || Object.values(state.contents).some((contents) => contents.some(([, each]) => each === thing));
  }

  function wordsOf(film, t, thing) {
    const name = foodsIn(thing)[0];
    const acts = Object.entries(film.acts[t] ?? {}).map(([worker, act]) => [spoken(worker), act.words]);
    const [worker, words] = acts.find(([, said]) => said.includes(name)) ?? acts[0] ?? ["", ""];
    return `${worker} ${words}`;
  }

  return { title: "Kitchen", decided, begin, alter, change, scene: kitchenScene, holding, sort: (action) => SORTS[action.split("(")[0]] ?? "work" };
})();
