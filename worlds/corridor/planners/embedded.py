"""The embedded planner of the corridor: it reads where bells hang, and plans a round per walker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from episodes.trace import PlannerClass
from orchestrator.planner import Observation, Plan
from worlds.corridor.world import Corridor, open_bells, walk

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBER = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})\b", re.IGNORECASE)


class EmbeddedPlanner:
    """A planner that gives each bell to its ringer, or to the walker with the shortest round."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule for all bells whose place can be read; give up if none can."""
        places, bells = read(observation.state, observation.texts)
        if not bells:
            return Plan(schedule=(), gave_up="no text says where a bell hangs")
        rounds: dict[str, list[str]] = {walker: [] for walker in observation.world.workers}
        for name, place in bells.items():
            ringer = observation.state["bells"][name]["ringer"]
            walker = ringer or min(rounds, key=lambda each: len(rounds[each]))
            rounds[walker] += [*walk(places[walker], place), f"ring({name})"]
            places[walker] = place
        length = max(map(len, rounds.values()))
        return Plan(
            schedule=[
                {walker: steps[t] for walker, steps in rounds.items() if t < len(steps)}
                for t in range(length)
            ],
            reasoning="; ".join([f"{len(bells)} bells", *observation.unread]),
            understood={name: [f"at {place}"] for name, place in bells.items()},
        )


def read(state: Corridor, texts: Mapping[str, str]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the places of the walkers, and the places of the open bells that the texts name."""
    bells = {name: place_in(texts[name]) for name in open_bells(state) if name in texts}
    return dict(state["places"]), {n: place for n, place in bells.items() if place is not None}


def place_in(text: str) -> int | None:
    """Return the place that a text names; None if it names none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    word = match[1].lower()
    return _WORDS.index(word) if word in _WORDS else int(word)
