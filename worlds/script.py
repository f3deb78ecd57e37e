"""What a script is: how the scripted model answers for a world, with what is wrong in its answers.

The scripted model stands in for a language model where none can be had. It answers from what a
request says alone; a world's script reads that, plans by rules, and knows the world's notation well
enough to make mistakes in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from episodes.world import digest
from orchestrator.dialogue.look_up import LookUp

Deaf = Callable[..., bool]
"""Whether the model does not hear a special wish; the arguments say where it stands, and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a request says is the case, as plain data that goes to another process.

    `about` is the world's own; `texts` are those that were given or looked up, `unknown` the keys
    of texts that are still to be looked up.
    """

    timestep: int
    about: Mapping[str, Any]
    texts: Mapping[str, str]
    unknown: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Changes with anything that the right answer depends on."""
        return digest([self.timestep, self.about, self.texts])


class Planned(NamedTuple):
    """A right answer: a schedule, or what was read by line; remarks, and why there is none.

    The schedule has an entry for each timestep from the situation's on: the action of each worker,
    or of the one agent whose turn it is; `say` is what this agent tells the others.
    """

    schedule: Sequence[Mapping[str, str]]
    lines: Mapping[str, Sequence[str]]
    reasoning: str
    gave_up: str | None = None
    say: str = ""


class Script(Protocol):
    """How the scripted model answers for one world.

    `mark` is a block that every request of this world has and no request of another; `texts` the
    block in which the texts are given that else are looked up.
    """

    mark: str
    texts: str
    look_up: LookUp

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Deaf
    ) -> Situation:
        """What the blocks of a request say. Raises InputError naming the block at fault."""
        ...

    def plan(self, situation: Situation) -> Planned:
        """The right schedule. A pure function, run in another process."""
        ...

    def read(self, situation: Situation) -> Planned:
        """What is read in the texts, without a schedule. A pure function likewise."""
        ...

    def turn(self, situation: Situation, agent: str) -> Planned:
        """What `agent` does in its turn in a team. A pure function likewise."""
        ...

    def corrupted(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """An action that is wrong in the way of a fault, or the same where that cannot be.

        `fault` is `illegal`, `wrong_item` or `forbidden_station`; `illegal` always can be.
        """
        ...

    def misread(self, text: str, situation: Situation, strikes: Callable[[int], bool]) -> str:
        """What was read, with a name unknown here for each that is struck where it begins."""
        ...
