/* The adapter of questions: the state as its own world draws it, the question, and the options. The key and the
   proof are in the verdict alone, so they are shown when the question is answered. */

worlds["questions"] = (() => {
  /** The film of the state: a run of its world that has only begun. */
  function filmOf(entry) {
    const film = new Film();
    film.push(entry);
    return film;
  }

  /** The proof of each option, once there is a verdict: whether it is right, and why. */
  function proofOf(film) {
    const checks = (film.verdict?.checks ?? []).filter(({ name }) => name === "proof");
    return new Map(checks.map(({ subject, value, reason }) => [subject, { right: value, why: reason }]));
  }

  function drawOption(letter, option, answer, proof) {
    const judged = proof.get(option);
    const look = ["option", option === answer ? "answered" : "", judged ? (judged.right ? "good" : "bad") : ""].filter(Boolean).join(" ");
    return h("li", { class: look },
      h("span", { class: "letter" }, letter), h("span", { class: "what" }, option),
      option === answer ? h("span", { class: "muted" }, "answered") : null,
      judged ? h("span", { class: "proof" }, h("strong", {}, judged.right ? "✓ right: " : "✕ wrong: "), judged.why) : null);
  }

  function scene(film, player) {
    const { shown, seat, question, options } = film.run.setup;
    const inner = filmOf(shown);
    const drawing = inner.adapter.scene(inner, player);
    const list = h("ol", { class: "options", "aria-label": "the options" });
    const element = h("div", { class: "question" },
      h("p", { class: "asked" }, h("strong", {}, `${spoken(seat)} is asked: `), question),
      list, h("section", { class: "asked-about", "aria-label": "the state" }, drawing.element));
    const show = (state, t) => {
      drawing.show(inner.head, inner.first, null);
      const proof = state.answer === null ? new Map() : proofOf(film);
      keep(list, JSON.stringify([state.answer, proof.size]), () => Object.entries(options).map(([letter, option]) => drawOption(letter, option, state.answer, proof)));
    };
    return { element, show };
  }

  return { title: "Question", scene };
})();
