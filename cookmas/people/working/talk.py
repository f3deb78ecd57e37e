"""The talk of a person with the other agents of a team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cookmas.episodes.conversation import END, NOTHING
from cookmas.files.errors import InputError
from cookmas.files.lines import has_lone_surrogate
from cookmas.orchestrator.dialogue.answers import LONGEST_SAID
from cookmas.orchestrator.dialogue.plans import is_closed
from cookmas.orchestrator.planner import Observation


class Utterance(NamedTuple):
    """The words of a person in one turn, perhaps together with an action."""

    words: str
    """The words; empty if the person says nothing."""
    ends: bool
    """True if the person ends the talk, False if the person waits for an answer."""
    action: str | None = None
    """The action that the person chooses in the same turn."""

    @property
    def message(self) -> str:
        """The message to the others: the words, followed by the mark END if they end the talk."""
        return f"{self.words} {END}" if self.words and self.ends else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The talk at a timestep, in which it is a person's turn."""

    addressed: bool
    """True if another agent has spoken last at this timestep."""
    left: int
    """How often the person may still speak at this timestep."""
    decided: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The actions that others have decided on, as far as the world discloses them."""

    def data(self) -> dict[str, Any]:
        """Return the part of a question that concerns the talk, for a page."""
        return {
            "left": self.left,
            "longest": LONGEST_SAID,
            "addressed": self.addressed,
            "decided": [[agent, list(actions)] for agent, actions in self.decided.items()],
        }

    def check(self, said: Mapping[Any, Any]) -> Utterance:
        """Return the words of an answer `{"say": ..., "end": ...}`. Raise InputError."""
        match said:
            case {"say": str(words), "end": bool(ends), **rest} if not rest:
                words = words.strip()
            case _:
                raise InputError("answer", "expected words, and whether they end the talk")
        if has_lone_surrogate(words):
            raise InputError("answer", "expected whole characters, not a lone surrogate")
        if len(words) > LONGEST_SAID:
            raise InputError("answer", f"expected words of at most {LONGEST_SAID} characters")
        if words.endswith(END):
            words, ends = words.removesuffix(END).rstrip(), True
        return Utterance("" if words == NOTHING else words, ends)


def talk_of(observation: Observation[Any]) -> Talk | None:
    """Return the talk in which an agent may speak now; None if it may not.

    An agent may not speak where talk is forbidden, after its last round, and after the agent that
    began the talk has ended it.
    """
    said, own = observation.talk, observation.agent
    left = observation.rounds - sum(each.agent == own for each in said)
    if left <= 0 or is_closed(said):
        return None
    addressed = bool(said) and said[-1].agent != own
    return Talk(addressed=addressed, left=left, decided=observation.decided)
