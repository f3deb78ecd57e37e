"""The verbs, places and shapes of the kitchen, as data."""

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
    "strew": ("scatter sprinkle pour spoon drizzle strew crumble crown dress heap pile shower"),
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
        "serve ladle plate send bring carry hand arrange garnish accompany finish offer eat dish "
        "present deliver enjoy decorate"
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
    "mixer": "mixer whisk",
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

VERB_PHRASES: Mapping[str, tuple[str, str]] = {
    "cut up": ("chop", "base past"),
    "cuts up": ("chop", "finite"),
    "cutting up": ("chop", "ing"),
    "work together": ("mix", "base"),
    "worked together": ("mix", "past"),
    "working together": ("mix", "ing"),
    "work them": ("mix", "base"),
    "work it": ("mix", "base"),
    "worked into": ("mix", "past"),
    "worked in": ("mix", "past"),
    "deep fat fry": ("deep-fry", "base"),
}
"""Phrases that are verbs: their process, and the forms they can be."""
