/* Makes the controls of the player: scrubber, play and pause, steps, speed. */

function controls(player, difference) {
  const over = strip(player, difference);
  const range = h("input", { type: "range", id: "scrub", min: 0, max: 0, value: 0, step: 1, "aria-label": "Timestep", oninput: () => { player.pause(); player.go(Number(range.value)); } });
  const shown = h("output", { class: "now", for: "scrub" });
  const button = (sign, words, act, more = {}) => h("button", { type: "button", title: words, "aria-label": words, onclick: act, ...more }, sign);
  const play = button("▶", "Play", () => player.toggle(), { class: "play" });
  const speed = h("select", { "aria-label": "Timesteps a second", onchange: () => { player.speed = Number(speed.value); } },
    [1, 2, 4, 8, 16, 32].map((each) => h("option", { value: each, selected: each === player.speed }, `${each}/s`)));
  const element = h("div", { class: "controls", role: "toolbar", "aria-label": "Player" },
    h("div", { class: "scrubber" }, over.element, range),
    h("div", { class: "buttons" },
      button("«", "To the beginning (Home)", () => player.go(0)),
      button("‹", "One timestep back (left arrow)", () => player.go(player.t - 1)),
      play,
      button("›", "One timestep on (right arrow)", () => player.go(player.t + 1)),
      button("»", "To the end (End)", () => player.go(player.length)),
      button("‹ event", "To what happened before (p)", () => player.happening(-1)),
      button("event ›", "To what happens next (n)", () => player.happening(1)),
      speed, shown));
  function show(t) {
    range.min = player.first;
    if (range.max !== String(player.length)) range.max = player.length;
    if (range.value !== String(t)) range.value = t;
    range.setAttribute("aria-valuetext", `timestep ${t} of ${player.length}`);
    fill(shown, `${t} / ${player.length}`);
    if (play.playing !== player.playing) {
      play.playing = player.playing;
      fill(play, player.playing ? "❙❙" : "▶");
      play.setAttribute("aria-label", player.playing ? "Pause (space)" : "Play (space)");
    }
    over.show();
  }
  return { element, show };
}
