"""The planners of the corridor that need no model: one for all walkers, and a team."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.corridor.world import Corridor, open_bells, walk

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBER = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})\b", re.IGNORECASE)
_BELL_PLACE = re.compile(r"(\w[\w ]*) hangs at (\d+)")


class EmbeddedPlanner:
    """A planner that gives each bell to a walker, and plans the walks of all walkers.

    A bell that only one walker may ring goes to this walker. Any other bell goes to the walker with
    the fewest actions so far.
    """

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule for all bells whose places can be read; give up if there are none."""
        state, bells = observation.state, read(observation.state, observation.texts)
        if not bells:
            return Plan(schedule=(), gave_up="no text says where a bell hangs")
        places = dict(state["places"])
        rounds: dict[str, list[str]] = {walker: [] for walker in observation.world.workers}
        for name, place in bells.items():
            ringer = state["bells"][name]["ringer"]
            walker = ringer or min(rounds, key=lambda each: len(rounds[each]))
            rounds[walker] += [*walk(places[walker], place), f"ring({name})"]
            places[walker] = place
        return Plan(
            schedule=[
                {walker: steps[t] for walker, steps in rounds.items() if t < len(steps)}
                for t in range(max(map(len, rounds.values())))
            ],
            reasoning="; ".join([f"{len(bells)} bells", *observation.unread]),
            understood={name: [f"at {place}"] for name, place in bells.items()},
        )


class Walker:
    """A walker as an agent: it tells others where bells hang, and rings bells that it may ring."""

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return a message with the bells' places that others need, and the agent's own actions."""
        me, bells = observation.agent, open_bells(observation.state)
        known = read(observation.state, observation.texts)
        told = {
            match[1]: int(match[2])
            for said in (*observation.heard, *observation.talk)
            for match in _BELL_PLACE.finditer(said.text)
        }
        say = ", ".join(
            f"{name} hangs at {place}"
            for name, place in known.items()
            if bells[name]["ringer"] not in (None, me) and name not in told
        )
        mine = [name for name, bell in bells.items() if bell["ringer"] in (None, me)]
        place, steps, where = observation.state["places"][me], list[str](), {**told, **known}
        for name in mine:
            if name in where:
                steps += [*walk(place, where[name]), f"ring({name})"]
                place = where[name]
        if not mine:
            steps = [observation.world.idle]
        return Turn(say=say, actions=steps or None)


class WalkerTeam(Team):
    """A team with one agent for each walker."""

    def __init__(self, workers: Sequence[str] = ("walker_1", "walker_2")) -> None:
        members = {name: Walker() for name in workers}
        super().__init__(name="team", planner_class="embedded", members=members)


def read(state: Corridor, texts: Mapping[str, str]) -> dict[str, int]:
    """Return the places of the open bells whose texts name a place."""
    bells = {name: place_in(texts[name]) for name in open_bells(state) if name in texts}
    return {name: place for name, place in bells.items() if place is not None}


def place_in(text: str) -> int | None:
    """Return the first place that a text names; None if it names no place."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    word = match[1].lower()
    return _WORDS.index(word) if word in _WORDS else int(word)
