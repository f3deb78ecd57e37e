"""Scenarios of Overcooked-AI: a layout with one of the dynamics, and the rules of the episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, read_text, validate
from cookmas.worlds.base.settings import check_name, choose_word, parse_whole_number
from cookmas.worlds.overcooked.kitchen import Dynamics, OvercookedKitchen
from cookmas.worlds.overcooked.layout import (
    MOST_BYTES,
    SUFFIX,
    OvercookedLayout,
    load_layout,
    parse_layout,
)
from cookmas.worlds.overcooked.setup import HORIZON, ActLevel, OvercookedRules, Stalemate
from cookmas.worlds.overcooked.world import OvercookedWorld

WORDS: Mapping[str, Mapping[str, Any]] = {
    "dynamics": {"papers": "papers", "current": "current"},
    "stalemate": {"step_away": "step_away", "wait": "wait"},
    "hide_partner": {"yes": True, "no": False},
    "silent": {"yes": True, "no": False},
    "acts": {"any": "any", "low": "low", "medium": "medium"},
}
"""The options that are words, each word with its value."""

SETTINGS = ("layout", "horizon", *WORDS)
"""The options that a user can give with the name of a scenario."""


class ScenarioFile(FileModel):
    """The content of a scenario's file."""

    world: Literal["overcooked"] = "overcooked"
    title: Title = ""
    layout: Name = "cramped_room"
    """Name of a layout that comes with CookMAS."""
    own_layout: Annotated[str, Field(max_length=MOST_BYTES)] | None = None
    """The text of a layout in the original's notation, in place of `layout`."""
    dynamics: Dynamics = "papers"
    """Whether pots start by themselves, as in the papers, or by an interaction."""
    horizon: Annotated[int, Field(ge=1, le=100_000)] = HORIZON
    """Timesteps of an episode."""
    stalemate: Stalemate = "step_away"
    """What a cook does at a medium-level action that others block for long."""
    hide_partner: bool = False
    """Whether no cook knows where the others are, what they hold and what they do."""
    acts: ActLevel = "any"
    """Whether cooks may command low-level acts, medium-level actions, or any of them."""
    silent: bool = True
    """Whether cooks cannot talk, as in the papers."""


@dataclass(frozen=True, kw_only=True)
class OvercookedScenario:
    """A kitchen from a layout."""

    name: str
    """Name of the scenario."""
    path: Path
    """Its file, or that of its layout."""
    file: ScenarioFile
    """Content of the file."""

    @property
    def seed(self) -> int:
        """The seed, of which nothing depends."""
        return 0

    @property
    def horizon(self) -> int:
        """Timesteps of an episode."""
        return self.file.horizon

    @cached_property
    def layout(self) -> OvercookedLayout:
        """The layout of the kitchen."""
        if self.file.own_layout is not None:
            return parse_layout(self.file.own_layout, str(self.path))
        return load_layout(self.file.layout, self.file.dynamics)

    @cached_property
    def kitchen(self) -> OvercookedKitchen:
        """The kitchen."""
        return self.layout.kitchen(self.file.dynamics)

    @property
    def digest(self) -> str:
        """Digest of the content."""
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data."""
        return self.file.model_dump(mode="json", exclude_defaults=True)

    def world(self) -> OvercookedWorld:
        """Return the kitchen as a world."""
        file = self.file
        rules = OvercookedRules(
            horizon=file.horizon,
            stalemate=file.stalemate,
            hide_partner=file.hide_partner,
            acts=file.acts,
            silent=file.silent,
        )
        return OvercookedWorld(self.kitchen, rules)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the only event: the beginning at timestep 0, which calls the planner."""
        return [(0, {"kind": "begin"})]

    async def look_up(self, key: str) -> str:
        """Raise MissingError: there are no texts."""
        raise MissingError(f"there is no text {key!r}")


def build(name: str, path: Path, data: Any, settings: Mapping[str, str]) -> OvercookedScenario:
    """Return the scenario of plain data and options. Raise InputError or MissingError."""
    file = validate(ScenarioFile, data, str(path))
    options = parse_options(settings)
    file = file.model_copy(update=options)
    if "own_layout" in options:
        path = Path(settings["layout"])
    scenario = OvercookedScenario(name=name, path=path, file=file)
    if scenario.kitchen.cooks < 1:
        raise InputError(str(path), "grid: expected at least one start, a digit")
    return scenario


def parse_options(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return options as the fields of a file. Raise InputError for unknown or invalid ones."""
    typed: dict[str, Any] = {}
    for name, value in settings.items():
        check_name(name, SETTINGS, "overcooked")
        if name == "layout":
            typed.update(_read_layout_option(value))
        elif name == "horizon":
            typed[name] = parse_whole_number(name, value)
            if not 1 <= typed[name] <= 100_000:
                raise InputError("--horizon", f"expected 1 to 100000 timesteps, not {value}")
        else:
            value = {"True": "yes", "False": "no"}.get(value, value)
            choose_word(name, value, WORDS[name])
            typed[name] = WORDS[name][value]
    return typed


def _read_layout_option(value: str) -> dict[str, Any]:
    if not value.endswith(SUFFIX):
        return {"layout": value, "own_layout": None}
    return {"own_layout": read_text(Path(value), MOST_BYTES)}
