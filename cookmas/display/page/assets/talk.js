/* Shows the talk of the agents of a team. On the page of a person it also has a field for words. */

/** Draw a message with its speaker and its timestep, or other words for `when`. */
function messageOf(film, { agent, t, text }, when = ` at timestep ${t}`) {
  return h("li", { class: "said" }, badge(film, agent),
    h("div", {}, h("strong", {}, spoken(agent)), h("span", { class: "muted" }, when), h("p", { dir: "auto" }, text)));
}

/** A list of the messages of a film, which keeps the latest one in sight. */
class TalkLog {
  constructor(attributes = {}, when = undefined) {
    this.element = h("ol", { class: "log", role: "log", "aria-label": "What has been said", tabindex: 0, ...attributes });
    this.when = when; // returns the words for when a message was said; if undefined, these are the usual ones
    this.film = null;
    this.items = [];
    this.count = null;
  }

  /** Show the messages up to a moment, and mark those of this moment. */
  show(film, t) {
    if (this.film !== film) Object.assign(this, { film, items: [], count: null });
    for (const each of film.said.slice(this.items.length)) this.items.push(messageOf(film, each, this.when?.(each)));
    const after = film.said.findIndex((each) => each.t > t);
    const count = after < 0 ? film.said.length : after;
    this.items.forEach((item, n) => {
      const now = film.said[n].t === t;
      item.classList.toggle("present", now);
      if (now) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
    if (count === this.count) return;
    this.count = count;
    arrange(this.element, this.items.slice(0, count));
    this.element.hidden = !count;
    this.reveal();
  }

  /** Scroll to the last message, or to its beginning if it is too long. */
  reveal() {
    const last = this.element.lastElementChild;
    if (last) this.element.scrollTop = Math.min(this.element.scrollHeight, last.offsetTop - this.element.offsetTop);
  }
}

/** Make the talk beside the drawing; null on the page of a person, which has a `TalkBox`. */
function talkPanel(player, server) {
  if (server.seat) return null;
  const when = ({ t }) => [" at ", jump(t, player), h("span", { class: "pill" }, "this timestep")];
  const sides = player.films.map((film, n) => ({ film, log: new TalkLog({ "aria-live": "off" }, when), silent: h("p", { class: "muted" }, "Nobody has said anything yet."), n }));
  const element = h("div", { class: "pair" }, sides.map(({ log, silent, n }) => h("div", { class: "side" }, sideName(player, n), silent, log.element)));
  const show = (t) => {
    for (const { film, log, silent } of sides) {
      log.show(film, t);
      silent.hidden = !log.element.hidden;
    }
  };
  return { element, show, needed: () => player.films.some((film) => film.said.length) };
}

class TalkBox {
  /** `send` is called with what the person says: {say, end}. */
  constructor(send) {
    this.send = send;
    this.log = new TalkLog();
    this.field = h("textarea", { id: "say", rows: 2, autocomplete: "off", onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.speak(false);
    } });
    this.decided = h("p", {});
    this.left = h("p", { class: "muted" });
    this.buttons = [
      h("button", { type: "button", onclick: () => this.speak(false) }, "Send"),
      h("button", { type: "button", onclick: () => this.speak(true) }, "End the talk")];
    this.forms = h("details", { hidden: true });
    this.controls = h("div", {}, this.decided, h("label", { for: "say" }, "Say"), this.field, h("div", { class: "moves" }, this.buttons), this.left, this.forms);
    this.element = h("div", { class: "talk", hidden: true }, this.log.element, this.controls);
    this.open = false;
    this.last = ""; // the words of the person in this turn, which may wait until an action is chosen
  }

  /** Show the talk of a film so far. */
  show(film) {
    if (film.said.length) this.element.hidden = false;
    this.log.show(film, film.length);
  }

  /** Take a question, which tells whether the person may speak. The text in the field stays. */
  take({ kind, over, talk, forms }) {
    this.open = Boolean(talk);
    this.controls.hidden = Boolean(over) || kind === "survey";
    for (const button of this.buttons) button.disabled = !talk;
    if (!talk) {
      fill(this.decided, "");
      fill(this.left, kind === "move" && this.last ? `You say: ${this.last}` : "");
      return;
    }
    this.last = "";
    this.element.hidden = false;
    this.field.setAttribute("maxlength", talk.longest);
    fill(this.decided, talk.decided.map(([agent, actions]) => `${spoken(agent)} has decided on ${actions.join("; ")}. `));
    fill(this.left, talk.left === 1 ? "You can speak once more at this timestep." : `You can speak ${talk.left} times at this timestep.`);
    if (!forms?.length) return;
    this.forms.hidden = false;
    keep(this.forms, JSON.stringify(forms), () => [h("summary", {}, "How to ask for an action"),
      h("p", {}, "Ask in any words. ", h("code", {}, "request('ACTION')"), " asks for one action, in one of these forms:"), formsOfActions(forms)]);
  }

  /** Return the words that are written and not sent yet. */
  get words() {
    return this.open ? this.field.value.trim() : "";
  }

  speak(end) {
    if (!this.open || !(end || this.words)) return;
    this.last = this.words;
    this.send({ say: this.words, end });
  }

  /** Clear the field of words that are sent, unless it has other words by now. */
  sent(words) {
    if (this.field.value.trim() === words) this.field.value = "";
  }
}
