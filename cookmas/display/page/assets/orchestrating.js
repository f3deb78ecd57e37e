/* The seat of a person who is the orchestrator. The person edits the schedule as a table. The server tries it
   out, and says in which cells something would FAIL. */

const SPARE_ROWS = 3; // this many empty rows follow the written ones
const unsent = { of: null, rows: [] }; // the written rows and their question, which may be asked again
const REPEATED = /^(.*?)\s*\*\s*([1-9]\d{0,2})$/; // `chop*3` is for this timestep and the next two

function orchestratorPanel(server, player) {
  if (!server.schedule) return null;
  const place = new OrchestratorPlace(server.schedule, player);
  return { element: place.element, show: () => place.begin() };
}

/** Return what identifies a question. A run that was killed asks the same question again. */
function questionOf({ t, triggers, rows }) {
  return JSON.stringify([t, triggers, rows]);
}

class OrchestratorPlace {
  constructor(where, player) {
    this.where = where;
    this.player = player;
    this.wanted = null; // the question of the server: {wanted, t, workers, triggers, rows, legal, ...}
    this.rows = []; // {inputs, wrongs} by worker, for each timestep
    this.anyway = false;
    this.said = h("p", { class: "answered", role: "status" });
    this.why = h("div", {});
    this.lists = h("div", { hidden: true });
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.check = h("button", { type: "button", onclick: () => this.tryOut() }, "Check");
    this.carryOut = h("button", { type: "button", class: "play", onclick: () => this.submit() }, "Carry out");
    this.element = h("div", { class: "orchestrating" }, this.why, this.lists,
      h("div", { class: "scroll" }, h("table", {}, h("caption", { class: "unseen" }, "The schedule, timesteps by workers"), h("thead", {}, this.head), this.body)),
      h("div", { class: "tools" }, this.check, this.carryOut, this.said));
    this.rest();
  }

  /** Ask the server for its question, again and again as long as the panel is there. */
  async begin() {
    if (this.begun) return;
    this.begun = true;
    while (this.element.isConnected) {
      const told = await this.ask(`?seen=${this.wanted?.wanted ?? ""}`);
      if (told.over || this.player.films[0].end) {
        this.take({ wanted: "" });
        fill(this.why, h("p", { class: "muted" }, "The episode is over."));
        return;
      }
      if (told.wanted === undefined) await new Promise((done) => { setTimeout(done, 1000); });
      else if (told.wanted !== (this.wanted?.wanted ?? "")) this.take(told);
    }
  }

  ask(path, written) {
    return request(`${this.where}${path}`, written);
  }

  take(told) {
    this.wanted = told.wanted ? told : null;
    if (!this.wanted) {
      this.rest();
      return;
    }
    fill(this.why, h("h3", {}, `Write the schedule from timestep ${told.t} on`),
      h("ul", { class: "happened" },
        told.triggers.map(([kind, cause]) => h("li", {}, h("span", { class: "pill" }, spoken(kind)), " ", cause)),
        Object.entries(told.away).map(([worker, why]) => h("li", {}, `${spoken(worker)} does not answer: ${why}`)),
        told.instructions.map(([t, words]) => h("li", {}, `The supervisor at ${t}: `, h("q", {}, words)))),
      told.seconds === null ? null : this.clock(told));
    fill(this.head, h("th", { scope: "col" }, "t"), told.workers.map((worker) => h("th", { scope: "col" }, spoken(worker))));
    this.suggest(told.legal);
    this.rows = [];
    fill(this.body);
    for (const row of unsent.of === questionOf(told) ? unsent.rows : told.rows) this.add(row);
    for (let spare = 0; spare < SPARE_ROWS; spare += 1) this.add({});
    this.can(true);
    fill(this.said, "");
    this.player.go(this.player.length);
  }

  /** Show how many seconds are left. */
  clock(told) {
    const end = performance.now() + told.seconds * 1000;
    const left = h("p", { class: "muted", role: "timer" });
    const tick = () => {
      if (this.wanted !== told) return;
      fill(left, `You have ${Math.max(0, Math.ceil((end - performance.now()) / 1000))} seconds.`);
      setTimeout(tick, 1000);
    };
    tick();
    return left;
  }

  /** Show that nobody waits for a schedule. */
  rest() {
    fill(this.why, h("p", { class: "muted" }, "The workers carry the schedule out; you are asked when something calls for it."));
    fill(this.head);
    fill(this.body);
    this.rows = [];
    this.can(false);
  }

  can(whether) {
    for (const button of [this.check, this.carryOut]) button.toggleAttribute("disabled", !whether);
    this.again(false);
  }

  /** Set whether the next "Carry out" takes what would FAIL. */
  again(anyway) {
    this.anyway = anyway;
    fill(this.carryOut, anyway ? "Carry out all the same" : "Carry out");
  }

  suggest(legal) {
    fill(this.lists, Object.entries(legal).map(([worker, actions]) => h("datalist", { id: `legal-${worker}` }, actions.map((value) => h("option", { value })))));
  }

  add(actions) {
    const t = this.wanted.t + this.rows.length;
    const number = this.rows.length;
    const row = { inputs: {}, wrongs: {} };
    const cells = this.wanted.workers.map((worker) => {
      const wrong = h("span", { class: "bad", id: `wrong-${t}-${worker}` });
      const input = h("input", {
        value: actions[worker] ?? "", list: `legal-${worker}`, maxlength: 200, autocomplete: "off", "aria-label": `${spoken(worker)} at ${t}`,
        "aria-describedby": `wrong-${t}-${worker}`, onfocus: () => this.look(number), onchange: () => this.changed(number, worker), onkeydown: (event) => this.key(event, number, worker),
      });
      row.inputs[worker] = input;
      row.wrongs[worker] = wrong;
      return h("td", {}, input, wrong);
    });
    this.rows.push(row);
    this.body.append(h("tr", {}, h("th", { scope: "row" }, `${t}`), cells));
  }

  /** Go down a column on Enter, and up on Shift and Enter. */
  key(event, number, worker) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.changed(number, worker);
    this.rows[number + (event.shiftKey ? -1 : 1)]?.inputs[worker].focus();
  }

  changed(number, worker) {
    const repeated = REPEATED.exec(this.rows[number].inputs[worker].value);
    const times = repeated ? Math.max(1, Number(repeated[2])) : 1;
    while (this.rows.length < number + times + SPARE_ROWS) this.add({});
    if (repeated) for (let row = number; row < number + times; row += 1) this.rows[row].inputs[worker].value = repeated[1];
    this.tryOut();
  }

  /** Ask for the actions that would not FAIL at the timestep of a row, and suggest them. */
  async look(number) {
    const told = await this.ask("/legal", { ...this.written(), t: this.wanted.t + number });
    if (told.legal) this.suggest(told.legal);
  }

  written() {
    const rows = this.rows.map(({ inputs }) => Object.fromEntries(Object.entries(inputs).map(([worker, input]) => [worker, input.value.trim()]).filter(([, action]) => action)));
    while (rows.length && !Object.keys(rows.at(-1)).length) rows.pop();
    return { wanted: this.wanted.wanted, rows };
  }

  async tryOut() {
    this.again(false);
    const written = this.written();
    Object.assign(unsent, { of: questionOf(this.wanted), rows: written.rows });
    const { troubles, why } = await this.ask("/check", written);
    if (why) fill(this.said, why);
    else this.tell(troubles);
  }

  tell(troubles) {
    for (const { inputs, wrongs } of this.rows) {
      for (const [worker, input] of Object.entries(inputs)) {
        input.removeAttribute("aria-invalid");
        fill(wrongs[worker]);
      }
    }
    for (const { timestep, worker, why } of troubles) {
      const row = this.rows[timestep - this.wanted.t];
      row?.inputs[worker]?.setAttribute("aria-invalid", "true");
      if (row?.wrongs[worker]) fill(row.wrongs[worker], why);
    }
    const failing = troubles.filter((each) => !each.unreadable).length;
    const unreadable = troubles.length - failing;
    fill(this.said, troubles.length
      ? [failing ? `${failing} would FAIL, the first at timestep ${troubles[0].timestep}. ` : "", unreadable ? `${unreadable} cannot be read.` : ""]
      : "Nothing of it would FAIL, as far as can be known now.");
    this.said.className = `answered ${troubles.length ? "bad" : "good"}`;
  }

  async submit() {
    const told = await this.ask("", { ...this.written(), anyway: this.anyway });
    if (told.why) fill(this.said, told.why);
    else if (!told.taken) {
      this.tell(told.troubles);
      this.again(told.troubles.every((each) => !each.unreadable));
    }
  }
}
