"""Plans as Collab-Overcooked's agents write them: an analysis, a sequence of actions, and talk.

    {"analysis": "...", "plan": ["pickup(apple)", "request('cut(board)')"], "say": "... [END]"}

A request is no action of the agent; the others are told it together with what the agent says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.speech import END, requests_in
from cookmas.orchestrator.planner import TeamMessage

ANALYSIS, PLAN = "analysis", "plan"
"""Fields of an answer: the reasoning, and the actions in order."""


def actions_of(plan: Any) -> list[str]:
    """Return the items of a plan: a list of texts, or a text with semicolons between the items.

    None is a plan without items. An empty item stands for a move without an action. Raise
    ValueError if the plan is neither a list of texts nor a text.
    """
    items = plan.split(";") if isinstance(plan, str) else plan
    if items is None or items == [""]:
        return []
    if not isinstance(items, list) or not all(isinstance(each, str | None) for each in items):
        raise ValueError("the plan should be a list of actions")
    return [(each or "").strip() for each in items]


def is_request(item: str) -> bool:
    """Return whether an item of a plan asks another agent for an action."""
    return item.startswith("request(") and bool(requests_in(item))


def is_closed(talk: Sequence[TeamMessage]) -> bool:
    """Return whether the agent that began the talk of a timestep has ended the talk by `END`."""
    return any(said.agent == talk[0].agent and END in said.text for said in talk)
