/* The drawing of the state, by the world's adapter; with two runs, two drawings. */

function scenes(player) {
  const drawn = player.films.map((film) => film.adapter.scene(film, player));
  const element = h("div", { class: "pair" }, drawn.map((scene, n) => h("div", { class: "side" }, sideName(player, n), scene.element)));
  function show(t) {
    const states = player.films.map((film) => film.at(t));
    drawn.forEach((scene, n) => scene.show(states[n], t, states[1 - n] ?? null));
  }
  return { element, show };
}

/** Which of two films it is. */
function sideName(player, n) {
  if (player.films.length < 2) return null;
  return h("h3", { class: "side-name" }, h("span", { class: "letter" }, "AB"[n]), ` ${player.films[n].name}`);
}
