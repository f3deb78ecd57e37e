"""Scripts: how the scripted model answers for a world, and how its answers are made wrong.

The scripted model replaces a language model if none is available. It knows only the request that it
answers. The script of a world interprets the request, plans by rules, and makes mistakes in the
world's notation. It finds the data of a request in blocks, which are named parts of the prompt
(`orchestrator/dialogue/blocks.py`). By default it answers with random legal actions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Protocol

from cookmas.episodes.base import World, movers
from cookmas.episodes.possible import refuse_unlisted
from cookmas.episodes.reports import OutlastingAction
from cookmas.episodes.world import Command, Json, digest
from cookmas.files.errors import TraceError
from cookmas.orchestrator.dialogue.blocks import CALL, RUNNING, mapping, recall, unexpected_error
from cookmas.orchestrator.dialogue.voice import LOOK_UP, STATE, TEXTS, LookUp, Voice, mark
from cookmas.orchestrator.planner import (
    Observation,
    Planner,
    RunningWork,
    TeamMessage,
    commands_of,
)
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.sandbox.importing import import_named

Overlooks = Callable[..., bool]
"""Function that takes the texts that identify a special wish, such as an order line and its note.

It returns whether the model overlooks this wish.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The situation that a request describes, as plain data for another process."""

    timestep: int
    about: Mapping[str, Any]
    """The world's own part, such as its state."""
    texts: Mapping[str, str]
    """The texts in the request and those that the model looked up, by key."""
    unknown: tuple[str, ...] = ()
    """Keys of the texts that the model must still look up."""
    effect: int | None = None
    """Timestep at which the answer is expected to take effect; None: at once."""
    underway: Sequence[Mapping[str, str]] = ()
    """With `effect`, the rest of the active schedule from the present timestep on."""
    running: Mapping[str, RunningWork] = field(default_factory=dict)
    """The actions that still run, by worker."""

    @property
    def digest(self) -> str:
        """Digest of everything that the right answer depends on."""
        later = () if self.effect is None else (self.effect, self.underway)
        busy = (self.running,) if self.running else ()
        return digest([self.timestep, self.about, self.texts, *later, *busy])


class Planned(NamedTuple):
    """A correct answer, before any mistakes are added."""

    schedule: Sequence[Mapping[str, str]]
    """The action of each worker at each timestep, from the present timestep on.

    In a turn it has only the actions of one agent.
    """
    lines: Mapping[str, Sequence[str]]
    """The readings of each open request, such as the components of an order line."""
    reasoning: str
    """Remarks on the answer."""
    gave_up: str | None = None
    """Why there is no answer; None if there is one."""
    say: str = ""
    """In a turn, the message of the agent to the others."""
    requests: Sequence[str] = ()
    """In a turn, the actions that the agent asks of the others; its message states them."""


class ScriptedDomain(Protocol):
    """The part of a domain that a script knows, which has nothing by which an episode is judged."""

    @property
    def name(self) -> str:
        """Name of the world."""
        ...

    @property
    def voice_spec(self) -> str:
        """The prompt adapter as `module:NAME`."""
        ...

    @property
    def planners(self) -> Mapping[str, str]:
        """The class of each planner as `module:Class`, by name."""
        ...

    def solved(self, name: str) -> Any:
        """Return what the solving of the world has by a name. Raise MissingError if it is gone."""
        ...

    def world(self, setup: Json) -> World:
        """Return the world that a setup describes. Raise TraceError if there is none."""
        ...


class Script:
    """The part of the scripted model that answers for one world.

    Its methods are pure functions, because they run in another process. By default it draws a legal
    action for each worker whose move it is; equal situations get equal answers.
    """

    # What a script overrides.

    mark: str = ""
    """Name of a block that every request of this world has, and no request of another.

    By default the name is made from the world's.
    """
    texts: str = TEXTS
    """Name of the block with the texts."""
    look_up: LookUp = LOOK_UP
    """The tool by which the model looks up missing texts."""
    longest_turn: int | None = 1
    """Greatest number of timesteps that a turn in a team has actions for; None: all."""

    def plan(self, situation: Situation) -> Planned:
        """Return the correct schedule."""
        world, state = self.rebuild(situation)
        draw = Random(situation.digest)
        legal = {worker: list(world.legal(state, worker)) for worker in movers(world, state)}
        drawn = {worker: draw.choice(actions) for worker, actions in legal.items() if actions}
        return Planned(schedule=[drawn], lines={}, reasoning="a legal action for each")

    def read(self, situation: Situation) -> Planned:
        """Return the readings of the texts, without a schedule."""
        return Planned(schedule=[], lines={}, reasoning="")

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of `agent` in a team; by default its part of the schedule."""
        planned = self.plan(situation)
        world, _ = self.rebuild(situation)
        rows = planned.schedule[: self.longest_turn]
        return planned._replace(schedule=[{agent: row.get(agent, world.idle)} for row in rows])

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return the action with a mistake of the kind `fault`.

        `fault` is `illegal`, `wrong_item`, `forbidden_station`, or `wrong_` with a kind of
        question. If an action cannot have the mistake, it is returned unchanged; every action can
        become `illegal`.
        """
        if fault != "illegal":
            return action
        world, state = self.rebuild(situation)
        legal = {each for worker in world.workers for each in world.legal(state, worker)}
        every = world.every_action() or ()
        wrong = [each for each in every if each not in legal]
        return draw.choice(wrong) if wrong else "no action at all"

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return a reading in which some names are replaced by unknown ones.

        `strikes` takes the position at which a name begins, and returns whether to replace it. By
        default the reading is unchanged.
        """
        return text

    def recall(self, blocks: Mapping[str, Any], looked_up: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the blocks of a request with the state as far as the model knows it.

        A prompt may tell only a part of the state. By default the rest is what earlier prompts
        told, as far as this prompt remembers them; there may be parts that the model does not know.
        """
        return recall(blocks, {})

    # The machinery.

    def __init__(self, domain: ScriptedDomain) -> None:
        self.domain = domain
        self.mark = self.mark or mark(domain.name)

    @cached_property
    def voice(self) -> Voice:
        """The voice in which requests are written."""
        voice: Voice = import_named(self.domain.voice_spec, f"world {self.domain.name}")
        return voice

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks of a request describe.

        `looked_up` are the texts that the model looked up, by key. `task` is the task of the
        request, such as `schedule`. `deaf` says which special wishes the model overlooks. Raise
        InputError that names the invalid block.
        """
        setup = mapping(self.mark, blocks.get(self.mark))
        state = mapping(STATE, blocks.get(STATE))
        call = mapping(CALL, blocks.get(CALL))
        about = {"setup": dict(setup), "state": dict(state)}
        situation = Situation(timestep=_timestep(call), about=about, texts={})
        try:
            world, loaded = self.rebuild(situation)
            keys = list(world.lookups(loaded))
        except TraceError as error:
            raise unexpected_error(self.mark, str(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise unexpected_error(STATE, repr(error)) from None
        texts = {**mapping(self.texts, blocks.get(self.texts, {})), **looked_up}
        return replace(
            situation,
            texts={key: texts[key] for key in keys if key in texts},
            unknown=tuple(key for key in keys if key not in texts),
            running=_read_running(blocks),
        )

    def rebuild(self, situation: Situation) -> tuple[Any, Any]:
        """Return the world and the observed state of a situation. Raise InputError if invalid."""
        world = self.domain.world(situation.about["setup"])
        return world, world.load(self.voice.read_state(world, situation.about["state"]))

    def observe(
        self, situation: Situation, agent: str | None = None, talk: Sequence[TeamMessage] = ()
    ) -> Observation[Any]:
        """Return a situation as a planner observes it, or an `agent` that heard the `talk`."""
        world, state = self.rebuild(situation)
        effect, timestep = situation.effect, situation.timestep
        takes = 0 if effect is None else effect - timestep
        return Observation(
            timestep=timestep,
            away={
                name: OutlastingAction(name, each.action, each.since).told
                for name, each in situation.running.items()
            },
            running=situation.running,
            underway=tuple(tuple(map(Command._make, row.items())) for row in situation.underway),
            price=ThinkingPrice(takes, "timesteps") if takes else None,
            effect=effect,
            triggers=(),
            world=world,
            state=state,
            texts=situation.texts,
            fails={},
            agent=agent,
            talk=tuple(talk),
        )

    def ask(self, planner: Planner, situation: Situation, agent: str | None = None) -> Planned:
        """Return what a planner answers in a situation, for an `agent` if one is named."""
        answer = asyncio.run(planner.plan(self.observe(situation, agent)))
        return Planned(
            schedule=[dict(commands_of(entry)) for entry in answer.schedule],
            lines={name: list(read) for name, read in (answer.understood or {}).items()},
            reasoning=answer.reasoning,
            gave_up=answer.gave_up,
        )


def _read_running(blocks: Mapping[str, Any]) -> dict[str, RunningWork]:
    """Return what the busy workers are at. Raise InputError if the block does not say it."""
    block = mapping(RUNNING, blocks.get(RUNNING, {}))
    try:
        return {name: RunningWork(**each) for name, each in block.items()}
    except TypeError as error:
        raise unexpected_error(RUNNING, repr(error)) from None


def _timestep(call: Mapping[str, Any]) -> int:
    timestep = call.get("timestep")
    if not isinstance(timestep, int):
        raise unexpected_error(CALL, "timestep should be a number")
    return timestep


def find_objection(
    script: Script, situation: Situation, agent: str | None, proposed: Mapping[str, str]
) -> str | None:
    """Return why the actions `proposed`, by worker, cannot be carried out now; None if they can.

    `agent` is the agent that has decided; None stands for a central planner. If the observed state
    cannot be simulated, the actions are compared with the legal ones. Return None also if the
    world cannot list those.
    """
    world, state = script.rebuild(situation)
    commands = [Command(*assignment) for assignment in proposed.items()]
    refused: str | None = world.refusal(commands)
    if refused is not None:
        return refused
    simulable = world.simulable(state, agent)
    if simulable is None:
        return refuse_unlisted(world, state, agent, proposed)
    _, outcomes, _ = world.step(simulable, commands)
    fails = (outcomes[name] for name in proposed if not outcomes[name].done)
    return next((outcome.why for outcome in fails), None)
