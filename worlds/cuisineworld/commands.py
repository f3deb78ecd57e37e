"""The text of commands: `goto_agent0_pot1`, `get_agent0_rice_storage0`, `noop_agent1`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from worlds.cuisineworld.feedback import Feedback, Kind
from worlds.cuisineworld.kitchen import Kitchen

VERBS = ("goto", "get", "put", "activate", "noop")


class Command(NamedTuple):
    """A command that can be read; `item` is what to get, named for storage alone."""

    verb: str
    agent: int
    place: str | None = None
    item: str | None = None


def goto(agent: int, place: str) -> str:
    """The text of going to a place."""
    return f"goto_agent{agent}_{place}"


def get(agent: int, place: str, item: str | None = None) -> str:
    """The text of taking an item (from storage), or what is ready (from a tool)."""
    return f"get_agent{agent}_{place}" if item is None else f"get_agent{agent}_{item}_{place}"


def put(agent: int, place: str) -> str:
    """The text of putting what is held into a place."""
    return f"put_agent{agent}_{place}"


def activate(agent: int, place: str) -> str:
    """The text of turning a tool on."""
    return f"activate_agent{agent}_{place}"


def noop(agent: int) -> str:
    """The text of doing nothing."""
    return f"noop_agent{agent}"


def read(kitchen: Kitchen, texts: Sequence[str]) -> tuple[Command, ...] | Feedback:
    """A list of commands, or why the list is refused whole.

    The commands are looked at one after the other, each for its verb, its number of words, its
    agent and its place (the last word), then the list for agents that come twice. Only `activate`
    is refused for a word too many.
    """
    commands = []
    for text in texts:
        command = _read(text, kitchen.agents)
        if isinstance(command, Feedback):
            return command
        if command.place is not None and command.place not in kitchen.places:
            return Feedback(Kind.UNKNOWN_PLACE, command.agent, command.place, text)
        commands.append(command)
    if len({command.agent for command in commands}) < len(commands):
        twice = [command.agent for command in commands]
        agent = next(agent for agent in twice if twice.count(agent) > 1)
        return Feedback(Kind.REPEATED_AGENT, agent)
    return tuple(commands)


@lru_cache(maxsize=4096)
def _read(text: str, agents: int) -> Command | Feedback:
    verb, *words = text.split("_")
    if verb not in VERBS:
        return Feedback(Kind.UNKNOWN_VERB, about=text)
    if len(words) < (1 if verb == "noop" else 2):
        return Feedback(Kind.TOO_FEW_WORDS, about=text)
    names = [f"agent{number}" for number in range(agents)]
    if words[0] not in names:
        return Feedback(Kind.UNKNOWN_AGENT, about=text)
    if verb == "activate" and len(words) > 2:
        return Feedback(Kind.TOO_MANY_WORDS, about=text)
    place = words[-1] if len(words) > 1 else None
    return Command(verb, names.index(words[0]), place, words[1] if len(words) > 2 else None)
