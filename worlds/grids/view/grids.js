/* A grid of cells as a table, for the adapters of worlds that have one. */

const grids = (() => {
  const ARROWS = { N: "↑", S: "↓", E: "→", W: "←" };

  /* Returns {element, show(cells)}. `rows` is the text of the grid, `places` maps "x,y" to the name of a solid cell.
     `cells` maps "x,y" to {lit, parts}: whether it stands out, and what is in it, as text or elements. */
  function draw(rows, places) {
    const cells = new Map();
    const cell = (x, y) => {
      const key = `${x},${y}`;
      const inside = h("div", {});
      const element = h("td", { class: key in places ? "solid" : "floor" }, key in places ? h("div", { class: "place" }, places[key]) : null, inside);
      cells.set(key, { element, inside });
      return element;
    };
    const table = h("table", { class: "grid" }, rows.map((row, y) => h("tr", {}, [...row].map((letter, x) => cell(x, y)))));
    const show = (contents) => {
      for (const [key, { element, inside }] of cells) {
        const { lit = false, parts = [] } = contents[key] ?? {};
        fill(inside, parts);
        element.classList.toggle("lit", lit);
      }
    };
    return { element: h("div", { class: "scroll" }, table), show };
  }

  return { ARROWS, draw };
})();
