/* A film is a run that can be looked at, moment by moment. It takes the entries of
   docs/reference/page-data.md one after the other, also while a run is going on. It depends on no world:
   the world's adapter, or the words in the entries, tell what is asked for, what is in use and how the
   state is drawn. */

const EVERY = 64; // a state is kept after this many timesteps

/** Return a state with changes applied. It shares the unchanged parts with the old state, which stays as it is. */
function changed(state, changes) {
  for (const [path, ...value] of changes) state = put(state, path, 0, value);
  return state;
}

function put(state, path, depth, value) {
  const copy = { ...state };
  const key = path[depth];
  if (depth + 1 < path.length) copy[key] = put(copy[key] ?? {}, path, depth + 1, value);
  else if (value.length) copy[key] = value[0];
  else delete copy[key];
  return copy;
}

class Film {
  constructor() {
    this.entries = 0;
    this.first = 0; // the first timestep of the film; it is later than 0 if only the last parts of a run are here
    this.length = 0; // the number of timesteps that are over; there is one moment more
    this.acts = []; // for each timestep an object from workers to {action, words, fail, why}
    this.marks = []; // {t, kind, text} for everything that happened beside the actions
    this.marksBy = new Map(); // the marks by timestep
    this.calls = []; // {t, triggers, lookups, answers, plans, said} for each call of the planner
    this.said = []; // the messages of all agents, in order
    this.texts = new Map();
    this.told = { panels: [], places: [], characters: [] }; // lists of [t, value], in the words of the world
    this.goals = new Map(); // {name, history: [[t, value]]} by the name of the goal
    this.tracks = new Map(); // the spans of what is in use, by name
    this.rows = new Map(); // spans of the same action, by worker
    this.end = null;
    this.broken = null; // why the server cannot tell more of a run that has not ended
    this.verdict = null;
    this.patches = [];
    this.kept = [];
  }

  get name() {
    const from = this.forks.length ? `, a fork at ${this.forks.map((fork) => fork.t).join(" and ")}` : "";
    return `${this.run.scenario}, ${this.plannedBy}${from}`;
  }

  /** The names of the planners in order. They say so if the scripted model answers. */
  get plannedBy() {
    const names = this.planners.join(", then ");
    return this.scripted && !names.includes("scripted") ? `${names} (scripted model)` : names;
  }

  /** Return what a drawing needs beside the state. A fork may have altered it. */
  setupAt(t) {
    return this.setups.findLast(([since]) => since <= t)[1];
  }

  push(entry) {
    this.entries += 1;
    const take = this[`take_${entry.kind}`];
    if (take) take.call(this, entry);
  }

  /** Take the beginning of a run, or of the first part that is here. Later parts begin with what is known already. */
  take_run(entry) {
    if (this.run) return;
    this.run = entry;
    this.first = entry.t ?? 0;
    this.now = this.first;
    this.length = this.first;
    this.patches[this.first] = [];
    this.planners = [entry.planner];
    this.scripted = false; // whether the scripted model has answered a call
    this.forks = []; // the forks from other runs, the first one first
    this.setups = [[this.first, entry.setup]];
    this.head = entry.state;
    for (const worker of entry.workers) this.rows.set(worker, []);
    this.adapter = adapterOf(entry.world);
    this.tell(this.first, entry);
    this.adapter.begin?.(this);
    if (entry.change) this.advance(this.first, entry);
    for (const plan of entry.plans ?? []) this.take_plan(plan);
  }

  take_event(entry) {
    const kind = entry.refused ? "refused" : "event";
    const text = entry.refused ? `refused: ${entry.text} (${entry.refused})` : entry.text;
    this.mark(entry.t, kind, text);
    for (const [worker, failed] of Object.entries(entry.fails ?? {})) {
      this.mark(entry.t, "fail", `FAIL ${spoken(worker)}: ${failed.why}`);
      const last = this.rows.get(worker)?.at(-1);
      if (last?.to === entry.t && !last.idle) Object.assign(last, failed);
    }
    this.advance(entry.t, entry);
  }

  /** Take a fork: from here on the run is another one than its parent. */
  take_fork(entry) {
    const takesOver = entry.planner === this.planners.at(-1) ? "" : `, ${entry.planner} plans`;
    this.mark(entry.t, "fork", `branches off from ${entry.run}${takesOver}${entry.altered ? `: ${entry.altered}` : ""}`);
    this.forks.push(entry);
    if (takesOver) this.planners.push(entry.planner);
    if (!entry.setup) return;
    this.setups.push([entry.t, entry.setup]);
    this.adapter.alter?.(this, entry.setup);
  }

  take_step(entry) {
    const t = entry.t;
    if (t % EVERY === 0) this.kept[t / EVERY] = this.head;
    const acts = {};
    for (const [worker, action, words] of entry.acts) {
      const failed = entry.fails?.[worker];
      acts[worker] = { action, words: words ?? action, fail: failed?.fail, why: failed?.why };
      if (failed) this.mark(t, "fail", `FAIL ${spoken(worker)}: ${failed.why}`);
      this.extend(worker, t, acts[worker]);
    }
    for (const worker of this.run.workers) if (!acts[worker] && this.adapter.busy?.(this.head, worker)) this.prolong(worker, t);
    this.acts[t] = acts;
    this.length = t + 1;
    this.patches[this.length] = [];
    this.advance(this.length, entry, t);
  }

  /** Add an act to the row of its worker. An act that is the same as the one before extends its span. */
  extend(worker, t, act) {
    const row = this.rows.get(worker);
    if (!row) return;
    const last = row.at(-1);
    const idle = act.action === this.run.idle || this.adapter.sort(act.action) === "idle";
    const same = last && last.to === t && last.words === act.words && !last.fail && !act.fail;
    if (same) last.to = t + 1;
    else row.push({ from: t, to: t + 1, idle, ...act });
  }

  /** Extend the last span of a worker that continues its act at a timestep. */
  prolong(worker, t) {
    const last = this.rows.get(worker)?.at(-1);
    if (last?.to === t && !last.fail) last.to = t + 1;
  }

  /** Take the change of a record of timestep `now`, by which the state is another one from `t` on. */
  advance(t, entry, now = t) {
    const before = this.head;
    this.now = now;
    this.patches[t].push(entry.change);
    this.tell(t, entry);
    this.head = changed(before, entry.change);
    this.adapter.change?.(this, before, this.head, t, entry);
  }

  /** Return the call of the planner at a timestep; make it if there is none. */
  call(t) {
    const last = this.calls.at(-1);
    if (last?.t === t) return last;
    const call = { t, triggers: [], lookups: [], answers: [], plans: [], said: [], tokens: 0 };
    this.calls.push(call);
    this.mark(t, "call", "the planner is called");
    return call;
  }

  take_trigger(entry) { this.call(entry.t).triggers.push(entry); }

  take_message(entry) {
    this.call(entry.t).said.push(entry);
    this.said.push(entry);
  }

  take_plan(entry) { this.call(entry.t).plans.push(entry); }

  take_lookup(entry) {
    this.call(entry.t).lookups.push(entry);
    if (!this.texts.has(entry.key)) this.texts.set(entry.key, entry);
  }

  take_model_call(entry) {
    const call = this.call(entry.t);
    this.scripted ||= entry.model === "scripted";
    call.answers.push(entry);
    call.tokens += (entry.usage.prompt ?? 0) + (entry.usage.completion ?? 0);
  }

  take_end(entry) { this.end = entry; }

  take_verdict(entry) { this.verdict = entry; }

  /** Return the state before the actions of timestep `t`; after the last timestep, the state at the end. */
  at(t) {
    const moment = Math.max(this.first, Math.min(t, this.length));
    if (this.shown?.t === moment && moment < this.length) return this.shown.state;
    const kept = Math.min(Math.floor(moment / EVERY), this.kept.length - 1);
    let [from, state] = this.kept[kept] ? [kept * EVERY, this.kept[kept]] : [this.first, null];
    if (this.shown && this.shown.t < moment && this.shown.t >= from) ({ t: from, state } = this.shown);
    if (state === null) state = this.patches[this.first].reduce(changed, this.run.state);
    for (let next = from + 1; next <= moment; next += 1) state = this.patches[next].reduce(changed, state);
    if (moment < this.length) this.shown = { t: moment, state };
    return state;
  }

  /** Take what the world says in words beside its state, as far as it has changed. */
  tell(t, entry) {
    for (const [what, history] of Object.entries(this.told)) if (entry[what]) history.push([t, entry[what]]);
    for (const goal of entry.goals ?? []) this.goal(goal.name, t, goal);
  }

  /** Return what the world said last, up to a moment, of its `panels`, `places` or `characters`. */
  toldAt(what, t) {
    return this.told[what].findLast(([since]) => since <= t)?.[1];
  }

  /** Take the value that a goal has from `t` on; nothing changes if it has this value already. Adapters call this. */
  goal(name, t, value) {
    if (!this.goals.has(name)) this.goals.set(name, { name, since: t, history: [] });
    const { history } = this.goals.get(name);
    const [since, before] = history.at(-1) ?? [];
    if (before && JSON.stringify(before) === JSON.stringify(value)) return;
    if (since === t) history.pop();
    history.push([t, value, this.now]);
    if (value.tone === "reached" && before?.tone !== "reached") this.mark(this.now, "reached", `${name} is ${value.status}`);
  }

  /** Begin a span of something that is in use from `t` on, and return it. Adapters call this, and end it by `to`. */
  span(track, t, about) {
    if (!this.tracks.has(track)) this.tracks.set(track, []);
    const span = { from: t, to: null, ...about };
    this.tracks.get(track).push(span);
    return span;
  }

  mark(t, kind, text) {
    const mark = { t, kind, text };
    this.marks.push(mark);
    if (!this.marksBy.has(t)) this.marksBy.set(t, []);
    this.marksBy.get(t).push(mark);
  }

  marksAt(t) {
    return this.marksBy.get(t) ?? [];
  }
}

/** Return the value of a goal at a moment; nothing if the goal was not there yet. */
function goalAt(goal, t) {
  let found;
  for (const [since, value] of goal.history) if (since <= t) found = value;
  return found;
}

/** Return the first index in a sorted list of spans whose end is after `t`. */
function firstAfter(spans, t) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle].to ?? Infinity) > t) high = middle;
    else low = middle + 1;
  }
  return low;
}
