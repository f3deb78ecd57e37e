"""The words customers use for what they wish, as data."""

from __future__ import annotations

import re

POLITE = re.compile(
    r"\b(?:please|thanks|thank you|cheers|kindly|if possible|"
    r"if you (?:can|could|would|do not mind)|would you mind|i would like|i would love|"
    r"could (?:i|we|you)|can (?:i|we|you)|may (?:i|we)|"
    r"make sure|be sure|just|really|actually|maybe|perhaps|hello|hi|dear chef|chef)\b"
)
FEWER = re.compile(r"\b((?:\d+|[a-z]+)) (?:fewer|less) (minutes?)\b")
SWAP = re.compile(
    r"\b(?:instead|in place of|rather than|swap\w*|replace\w*|exchange\w*|substitut\w*|"
    r"switch\w*|trade\w*|change\w*|(?:rather|sooner|prefer)\b.*\b(?:than|to|over))\b"
)
INSTEAD = re.compile(r"\b(?:instead of|in place of|rather than|in lieu of|than|over)\b")
WITHOUT = re.compile(
    r"\b(?:no|without|hold|skip|omit|minus|drop|lose|remove|exclude|leave out|leave off|leave|"
    r"left out|take out|take off|take away|not any|do not (?:want|put|add|include|give me|like|eat|"
    r"use|serve|need)(?: me)?(?: any)?|not eat|not have|not stand|no more|hate|detest|dislike|"
    r"allergic to|allergy to|intolerant to|avoid|spare me|keep|forget|nix|ditch|free of|"
    r"never any|zero|not|none of|nothing (?:with|containing|that has|made with)|"
    r"anything (?:but|without))\b"
)
NEEDS_OFF = re.compile(r"\b(?:leave|keep|take)\b(?! (?:out|off|away))")
OFF = re.compile(r"\b(?:off|out|away)\b")
FREE = re.compile(r"-free\b| free\b")
EXTRA = re.compile(
    r"\b(?:extra|double|more|another|additional|twice|second (?:portion|helping|serving|lot)|"
    r"two (?:portions|helpings|servings|lots) of|plenty of|lots of|loads of|add|doubled)\b"
)
LESS = re.compile(r"\b(?:less|shorter|fewer|earlier|sooner|early|short)\b")
MORE = re.compile(r"\b(?:longer|more|extra|additional|further|another|later|over|on top)\b")
NOT_A_WISH = re.compile(
    r"\b(?:no (?:need|rush|hurry|problem|worries|idea|matter|doubt|one|nonsense|fuss|way|extra|"
    r"changes?|wonder|more than)|not (?:sure|need|worry|forget|too|very|leave out|skip|omit|hold)|"
    r"last time|yesterday|usually|once had|grandm\w+|joke|ignore|instructions|system|prompt|"
    r"more than (?:anything|happy|welcome)|free of charge|for free|free drink|gluten-free)\b"
)
CUES = re.compile(
    r"\b(?:done|cook\w*|boil\w*|toast\w*|grill\w*|fr(?:y|ied)|want|like|make|prefer|have|take|"
    r"medium|well|rare|order\w*|serve\w*|should|need)\b"
)
LEVELS = (
    (re.compile(r"\b(?:medium[- ]rare)\b"), "medium rare"),
    (re.compile(r"\b(?:medium[- ]well|well[- ]done|well[- ]cooked|cooked through|fully cooked|"
                r"done through|no pink|not pink)\b"), "well done"),
    (re.compile(r"\b(?:bloody|blue|rare|still mooing)\b"), "rare"),
    (re.compile(r"\bmedium\b"), "medium"),
    (re.compile(r"\b(?:soft|runny|soft[- ]boiled|liquid)\b"), "soft"),
    (re.compile(r"\b(?:hard|hard[- ]boiled|firm|set)\b"), "hard"),
    (re.compile(r"\b(?:golden|golden[- ]brown)\b"), "golden"),
    (re.compile(r"\b(?:dark|darker|very brown|darkly|well toasted)\b"), "dark"),
    (re.compile(r"\b(?:light|lightly|lighter|pale|barely toasted)\b"), "light"),
)  # fmt: skip
STRONG_LEVELS = frozenset({"rare", "medium rare", "well done"})
POTATO_FRIED = frozenset({"chip", "fries", "frites"})
