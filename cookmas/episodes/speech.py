"""Messages between agents: marks in their words, and requests for actions.

A request is `request('ACTION')`: its speaker wants another agent to do the action. The marks are
those of Collab-Overcooked: `[NOTHING]` says nothing, and `[END]` closes a talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

NOTHING, END = "[NOTHING]", "[END]"
"""Marks: nothing is said; the talk is over."""

LONGEST_REQUEST = 500
"""Greatest length of a quoted action in a request, in characters."""

_QUOTED = re.compile(
    rf"""request\(\s*(["'])(.{{1,{LONGEST_REQUEST}}}?)\1\s*\)""",
    re.DOTALL,
)
_BARE = re.compile(r"""request\(([^"'()]+(?:\([^()]*\)\s*)?)\)""")


def requests_in(text: str) -> list[str]:
    """Return the actions that a text asks for, in order."""
    found = {match.start(): match[2] for match in _QUOTED.finditer(text)}
    found |= {match.start(): match[1] for match in _BARE.finditer(text)}
    return [found[at].strip() for at in sorted(found)]


def speech(words: str, requests: Sequence[str]) -> str:
    """Return what the others are told: the words without the mark NOTHING, then the requests."""
    return "\n".join(filter(None, (words.replace(NOTHING, "").strip(), "; ".join(requests))))
