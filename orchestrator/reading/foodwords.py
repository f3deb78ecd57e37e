"""Words for foods and mixtures, as data."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "mince": "minced beef",
    "beef mince": "minced beef",
    "ground beef": "minced beef",
    "peppers": "bell pepper",
    "bell peppers": "bell pepper",
    "red pepper": "bell pepper",
    "green pepper": "bell pepper",
    "yogurt": "yoghurt",
    "yoghourt": "yoghurt",
    "mayo": "mayonnaise",
    "soy": "soy sauce",
    "scallion": "spring onion",
    "scallions": "spring onion",
    "bread crumbs": "breadcrumbs",
    "coconut cream": "coconut milk",
    "beefburger": "beef patty",
    "beef burger": "beef patty",
    "spud": "potato",
    "spuds": "potato",
    "tatties": "potato",
    "bean curd": "tofu",
    "lamb cutlet": "lamb chop",
    "lamb chops": "lamb chop",
    "lasagna sheets": "lasagne sheets",
    "pasta sheets": "lasagne sheets",
    "sheets of lasagne": "lasagne sheets",
    "sheets of pasta": "lasagne sheets",
    "clove": "garlic",
    "cloves": "garlic",
    "loaf": "bread",
    "gherkin": "pickle",
    "gherkins": "pickle",
    "bechamel sheets": "lasagne sheets",
    "chickpea": "chickpeas",
    "mozz": "mozzarella",
    "ketchups": "ketchup",
}

IRREGULAR_PLURALS: Mapping[str, str] = {"loaf": "loaves", "leaf": "leaves"}

KINDS_OF_FOOD: Mapping[str, tuple[str, ...]] = {
    "fish": ("cod", "salmon"),
    "fillet": ("cod", "salmon", "chicken", "pork"),
    "meat": (
        "minced beef",
        "beef patty",
        "steak",
        "pork",
        "lamb chop",
        "chicken",
        "bacon",
        "sausage",
        "turkey",
        "ham",
    ),
    "beef": ("minced beef", "beef patty", "steak"),
    "lamb": ("lamb chop",),
    "chop": ("lamb chop", "pork"),
    "cutlet": ("pork", "lamb chop"),
    "bird": ("chicken", "turkey"),
    "breast": ("chicken", "turkey"),
    "patty": ("beef patty", "veggie patty"),
    "pasta": ("spaghetti", "macaroni", "lasagne sheets", "noodles"),
    "sheet": ("lasagne sheets",),
    "cheese": ("cheddar", "mozzarella", "feta", "parmesan"),
    "toast": ("bread",),
    "crouton": ("bread",),
    "soldier": ("bread",),
    "slice": ("bread",),
    "chip": ("potato",),
    "fries": ("potato",),
    "frites": ("potato",),
    "crumb": ("breadcrumbs",),
    "roll": ("bun",),
    "wrap": ("tortilla",),
    "pepper": ("bell pepper",),
    "paste": ("curry paste",),
    "syrup": ("maple syrup",),
    "shoot": ("asparagus",),
    "spear": ("asparagus",),
    "floret": ("broccoli",),
    "fruit": ("apple", "banana", "berries"),
    "herb": ("parsley", "basil", "dill", "mint"),
    "prawn": ("prawns",),
    "pea": ("peas",),
    "bean": ("beans",),
    "olive": ("olives",),
    "berry": ("berries",),
    "banger": ("sausage",),
    "rasher": ("bacon",),
    "strand": ("spaghetti", "noodles"),
    "yolk": ("egg",),
    "leaf": ("lettuce", "basil", "mint", "spinach"),
    "vegetable": (
        "carrot",
        "peas",
        "broccoli",
        "bell pepper",
        "onion",
        "tomato",
        "cucumber",
        "lettuce",
        "asparagus",
        "cabbage",
        "mushroom",
        "potato",
        "spinach",
    ),
}
"""General words for a food, and which foods they may stand for."""

MIXTURES: Mapping[str, tuple[str, ...]] = {
    "batter": ("flour", "egg"),
    "dough": ("flour", "yeast"),
    "mash": ("potato",),
    "gravy": ("stock",),
    "broth": ("stock",),
    "soup": ("stock",),
    "minestrone": ("stock",),
    "dressing": ("oil", "vinegar", "lemon", "mayonnaise", "yoghurt", "mustard", "lime"),
    "vinaigrette": ("oil", "vinegar", "lemon", "mustard"),
    "salsa": ("tomato", "lime"),
    "relish": ("tomato", "onion"),
    "crumble": ("flour", "butter", "sugar"),
    "topping": ("flour", "butter", "sugar", "potato"),
    "rubble": ("flour", "butter", "sugar"),
    "custard": ("egg", "milk"),
    "curry": ("curry paste", "coconut milk"),
    "chilli": ("beans", "minced beef"),
    "chili": ("beans", "minced beef"),
    "ragu": ("minced beef",),
    "bolognese": ("minced beef",),
    "bechamel": ("flour", "milk"),
    "omelette": ("egg",),
    "omelet": ("egg",),
    "pancake": ("flour", "egg"),
    "stir-fry": ("soy sauce",),
    "sauce": (),
    "mixture": (),
    "mix": (),
    "filling": (),
    "stew": (),
    "base": (),
    "liquid": (),
    "dip": (),
    "blend": (),
    "puree": (),
    "salad": (),
    "slaw": ("cabbage",),
}
"""Words for a mixture, and foods that speak for being meant."""

WHOLES = frozenset(
    [
        "pizza",
        "pie",
        "sandwich",
        "lasagne",
        "lasagna",
        "burger",
        "schnitzel",
        "parcel",
        "gratin",
        "stack",
        "roll-up",
        "result",
        "package",
        "construction",
        "assembly",
        "toastie",
        "bundle",
        "dishful",
        "casserole",
    ]
)
"""Words for a dish put together, before or after it is cooked."""

_ENTIRE = {
    f"the {extent}{noun}": "all"
    for extent in ("", "whole ", "entire ", "complete ", "finished ", "assembled ", "full ")
    for noun in ("ensemble", "arrangement", "company", "collection", "contents of the pot",
                 "contents of the pan", "contents of the bowl", "contents", "thing")
}  # fmt: skip

PRONOUNS: Mapping[str, str] = _ENTIRE | {
    "it": "it",
    "itself": "it",
    "this": "it",
    "they": "they",
    "them": "they",
    "these": "they",
    "those": "they",
    "both": "2",
    "both of them": "2",
    "the two": "2",
    "the two of them": "2",
    "the pair": "2",
    "the three": "3",
    "all three": "3",
    "the trio": "3",
    "all three of them": "3",
    "the three of them": "3",
    "all four": "4",
    "the four": "4",
    "all five": "5",
    "all six": "6",
    "the former": "former",
    "the latter": "latter",
    "the latter two": "latter two",
    "the first two": "former two",
    "the last two": "latter two",
    "these last two": "latter two",
    "these two": "2",
    "these three": "3",
    "these four": "4",
    "all of these": "they",
    "the two things": "2",
    "everything": "all",
    "everything else": "rest",
    "all of it": "all",
    "all of them": "they",
    "it all": "all",
    "them all": "they",
    "the lot": "all",
    "the whole lot": "all",
    "the whole thing": "all",
    "the whole": "all",
    "the whole of it": "all",
    "whole sandwich": "all",
    "all together": "all",
    "the rest": "rest",
    "each of them": "they",
    "each of these": "they",
    "one": "",
    "the others": "rest",
}

NEVER_RAW = frozenset(
    "flour, breadcrumbs, minced beef, beef patty, veggie patty, steak, pork, lamb chop, chicken, "
    "turkey, cod, salmon, sausage, bacon, prawns, potato, rice, macaroni, spaghetti, noodles, "
    "lasagne sheets, egg, yeast, curry paste, asparagus, broccoli".split(", ")
)
"""Foods that nobody eats raw."""

NEVER_WHOLE = frozenset(
    "onion, carrot, cabbage, cucumber, tomato, parmesan, mushroom, bell pepper, spring onion, "
    "garlic, pickle, banana".split(", ")
)
"""Foods that are cut before they are eaten, unless they are cooked."""

UNCUT = frozenset(
    "beans, berries, breadcrumbs, chickpeas, coconut milk, cream, curry paste, flour, honey, "
    "ketchup, macaroni, maple syrup, mayonnaise, milk, minced beef, mustard, noodles, oil, olives, "
    "peas, rice, soy sauce, spaghetti, stock, sugar, vinegar, yeast, yoghurt".split(", ")
)
"""Foods that no knife is needed for."""

ALWAYS_COLD = frozenset(
    "basil, cream, dill, feta, lemon, lime, mint, mustard, olives, pickle, vinegar, "
    "berries, cucumber, honey, ketchup, lettuce, maple syrup, mayonnaise, yoghurt".split(", ")
)
"""Foods that are hardly ever cooked by themselves."""
