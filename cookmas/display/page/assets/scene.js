/* Shows the drawings of the state that the world's adapter makes, one for each run. */

function scenes(player) {
  const drawn = player.films.map((film) => film.adapter.scene(film, player));
  const element = h("div", { class: "pair" }, drawn.map((scene, n) => h("div", { class: "side" }, sideName(player, n), scene.element)));
  function show(t) {
    const states = player.films.map((film) => film.at(t));
    drawn.forEach((scene, n) => scene.show(states[n], t, states[1 - n] ?? null));
  }
  return { element, show };
}

/** Return a heading that tells which of two films this is; null if there is one film only. */
function sideName(player, n) {
  if (player.films.length < 2) return null;
  return h("h3", { class: "side-name" }, h("span", { class: "letter" }, "AB"[n]), ` ${player.films[n].name}`);
}
