/* The place of a person who plays a worker: what is asked there, one thing after the other, and the
   answer; only where the server keeps a seat for whoever opens its page. */

const STRAY = 500; // milliseconds in which an answer is still taken for one to the question before, which was too late

let ownSeat = null; // there is one seat to a page, also where the page is built anew

function seatPanel(server, film) {
  if (!server.seat) return null;
  ownSeat ??= new Seat(server.seat);
  ownSeat.sort = film?.adapter.sort ?? ownSeat.sort;
  return { element: ownSeat.element, show: () => ownSeat.begin(film) };
}

/** How actions are written, where nobody can say which ones are possible. */
const formsOfActions = (forms) => h("dl", { class: "plain forms" }, forms.map(([form, does]) => [h("dt", {}, h("code", {}, form)), h("dd", {}, does)]));

class Seat {
  constructor({ where, worker }) {
    this.where = where;
    this.worker = worker;
    this.sort = () => "work"; // of an action, as the world's adapter has it
    this.asked = { number: "" }; // what the server asks: {number, kind, ...}, without a kind nothing
    this.said = h("p", { class: "answered", role: "status" });
    this.timer = h("p", { role: "timer", "aria-live": "off", hidden: true });
    this.body = h("div", {});
    this.talk = new TalkBox((said) => this.answer(said));
    this.element = h("div", { class: "seat" }, h("p", { class: "muted" }, `You play ${spoken(worker)}.`), this.said, this.timer, this.talk.element, this.body);
  }

  /** Ask the server what it wants, again and again until it is over. */
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
    const hadFocus = this.element.contains(document.activeElement) || document.activeElement === document.body;
    this.asked = told;
    this.answered = false;
    const rest = this.worker === "orchestrator" ? "Nothing but the schedule is asked of you." : "Wait for the others.";
    const [words, controls] = this.asking()[told.kind]?.() ?? [told.over ?? rest, []];
    fill(this.said, words);
    fill(this.body, controls);
    this.talk.take(told);
    this.count(told.seconds);
    if (hadFocus && this.talk.open && told.kind === "talk") this.talk.field.focus();
    else if (hadFocus && document.activeElement !== this.talk.field) this.body.querySelector("button, input, textarea")?.focus();
  }

  asking() {
    return { consent: () => this.consent(), move: () => this.move(), talk: () => this.listen(), survey: () => this.survey() };
  }

  consent() {
    return ["Please read this before it begins.", [
      h("blockquote", {}, this.asked.text),
      h("div", { class: "moves" }, this.choice("I agree", true, "suggested"), this.choice("I do not agree", false))]];
  }

  /** The worker is in the middle of an action, and somebody has spoken. */
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
    const going = (goes) => legal.filter((each) => (this.sort(each[0]) === "go") === goes);
    const missed = this.missed === timestep - 1;
    this.open = performance.now() + (missed ? STRAY : 0);
    const spokenTo = talk?.addressed ? "You are spoken to. " : "";
    return [`${missed ? `Timestep ${this.missed} went by without you. ` : ""}${spokenTo}Timestep ${timestep}: what do you do?`, [
      ...suggestion,
      chosen ? h("div", { class: "moves" }, this.choice(["Keep to it: ", chosen[1]], chosen[0], "suggested")) : null,
      h("p", { id: "possible" }, legal.length ? (chosen ? "Or:" : "You can:") : "Write an action:"),
      legal.length
        ? h("div", { class: "moves", role: "group", "aria-labelledby": "possible" }, [...going(false), ...going(true)].map((each) => this.choice(named(each), each[0])))
        : [formsOfActions(forms ?? []), this.writing()]]];
  }

  /** A field for an action of one's own, where nobody can say which ones are possible. */
  writing() {
    const submit = (event) => {
      event.preventDefault();
      this.answer(new FormData(event.target).get("action").trim());
    };
    return h("form", { onsubmit: submit }, h("input", { name: "action", maxlength: 200, required: true, autocomplete: "off", "aria-labelledby": "possible" }), h("button", { type: "submit" }, "Do it"));
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

  async answer(said) {
    const { number, kind } = this.asked;
    if (kind === "move" && performance.now() < this.open) return;
    this.answered = true;
    const words = kind === "move" && typeof said === "string" ? this.talk.words : "";
    const taken = await this.ask("", { number, said: words ? { say: words, end: false, action: said } : said });
    if (!taken.why && (words || said.say)) this.talk.sent(words || said.say);
    if (taken.why && this.asked.number === number) {
      this.answered = false;
      fill(this.said, taken.why);
    }
  }

  /** Count the seconds down that are left, if they are counted. */
  count(seconds) {
    clearInterval(this.counting);
    const counted = seconds !== undefined && seconds !== null;
    this.timer.hidden = !counted;
    if (!counted) return;
    const until = performance.now() + 1000 * seconds;
    const show = () => fill(this.timer, `${Math.max(0, Math.ceil((until - performance.now()) / 1000))} seconds left`);
    show();
    this.counting = setInterval(show, 250);
  }
}
