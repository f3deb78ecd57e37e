/* The talk of a person with the other agents of a team: what has been said, and a field to answer. */

class TalkBox {
  /** `send` takes what is said: {say, end}. */
  constructor(send) {
    this.send = send;
    this.log = h("ol", { class: "log", role: "log", "aria-label": "What has been said", tabindex: 0 });
    this.field = h("textarea", { id: "say", rows: 2, autocomplete: "off", onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.speak(false);
    } });
    this.decided = h("p", {});
    this.left = h("p", { class: "muted" });
    this.buttons = [
      h("button", { type: "button", class: "send", onclick: () => this.speak(false) }, "Send"),
      h("button", { type: "button", class: "end", onclick: () => this.speak(true) }, "End the talk")];
    this.forms = h("details", { hidden: true }, h("summary", {}, "How to ask for an action"));
    this.controls = h("div", {}, this.decided, h("label", { for: "say" }, "Say"), this.field, h("div", { class: "moves" }, this.buttons), this.left, this.forms);
    this.element = h("div", { class: "talk", hidden: true }, this.log, this.controls);
    this.open = false;
    this.last = ""; // what the person says in this turn; the others get it with the action, if one is still to be chosen
  }

  /** Show what a film has of the talk so far. */
  show(film) {
    const said = film.calls.flatMap((call) => call.said);
    if (said.length) this.element.hidden = false;
    keep(this.log, said.length, () => said.map((each) => h("li", { class: "said" },
      badge(film, each.agent), h("div", {}, h("strong", {}, spoken(each.agent)), h("span", { class: "muted" }, ` at timestep ${each.t}`), h("p", { dir: "auto" }, each.text)))));
    this.log.hidden = !said.length;
    if (this.shown !== said.length) this.log.scrollTop = this.log.scrollHeight;
    this.shown = said.length;
  }

  /** Take a question: whether the person may speak now. What is written in the field stays. */
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

  /** What is written, and not sent yet. */
  get words() {
    return this.open ? this.field.value.trim() : "";
  }

  speak(end) {
    if (!this.open || !(end || this.words)) return;
    this.last = this.words;
    this.send({ say: this.words, end });
  }

  /** These words are sent; what has been written since then stays. */
  sent(words) {
    if (this.field.value.trim() === words) this.field.value = "";
  }
}
