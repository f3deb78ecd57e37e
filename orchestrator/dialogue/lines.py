"""Answers as lines of text, as the paper of Collab-Overcooked prints them.

    bob analysis: alice is nearer to the bell on the right.
    bob plan: request('ring(bell 1)'); left
    bob say: Please ring the bell, alice. [END]

A line with the name of a field begins the field. The field ends at the next such line, or at a
fence. The name of any agent may stand before the name of a field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from cookmas.episodes.speech import NOTHING
from cookmas.orchestrator.dialogue.plans import ANALYSIS, PLAN

FIELDS = (ANALYSIS, PLAN, "say", "lesson")
"""The fields of an answer, in their order."""

EXPECTED = f"There is no line '{PLAN}: ...' in it; expected lines with {', '.join(FIELDS)}."
"""The problem with an answer that has no plan."""

_FIELD = re.compile(
    r"^[ \t>*#_`0-9.)-]{0,20}(?:<?\w[\w-]{0,39}>?[ \t]+)?"
    rf"({'|'.join(FIELDS)})[ \t*_`]{{0,5}}:[*_`]{{0,5}}",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_REST = 200
"""Greatest length of the end of an action in its next line; longer texts are no action."""

_BETWEEN = re.compile(rf""";|(?<![(,'"])\n(?![^()]{{0,{_LONGEST_REST}}}\))""")
_FENCE = "\n```"
_EDGES = " \t\r\n`*"


def read_lines(text: str, *, cut_off: bool = False) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the fields in a text, and the names of those that occur more than once.

    The last field of a text that was cut off is omitted.
    """
    found = list(_FIELD.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    fields = [
        (each[1].lower(), text[each.end() : end].partition(_FENCE)[0].strip(_EDGES))
        for each, end in zip(found, ends, strict=False)
    ]
    counts = Counter(name for name, _ in fields)
    values = dict(fields[:-1] if cut_off else fields)
    if PLAN in values:
        values[PLAN] = _join_actions(values[PLAN])
    return values, [name for name in FIELDS if counts[name] > 1]


def _join_actions(plan: str) -> str:
    """Return a plan with semicolons between its actions; the text may have lines instead.

    An action may continue in the next line.
    """
    items = [" ".join(item.strip(_EDGES).split()) for item in _BETWEEN.split(plan)]
    return "; ".join(item for item in items if item not in ("", "[]", NOTHING))


def write_lines(agent: str, answer: Mapping[str, object]) -> str:
    """Return an answer as lines of an agent; a list of actions gets semicolons."""
    lines = []
    for name, value in answer.items():
        words = "; ".join(value) if isinstance(value, list) else str(value)
        lines.append(f"{agent} {name}: {' '.join(words.split())}".rstrip())
    return "\n".join(lines)
