/* The signs of places and things on grids: paths in a square of 24, each with the class of its colour. */

const GLYPHS = {
  // things
  onion: [["g-onion", "M12 3c.4 3.2 7 5 7 10.5a7 6.5 0 0 1-14 0C5 8 11.6 6.2 12 3z"], ["g-line", "M12 6.5c-2.6 2.6-3.8 7.5-1.8 13M12 6.5c2.6 2.6 3.8 7.5 1.8 13"]],
  tomato: [["g-tomato", "M12 6.5c4.5-1.5 8 1 8 5.8 0 4.5-3.5 8.2-8 8.2s-8-3.7-8-8.2C4 7.5 7.5 5 12 6.5z"], ["g-leaf", "M12 7.5c-1.5-.3-3.4 0-4.5 1 .4-1.6 1.3-2.4 2.6-2.8C9.4 5 8.5 4.5 7.6 4.400c1.6-.5 3 0 3.9 1V3h1.2v2.400c.9-1 2.3-1.5 3.9-1-.9.1-1.8.6-2.5 1.3 1.3.4 2.2 1.2 2.6 2.8-1.1-1-3-1.3-4.7-1z"]],
  dish: [["g-white", "M12 4a8.5 8.5 0 1 0 .01 0z"], ["g-line", "M12 4a8.5 8.5 0 1 0 .01 0zM12 7.5a5 5 0 1 0 .01 0z"]],
  soup: [["g-white", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-line", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-soup", "M12 6.2a6.3 6.3 0 1 0 .01 0z"]],
  "soup-tomato": [["g-white", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-line", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-tomato", "M12 6.2a6.3 6.3 0 1 0 .01 0z"]],
  "soup-mixed": [["g-white", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-line", "M12 3a9.5 9.5 0 1 0 .01 0z"], ["g-soup", "M12 6.2a6.3 6.3 0 1 0 .01 0z"], ["g-tomato", "M12 6.2a6.3 6.3 0 0 1 0 12.6z"]],
  // places
  crate: [["g-wood", "M3 10.5h18V20a1.2 1.2 0 0 1-1.2 1.2H4.2A1.2 1.2 0 0 1 3 20z"], ["g-line", "M3 10.5h18v10.700H3zM3 14h18M3 17.6h18"]],
  plates: [["g-white", "M3 17c0-1.2 18-1.2 18 0s-4 3-9 3-9-1.8-9-3zM3 13.2c0-1.2 18-1.2 18 0s-4 3-9 3-9-1.8-9-3zM3 9.400c0-3 18-3 18 0s-4 3-9 3-9 0-9-3z"], ["g-line", "M3 17c0 1.2 4 3 9 3s9-1.8 9-3M3 13.2c0 1.2 4 3 9 3s9-1.8 9-3M12 7.150c-5 0-9 1-9 2.250s4 3 9 3 9-1.750 9-3-4-2.250-9-2.250z"]],
  pot: [["g-metal", "M4.5 8h15v9.5a3.5 3.5 0 0 1-3.5 3.5H8a3.5 3.5 0 0 1-3.5-3.5z"], ["g-dark", "M1.5 10.2h3v2.6h-3zM19.5 10.2h3v2.6h-3zM3.8 6h16.400v2.6H3.8zM10.7 3.6h2.6V6h-2.6z"]],
  oven: [["g-metal", "M4 3h16v18H4z"], ["g-dark", "M6.5 10h11v8h-11zM6.5 5.300h2v2h-2zM11 5.300h2v2h-2zM15.5 5.300h2v2h-2z"]],
  board: [["g-wood", "M5 3.5h14a1 1 0 0 1 1 1V17a1 1 0 0 1-1 1h-5v2.5h-4V18H5a1 1 0 0 1-1-1V4.5a1 1 0 0 1 1-1z"], ["g-metal", "M8 6h6.5c1.8 0 2.6 3.2 1 5.5H8z"], ["g-dark", "M8 11.5h2.400V16H8z"]],
  blender: [["g-glass", "M6.5 4h11l-1.6 10.5H8.100z"], ["g-line", "M6.5 4h11l-1.6 10.5H8.100z"], ["g-dark", "M7.5 14.5h9L18 21H6zM9.5 2h5v2h-5z"]],
  serving: [["g-bell", "M4 17a8 8.5 0 0 1 16 0z"], ["g-bell", "M12 5.2a1.7 1.7 0 1 0 .01 0z"], ["g-dark", "M2.5 17.5h19V20h-19z"]],
  bars: [["g-dark", "M2.5 4h19v2.400h-19zM2.5 17.6h19V20h-19zM5 6.400h2.2v11.2H5zM10.9 6.400h2.2v11.2h-2.2zM16.8 6.400H19v11.2h-2.2z"]],
  posts: [["g-dark", "M1.5 3h3v18h-3zM19.5 3h3v18h-3z"]],
  nose: [["g-nose", "M12 0l6 7.5H6z"]],
};

/** The sign of this name; nothing if there is none. */
function glyph(name, kind = "") {
  const paths = Object.hasOwn(GLYPHS, name) ? GLYPHS[name] : null;
  return paths && h("svg", { viewBox: "0 0 24 24", class: `glyph ${kind}`, "aria-hidden": "true" }, paths.map(([colour, d]) => h("path", { class: colour, d })));
}
