"""Scripts: how the scripted model answers for a world, and how its answers are made wrong.

The scripted model replaces a language model if none is available. It knows only the request that it
answers. The script of a world interprets the request, plans by rules, and makes mistakes in the
world's notation. It finds the data of a request in blocks, which are named parts of the prompt
(`orchestrator/dialogue/blocks.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from cookmas.episodes.capabilities import simulable
from cookmas.episodes.world import AnyWorld, Command, digest
from cookmas.orchestrator.dialogue.look_up import LookUp

Deaf = Callable[..., bool]
"""Function that takes the texts that identify a special wish, such as an order line and its note.

It returns whether the model overlooks this wish.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The situation that a request describes, as plain data for another process."""

    timestep: int
    """The present timestep."""
    about: Mapping[str, Any]
    """The world's own part, such as its state."""
    texts: Mapping[str, str]
    """The texts in the request and those that the model looked up, by key."""
    unknown: tuple[str, ...] = ()
    """Keys of the texts that the model must still look up."""

    @property
    def digest(self) -> str:
        """Digest of everything that the right answer depends on."""
        return digest([self.timestep, self.about, self.texts])


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


class Script(Protocol):
    """The part of the scripted model that answers for one world.

    `mark` is the name of a block that every request of this world has, and no request of another
    world. `texts` is the name of the block with the texts. The model looks up missing texts with
    the tool `look_up`.
    """

    mark: str
    texts: str
    look_up: LookUp

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Deaf
    ) -> Situation:
        """Return the situation that the blocks of a request describe.

        `looked_up` are the texts that the model looked up, by key. `task` is the task of the
        request, such as `schedule`. `deaf` says which special wishes the model overlooks. Raise
        InputError that names the invalid block.
        """
        ...

    def plan(self, situation: Situation) -> Planned:
        """Return the correct schedule.

        The method must be a pure function, because it runs in another process.
        """
        ...

    def read(self, situation: Situation) -> Planned:
        """Return the readings of the texts, without a schedule. Must be a pure function as well."""
        ...

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of `agent` in a team. Must be a pure function as well."""
        ...

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return the action with a mistake of the kind `fault`.

        `fault` is `illegal`, `wrong_item` or `forbidden_station`. If an action cannot have the
        mistake, it is returned unchanged; every action can become `illegal`.
        """
        ...

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return a reading in which some names are replaced by unknown ones.

        `strikes` takes the position at which a name begins, and returns whether to replace it.
        """
        ...


@runtime_checkable
class RebuildingScript(Protocol):
    """A script that can rebuild the world of a situation, so that decisions can be tried out."""

    def rebuild(self, situation: Situation) -> tuple[AnyWorld[Any], Any]:
        """Return the world and the observed state that a situation describes.

        Raise InputError if they are invalid.
        """
        ...


def find_objection(
    script: Script, situation: Situation, agent: str | None, proposed: Mapping[str, str]
) -> str | None:
    """Return why the actions `proposed`, by worker, cannot be carried out now; None if they can.

    `agent` is the agent that has decided; None stands for a central planner. Return None also if
    the script cannot rebuild the world, or if the observed state cannot be simulated.
    """
    if not isinstance(script, RebuildingScript):
        return None
    world, state = script.rebuild(situation)
    commands = [Command(*each) for each in proposed.items()]
    refused = world.refusal(commands)
    if refused is not None:
        return refused
    known = simulable(world, state, agent)
    if known is None:
        return None
    _, outcomes, _ = world.step(known, commands)
    fails = (outcomes[name] for name in proposed if not outcomes[name].done)
    return next((outcome.why for outcome in fails), None)
