"""The voice of Robotouille: the agents as published, and the example of a domain file.

The sentences of rules and state are in `words`, the domain file has their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld
from cookmas.worlds.shipped import solved

RETRIES = 5
"""How often ReAct is told what is wrong with an answer before it costs a timestep."""


class RobotouilleVoice(WorldVoice):
    """The voice of any world, with the published agents and with an example."""

    presets: Mapping[str, Prompting] = {
        "io": replace(PRESETS["io"], form="rows", retries=0),
        "io-cot": replace(PRESETS["io-cot"], form="rows", retries=0),
        "react": replace(PRESETS["react"], look_ahead=RETRIES, retries=RETRIES),
    }
    """The agents of Robotouille as published: an unusable line empties a plan of I/O, and ReAct is
    asked again up to five times at no cost in timesteps."""

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Return the example of the domain file, which the first robot solves.

        Raise InputError if the file has none, or too few places for the robots.
        """
        world: Any = observation.world
        example = example_of(world, workers)
        state, shown = example.start(), list[dict[str, Any]]()
        for row in (solved("robotouille", "search:find_schedule")(example, state) or [])[
            :timesteps
        ]:
            actions = dict.fromkeys(example.workers, example.idle) | row
            shown.append({"state": self.outline(example, state), "actions": actions})
            state, _, _ = example.step(state, [Command(*each) for each in actions.items()])
        return {"wish": example.level.wish, "timesteps": shown}


VOICE = RobotouilleVoice()


def example_of(world: RobotouilleWorld, workers: int) -> RobotouilleWorld:
    """Return the world of the example in a domain file, with this number of robots.

    Raise InputError if there is no example, or too few places for the robots.
    """
    entries = world.domain.entries
    if entries.example is None:
        raise InputError("--demonstration", "the domain file has no example; leave it out")
    kinds, objects = entries.kinds, dict(entries.example.objects)
    robots = [name for name, (kind, *_) in objects.items() if kinds[kind].type == entries.worker]
    kind = objects[robots[0]][0]
    free = [
        name
        for name, (_, place, *_) in objects.items()
        if place == "-" and name not in [objects[robot][1] for robot in robots]
    ]
    if workers > len(robots) + len(free):
        why = f"expected at most {len(robots) + len(free)}, the places of the example"
        raise InputError("demonstration_workers", why)
    for number in range(len(robots), workers):
        objects[f"{kind}{number + 1}"] = [kind, free[number - len(robots)]]
    level = {
        "domain": world.level.domain,
        "wish": entries.example.wish,
        "objects": objects,
        "goal": entries.example.goal,
    }
    return RobotouilleWorld(RobotouilleLevel.model_validate(level))
