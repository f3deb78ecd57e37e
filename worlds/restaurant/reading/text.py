"""Prose to plain words: one spelling of everything, times marked, sentences apart."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of time in a text: from `low` to `high` minutes.

    `last` if counted from the end of what cooks, `more` if on top of what came before, `later` if
    it only says when something else begins, `bare` if the minutes are not named as such.
    """

    low: int
    high: int
    last: bool = False
    more: bool = False
    later: bool = False
    bare: bool = False

    @property
    def mark(self) -> str:
        """The span as one word of marked text."""
        flags = "".join(letter for letter, on in zip("lmwb", self[2:], strict=True) if on)
        return f"<{self.low}-{self.high}{flags}>"


_MARK = re.compile(r"<(\d+)-(\d+)([lmwb]*)>")


def span_of(word: str) -> Span | None:
    """The span that a word of marked text stands for."""
    match = _MARK.fullmatch(word)
    if match is None:
        return None
    return Span(int(match[1]), int(match[2]), *(letter in match[3] for letter in "lmwb"))


_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_NUMBERS = (
    {word: value for value, word in enumerate(_ONES)}
    | _TENS
    | {f"{ten}-{_ONES[i]}": tens + i for ten, tens in _TENS.items() for i in range(1, 10)}
    | {f"{ten} {_ONES[i]}": tens + i for ten, tens in _TENS.items() for i in range(1, 10)}
    | {"a couple of": 2, "a couple": 2, "couple of": 2, "half a dozen": 6, "a dozen": 12}
    | {"dozen": 12, "a": 1, "an": 1, "another": 1, "a single": 1}
)
_WORDS = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_NUMBER = rf"(?:\d{{1,4}}|{_WORDS})"
_PLAIN = (
    r"(?:\d{1,4}|"
    + "|".join(
        word
        for word in sorted(_NUMBERS, key=len, reverse=True)
        if word not in ("a", "an", "another")
    )
    + ")"
)
_ADJECTIVES = (
    r"(?: (?:whole|full|good|more|short|long|single|solid|little|extra|further|brief|proper|scant|"
    r"honest|straight|unhurried|quick|lazy|clear|clean|or so|other|additional|slow|gentle|bare|"
    r"fierce|happy|patient|careful|of those|of these|final|last|generous|exact|steady|fast|hot|"
    r"brisk|busy|calm|easy|mere|furious|quiet|hard)){0,3}"
)
_UNIT = r"(?:(?: of (?:those|these|its|their|the))?[ -]?(?:minutes?|mins?)\b)"
_EDGE = (
    r"(?: at (?:the )?(?:very )?(?:least|most|longest|shortest|outside)| minimum| maximum| tops|"
    r" max| min(?=[ ,]))"
)
_MOST = (
    r"(?:at (?:the )?(?:very )?(?:most|least)|no (?:more|less|fewer) than|not more than|"
    r"up to|maybe|perhaps|possibly|maximum|minimum|max|at a pinch|never more than)"
)
_BETWEEN = (
    r"(?: ?- ?| ?(?:to|or|and) ?(?: ?(?:at most|at least|no more than|up to|maybe|perhaps))? |"
    rf",? (?:and |or |to |but )?{_MOST} )"
)
_RANGE = re.compile(
    rf"\b(?P<low>{_NUMBER}){_ADJECTIVES}(?P<unit1>{_UNIT})?(?P<edge1>{_EDGE})?"
    rf"(?P<sep>{_BETWEEN}|, (?=(?:\d+|[a-z]+)(?: minutes?)?{_EDGE}))"
    rf"(?P<high>{_PLAIN}){_ADJECTIVES}(?P<unit2>{_UNIT})?(?P<edge2>{_EDGE})?(?![\w'%])"
)
_SINGLE = re.compile(rf"\b(?P<low>{_NUMBER}){_ADJECTIVES}{_UNIT}(?: or so)?(?!\w)")
_BARE = re.compile(
    rf"\b(?:for(?: the (?:last|final))?|give (?:it|them|each|both)|gets?|just|only|exactly|"
    rf"about|needs?|takes?|time:?|spent) (?P<low>{_PLAIN}|another {_PLAIN})"
    r"(?=[.,;:)]|$| on the | in the | in a | at a | on[.,;:])"
)
_ALONE = re.compile(r"\bfor $"), re.compile(r"^(?:$|[.,;:)])")
"""What is around a number of minutes that is not named as such: `let it simmer for five or six.`"""
_OTHER_UNITS = (
    (re.compile(r"\bthree[- ]quarters of an hour\b"), "45 minutes"),
    (re.compile(r"\b(?:a |one )?quarter(?: of an |-| )hour\b"), "15 minutes"),
    (re.compile(r"\bhalf an? hour\b|\b(?:a )?half[- ]hour\b"), "30 minutes"),
    (re.compile(r"\b(?:an|one) hour\b"), "60 minutes"),
    (re.compile(r"\b(?:60|sixty) seconds\b"), "1 minutes"),
    (re.compile(r"\b(?:120|a hundred and twenty) seconds\b"), "2 minutes"),
    (re.compile(r"(?<=\d)(?:'|m\b)(?!\w)"), " minutes"),
    (re.compile(r"\b(?:a|one) (?:\w+ )?minute or two\b"), "1-2 minutes"),
    (re.compile(r"\bminute's\b"), "minute"),
    (re.compile(r"\bfor another(?= ?[,.;:]| (?:with|in|on|and|until)\b)"), "for another minute"),
    (re.compile(r"\bfor one more(?= ?[,.;:])"), "for another minute"),
    (re.compile(r"\bminutes' (?=\w+ing\b)"), "minutes of "),
    (re.compile(r"\bminutes' "), "minutes "),
)
_BEFORE_LAST = re.compile(r"\b(?:last|final|closing)\s*$")
_BEFORE_MORE = re.compile(r"\b(?:another|further|again)\s*$")
_BEFORE_LATER = re.compile(r"\b(?:after|in|within|every|lasts)\s*$")
_AFTER_LAST = re.compile(
    r"^ ?(?:before (?:the (?:end|finish|\w+ (?:is|are|was|were|has|have|comes?) )|it is (?:done|"
    r"ready|up|finished)|they are (?:done|ready)|it comes|"
    r"serving|time is up)|from the end|to go|left|"
    r"remain|"
    r"of (?:the cooking|the time|its time|their time))"
)
_AFTER_MORE = re.compile(r"^ ?(?:more|longer|further|extra|again)\b")
_AFTER_LATER = re.compile(r"^ ?(?:later|ago|after\b|in,|into it,)")
_INNER_MORE = re.compile(r"\b(?:another|(?<!no )(?<!not )more|further|extra|additional)\b")

_CLITICS = (
    (re.compile(r"\b(ca|wo|sha)n't\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'d (?=(?:\w+ed|been|had|spent|cut|put|made)\b)"), " had "),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"(?<!\w)'em\b"), "them"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"\b(it|that|he|she|there|here|what|who|everything|this)'s\b"), r"\1 is"),
    (re.compile(r"\blet's\b"), "let us"),
    (
        re.compile(
            r"'s (?=(?:out|in|on|off|done|ready|cooked|soft|golden|been|gone|not|still|now|a|"
            r"the)\b)"
        ),
        " is ",
    ),
)
_UNSKINNED = (
    (
        re.compile(
            r"\b(?:with )?(?:the |its |their )?skins? (?:left |still )?on\b|\bskin and all\b|"
            r"\bin (?:its|their) skins?\b"
        ),
        "unpeeled",
    ),
    (
        re.compile(
            r"\b(?:take|takes|taking|took|strip|stripping|get|pull|remove|removing|cut|rub) "
            r"(?:off )?(?:the|its|their) (?:skins?|peel|peels|jackets?) (?:off |from |of |off of )"
            r"(?=\w)"
        ),
        "peel ",
    ),
    (
        re.compile(
            r"\b(?:take|strip|remove|taking|removing) (?:off )?(?:its|their|the) "
            r"(?:skins?|peel|jackets?)(?: off)?\b"
        ),
        "peel it",
    ),
    (re.compile(r"\blos(?:e|es|ing) (?:its|their) (?:skins?|peel|jackets?)\b"), "is peeled"),
    (
        re.compile(
            r"\b(?:its|their|the) (?:skins?|peel) (?:comes?|is|are|was|were) (?:taken off|removed|"
            r"off|stripped off|pulled off)"
        ),
        "it is peeled",
    ),
)
_ASIDE = re.compile(
    r" ?\(([^()]{1,160})\)( (?:with|into|in|over|to|on) [^.;:!?(),]{0,200}"
    r"|, [a-z]+(?: [a-z]+)? and [a-z]+(?: [a-z]+)? (?:together|in|with|for)\b[^.;:!?()]{0,80})"
)
_REPLACED = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2212": "-",
     "\u2014": ";", "\u2026": ", ", "\u00bd": " 1/2", "<": " ", ">": " ", "&": " and "}
)  # fmt: skip
_SPEAKER = re.compile(r"(?:(?<=^)|(?<=[.?!] ))[qa][:.] ?")
_YES = re.compile(r"\?\"? (?=\"?(?:yes|always|of course|certainly|absolutely|indeed|naturally)\b)")
_ELLIPSIS = re.compile(r"\.{2,}")
_DASH = re.compile(r"\s+-{1,3}\s+|--+")
_PARAGRAPH = re.compile(r"\n\s*\n|\n\s*(?=(?:[-*]|\d[.)])\s)")
_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')]*\s+|\s*\u00b6\s*")


def plain(prose: str) -> str:
    """The text in lower case and plain letters, with contractions written out."""
    text = prose.translate(_REPLACED)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    text = text.replace("<", " ").replace(">", " ").replace("`", "'").replace("_", " ")
    text = _ELLIPSIS.sub(", ", _DASH.sub("; ", text))
    for pattern, written in (*_CLITICS, *_UNSKINNED):
        text = pattern.sub(written, text)
    return text


def sentences(prose: str) -> list[str]:
    """The sentences of a text as marked text, paragraphs ending sentences too."""
    text = _PARAGRAPH.sub(" . ", plain(prose))
    text = _ASIDE.sub(r"\2 (\1)", mark_times(_SPACE.sub(" ", text)))
    text = _YES.sub(". ", _SPEAKER.sub("", text))
    return [part for part in _SENTENCE.split(text) if part.strip(" .!?\"'")]


def mark_times(text: str) -> str:
    """The text with every stretch of time written as a mark (see Span)."""
    for pattern, written in _OTHER_UNITS:
        text = pattern.sub(written, text)
    text = _RANGE.sub(_marked_range, text)
    text = _SINGLE.sub(_marked_single, text)
    return _BARE.sub(_marked_bare, text)


def _value(words: str) -> int:
    words = words.strip()
    if words.isdecimal():
        return int(words)
    if words.startswith("another ") and words != "another":
        return _value(words.removeprefix("another "))
    return _NUMBERS[words]


def _marked_range(match: re.Match[str]) -> str:
    low, high = _value(match["low"]), _value(match["high"])
    named = match["unit1"] or match["unit2"]
    glued = match["sep"].strip() in ("-", "to")
    alone = _ALONE[0].search(match.string[: match.start()]) and _ALONE[1].search(
        match.string[match.end() :]
    )
    if not 1 <= low < high or not (named or glued or match["edge2"] or alone):
        if match["unit1"] and match["sep"].strip().startswith("and"):
            return _SINGLE.sub(_marked_single, match[0])
        return match[0]
    if not named and match["low"] in ("a", "an", "another"):
        return match[0]
    between = match.string[max(0, match.start() - 10) : match.start()]
    if match["sep"].strip() == "and" and "between" not in between and not match["edge1"]:
        return match[0]
    return _with_surroundings(match, low, high, bare=not named)


def _marked_single(match: re.Match[str]) -> str:
    minutes = _value(match["low"])
    return _with_surroundings(match, minutes, minutes) if minutes >= 1 else match[0]


def _marked_bare(match: re.Match[str]) -> str:
    minutes = _value(match["low"])
    head = match[0][: match.start("low") - match.start()]
    elliptic = "<" in match.string[: match.start()]
    if minutes < 1 or (minutes == 1 and (head.startswith(("only", "just")) or not elliptic)):
        return match[0]
    last = head.rstrip().endswith(("last", "final"))
    more = "another" in match["low"]
    return head + Span(minutes, minutes, last=last, more=more, bare=True).mark


def _with_surroundings(match: re.Match[str], low: int, high: int, *, bare: bool = False) -> str:
    before = match.string[max(0, match.start() - 24) : match.start()]
    after = match.string[match.end() : match.end() + 40]
    span = Span(
        low,
        high,
        last=bool(_BEFORE_LAST.search(before) or _AFTER_LAST.search(after)),
        more=bool(
            _BEFORE_MORE.search(before) or _AFTER_MORE.search(after) or _INNER_MORE.search(match[0])
        ),
        later=bool(
            (_BEFORE_LATER.search(before) and not after.startswith(" of "))
            or _AFTER_LATER.search(after)
        ),
        bare=bare,
    )
    return span.mark


_WORD = re.compile(r"<\d+-\d+[lmwb]*>|[a-z]+(?:[-'][a-z]+)*|\d+|[.,;:()!?\"]")


def words(sentence: str) -> list[str]:
    """Words, marks and punctuation of a sentence of marked text."""
    return _WORD.findall(sentence)
