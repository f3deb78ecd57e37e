/* Foods: their names without history, and their colours. */

const FOOD_COLOURS = {
  apple: "#c8d860", asparagus: "#7c9a3d", bacon: "#c4655a", banana: "#e8d15a", basil: "#4f9a45", beans: "#8c4a35",
  "beef patty": "#7a4633", "bell pepper": "#d9482f", berries: "#7d3b78", bread: "#c9995a", breadcrumbs: "#d8b27a",
  broccoli: "#4f8a3c", bun: "#d0a060", butter: "#f0da7a", cabbage: "#a9c77e", carrot: "#e88a2e", cheddar: "#eaa63a",
  chicken: "#e0b98a", chickpeas: "#d9bd83", "coconut milk": "#e9e4da", cod: "#d5dde2", cream: "#efe7d6",
  cucumber: "#6fae5c", "curry paste": "#cc7a22", dill: "#6aa34f", egg: "#f2cf5b", feta: "#e3e3dc", flour: "#e6dfd0",
  garlic: "#dcd3c0", ham: "#e79a9c", honey: "#dba02c", ketchup: "#c8302a", "lamb chop": "#a4564a", "lasagne sheets": "#e5cc8c",
  lemon: "#ecd746", lettuce: "#7cc04f", lime: "#9ac93c", macaroni: "#e3c471", "maple syrup": "#a5652a", mayonnaise: "#eee6bf",
  milk: "#dfe4ea", "minced beef": "#8d4c3c", mint: "#62b58a", mozzarella: "#e8e6dd", mushroom: "#b09a84", mustard: "#d4a923",
  noodles: "#e6cf8f", oil: "#d3c04a", olives: "#5c6136", onion: "#b98bb0", parmesan: "#e4cf8b", parsley: "#54984b",
  peas: "#78b648", pepperoni: "#bb3a31", pickle: "#839b3b", pork: "#dc9a8d", potato: "#cfb06c", prawns: "#eb9377",
  rice: "#ddd9cf", salmon: "#ef8b6f", sausage: "#a8583f", "soy sauce": "#4d332a", spaghetti: "#e4c67e", spinach: "#3f7c45",
  "spring onion": "#8fbf66", steak: "#93473c", stock: "#c09a5b", sugar: "#e2dfe2", tofu: "#e7dfc6", tomato: "#dd4033",
  tortilla: "#dfc48d", turkey: "#d8ae88", "veggie patty": "#8c7a42", vinegar: "#b58d7a", yeast: "#c8b391", yoghurt: "#e6e6e2",
};

/** Return the names of the foods in a thing, given in notation. */
function foodsIn(thing) {
  if (thing === "plate") return [];
  const inner = thing.startsWith("dish[") ? thing.slice(5, -1) : thing;
  return inner.split(/[+;]/).map((part) => part.replace(/ > [^+;()]+/g, "").replace(/[()]/g, "").trim()).filter(Boolean);
}

function thingName(thing) {
  if (thing === "plate") return "plate";
  const names = foodsIn(thing).join(" + ");
  return thing.startsWith("dish[") ? `dish of ${names.replaceAll(" + ", ", ")}` : names;
}

function foodColour(name) {
  if (FOOD_COLOURS[name]) return FOOD_COLOURS[name];
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return `hsl(${sum} 45% 60%)`;
}

/** Draw up to four foods as dots, on a plate if the thing has one. */
function dots(thing) {
  const plate = thing === "plate" || thing.startsWith("dish[");
  const foods = [...new Set(foodsIn(thing))].slice(0, 4);
  return h("span", { class: plate ? "dots plate" : "dots", "aria-hidden": "true" },
    foods.map((food) => h("i", { style: { "--colour": foodColour(food) } })));
}
