/* Draws the strip over the scrubber, which shows the whole run at a glance. */

const THUMB = 16; // the width of the scrubber's thumb in pixels
const LANES = { event: 0, fork: 0, refused: 0, call: 1, reached: 2, fail: 3, differs: 4 };

/** Make a strip that marks where something happened. It is drawn again only if the run or the page has changed. */
function strip(player, difference) {
  const canvas = h("canvas", { class: "strip", "aria-hidden": "true" });
  const box = h("div", {}, canvas);
  const sized = widthOf(box, () => player.refresh());
  let drawn = "";
  function show() {
    const { width } = sized;
    const lanes = difference ? 5 : 4;
    const key = [width, player.length, player.films.map((film) => film.entries), scheme()].join();
    if (!width || key === drawn) return;
    drawn = key;
    const pen = sharp(canvas, width, lanes * 5 + 2);
    const colour = colours();
    const x = (t) => THUMB / 2 + ((width - THUMB) * (t - player.first)) / Math.max(1, player.length - player.first);
    const draw = (t, kind) => {
      pen.fillStyle = colour(MARKS[kind].colour);
      pen.fillRect(x(t) - 1, LANES[kind] * 5 + 1, 2, 4);
    };
    for (const film of player.films) for (const mark of film.marks) if (mark.t >= player.first) draw(mark.t, mark.kind);
    difference?.timesteps.forEach((differs, t) => differs && draw(t, "differs"));
  }
  return { element: box, show };
}
