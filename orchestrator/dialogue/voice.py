"""The voice of a world: how it puts its observations and texts into words for a model.

Its words stand in prompt files: texts with slots, such as `{{name}}`, that are filled in.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World, movers
from cookmas.episodes.conversation import ToolCall
from cookmas.episodes.possible import list_legal
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import read_text
from cookmas.orchestrator.dialogue.answers import Pad
from cookmas.orchestrator.dialogue.prompting import DEFAULT, Prompting, preset
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.message import ToolSpec
from cookmas.orchestrator.planner import Observation

SHARED_PROMPTS = Path(__file__).parent / "prompts"
"""The folder of the prompts that all worlds share."""

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")
_SLOT = re.compile(r"\{\{(.*?)\}\}")
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Templates:
    """The prompt files of a world, from its folder or the shared one.

    A file in the folder `edited` replaces the file of the same name. The constructor raises
    MissingError if that folder does not exist, InputError if a file in it cannot be used.
    """

    world: Path
    edited: Path | None = None
    """Folder of the user's edited files; None if there are none."""
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.edited is None:
            return
        if not self.edited.is_dir():
            raise MissingError(f"{self.edited}: there is no such folder of prompts")
        known = self._names()
        expected = "expected one of " + ", ".join(f"{name}.md" for name in known)
        edited = sorted(self.edited.glob("*.md"))
        for path in edited:
            if path.stem not in known:
                raise InputError(str(path), f"is not a prompt file; {expected}")
            self._check(path)
        if not edited:
            raise InputError(str(self.edited), f"has no prompt file; {expected}")

    def _names(self) -> list[str]:
        return sorted({path.stem for folder in self._shipped for path in folder.glob("*.md")})

    @property
    def _shipped(self) -> tuple[Path, Path]:
        return self.world, SHARED_PROMPTS

    def _check(self, path: Path) -> None:
        """Raise InputError if an edited file has a slot that the shipped one lacks."""
        shipped = _find(path.name, self._shipped).read_text(encoding="utf-8")
        slots = dict.fromkeys(_SLOT.findall(shipped), "")
        self.fill(path.stem, slots)

    def _file(self, name: str) -> Path:
        edited = (self.edited,) if self.edited else ()
        return _find(f"{name}.md", (*edited, *self._shipped))

    def text(self, name: str) -> str:
        """Return the text of a prompt file, by its name without `.md`.

        Raise InputError if the file cannot be read.
        """
        if name not in self._texts:
            self._texts[name] = read_text(self._file(name)).strip()
        return self._texts[name]

    def fill_unless_edited(self, name: str, text: str) -> str:
        """Return the text; but if the user has edited the prompt file `name`, or the text is empty,
        return that file, filled.
        """
        own = self.edited is not None and (self.edited / f"{name}.md").exists()
        return text if text and not own else self.fill(name)

    def variant(self, name: str, agent: str | None) -> str:
        """Return the name of a prompt file, or of its variant for agents.

        For an `agent` the name is `agent_NAME` if there is such a file.
        """
        own = f"agent_{name}"
        return own if agent is not None and self._file(own).exists() else name

    def count(self, workers: int) -> str:
        """Return a number of workers in words, such as "two workers", with the world's noun."""
        number = _COUNTS[workers] if workers < len(_COUNTS) else str(workers)
        return f"{number} {self.text('worker')}{'' if workers == 1 else 's'}"

    def digest(self) -> str:
        """Return eight hexadecimal digits that change if any prompt file changes."""
        return digest([self.text(name) for name in self._names()])[:8]

    def fill(self, name: str, values: Mapping[str, str] | None = None) -> str:
        """Return a prompt file with its slots filled in; slots inside the values stay as text.

        The slot `{{worker}}` always has a value: the world's noun for a worker. Raise InputError
        for a slot without a value.
        """
        values = {"worker": self.text("worker"), **(values or {})}

        def value(match: re.Match[str]) -> str:
            if match[1] not in values:
                known = ", ".join(sorted(values)) or "none"
                raise InputError(
                    str(self._file(name)),
                    f"there is no value for the slot {match[0]}; expected one of: {known}",
                )
            return values[match[1]]

        return _GAP.sub("\n\n", _SLOT.sub(value, self.text(name))).strip()


def _find(name: str, folders: Sequence[Path]) -> Path:
    """Return the path of a file in the first folder that has the file, even as a broken link.

    If no folder has the file, return its path in the last folder.
    """
    paths = [folder / name for folder in folders]
    return next((path for path in paths if path.is_symlink() or path.exists()), paths[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """A tool that returns the text for a key, such as the rules of a task for its name."""

    tool: str
    about: str
    key: str
    """Name of the tool's argument."""
    about_key: str
    text: str
    """Name of the field that holds the text in the tool's answer."""

    def spec(self) -> ToolSpec:
        """Return the specification of the tool for a request."""
        return ToolSpec(
            name=self.tool,
            description=self.about,
            parameters={
                "type": "object",
                "properties": {self.key: {"type": "string", "description": self.about_key}},
                "required": [self.key],
                "additionalProperties": False,
            },
        )

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a call of the tool, in any form."""
        called = rf"""["'<:=]\s*{self.tool}\b|\b{self.tool}\s*[({{]"""
        return re.search(called, text) is not None

    async def answer(self, wish: ToolCall, fetch: Fetch) -> dict[str, str]:
        """Return the tool's answer to the model's call `wish`.

        The answer is the text, or an error if the call is invalid. `fetch` gets the text by its
        key.
        """
        if wish.name != self.tool:
            return {"error": f"there is no such tool, only {self.tool}"}
        try:
            key = json.loads(wish.arguments)[self.key]
        except (ValueError, RecursionError, KeyError, TypeError):
            key = None
        if not isinstance(key, str):
            return {"error": f'the arguments should be {{"{self.key}": "{self.about_key}"}}'}
        try:
            return {self.key: key, self.text: await fetch(key)}
        except MissingError:
            return {self.key: key, "error": f"there is no {self.text} of that name"}


STATE, TEXTS = "STATE", "TEXTS"
"""Names of the blocks with the state and with the texts, unless a world has its own."""

POSSIBLE = "POSSIBLE"
"""Name of the block with the legal actions that `Voice.blocks` returns.

A prompt that lists the legal actions leaves this block out. So does a prompt for a choice, which
lists them as OPTIONS or not at all.
"""

LOOK_UP = LookUp(
    tool="look_up_text",
    about="A text that belongs to this world.",
    key="name",
    about_key="the name of the text",
    text="text",
)
"""The tool for the texts of a world that has no tool of its own."""


def mark(name: str) -> str:
    """Return the name of the block that only requests of the world `name` have."""
    return f"WORLD_{re.sub('[^A-Z]+', '_', name.upper())}"


class Voice(ABC):
    """The prompt adapter of a world; the form of the dialogue is the same for all worlds.

    A world must define `prompts`, `rules_and_actions` and `example`; it may override the rest.
    """

    prompts: Path
    """The folder of the world's prompt files; a file there replaces the shared one of its name."""
    look_up: LookUp = LOOK_UP
    """The tool with which a model looks up the world's texts."""
    lettered = False
    """True if a choice names the letter of an option; it may stand for another action next time."""
    presets: Mapping[str, Prompting] = {}
    """The presets that the world defines differently from `PRESETS`."""
    hidden: Collection[str] = ()
    """Fields of the state that a prompt leaves out; the scripted model knows them as at the start.
    """
    counted: Mapping[str, Any] = {}
    """Lists in the state of which a prompt has the length, and what an entry is when it is unknown.
    """
    lists_possible: bool = True
    """True if `blocks` has the legal actions."""

    @property
    def default_prompting(self) -> Prompting:
        """The options of a planner that has none of its own: those of the preset `default`."""
        return preset(DEFAULT, self.presets)

    @abstractmethod
    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> Mapping[str, str]:
        """Return the values of the world's own slots in `system.md`: `rules`, `library` and others.

        In a team, return those in `agent_system.md` for an `agent`.
        """

    @abstractmethod
    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three rows of a schedule, each with the actions of the first workers.

        The rows show the form of an answer and typical work; the actions need not be legal.
        """

    def setting(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that do not change during an episode: data by the name of the block.

        The default is one block with the setup of the world.
        """
        return {mark(observation.world.name): dict(observation.world.setup())}

    def blocks(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the blocks that change with the observation: data by the name of the block.

        The default is the block STATE with the state, and the block POSSIBLE with the legal
        actions of the agent that is asked, or of all workers, if it is their move. POSSIBLE is
        left out if the world cannot list them for what is observed, or without `lists_possible`.
        """
        world, state = observation.world, observation.state
        told = {STATE: self.tell_state(world, state)}
        if not self.lists_possible:
            return told
        asked = [name for name in movers(world, state) if observation.agent in (None, name)]
        legal = list_legal(world, state, observation.agent, asked)
        possible = {} if legal is None else {POSSIBLE: legal}
        return {**told, **possible}

    def tell_state(self, world: World, state: Any) -> dict[str, Any]:
        """Return the data of the block STATE.

        The default is the state as plain data without what is `hidden`, and of what is `counted`
        the length.
        """
        data = world.dump(state)
        told = {name: len(data[name]) if name in self.counted else data[name] for name in data}
        return {name: each for name, each in told.items() if name not in self.hidden}

    def read_state(self, world: World, told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain data of a state from those that `tell_state` returned.

        What they do not tell is as at the start.
        """
        untold = {*self.hidden, *self.counted} - told.keys()
        first = world.dump(world.start()) if untold else {}
        counted = {name: [each] * told[name] for name, each in self.counted.items() if name in told}
        return {**{name: first[name] for name in untold}, **told, **counted}

    def without_deductions(self) -> Voice:
        """Return a voice that shows only what was observed, not what follows from it.

        Raise InputError if there is none, as by default.
        """
        raise InputError("--no-deductions", "this world shows no deductions; leave it out")

    def select_own(
        self, world: World, state: Mapping[str, Any], workers: Sequence[str]
    ) -> dict[str, Any]:
        """Return the part of the block STATE that is at the stations of these workers.

        It also has the orders or goals of the state. An empty station is told as empty. A world
        that overrides this has the prompt file `given_own.md`. By default it has no stations.
        """
        raise NotImplementedError(f"{world.name} has no stations")

    def pad(self, world: World) -> Pad:
        """Return the form of a scratch pad: texts, or further forms, by name.

        The default is a text for each worker.
        """
        return dict.fromkeys(world.workers, "...")

    def texts(self, observation: Observation[Any]) -> tuple[str, Mapping[str, str]]:
        """Return the block of the texts that are needed now: its name, and the texts by key.

        The default is the block TEXTS with all texts that were looked up.
        """
        return TEXTS, dict(observation.texts)

    def remarks_on_schedule(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return remarks on the active schedule, such as the goals that its actions are for."""
        return {}

    def outline(self, world: World, state: Any) -> dict[str, Any]:
        """Return the part of the state that decisions depend on, for memory and demonstrations.

        The default is all that the block STATE tells.
        """
        return self.tell_state(world, state)

    def normalise_action(self, action: str) -> str:
        """Return an action of an answer in the world's own spelling.

        The default is the action unchanged.
        """
        return action

    def find_unknown(self, world: World, action: str) -> str | None:
        """Return, as a sentence, what an action names that there is not in this world.

        Return None if there is no such thing, which is the default.
        """
        return None

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> Mapping[str, Any]:
        """Return the data that show how `workers` workers solve another task.

        They cover the first `timesteps` timesteps, or the whole task if that is None. Raise
        InputError if the world has no demonstration.
        """
        raise InputError(
            "--demonstration",
            f"the world {observation.world.name} has no demonstration; leave it out",
        )
