/* The seat of a person who plays a worker. It shows the questions of the server, one after the other, and
   sends the answers. */

const SOON = 400; // the page says that it waits if no question comes within this many milliseconds
const STRAY = 500; // after a missed question, an answer within this many milliseconds counts as a late answer to it

let ownSeat = null; // a page has one seat, and keeps it if it is built anew

function seatPanel(server, film) {
  if (!server.seat) return null;
  ownSeat ??= new Seat(server.seat);
  ownSeat.sort = film?.adapter.sort ?? ownSeat.sort;
  return { element: ownSeat.element, show: () => ownSeat.begin(film) };
}

/** List the forms of actions. If `choose` is given, it is called with a form that is clicked. */
function formsOfActions(forms, choose = null) {
  const named = (form) => (choose ? h("button", { type: "button", class: "jump", onclick: () => choose(form) }, h("code", {}, form)) : h("code", {}, form));
  return h("dl", { class: "plain forms" }, forms.map(([form, does]) => [h("dt", {}, named(form)), h("dd", {}, does)]));
}

const PARAMETER = /(?<=\()[^(),]+/; // matches the first parameter in a form of an action

class Seat {
  constructor({ where, worker }) {
    this.where = where;
    this.worker = worker;
    this.sort = () => "work"; // returns the sort of an action, as the function of the world's adapter
    this.asked = { number: "" }; // the question of the server: {number, kind, ...}; without a kind nothing is asked
    this.said = h("p", { class: "answered", role: "status" });
    this.timer = h("p", { role: "timer", "aria-live": "off", hidden: true });
    this.body = h("div", {});
    this.written = h("div", {}); // keeps its text from one question to the next
    this.more = h("details", {}, h("summary", {}, "Write an action"));
    this.clock = new Clock();
    this.talk = new TalkBox((said) => this.answer(said));
    this.keys = new Keys((action) => this.answer(action));
    this.keys.changed = () => { if (this.asked.kind === "move") this.show(); };
    this.element = h("div", { class: "seat" }, h("p", { class: "muted" }, `You play ${spoken(worker)}.`), this.said, this.timer, this.keys.element, this.talk.element, this.body);
  }

  /** Ask the server for its question, again and again until the run is over. */
  async begin(film) {
    if (film) this.talk.show(film);
    if (this.begun) return;
    this.begun = true;
    while (!this.asked.over) {
      const told = await this.ask(`?seen=${this.asked.number}`);
      if (told.number === undefined) await new Promise((done) => { setTimeout(done, 1000); });
      else if (told.number !== this.asked.number || told.over) this.take(told);
    }
  }

  ask(path, written) {
    return request(`${this.where}${path}`, written);
  }

  take(told) {
    if (this.asked.kind === "move" && !this.answered) this.missed = this.asked.timestep;
    this.asked = told;
    this.answered = false;
    const counted = told.seconds !== undefined && told.seconds !== null;
    this.until = counted ? performance.now() + 1000 * told.seconds : null;
    this.open = performance.now() + (this.missed === told.timestep - 1 ? STRAY : 0);
    this.keys.take(told);
    clearTimeout(this.waiting);
    if (this.keys.shown && !told.kind) this.waiting = setTimeout(() => this.show(), SOON);
    else this.show();
  }

  /** Show the present question. */
  show() {
    const focused = document.activeElement;
    const elsewhere = focused === this.talk.field || this.keys.element.contains(focused);
    const had = focused === document.body || (this.element.contains(focused) && !elsewhere);
    const rest = this.worker === "orchestrator" ? "Nothing but the schedule is asked of you." : "Wait for the others.";
    const { kind, over } = this.asked;
    const [words, controls] = this.asking()[kind]?.() ?? [over ?? rest, []];
    fill(this.said, words);
    fill(this.body, controls);
    this.talk.take(this.asked);
    this.count();
    if (!had) return;
    if (focused !== document.body && this.written.contains(focused) && focused.isConnected) focused.focus();
    else if (kind === "talk" && this.talk.open) this.talk.field.focus();
    else if (this.keys.shown) this.keys.focus();
    else this.body.querySelector("button, input, textarea")?.focus();
  }

  asking() {
    return { consent: () => this.consent(), move: () => this.move(), talk: () => this.listen(), survey: () => this.survey() };
  }

  consent() {
    return ["Please read this before it begins.", [
      h("blockquote", {}, this.asked.text),
      h("div", { class: "moves" }, this.choice("I agree", true, "suggested"), this.choice("I do not agree", false))]];
  }

  /** Return the words and controls of a question to a worker in the middle of an action, to whom somebody speaks. */
  listen() {
    return [`Timestep ${this.asked.timestep}: you are spoken to. You can answer while you work.`, []];
  }

  move() {
    const { timestep, suggested, possible, legal, forms, talk, chosen } = this.asked;
    const twice = (words) => legal.filter((each) => each[1] === words).length > 1;
    const named = ([action, words]) => (action === words || !twice(words) ? words : [words, " ", h("code", {}, action)]);
    const doubt = possible ? "" : ", which would FAIL as things stand";
    const suggestion = suggested ? [
      h("p", { id: "suggestion" }, `The schedule suggests${doubt}:`),
      h("div", { class: "moves" }, this.choice(named(suggested), suggested[0], "suggested", "suggestion"))] : [];
    const going = (goes) => legal.filter(([action]) => (this.sort(action) === "go") === goes && !this.keys.has(action));
    const buttons = [...going(false), ...going(true)].map((each) => this.choice(named(each), each[0]));
    const missed = this.missed === timestep - 1 ? `Timestep ${this.missed} went by without you. ` : "";
    const question = `${missed}${talk?.addressed ? "You are spoken to. " : ""}Timestep ${timestep}: what do you do?`;
    const kept = chosen ? [h("div", { class: "moves" }, this.choice(["Keep to it: ", chosen[1]], chosen[0], "suggested"))] : [];
    if (this.keys.steady) return ["A steady pace: the last key counts at each timestep.", []];
    if (!legal.length) return [question, [...suggestion, ...kept, this.heading("Write an action:"), this.writing(forms ?? [])]];
    const free = !this.keys.shown && forms?.some(([form]) => PARAMETER.test(form));
    if (free) this.more.append(this.writing(forms));
    return [question, [...suggestion, ...kept, buttons.length ? [this.heading(chosen ? "Or:" : "You can:"), h("div", { class: "moves", role: "group", "aria-labelledby": "possible" }, buttons)] : [], free ? this.more : null]];
  }

  heading(words) {
    return h("p", { id: "possible" }, words);
  }

  /** Return a field for an action that is not listed, and the forms of actions. */
  writing(forms) {
    keep(this.written, JSON.stringify(forms), () => {
      const field = h("input", { name: "action", maxlength: 200, required: true, autocomplete: "off", "aria-label": "Write an action" });
      const submit = async (event) => {
        event.preventDefault();
        if (await this.answer(field.value.trim())) field.value = "";
      };
      const choose = (form) => {
        field.value = form;
        field.focus();
        const parameter = PARAMETER.exec(form);
        if (parameter) field.setSelectionRange(parameter.index, parameter.index + parameter[0].length);
      };
      return [h("form", { onsubmit: submit }, field, h("button", { type: "submit" }, "Do it")), formsOfActions(forms, choose)];
    });
    return this.written;
  }

  choice(words, said, kind, about) {
    return h("button", { type: "button", class: kind, title: typeof said === "string" ? said : null, "aria-describedby": about, onclick: () => this.answer(said) }, words);
  }

  survey() {
    const { title, questions } = this.asked;
    const submit = (event) => {
      event.preventDefault();
      const given = new FormData(event.target);
      this.answer(Object.fromEntries(questions.map(({ name, kind }) => [name, kind === "scale" ? Number(given.get(name)) : given.get(name)])));
    };
    return ["One last thing.", h("form", { onsubmit: submit }, h("h3", {}, title), questions.map((each) => this.question(each)), h("button", { type: "submit", class: "suggested" }, "Send"))];
  }

  question(each) {
    const { name, kind, ask } = each;
    if (kind === "text") return h("fieldset", {}, h("label", { for: `q-${name}` }, ask), h("textarea", { id: `q-${name}`, name, maxlength: each.most, rows: 3 }));
    const values = kind === "choice" ? each.of : Array.from({ length: each.most - each.least + 1 }, (_, n) => each.least + n);
    const options = values.map((value) => h("label", {}, h("input", { type: "radio", name, value, required: true }), ` ${value}`));
    const ends = [each.low, each.high].map((words) => (words ? h("span", { class: "muted" }, `${words} `) : null));
    return h("fieldset", {}, h("legend", {}, ask), ends[0], options, ends[1]);
  }

  /** Answer the question; return whether it needs no other answer. */
  async answer(said) {
    const { number, kind } = this.asked;
    if (!kind || (kind === "move" && !this.keys.steady && performance.now() < this.open)) return false;
    this.answered = true;
    const words = kind === "move" && typeof said === "string" && !this.keys.steady ? this.talk.words : "";
    const taken = await this.ask("", { number, said: words ? { say: words, end: false, action: said } : said });
    if (!taken.why && (words || said.say)) this.talk.sent(words || said.say);
    if (!taken.why || this.asked.number !== number) return true;
    this.answered = false;
    fill(this.said, taken.why);
    return false;
  }

  /** Count down the seconds that are left, if there is a limit. */
  count() {
    this.timer.hidden = this.until === null;
    this.clock.stop();
    if (this.until !== null) this.clock.start((this.until - performance.now()) / 1000, (left) => fill(this.timer, `${Math.ceil(left)} seconds left`));
  }
}
