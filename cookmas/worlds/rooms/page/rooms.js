/* The adapters of the worlds of rooms: the map with its ways and doors, what is in the rooms, and where everybody goes.
   Every room and every door has its words too, for those who cannot see them. */

const rooms = (() => {
  const ICONS = {
    button: "M12 3a9 9 0 1 0 .01 0M12 8a4 4 0 1 0 .01 0", generator: "M14 2L5 14h6l-2 8 10-12h-6z", exit: "M14 8V3H4v18h10v-5M9 12h12M17 8l4 4-4 4",
  };
  const icon = (name) => h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[name] }));
  const listed = (numbers) => (numbers.length < 2 ? numbers.join("") : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`);
  const roomsIn = (numbers) => `${numbers.length === 1 ? "room" : "rooms"} ${listed(numbers)}`;

  /** All agents with their rooms, the one that the rules move last. */
  const peopleIn = (setup, state) => ({ ...state.players, [setup.hunter]: state[setup.hunter] });

  /** The rooms to which one can go now. */
  function openWays({ ways, doors = [] }, state, room) {
    const shut = doors.filter(({ name, between }) => !state.doors[name] && between.includes(room)).flatMap(({ between }) => between);
    return ways[room].filter((other) => !shut.includes(other));
  }

  /** The point to which the way between two rooms is bent: from its middle towards that of the drawing. */
  function bent({ spots, size, bend }, one, other) {
    return size.map((length, axis) => { const middle = (spots[one][axis] + spots[other][axis]) / 2; return middle + bend * (length / 2 - middle); });
  }

  /** The path of the way between two rooms. */
  const wayPath = (setup, one, other) => h("path", { class: "way", d: `M${setup.spots[one]}Q${bent(setup, one, other)} ${setup.spots[other]}` });

  /** The point on the border of a room in the direction of another point, `margin` outside. */
  function border({ room }, [x, y], [u, v], margin = 0) {
    const share = Math.min((room[0] / 2 + margin) / Math.abs(u - x || 1e-9), (room[1] / 2 + margin) / Math.abs(v - y || 1e-9), 1);
    return [x + share * (u - x), y + share * (v - y)];
  }

  /** The path of an arrow head of a length, whose tip is at a point that it reaches from another one. */
  function head([x, y], [u, v], length) {
    const far = Math.hypot(x - u, y - v) || 1;
    const [dx, dy] = [((x - u) / far) * length, ((y - v) / far) * length];
    return `M${x} ${y}L${x - dx - dy / 2} ${y - dy + dx / 2}L${x - dx + dy / 2} ${y - dy - dx / 2}Z`;
  }

  /** The ways as paths: those without a door, and those in one direction with an arrow head. */
  function drawWays(setup) {
    const { ways, doors = [] } = setup;
    const paths = [];
    for (const one of Object.keys(ways).map(Number)) {
      for (const other of ways[one]) {
        const back = ways[other].includes(one);
        if (doors.some(({ between }) => between.includes(one) && between.includes(other)) || (back && other < one)) continue;
        const by = bent(setup, one, other);
        paths.push(wayPath(setup, one, other));
        if (!back) paths.push(h("path", { class: "one-way", d: head(border(setup, setup.spots[other], by, 0.5), by, 5) }));
      }
    }
    return paths;
  }

  /** A door on its way, and its words beside it. */
  function drawDoor(setup, { name, between, button }) {
    const [from, to] = between.map((room) => setup.spots[room]);
    const [x, y] = bent(setup, ...between).map((by, axis) => (from[axis] + 2 * by + to[axis]) / 4);
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const turn = to[0] - from[0] < 0 || (to[0] === from[0] && to[1] < from[1]) ? -1 : 1;
    const [ax, ay] = [(turn * (to[1] - from[1])) / far, (-turn * (to[0] - from[0])) / far]; // across the way, upwards
    const leaf = (a, b) => `M${x + a * ax} ${y + a * ay}L${x + b * ax} ${y + b * ay}`;
    const [way, bar, says] = [wayPath(setup, ...between), h("path", { class: "door" }), h("li", { class: "door", style: placed(setup, [x + 12 * ax, y + 8 * ay]) })];
    const show = (open) => {
      bar.setAttribute("d", open ? leaf(2.5, 5) + leaf(-2.5, -5) : leaf(5, -5));
      for (const each of [way, bar, says]) each.classList.toggle("open", open);
      keep(says, open, () => [h("span", { class: "unseen" }, `door between rooms ${listed(between)}, button in room ${button}: `), open ? "open" : "closed"]);
    };
    return { paths: [way, bar], says, name, show };
  }

  const placed = ({ size }, [x, y]) => ({ left: `${(100 * x) / size[0]}%`, top: `${(100 * y) / size[1]}%` });

  /** The path and the head of the arrow of an agent from one room to another, bent to its right so that two do not cover each other. */
  function arrow(setup, from, to, lane, kind, colour) {
    const [a, b] = [setup.spots[from], setup.spots[to]];
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const bend = 7 + 5 * lane;
    const by = bent(setup, from, to);
    const middle = [by[0] - ((b[1] - a[1]) / far) * bend, by[1] + ((b[0] - a[0]) / far) * bend];
    const [begin, end] = [border(setup, a, middle), border(setup, b, middle, 1)];
    const style = { "--colour": colour };
    return [h("path", { class: `move ${kind}`, style, d: `M${begin}Q${middle} ${end}` }), h("path", { class: `head ${kind}`, style, d: head(end, middle, 5) })];
  }

  const colourOf = (film, name) => (film.run.workers.includes(name) ? workerColour(film, name) : "var(--ink)");

  /** The moves of the shown timestep, as [name, from, to]; at the newest moment those that led to it. */
  function movesAt(film, t) {
    const moment = Math.min(t, film.length - 1);
    if (moment < film.first) return [];
    const [before, after] = [moment, moment + 1].map((each) => peopleIn(film.run.setup, film.at(each)));
    return Object.entries(before).map(([name, room]) => [name, room, after[name]]).filter(([, from, to]) => from !== to);
  }

  /** A room with its number, its signs and its words. */
  function drawRoom(setup, room) {
    const [inside, says] = [h("div", { class: "inside", "aria-hidden": "true" }), h("span", { class: "unseen" })];
    const element = h("li", { class: "room", style: placed(setup, setup.spots[room]) }, inside, says);
    const show = (signs, ways, here, differs) => {
      keep(inside, JSON.stringify([signs, differs]), () => [h("span", { class: "number" }, room),
        h("span", { class: "signs" }, signs.map(({ name, note, tone }) => h("span", { class: `sign ${tone}` }, icon(name), note))),
        differs ? h("span", { class: "mark differs", title: "the runs differ here" }, "≠") : null]);
      element.classList.toggle("ready", signs.some(({ tone }) => tone === "good"));
      const words = [`room ${room}`, ways.length ? `ways to ${roomsIn(ways)}` : "no open way", ...signs.map((sign) => sign.says), ...here].join("; ");
      if (says.textContent !== words) fill(says, words);
    };
    return { element, show };
  }

  /** Put the agents into their rooms, side by side. */
  function showBodies(film, bodies, people) {
    const { setup } = film.run;
    for (const [name, body] of bodies) {
      const together = Object.keys(people).filter((other) => people[other] === people[name]);
      const [x, y] = setup.spots[people[name]];
      const at = placed(setup, [x + 7 * (together.indexOf(name) - (together.length - 1) / 2), y + 3.7]);
      for (const [property, value] of Object.entries(at)) body.style.setProperty(property, value);
    }
  }

  /** Make the drawing of a world. `signsIn(setup, state, room)` returns the signs in a room, each with its icon's `name`, `note`, words `says`
   *  and `tone`; `nextOf(setup, state)` returns the `rooms` to which the rules may move their agent next, and why, in `words`. */
  function scene(film, player, { signsIn, nextOf }) {
    const { setup } = film.run;
    const drawn = new Map(Object.keys(setup.ways).map((room) => [Number(room), drawRoom(setup, Number(room))]));
    const doors = (setup.doors ?? []).map((door) => drawDoor(setup, door));
    const moves = h("svg", { class: "moves", viewBox: `0 0 ${setup.size.join(" ")}`, "aria-hidden": "true" });
    const ways = h("svg", { viewBox: `0 0 ${setup.size.join(" ")}`, "aria-hidden": "true" }, drawWays(setup), doors.map(({ paths }) => paths));
    const bodies = new Map(Object.keys(peopleIn(setup, film.run.state)).map((name) => [name,
      h("span", { class: `body ${name === setup.hunter ? "hunter" : ""}`, "aria-hidden": "true", title: spoken(name), style: { "--colour": colourOf(film, name) } }, badge(film, name).textContent)]));
    const map = h("div", { class: "rooms", style: { "--columns": setup.size[0], "--rows": setup.size[1], "--room-width": setup.room[0], "--room-height": setup.room[1] } },
      ways, h("ul", { "aria-label": "the rooms" }, [...drawn.values()].map(({ element }) => element), doors.map(({ says }) => says)), moves, [...bodies.values()]);
    const turn = h("p", { class: "turn" });
    const what = h("p", { class: "legend" });
    let last = -1;

    const show = (state, t, other) => {
      map.classList.toggle("calm", Math.abs(t - last) !== 1);
      last = t;
      const people = peopleIn(setup, state);
      const told = (room, from) => [signsIn(setup, from, room), Object.entries(peopleIn(setup, from)).filter(([, at]) => at === room).map(([name]) => spoken(name))];
      for (const [room, each] of drawn) {
        const [signs, here] = told(room, state);
        each.show(signs, openWays(setup, state, room), here, other !== null && JSON.stringify([signs, here]) !== JSON.stringify(told(room, other)));
      }
      for (const door of doors) door.show(state.doors[door.name]);
      showBodies(film, bodies, people);
      const newest = t >= film.length;
      const going = movesAt(film, t);
      const went = going.find(([name]) => name === setup.hunter);
      const next = newest && film.end ? { rooms: [], words: "" } : nextOf(setup, state);
      const goals = next.rooms.filter((room) => newest || room !== went?.[2]);
      const names = [...bodies.keys()];
      keep(moves, JSON.stringify([going, goals, newest]), () => [
        goals.map((room) => arrow(setup, people[setup.hunter], room, 0, "next", colourOf(film, setup.hunter))),
        going.map(([name, from, to]) => arrow(setup, from, to, names.indexOf(name), newest ? "past" : "now", colourOf(film, name)))]);
      const said = [went ? `the ${setup.hunter} ${newest ? "went" : "goes"} from room ${went[1]} to room ${went[2]}` : "", next.words,
        newest && goals.length ? `next it goes to ${goals.length > 1 ? "one of " : ""}${roomsIn(goals)}` : ""].filter(Boolean).join("; ");
      keep(turn, `${t} ${said}`, () => [h("span", {}, `timestep ${t}${film.run.horizon ? ` of ${film.run.horizon}` : ""}`), h("span", {}, said)]);
      keep(what, `${newest} ${goals.length > 0}`, () => [h("span", {}, newest ? "faded arrow: the last move" : "arrow: a move in this timestep"), goals.length ? h("span", {}, `dashed arrow: where the ${setup.hunter} may go next`) : null, doors.length ? h("span", {}, "bar across a way: a door") : null]);
    };
    return { element: h("div", {}, turn, map, what), show };
  }

  /** Make the adapter of a world. `goalsOf(setup, state)` returns the goals as [name, value]; `idle` is the action of a player who stays. */
  function adapter({ idle, goalsOf, ...drawing }) {
    const tell = (film, t, state) => goalsOf(film.run.setup, state).forEach(([name, value]) => film.goal(name, t, value));
    return {
      title: "Rooms",
      begin: (film) => tell(film, film.first, film.head),
      change: (film, before, after, t) => tell(film, t, after),
      scene: (film, player) => scene(film, player, drawing),
      sort: (action) => (action === idle ? "idle" : action.startsWith("move(") ? "go" : "work"),
    };
  }

  return { adapter };
})();

worlds["collab-capture"] = rooms.adapter({
  idle: "stay",
  goalsOf: (setup, { caught }) => [["thief", { what: "catch it", status: caught ? "caught" : "open", tone: caught ? "reached" : "open" }]],
  signsIn: ({ doors }, state, room) => doors.filter(({ button }) => button === room).map(({ name }) => ({ name: "button", note: name, says: `button of the door ${name}`, tone: "" })),
  nextOf: () => ({ rooms: [], words: "" }),
});

worlds["collab-escape"] = (() => {
  const isOpen = ({ needed }, state) => Object.values(state.fixes).every((count) => count >= needed);
  const isLost = (state) => Object.values(state.players).includes(state.killer);

  function goalsOf(setup, state) {
    const lost = isLost(state);
    const escaped = !lost && isOpen(setup, state) && Object.values(state.players).includes(setup.exit);
    const toneOf = (done) => (done ? "reached" : lost ? "lost" : "open");
    const generators = Object.entries(state.fixes).map(([room, count]) => [`generator ${room}`, {
      what: "repair it", note: `${Math.min(count, setup.needed)} of ${setup.needed} fixes`, status: count >= setup.needed ? "repaired" : "open", tone: toneOf(count >= setup.needed) }]);
    return [...generators, ["escape", { what: "leave by the exit", status: escaped ? "escaped" : "open", tone: toneOf(escaped) }]];
  }

  function signsIn(setup, state, room) {
    const signs = [];
    if (room in state.fixes) {
      const count = Math.min(state.fixes[room], setup.needed);
      const repaired = count === setup.needed;
      signs.push({ name: "generator", note: repaired ? "✓" : `${count}/${setup.needed}`, says: `generator, ${repaired ? "repaired" : `${count} of ${setup.needed} fixes`}`, tone: repaired ? "good" : "" });
    }
    if (room === setup.exit) {
      const open = isOpen(setup, state);
      signs.push({ name: "exit", note: open ? "exit ✓" : "exit", says: `exit, ${open ? "open" : "closed"}`, tone: open ? "good" : "" });
    }
    return signs;
  }

  function nextOf(setup, state) {
    const goals = state.follows === null ? setup.ways[state.killer] : [state.players[state.follows]];
    return { rooms: goals, words: `the killer follows ${state.follows === null ? "nobody" : spoken(state.follows)}` };
  }

  return rooms.adapter({ idle: "wait", goalsOf, signsIn, nextOf });
})();
