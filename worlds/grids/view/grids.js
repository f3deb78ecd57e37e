/* A grid of cells as a table, for the adapters of worlds that have one. */

const ARROWS = { N: "↑", S: "↓", E: "→", W: "←" };

/* Returns {element, show(cells)}. `rows` is the text of the grid, `places` maps "x,y" to the name of a solid cell.
   `cells` maps "x,y" to {lit, parts}: whether it stands out, and what is in it, as text or elements. */
function drawGrid(rows, places) {
  const inside = new Map();
  const cells = new Map();
  const element = h("div", { class: "scroll" }, h("table", { class: "grid" }, rows.map((row, y) => h("tr", {}, [...row].map((letter, x) => {
    const key = `${x},${y}`;
    const content = h("div", {});
    const cell = h("td", { class: key in places ? "solid" : "floor" }, key in places ? h("div", { class: "place" }, places[key]) : null, content);
    inside.set(key, content);
    cells.set(key, cell);
    return cell;
  })))));
  const show = (contents) => {
    for (const [key, content] of inside) {
      const { lit = false, parts = [] } = contents[key] ?? {};
      fill(content, parts);
      cells.get(key).classList.toggle("lit", lit);
    }
  };
  return { element, show };
}
