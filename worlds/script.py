"""Scripts: how the scripted model answers for a world, and how its answers are made wrong.

The scripted model replaces a language model where none is available. It answers from a request
alone. A world's script interprets the request, plans by rules, and makes mistakes in the world's
notation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from episodes.world import digest
from orchestrator.dialogue.look_up import LookUp

Deaf = Callable[..., bool]
"""Function that decides if the model overlooks a special wish, by its place and its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The situation that a request describes, as plain data that can go to another process."""

    timestep: int
    """The present timestep."""
    about: Mapping[str, Any]
    """The world's own part, such as its state."""
    texts: Mapping[str, str]
    """The texts that the request gives or the model looked up, by key."""
    unknown: tuple[str, ...] = ()
    """Keys of the texts that the model still has to look up."""

    @property
    def digest(self) -> str:
        """Digest of everything that the right answer depends on."""
        return digest([self.timestep, self.about, self.texts])


class Planned(NamedTuple):
    """A right answer."""

    schedule: Sequence[Mapping[str, str]]
    """The action of each worker, by timestep from the situation's on; in a turn, of the agent."""
    lines: Mapping[str, Sequence[str]]
    """The readings of each request."""
    reasoning: str
    """Remarks on the answer."""
    gave_up: str | None = None
    """Why there is no answer; None if there is one."""
    say: str = ""
    """In a turn, what the agent tells the others."""
    requests: Sequence[str] = ()
    """In a turn, the actions that the agent asks of the others; they are told with `say`."""


class Script(Protocol):
    """The part of the scripted model that answers for one world.

    `mark` is a block that every request of this world has and no request of another. `texts` is the
    block that gives the texts which otherwise are looked up with `look_up`.
    """

    mark: str
    texts: str
    look_up: LookUp

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Deaf
    ) -> Situation:
        """Return the situation that the blocks of a request describe.

        Raise InputError that names the invalid block.
        """
        ...

    def plan(self, situation: Situation) -> Planned:
        """Return the right schedule. The method must be a pure function: it runs in another
        process.
        """
        ...

    def read(self, situation: Situation) -> Planned:
        """Return the readings of the texts, without a schedule. Must be a pure function."""
        ...

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of `agent` in a team. Must be a pure function."""
        ...

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return the action with a mistake of the kind `fault`, or unchanged if that is impossible.

        `fault` is `illegal`, `wrong_item` or `forbidden_station`; `illegal` is always possible.
        """
        ...

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return a reading in which each name that is struck becomes an unknown one.

        `strikes` takes the position at which a name begins.
        """
        ...
