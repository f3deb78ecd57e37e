"""The embedded planner of the corridor, which reads where bells hang and plans all walkers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.corridor.world import Corridor, open_bells, walk

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBER = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})\b", re.IGNORECASE)


class EmbeddedPlanner:
    """A planner that gives each bell to a walker, and plans the walks of all walkers.

    A bell that only one walker may ring goes to this walker. Any other bell goes to the walker with
    the fewest actions so far.
    """

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule for all bells whose places can be read; give up if there are none."""
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
    """Return the places of the walkers, and those of the open bells whose texts name a place."""
    bells = {name: place_in(texts[name]) for name in open_bells(state) if name in texts}
    return dict(state["places"]), {n: place for n, place in bells.items() if place is not None}


def place_in(text: str) -> int | None:
    """Return the first place that a text names; None if it names no place."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    word = match[1].lower()
    return _WORDS.index(word) if word in _WORDS else int(word)
