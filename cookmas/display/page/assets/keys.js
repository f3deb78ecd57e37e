/* A person plays by keys if the world says which key means which action. One press answers one timestep. At a
   steady pace every tick sends the last key, or the idle action. The keys are buttons too, for fingers. Keys
   that are pressed in a field mean no action. */

const RATES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10]; // in timesteps a second
const LATE = 50; // a tick that is late by at most this many milliseconds does not delay the next one
const KEY_SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space" };
const WRITTEN = "input, select, textarea, [contenteditable], [role=tab], [role=listbox]";

/** Counts down to a moment: shows the seconds that are left, and then does something. */
class Clock {
  start(seconds, show = null, then = null) {
    this.stop();
    const until = performance.now() + 1000 * seconds;
    const left = () => Math.max(0, until - performance.now()) / 1000;
    if (show) {
      show(left());
      this.counting = setInterval(() => show(left()), 250);
    }
    if (then) this.due = setTimeout(then, 1000 * left());
  }

  stop() {
    clearInterval(this.counting);
    clearTimeout(this.due);
  }
}

class Keys {
  /** `act(action)` answers a question; it returns whether the answer was taken. */
  constructor(act) {
    this.act = act;
    this.actions = new Map(); // the actions that are possible now, by key
    this.known = new Set(); // the keys that have meant an action before
    this.asked = null; // the question that is open
    this.held = []; // the keys that are down, the last one last
    this.pressed = null; // the last key since the last answer
    this.steady = false;
    this.clock = new Clock();
    this.sent = 0;
    this.pad = h("div", { class: "pad", role: "group", "aria-label": "Keys", tabindex: -1 });
    this.used = h("input", { type: "checkbox", onclick: (event) => this.leave(event) });
    this.used.checked = true;
    this.rate = h("select", { "aria-label": "Timesteps a second" }, RATES.map((rate) => h("option", { value: rate, selected: rate === 2 }, `${rate}/s`)));
    this.rate.addEventListener("pointerdown", () => { this.pointed = true; });
    this.rate.addEventListener("keydown", () => { this.pointed = false; });
    this.rate.addEventListener("change", () => { if (this.pointed) this.focus(); });
    this.button = h("button", { type: "button", "aria-pressed": "false", onclick: (event) => { this.pace(!this.steady); this.leave(event); } });
    this.element = h("div", { class: "keys", hidden: true }, this.pad,
      h("div", { class: "tools" }, this.button, this.rate, h("label", {}, this.used, " use the keyboard")));
    document.addEventListener("keydown", (event) => this.down(event), true);
    document.addEventListener("keyup", (event) => this.up(event.key), true);
    window.addEventListener("blur", () => { this.held = []; this.mark(); });
    this.pace(false);
  }

  /** Return whether there are keys to play by. */
  get shown() {
    return !this.element.hidden;
  }

  /** Take what the server says: a move, or nothing that keys can answer. */
  take(told) {
    this.clock.stop();
    this.asked = told.kind === "move" && told.keys ? told : null;
    if (!this.asked && (told.over || (told.kind && told.kind !== "talk"))) this.element.hidden = true;
    if (!this.asked) return;
    this.element.hidden = false;
    this.actions = new Map(told.keys.map(([key, action, words]) => [key, { action, words }]));
    for (const key of this.actions.keys()) this.known.add(key);
    keep(this.pad, JSON.stringify(told.keys), () => this.buttons());
    const early = this.pressed;
    if (!this.steady) this.pressed = null;
    this.mark();
    if (this.steady) this.wait();
    else if (early) this.press(early);
  }

  /** Return whether a key means this action. */
  has(action) {
    return [...this.actions.values()].some((each) => each.action === action);
  }

  buttons() {
    const button = ([key, { words }]) => h("button", {
      type: "button", class: `key ${key.startsWith("Arrow") ? key.slice(5).toLowerCase() : ""}`, "data-key": key, "aria-label": `${words} (${KEY_SIGNS[key] ?? key})`,
      onclick: (event) => { this.press(key); this.leave(event); },
    }, h("kbd", {}, KEY_SIGNS[key] ?? key), h("span", {}, words));
    const [arrows, others] = [true, false].map((arrow) => [...this.actions].filter(([key]) => key.startsWith("Arrow") === arrow).map(button));
    return [h("div", { class: "arrows" }, arrows), h("div", { class: "others" }, others)];
  }

  /** Move the focus from a clicked button to the keys, so that they go on playing. */
  leave(event) {
    if (event.detail) this.focus();
  }

  focus() {
    this.pad.focus({ preventScroll: true });
  }

  down(event) {
    if (!this.shown || !this.used.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(WRITTEN) || (event.key === " " && event.target.closest?.("button, summary, a"))) return;
    if (event.key === "Escape" && this.steady) this.pace(false);
    if (!this.known.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    this.held = [...this.held.filter((key) => key !== event.key), event.key];
    this.press(event.key);
  }

  up(key) {
    this.held = this.held.filter((each) => each !== key);
    this.mark();
  }

  /** Take a pressed key: send its action now, at the next question, or at the next tick of the steady pace. */
  press(key) {
    if (this.steady || !this.asked) this.pressed = key;
    else if (this.actions.has(key)) this.send(this.actions.get(key).action);
    this.mark();
  }

  /** Begin or end the steady pace. */
  pace(steady) {
    this.steady = steady;
    this.pressed = null;
    fill(this.button, steady ? "Pause" : "Steady pace");
    this.button.setAttribute("aria-pressed", steady);
    this.button.classList.toggle("suggested", steady);
    this.sent = performance.now();
    this.clock.stop();
    this.wait();
    this.changed?.();
  }

  /** Wait for the next tick of the steady pace. */
  wait() {
    if (!this.steady || !this.asked) return;
    const due = this.sent + 1000 / Number(this.rate.value);
    this.clock.start((due - performance.now()) / 1000, null, () => this.tick(due));
  }

  tick(due) {
    const key = this.pressed ?? this.held.at(-1);
    const action = this.actions.get(key)?.action;
    this.send(action ?? this.asked.idle, due);
  }

  /** Send an action. The next tick is counted from when this one was `due`, unless it was late. */
  async send(action, due = 0) {
    const { asked } = this;
    if (!asked) return;
    this.pressed = null;
    this.sent = Math.max(due, performance.now() - LATE);
    this.asked = null;
    if (await this.act(action)) return;
    this.asked ??= asked;
    if (this.steady) this.pace(false);
  }

  /** Show which key counts now. */
  mark() {
    const key = this.pressed ?? this.held.at(-1);
    for (const button of this.pad.querySelectorAll("button")) button.classList.toggle("pressed", button.dataset.key === key);
  }
}
