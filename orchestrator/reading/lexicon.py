"""The words of the kitchen, as data: what a careful reader knows before opening a recipe."""

from __future__ import annotations

from collections.abc import Mapping

PROCESS_VERBS: Mapping[str, str] = {
    "chop": "chop dice mince cube tear hack",
    "slice": "slice sliver julienne",
    "peel": "peel skin pare",
    "grate": "grate shred",
    "mix": "mix whisk beat stir combine toss cream fold mash whip rub swirl amalgamate crush",
    "blend": "blend puree blitz liquidise liquidize whizz pulse",
    "knead": "knead",
    "grill": "grill toast char chargrill char-grill barbecue griddle broil",
    "fry": "fry pan-fry panfry saute brown sear sweat sizzle stir-fry shallow-fry",
    "deep-fry": "deep-fry deepfry",
    "boil": "boil simmer poach bubble parboil par-boil stew",
    "bake": "bake roast oven-bake oven-roast",
    "cook": "cook",
    "cut": "cut",
}
"""Verbs that name a process. `cook` and `cut` wait for a place or a shape to say which."""

MOVE_VERBS: Mapping[str, str] = {
    "coat": (
        "coat dip soak layer top fill stuff spread cover sandwich wrap roll dredge press draw "
        "bury tuck drape lay line smear brush bathe dunk drag immerse steep build stack assemble "
        "drink enclose tile alternate encase pass blanket cap nestle cloak submerge close shut"
    ),
    "strew": (
        "scatter sprinkle pour spoon drizzle strew crumble crown dress heap pile shower"
    ),
    "put": (
        "put place set go tip drop slide push turn lower throw transfer move return "
        "pop chuck toss-in bring-together sit slip stick load ease sling shove "
        "land hop collect gather unite bung whack settle"
    ),
    "be": (
        "get enter hit come lie spend give start leave let keep have take meet head need want "
        "require receive follow visit see wait stand use hang stay share call begin finish do"
    ),
    "add": "add join crack throw-in tip-in",
    "make": "make prepare form consist build-up",
    "serve": (
        "serve ladle plate send bring carry hand arrange garnish accompany finish offer eat dish present "
        "deliver enjoy decorate"
    ),
}
"""Verbs that move foods: into one another, into an appliance, or to the guest."""

IRREGULAR: Mapping[str, tuple[str, ...]] = {
    "beat": ("beats", "beating", "beat", "beaten"),
    "cut": ("cuts", "cutting", "cut", "cut"),
    "put": ("puts", "putting", "put", "put"),
    "set": ("sets", "setting", "set", "set"),
    "let": ("lets", "letting", "let", "let"),
    "hit": ("hits", "hitting", "hit", "hit"),
    "spread": ("spreads", "spreading", "spread", "spread"),
    "lay": ("lays", "laying", "laid", "laid"),
    "lie": ("lies", "lying", "lay", "lain"),
    "sit": ("sits", "sitting", "sat", "sat"),
    "go": ("goes", "going", "went", "gone"),
    "get": ("gets", "getting", "got", "gotten"),
    "come": ("comes", "coming", "came", "come"),
    "give": ("gives", "giving", "gave", "given"),
    "take": ("takes", "taking", "took", "taken"),
    "make": ("makes", "making", "made", "made"),
    "bring": ("brings", "bringing", "brought", "brought"),
    "send": ("sends", "sending", "sent", "sent"),
    "do": ("does", "doing", "did", "done"),
    "begin": ("begins", "beginning", "began", "begun"),
    "eat": ("eats", "eating", "ate", "eaten"),
    "tear": ("tears", "tearing", "tore", "torn"),
    "draw": ("draws", "drawing", "drew", "drawn"),
    "throw": ("throws", "throwing", "threw", "thrown"),
    "strew": ("strews", "strewing", "strewed", "strewn"),
    "leave": ("leaves", "leaving", "left", "left"),
    "keep": ("keeps", "keeping", "kept", "kept"),
    "have": ("has", "having", "had", "had"),
    "spend": ("spends", "spending", "spent", "spent"),
    "stick": ("sticks", "sticking", "stuck", "stuck"),
    "meet": ("meets", "meeting", "met", "met"),
    "see": ("sees", "seeing", "saw", "seen"),
    "sling": ("slings", "slinging", "slung", "slung"),
    "build": ("builds", "building", "built", "built"),
    "drink": ("drinks", "drinking", "drank", "drunk"),
    "stand": ("stands", "standing", "stood", "stood"),
    "shut": ("shuts", "shutting", "shut", "shut"),
    "hang": ("hangs", "hanging", "hung", "hung"),
}

SHAPES: Mapping[str, str] = {
    "chop": "chunk cube piece dice bit lump block bite square nugget",
    "slice": (
        "slice round strip wedge stick ribbon ring disc disk baton coin finger soldier sliver "
        "segment half-moon matchstick chip penny"
    ),
}
"""What food is cut into, and the process that makes it."""

PLACES: Mapping[str, str] = {
    "grill": "grill bars griddle coals barbecue broiler",
    "fry": "pan skillet frying-pan wok",
    "deep-fry": "fryer fat deep-fryer hot-oil deep-oil hot-fat",
    "boil": (
        "pot saucepan casserole boil simmer cauldron stockpot kettle boiling-water hot-water "
        "salted-water boiling-salted-water simmering-water stove"
    ),
    "bake": "oven",
    "blend": "blender liquidiser",
    "mixer": "mixer",
    "board": "board knife",
    "dish": (
        "dish tin tray bowl basin baking-dish baking-tray roasting-tin roasting-tray oven-dish "
        "ovenproof-dish oven-proof-dish mixing-bowl baking-tin gratin-dish"
    ),
    "plate": (
        "plate plates pass table window counter guest platter customer door bell side "
        "diner bedside waiter hatch tableside"
    ),
}
"""Places, by the process that happens there, or what they are for."""

LEVELS: Mapping[str, str] = {
    "medium-rare": "medium rare",
    "medium rare": "medium rare",
    "rare": "rare",
    "medium": "medium",
    "well done": "well done",
    "well-done": "well done",
    "soft": "soft",
    "soft-boiled": "soft",
    "hard": "hard",
    "hard-boiled": "hard",
    "light": "light",
    "lightly": "light",
    "golden": "golden",
    "gold": "golden",
    "golden-brown": "golden",
    "dark": "dark",
}

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
        "minced beef", "beef patty", "steak", "pork", "lamb chop", "chicken", "bacon", "sausage",
        "turkey", "ham",
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
        "carrot", "peas", "broccoli", "bell pepper", "onion", "tomato", "cucumber", "lettuce",
        "asparagus", "cabbage", "mushroom", "potato", "spinach",
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
    "pizza pie sandwich lasagne lasagna burger schnitzel parcel gratin stack roll-up "
    "result package construction assembly toastie bundle dishful casserole".split()
)
"""Words for a dish put together, before or after it is cooked."""

PRONOUNS: Mapping[str, str] = {
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
    "the last two": "2",
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
    "the ensemble": "all",
    "whole sandwich": "all",
    "all together": "all",
    "the rest": "rest",
    "each of them": "they",
    "each of these": "they",
    "one": "",
    "the others": "rest",
}

SEASONING = frozenset("salt pepper water seasoning ice".split())

REMARKS = (
    r"\b(?:some|most|many|other|plenty of|lots of|certain|a few|few|half the|all the) "
    r"(?:other )?(?:people|folks?|cooks?|chefs?|kitchens?|places?|restaurants?|books?|recipes?|"
    r"famil(?:y|ies)|households|guests|customers|diners|of them|add|put|use|like|prefer|say|swear|"
    r"would|insist|of you|purists?|regulars|colleagues|bars|pubs|cafes|shops|grandmothers|versions)",
    r"\bpeople (?:who|will|say|have|think|like|put|add|ask)\b",
    r"\bi (?:know|knew|met) (?:people|someone|somebody|a|of|cooks|chefs|places|one|plenty|some)\b",
    r"\b(?:there are|there is|there will be|there's) (?:always )?(?:people|those|someone|somebody)\b",
    r"\bothers (?:add|put|use|like|swear|do|prefer|will|may)\b",
    r"\b(?:i|we) (?:have|had)? ?(?:once |also |even |already )?(?:tried|seen|heard|known|eaten|"
    r"watched|met|read|worked)\b",
    r"\bi used to\b",
    r"\b(?:i|we) once\b",
    r"\bonce (?:i|we|someone|somebody|a|an|my|had)\b",
    r"\b(?:my|your|his|her|our|their|the|a) (?:\w+ )?(?:sister|cousin|aunt|auntie|uncle|brother|"
    r"neighbour|neighbor|husband|wife|friend|colleague|ex|purist|gentleman|customer|regular|"
    r"tourist|critic|competition|rival|mother-in-law|father-in-law|flatmate|roommate|lady|"
    r"nephew|niece|son|daughter|predecessor|book|books|internet|apprentice|trainee|new boy|"
    r"magazine|cookbook|actress|actor|inspector)\b",
    r"\bone (?:gentleman|lady|guest|customer|cook|regular|man|woman)\b",
    r"\b(?:hers|theirs|his own|yours)\b",
    r"\b(?:anyone|anybody|whoever|those|a customer|a guest|someone|somebody|people) who\b",
    r"\bacross the (?:street|road)\b",
    r"\b(?:down|up) the (?:street|road)\b",
    r"\bnext door\b",
    r"\bother end of\b",
    r"\bthe other (?:place|restaurant|kitchen|shop)\b",
    r"\belsewhere\b",
    r"\b(?:my|your|his|her|the) last (?:place|job|kitchen|restaurant)\b",
    r"\bwe (?:have been|were|are|get) (?:often )?(?:told|asked)\b",
    r"\bi (?:have been|was|am|get) (?:often )?(?:told|asked)\b",
    r"\b(?:you|he|she|they|it) (?:might|may|could) (?:also |well |even |want |like |prefer |be "
    r"tempted |think |read |hear |see |add |put |use |try )",
    r"\b(?:we|you|i) (?:could|might) (?:also |add |put |use |try )",
    r"\bif (?:you|they|a guest|a customer|the guest|the customer) (?:must|like|likes|want|wants|"
    r"prefer|prefers|fancy|wish|really|insist|insists|have any|happen)\b(?! to know)",
    r"\b(?:would|could|might) (?:not )?have\b(?! already)(?! had)",
    r"\b(?:optional|optionally|feel free)\b",
    r"\b(?:insists?|insisted|swears?|swore) (?:on|by|that)\b",
    r"\b(?:turns?|turned) (?:to|into|it|them|bitter|grey|black|soggy)\b",
    r"\b(?:smells?|tastes?|smelled|tasted) (?:only |just |mostly )?(?:of|like)\b",
    r"\b(?:that|who) (?:skips?|sits|waits|has waited|have waited)\b",
    r"\b(?:too) (?:long|much|soon|early|late)\b",
    r"\bthe temptation\b",
    r"\btempt(?:ed|ing)?\b",
    r"\byears ago\b",
    r"\bused to be\b",
    r"\bthere is no such\b",
    r"\bsuppos(?:ed|edly)\b",
    r"\bi (?:like|love|prefer|remember|wonder|dream)\b",
    r"\b(?:in|at) other (?:places|kitchens|restaurants|houses)\b",
)
"""Signs that a clause is talk about the recipe, or about somebody else's, and asks for nothing."""

NEGATIONS = frozenset(
    (
        "not never nobody nothing none neither nor without no hardly avoid skip resist omit "
        "refrain forget cannot instead-of rather-than stays-out-of out-of no-need untouched"
    ).split()
)

NOT_NEGATIVE = (
    r"no (?:longer|more|less|fewer|sooner|later|further|trouble|time|problem|doubt|matter|"
    r"particular|special|exception|fuss)(?: than(?= <))?",
    r"not (?:only|just|more than|less than|until|long|quite|least|a (?:\w+ )?(?:lump|streak|spot))",
    r"never mind",
    r"nothing (?:else|more|but|fancy|like|much|to it)",
    r"none the less",
    r"if not",
    r"why not",
)
"""Negative words that negate no step."""

PERSONS = frozenset(
    (
        "i we you she he they somebody someone nobody everybody everyone mother father grandmother "
        "grandfather nonna mum mom dad landlady chef cook who people man woman"
    ).split()
)
"""Words for who does the work."""

EARLIER = (
    r"earlier|beforehand|before (?:that|this|then|all (?:that|this)|any of (?:that|this|it)|anything"
    r"(?: else)?)|but first|first,? though|though,? first|already|previously|in advance|ahead of time"
    r"|by then|by that time|(?:has|have|had) been|(?:has|have|had|having) (?=\w+(?:ed|en|cut)\b)"
    r"|will have|must first|to begin with"
)
"""Signs that what is told happened before what was told last."""

SUBORDINATORS: Mapping[str, str] = {
    "while": "during",
    "whilst": "during",
    "as soon as": "during",
    "as long as": "during",
    "when": "during",
    "whenever": "during",
    "once": "during",
    "after": "during",
    "by the time": "during",
    "until": "until",
    "till": "until",
    "before": "before",
    "because": "reason",
    "since": "reason",
    "so that": "so",
    "so": "and",
    "after which": "then",
    "only then": "then",
    "and only then": "then",
    "or else": "reason",
    "otherwise": "reason",
    "unless": "reason",
    "if": "reason",
    "although": "reason",
    "though": "reason",
    "than": "reason",
    "lest": "reason",
    "as if": "reason",
    "as though": "reason",
    "where": "where",
    "which": "where",
    "who": "reason",
    "whose": "and",
    "but": "but",
    "and then": "then",
    "and": "and",
    "then": "then",
    "or": "or",
    "nor": "or",
    "plus": "and",
    "namely": "and",
    "whereas": "and",
    "whereupon": "and",
    "whatever": "reason",
    "like": "reason",
}
"""Words that open a clause, and what kind of clause that is."""

LIKEWISE = (
    "likewise", "too", "also", "as well", "so is", "so are", "so was", "so were", "so does",
    "so do", "so goes", "as is", "as are", "the same goes for", "same for", "the same for",
    "ditto", "same with", "the same with", "similarly", "same again for", "as does", "as do",
)  # fmt: skip
"""Phrases that give a food what another food was given."""

ADVERBIALS = (
    "before that", "before this", "before any of that", "before any of this", "before all that",
    "before all this", "before anything else", "before anything", "before then", "before it all",
    "after that", "after this", "since then", "at once", "all at once", "just once", "once more",
    "once again", "for once", "like so", "like this", "like that", "as usual", "even so", "or so",
    "for this", "for that", "for these", "for those", "for which", "by then", "until then",
    "just then", "even then", "now and then", "from then on", "yet another", "as it is", "as they are", "as it comes", "as they come", "at the same time", "from the start",
    "right from the start", "at the same moment", "all in", "in turn", "for good", "at last",
    "last of all", "first of all", "in peace", "in the meantime", "in the middle", "on top",
    "cut side", "cut sides", "to begin with", "to start with", "in advance", "to finish", "to serve", "and so on",
    "at that", "in time", "on time", "no time", "in one go", "in the end", "at the end",
)  # fmt: skip
"""Fixed phrases that say how or when, and name nothing."""

PREPOSITIONS: Mapping[str, str] = {
    "with": "with",
    "along with": "with",
    "together with": "with",
    "alongside": "with",
    "as well as": "with",
    "plus": "with",
    "in with": "with",
    "including": "with",
    "in": "in",
    "into": "in",
    "inside": "in",
    "through": "in",
    "to": "to",
    "onto": "on",
    "on": "on",
    "upon": "on",
    "over": "on",
    "on top of": "on",
    "atop": "on",
    "around": "on",
    "under": "on",
    "underneath": "on",
    "between": "on",
    "beneath": "on",
    "from": "from",
    "of": "of",
    "for": "for",
    "by": "by",
    "off": "off",
    "out of": "off",
    "beside": "beside",
    "besides": "beside",
    "next to": "beside",
    "against": "beside",
    "about": "about",
    "regarding": "about",
    "at": "at",
}
