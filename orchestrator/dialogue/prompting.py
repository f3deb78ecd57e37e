"""Ways of prompting: independent options that combine, and presets after published work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from files.errors import InputError

if TYPE_CHECKING:
    from episodes.trace import PlannerClass

Demonstration = Literal["none", "two_steps", "full"]
Recipes = Literal["given", "tool"]
Layout = Literal["rows", "columns"]

MOST_WORKERS = 6
"""So many workers a world has at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompting:
    """How a model is asked. Each option stands for itself and can be left out.

    form: how a schedule is laid out: in rows, one for each timestep, or in columns, one for each
        worker. One decision is always a row.
    chain_of_thought: reasoning before the schedule, and thoughts between its rows.
    per_step: one decision at every timestep, instead of a schedule.
    look_ahead: so many times a schedule is tried out in the simulator and sent back for repair.
    feedback: what FAILed at the last timestep is said, and why.
    hints: our own advice for working in this world.
    demonstration: how something else was done, in full or its first two timesteps.
    demonstration_workers: how many workers did it; None: as many as there are.
    legal_actions: for each worker the actions that would not FAIL now.
    last_step: which timestep is the last one, where the scenario itself says so.
    memory: so many of the last decisions, each with its state and the reasoning given for it.
    lessons: what FAILed or was refused is kept through the episode, with the model's own words.
    recipes: texts given with the observation, or looked up by the model with a tool.
    talk: in a team so many turns each agent may have at a timestep; with 0 nobody can say anything.
    retries: so many times an answer that cannot be used is sent back before the planner gives up,
        or, asked at every timestep, lets this one go by.
    """

    form: Layout = "columns"
    chain_of_thought: bool = False
    per_step: bool = False
    look_ahead: int = 0
    feedback: bool = True
    hints: bool = False
    demonstration: Demonstration = "none"
    demonstration_workers: int | None = None
    legal_actions: bool = False
    last_step: bool = False
    memory: int = 0
    lessons: bool = False
    recipes: Recipes = "given"
    talk: int = 4
    retries: int = 2

    def __post_init__(self) -> None:
        for name in ("look_ahead", "memory", "talk", "retries"):
            if not 0 <= getattr(self, name) <= 99:
                raise InputError(name, f"expected 0 to 99, not {getattr(self, name)}")
        workers = self.demonstration_workers
        if workers is not None and not 1 <= workers <= MOST_WORKERS:
            raise InputError("demonstration_workers", f"expected 1 to {MOST_WORKERS}")
        for name, known in (
            ("form", ("rows", "columns")),
            ("demonstration", ("none", "two_steps", "full")),
            ("recipes", ("given", "tool")),
        ):
            if getattr(self, name) not in known:
                raise InputError(name, f"expected one of {', '.join(known)}")

    def without_simulation(self) -> Prompting:
        """Return these ways without what simulates a world, for one that cannot be."""
        return replace(self, look_ahead=0, legal_actions=False)

    @property
    def columns(self) -> bool:
        """Whether an answer is laid out in columns."""
        return self.form == "columns" and not self.per_step

    @property
    def thoughts(self) -> bool:
        """Whether there may be thoughts between the rows of an answer."""
        return self.chain_of_thought and not self.columns and not self.per_step

    @property
    def planner_class(self) -> PlannerClass:
        """What helps the model: nothing, checks in the simulator, being asked at every timestep."""
        if self.per_step:
            return "per-step"
        return "assisted" if self.look_ahead or self.legal_actions else "pure"


DEFAULT = "default"

PRESETS: Mapping[str, Prompting] = {
    DEFAULT: Prompting(chain_of_thought=True, hints=True),
    "io": Prompting(feedback=False, demonstration="full"),
    "io-cot": Prompting(feedback=False, demonstration="full", chain_of_thought=True),
    "react": Prompting(
        per_step=True,
        chain_of_thought=True,
        look_ahead=5,
        demonstration="full",
        legal_actions=True,
        memory=1,
    ),
    "mindagent": Prompting(
        per_step=True, look_ahead=1, hints=True, demonstration="full", last_step=True, memory=2
    ),
    "llm-co": Prompting(
        per_step=True,
        chain_of_thought=True,
        feedback=False,
        hints=True,
        legal_actions=True,
        memory=5,
        talk=0,
    ),
    "cac": Prompting(
        per_step=True,
        chain_of_thought=True,
        look_ahead=1,
        feedback=False,
        hints=True,
        legal_actions=True,
        memory=5,
        talk=0,
    ),
    "collab-overcooked": Prompting(chain_of_thought=True, look_ahead=1, memory=3, lessons=True),
}
"""The central-planning counterpart of each arrangement; docs/reference/prompting.md says whose."""


def preset(name: str, own: Mapping[str, Prompting] = MappingProxyType({})) -> Prompting:
    """The options of a preset; `own` are those that a world has otherwise.

    Raises InputError if there is none of that name.
    """
    presets = {**PRESETS, **own}
    if name not in presets:
        raise InputError("preset", f"expected one of {', '.join(presets)}, not {name!r}")
    return presets[name]
