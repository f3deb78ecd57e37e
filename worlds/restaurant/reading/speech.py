"""Words that make sentences, and phrases that only make talk, as data."""

from __future__ import annotations

from collections.abc import Mapping

REMARKS = (
    r"\b(?:some|most|many|other|plenty of|lots of|certain|a few|few|half the|all the) "
    r"(?:other )?(?:people|folks?|cooks?|chefs?|kitchens?|places?|restaurants?|books?|recipes?|"
    r"famil(?:y|ies)|households|guests|customers|diners|of them|add|put|use|like|prefer|say|swear|"
    r"would|insist|of you|purists?|regulars|colleagues|bars|pubs|cafes|shops|"
    r"grandmothers|versions)",
    r"\b(?:as|like) you would\b",
    r"\b\w+ (?:lovers?|eaters?|fans?|haters?)\b",
    r"\bpeople (?:who|will|say|have|think|like|put|add|ask)\b",
    r"\bi (?:know|knew|met) (?:people|someone|somebody|a|of|cooks|chefs|places|one|plenty|some)\b",
    r"\b(?:there are|there is|there will be|there's) (?:always )?"
    r"(?:people|those|someone|somebody)\b",
    r"\bothers (?:add|put|use|like|swear|do|prefer|will|may)\b",
    r"\b(?:i|we) (?:have|had)? ?(?:once |also |even |already )?(?:tried|seen|heard|known|eaten|"
    r"watched|met|read|worked)\b",
    r"\bi used to\b",
    r"\b(?:i|we) once\b",
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
    r"\b(?:turns|turned) (?:to|into|bitter|grey|black|soggy)\b",
    r"\b(?:smells?|tastes?|smelled|tasted) (?:only |just |mostly )?(?:of|like)\b",
    r"\b(?:that|who) (?:skips?|sits|waits|has waited|have waited)\b",
    r"\b(?:too) (?:long|much|soon|early|late)\b",
    r"\bthe temptation\b",
    r"\btempt(?:ed|ing)?\b",
    r"\b(?:reached for|tried to|wanted to|(?:was|were) (?:about|going) to)\b",
    r"\bat home\b",
    r"\byears ago\b",
    r"\bfor (?:\w+ )?(?:years|months|weeks|generations)\b",
    r"\bused to be\b",
    r"\bthere is no such\b",
    r"\bsuppos(?:ed|edly)\b",
    r"\bi (?:like|love|prefer|remember|wonder|dream)\b",
    r"\b(?:in|at) other (?:places|kitchens|restaurants|houses)\b",
)
"""Signs that a clause is talk about the recipe, or about somebody else's, and asks for nothing."""

NEGATIONS = frozenset(
    [
        "not",
        "never",
        "nobody",
        "nothing",
        "none",
        "neither",
        "nor",
        "without",
        "no",
        "hardly",
        "avoid",
        "skip",
        "resist",
        "omit",
        "refrain",
        "forget",
        "cannot",
        "instead-of",
        "rather-than",
        "no-need",
        "untouched",
    ]
)

NOT_NEGATIVE = (
    r"no (?:longer|more|less|fewer|sooner|later|further|trouble|time|problem|doubt|matter|"
    r"particular|special|exception|fuss)(?: than(?= <))?",
    r"not (?:only|just|more than|less than|until|long|quite|least|a (?:\w+ )?(?:lump|streak|spot))",
    r"(?:not|never) (?:to )?(?:forget(?:ting)?|skip(?:ping)?|omit|neglect)",
    r"never mind",
    r"nothing (?:else|more|but|fancy|like|much|to it)",
    r"none the less",
    r"if not",
    r"why not",
)
"""Negative words that negate no step."""

PERSONS = frozenset(
    [
        "i",
        "we",
        "you",
        "she",
        "he",
        "they",
        "somebody",
        "someone",
        "nobody",
        "everybody",
        "everyone",
        "mother",
        "father",
        "grandmother",
        "grandfather",
        "nonna",
        "mum",
        "mom",
        "dad",
        "landlady",
        "chef",
        "cook",
        "who",
        "people",
        "man",
        "woman",
    ]
)
"""Words for who does the work."""

EARLIER = (
    r"earlier|beforehand|before (?:that|this|then|all (?:that|this)|any of (?:that|this|it)|"
    r"anything(?: else)?)|but first|first,? though|though,? first|already|previously|in advance|"
    r"ahead of time"
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
    "likewise", "do the same with", "do the same to", "do the same for", "does the same with",
    "did the same with", "doing the same with",
    "too", "also", "as well", "so is", "so are", "so was", "so were", "so does",
    "so do", "so goes", "as is", "as are", "the same goes for", "same for", "the same for",
    "ditto", "same with", "the same with", "similarly", "same again for", "as does", "as do",
)  # fmt: skip
"""Phrases that give a food what another food was given."""

ADVERBIALS = (
    "before that", "before this", "before any of that", "before any of this", "before all that",
    "before all this", "before anything else", "before anything", "before then", "before it all",
    "after that", "after this", "since then", "at once", "all at once", "just once", "once more",
    "once again", "for once", "like so", "like this", "like that", "as usual", "even so",
    "or so", "for this", "for that", "for these", "for those", "for which", "by then",
    "until then", "to one side", "to the side", "just then", "even then", "now and then",
    "from then on", "yet another",
    "as it is", "as they are", "as it comes", "as they come", "at the same time",
    "from the start", "right from the start", "at the same moment", "all in", "in turn",
    "for good", "at last", "last of all", "first of all", "in peace", "in the meantime",
    "in the middle", "on top", "cut side", "cut sides", "to begin with", "to start with",
    "in advance", "to finish", "to serve", "and so on", "at that", "in time", "on time",
    "no time", "in one go", "in the end", "at the end", "one after the other", "one by one",
    "side by side", "tear off", "tore off", "torn off", "tearing off", "to go with it",
    "to go with them", "to go with this", "to go with that", "on every side", "on each side",
    "on all sides", "on both sides",
    "on either side", "from all sides", "from every side", "to a side", "of both", "out of the way",
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
    "behind": "beside",
    "against": "beside",
    "about": "about",
    "regarding": "about",
    "at": "at",
}

NOUN_BEFORE = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "his",
        "her",
        "its",
        "their",
        "my",
        "our",
        "your",
        "each",
        "every",
        "of",
        "on",
        "onto",
        "from",
        "another",
        "some",
        "no",
        "gentle",
        "quick",
        "thick",
        "thin",
        "hot",
        "rolling",
        "off",
        "good",
        "standard",
        "one",
        "extra",
        "double",
        "more",
        "less",
        "twice",
        "single",
        "separate",
        "same",
        "own",
    ]
)
"""Words that a noun follows rather than a verb."""

CLAUSE_NEXT = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "go",
        "goes",
        "went",
        "get",
        "gets",
        "will",
        "should",
        "must",
        "can",
        "fry",
        "fries",
        "simmer",
        "boil",
        "bake",
        ",",
        ".",
        ";",
        "into",
        "in",
        "on",
        "to",
        "for",
        "together",
        "then",
        "and",
        "with",
        "until",
        "all",
        "up",
        "down",
        "over",
        "cook",
        "cooks",
        "has",
        "have",
    ]
)
"""Words after which `this` and the like stand alone, rather than before a noun."""

DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "some",
        "any",
        "this",
        "that",
        "these",
        "those",
        "his",
        "her",
        "its",
        "their",
        "my",
        "our",
        "your",
        "every",
    ]
)
"""Words that open a noun phrase."""
