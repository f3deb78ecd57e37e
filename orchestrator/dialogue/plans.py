"""Plans as Collab-Overcooked's agents write them: an analysis, a sequence of actions, and talk.

    {"analysis": "...", "plan": ["pickup(apple)", "request('cut(board)')"], "say": "... [END]"}

A request is no action of the agent; the others are told it together with what the agent says. An
agent can write its plan in lines of text, as the paper prints them:

    bob analysis: alice is nearer to the bell on the right.
    bob plan: request('ring(bell 1)'); left
    bob say: Please ring the bell, alice. [END]

A line with the name of a field begins the field. The field ends at the next such line, or at a
fence. The name of any agent may stand before the name of a field.

The published form of a plan has semicolons or line breaks between the actions. Models also write
other lists: with numbers or dashes before the actions, with commas or arrows between them, in
square brackets, and with quotes around them. All of these are read, and each is a kind of leniency.
Nothing inside brackets separates actions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.episodes.conversation import END, NOTHING, requests_in, speech
from cookmas.orchestrator.dialogue.answers import PAD, TIMESTEP
from cookmas.orchestrator.planner import TeamMessage

_NUMBER = re.compile(r"\(?(\d{1,3})[.):](?:\s+|(?=[^\W\d]|[\"'\u201c\u2018(]))")
_DASH = re.compile(r"[-*+\u2022\u2013\u2014]\s+")
_ARROW = re.compile(r"[-=]+>|[→⇒➔]")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019"}
_OPEN, _CLOSE = "([{", ")]}"
_EDGES = " \t\r\n`*"


class ReadList(NamedTuple):
    """The items of a list, and the kinds of leniency with which they were read."""

    items: list[str]
    kinds: set[str]
    """Names of the kinds; empty if the list is as the prompt asks for it."""


def read_list(text: str) -> ReadList:
    """Return the actions in the text of a plan.

    If it has only semicolons, an empty item between two of them stays. Raise ValueError, which
    names the place, if a bracket or a quote in it is open.
    """
    inner, kinds = text.strip(_EDGES), set[str]()
    if _find_bracket_end(inner) == len(inner) and inner not in ("[]", NOTHING, END):
        inner = inner[1:-1]
        kinds.add("list_brackets")
    found = list(_Items(inner, kinds))
    if not kinds and found and all(each.ended_by in ("", ";") for each in found):
        last = [""] if found[-1].ended_by else []
        return ReadList([*(each.text for each in found), *last], kinds)
    return ReadList([each.text for each in found if each.text], kinds)


class _Item(NamedTuple):
    text: str
    ended_by: str


class _Items:
    """The items of a list in order, each with what ended it. Add to `kinds` what was lenient."""

    def __init__(self, text: str, kinds: set[str]) -> None:
        self._text, self._kinds = text, kinds
        self._number: int | None = None
        """The number before the last item; None if there was none."""

    def __iter__(self) -> Iterator[_Item]:
        at = 0
        while at < len(self._text):
            begin = self._skip_mark(at)
            quoted = self._read_quoted(begin)
            end = quoted[1] if quoted else begin
            end, ended_by = self._find_end(end)
            words = quoted[0] if quoted else self._text[begin:end].strip(_EDGES)
            at = end + len(ended_by)
            yield _Item(words, ended_by)

    def _skip_mark(self, at: int) -> int:
        """Return where an item begins after its number or its dash."""
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        if number := _NUMBER.match(self._text, at):
            self._number = int(number[1])
            self._kinds.add("list_marks")
            return number.end()
        if dash := _DASH.match(self._text, at):
            self._kinds.add("list_marks")
            return dash.end()
        return at

    def _read_quoted(self, begin: int) -> tuple[str, int] | None:
        """Return the words of an item in quotes, and their end; None if it is not in quotes."""
        closing = _QUOTES.get(self._text[begin : begin + 1])
        if closing is None:
            return None
        end = self._text.find(closing, begin + 1)
        while end >= 0 and not self._may_end(end + 1):
            end = self._text.find(closing, end + 1)
        if end < 0:
            raise ValueError(f"a quote is open: {self._text[begin : begin + 40]}")
        self._kinds.add("list_quotes")
        return self._text[begin + 1 : end].strip(_EDGES), end + 1

    def _may_end(self, at: int) -> bool:
        """Return whether an item may end here: at the end of the text, or before a separator."""
        while at < len(self._text) and self._text[at] in _EDGES and self._text[at] != "\n":
            at += 1
        return (
            at >= len(self._text)
            or bool(self._find_separator(at))
            or bool(self._is_next_number(at))
        )

    def _find_separator(self, at: int) -> str:
        """Return the separator at a place outside brackets; empty if there is none."""
        if self._text[at] in ";,\n":
            return self._text[at]
        arrow = _ARROW.match(self._text, at)
        return arrow[0] if arrow else ""

    def _is_next_number(self, at: int) -> bool:
        """Return whether the number of the next item is here, as in `1. left 2. right`."""
        if self._number is None or not (at and self._text[at - 1].isspace()):
            return False
        number = _NUMBER.match(self._text, at)
        return number is not None and int(number[1]) == self._number + 1

    def _find_end(self, at: int) -> tuple[int, str]:
        """Return where an item ends, and the separator behind it."""
        depth, begin = 0, at
        while at < len(self._text):
            if not depth and self._is_next_number(at):
                return at, ""
            if self._text[at] in _OPEN:
                depth += 1
            elif self._text[at] in _CLOSE:
                depth = max(0, depth - 1)
            elif not depth and (found := self._find_separator(at)):
                if found not in ";\n":
                    self._kinds.add("list_commas" if found == "," else "list_arrows")
                return at, found
            at += 1
        if depth:
            raise ValueError(f"a bracket is open: {self._text[begin : begin + 40]}")
        return at, ""


def _find_bracket_end(text: str) -> int:
    """Return the place after the bracket that closes the square bracket at the beginning.

    Return -1 if there is none, or if it stays open.
    """
    depth = 0
    for at, character in enumerate(text if text.startswith("[") else "", 1):
        depth += (character in _OPEN) - (character in _CLOSE)
        if not depth:
            return at
    return -1


ANALYSIS, PLAN = "analysis", "plan"


def actions_of(plan: Any) -> ReadList:
    """Return the items of a plan: a list of texts, or a text with semicolons between the items.

    None is a plan without items. An empty item stands for a move without an action. A list in the
    text, or in an item, is read leniently. Raise ValueError if the plan is
    neither a list of texts nor a text, or if it cannot be told where an action ends.
    """
    if isinstance(plan, str):
        return read_list(plan)
    items = [_read_item(item) for item in plan] if isinstance(plan, list) else plan
    if items is None or items == [""]:
        return ReadList([], set())
    if not isinstance(items, list) or not all(isinstance(each, str | None) for each in items):
        raise ValueError("the plan should be a list of actions")
    found = ReadList([], set())
    for item in items:
        words = (item or "").strip()
        read = read_list(words)
        found.items.extend(read.items or [""])
        found.kinds.update(
            read.kinds or ({"list_in_item"} if read.items not in ([], [words]) else ())
        )
    return found


def _read_item(item: Any) -> Any:
    """Return the text of an item that is an object with an action alone."""
    named = isinstance(item, Mapping) and len(item) == 1 and isinstance(item.get("action"), str)
    return item["action"] if named else item


def is_request(item: str) -> bool:
    """Return whether an item of a plan asks another agent for an action."""
    return item.startswith("request(") and bool(requests_in(item))


def is_closed(talk: Sequence[TeamMessage]) -> bool:
    """Return whether the agent that began the talk of a timestep has ended the talk by `END`."""
    return any(said.agent == talk[0].agent and END in said.text for said in talk)


def as_schedule(
    data: Mapping[str, Any], workers: Sequence[str], noted: set[str]
) -> Mapping[str, Any]:
    """Return an answer with the schedule that its plan stands for, without timesteps.

    One worker's plan is a list, the plans of several are an object. An answer without a plan is
    returned unchanged. The kinds of leniency are added to `noted`. Raise ValueError if it cannot be
    told what the actions of a plan are.
    """
    if PLAN not in data:
        return data
    plans = data[PLAN]
    if not isinstance(plans, Mapping):
        plans = {workers[0]: plans}
    steps: dict[str, list[str]] = {}
    requests: list[str] = []
    for worker, plan in plans.items():
        items, kinds = actions_of(plan)
        noted |= kinds
        requests += filter(is_request, items)
        steps[worker] = [item for item in items if not is_request(item)]
    say = data.get("say") or ""
    return {
        "reasoning": data.get(ANALYSIS, data.get("reasoning")),
        "say": speech(say, requests) if isinstance(say, str) else say,
        "schedule": [
            {TIMESTEP: None, **{w: plan[at] for w, plan in steps.items() if at < len(plan)}}
            for at in range(max(map(len, steps.values()), default=0))
        ],
        "lesson": data.get("lesson"),
        PAD: data.get(PAD),
    }


FIELDS = (ANALYSIS, PLAN, "say", "lesson")
"""The fields of an answer, in their order."""

EXPECTED = f"There is no line '{PLAN}: ...' in it; expected lines with {', '.join(FIELDS)}."

_FIELD = re.compile(
    r"^[ \t>*#_`0-9.)-]{0,20}(?:<?\w[\w-]{0,39}>?[ \t]+)?"
    rf"(?P<field>{'|'.join(FIELDS)})[ \t*_`]{{0,5}}(?P<colon>[:\uff1a])[*_`]{{0,5}}"
    rf"|^#{{1,6}}[ \t]+(?:\w[\w-]{{0,39}}[ \t]+)?(?P<heading>{'|'.join(FIELDS)})[ \t*_`]*$",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = "\n```"


def read_lines(
    text: str, *, cut_off: bool = False
) -> tuple[Mapping[str, str], Sequence[str], Collection[str]]:
    """Return the fields in a text, and the names of those that occur more than once.

    The last field of a text that was cut off is omitted. The third value is the kinds of leniency:
    the name of a field may be a heading, or have the colon of Chinese texts, and the plan may be
    another list. Raise ValueError if it cannot be told where an action ends.
    """
    found = list(_FIELD.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    fields = [
        (
            (each["field"] or each["heading"]).lower(),
            text[each.end() : end].partition(_FENCE)[0].strip(_EDGES),
        )
        for each, end in zip(found, ends, strict=False)
    ]
    kinds = {"heading" for each in found if each["heading"]}
    kinds |= {"fullwidth_colon" for each in found if each["colon"] == "\uff1a"}
    counts = Counter(name for name, _ in fields)
    values = dict(fields[:-1] if cut_off else fields)
    if PLAN in values:
        read = read_list(values[PLAN])
        kinds |= read.kinds
        items = (" ".join(item.split()) for item in read.items)
        values[PLAN] = "; ".join(item for item in items if item not in ("", "[]", NOTHING))
    return values, [name for name in FIELDS if counts[name] > 1], kinds


def write_lines(agent: str, answer: Mapping[str, object]) -> str:
    """Return an answer as lines of an agent; a list of actions gets semicolons."""
    lines = []
    for name, value in answer.items():
        words = "; ".join(value) if isinstance(value, list) else str(value)
        lines.append(f"{agent} {name}: {' '.join(words.split())}".rstrip())
    return "\n".join(lines)
