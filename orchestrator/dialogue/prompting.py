"""Prompting options, which can be combined freely, and presets that follow published work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

from cookmas.files.errors import InputError

if TYPE_CHECKING:
    from cookmas.episodes.trace import PlannerClass

Demonstration = Literal["none", "two_steps", "full"]
Recipes = Literal["given", "tool"]
Layout = Literal["rows", "columns", "plan", "text", "choice"]
Remembered = Literal["decisions", "actions"]

MOST_WORKERS = 6
"""Greatest number of workers in a demonstration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompting:
    """Options that decide how a planner asks a model. They are independent of each other."""

    form: Layout = "columns"
    """Layout of an answer: rows (one per timestep), columns (one per worker), a plan, or a choice.

    A plan is a sequence of actions without timesteps, with an analysis and a message; `text` is a
    plan that an agent of a team writes in lines of text. A choice is one action out of a list with
    letters; it needs `per_step`. With `per_step` any other answer is a row.
    """
    chain_of_thought: bool = False
    """True to ask for reasoning before the schedule, and for thoughts between its rows."""
    per_step: bool = False
    """True to ask for the actions of one timestep at every timestep, instead of a schedule."""
    look_ahead: int = 0
    """Greatest number of times that a schedule is simulated and sent back for repair."""
    feedback: bool = True
    """True to report the FAILs of the last timestep with their reasons."""
    hints: bool = False
    """True to give CookMAS's own advice for working in the world."""
    helper: bool = False
    """In a team, True to tell an agent to help its partners when the situation demands it."""
    words: bool = False
    """True to tell the situation also in words, if the world can."""
    demonstration: Demonstration = "none"
    """How much of a solved example task to show: nothing, two timesteps, or all of it."""
    demonstration_workers: int | None = None
    """Number of workers in the demonstration; None stands for the number in the world."""
    legal_actions: bool = False
    """True to list for each worker the actions that would not FAIL now."""
    last_step: bool = False
    """True to name the last timestep, if the scenario states it."""
    memory: int = 0
    """Number of last decisions to show."""
    memory_of: Remembered = "decisions"
    """The parts of the last decisions to show.

    With `decisions` these are the state, the reasoning and the actions; with `actions` only the
    actions that did not FAIL.
    """
    lessons: bool = False
    """True to remember FAILs, refusals and the model's own lessons throughout the episode."""
    recipes: Recipes = "given"
    """Where the model finds texts: in the prompt (`given`), or with a look-up tool (`tool`)."""
    queue: bool = False
    """True for an agent of a team that works off its plan at its own moves without the model.

    The model is asked when the plan is used up, when its next action is refused, when others have
    spoken, and when something new happens.
    """
    talk: int = 4
    """In a team, the greatest number of turns of an agent at a timestep; 0 forbids talk."""
    theory_of_mind: bool = False
    """In a team, True to ask first, in a call of its own, what the partners' last actions mean."""
    verify: int = 0
    """Greatest number of refusals of a decision by a verifier, which is a call of its own.

    After a refusal the model decides again. The decision after the last refusal is not verified.
    """
    retries: int = 2
    """Greatest number of times that an unusable answer is sent back.

    After that the planner gives up, or skips this timestep if it is asked at every timestep.
    """

    def __post_init__(self) -> None:
        for name in ("look_ahead", "memory", "talk", "verify", "retries"):
            if not 0 <= getattr(self, name) <= 99:
                raise InputError(name, f"expected 0 to 99, not {getattr(self, name)}")
        if self.form == "choice" and not self.per_step:
            raise InputError("form", "a choice is one decision: use it together with per_step")
        workers = self.demonstration_workers
        if workers is not None and not 1 <= workers <= MOST_WORKERS:
            raise InputError("demonstration_workers", f"expected 1 to {MOST_WORKERS}")
        for name, known in (
            ("form", get_args(Layout)),
            ("memory_of", get_args(Remembered)),
            ("demonstration", get_args(Demonstration)),
            ("recipes", get_args(Recipes)),
        ):
            if getattr(self, name) not in known:
                raise InputError(name, f"expected one of {', '.join(known)}")

    def without_simulation(self) -> Prompting:
        """Return a copy in which the options that need a simulation of the world are off."""
        return replace(self, look_ahead=0, legal_actions=False)

    @property
    def columns(self) -> bool:
        """True if a schedule in an answer has columns."""
        return self.form == "columns" and not self.per_step

    @property
    def looks_up(self) -> bool:
        """True if the model looks texts up itself, with a tool."""
        return self.recipes == "tool"

    @property
    def choice(self) -> bool:
        """True if an answer chooses one action for each worker out of a list with letters."""
        return self.form == "choice"

    @property
    def sequence(self) -> bool:
        """True if an answer is a plan without timesteps."""
        return self.form in ("plan", "text") and not self.per_step

    @property
    def keeps(self) -> bool:
        """True if an answer may keep a part of the active schedule."""
        return not self.per_step and not self.sequence

    @property
    def thoughts(self) -> bool:
        """True if an answer may have thoughts between its rows."""
        return self.chain_of_thought and self.form == "rows" and not self.per_step

    @property
    def planner_class(self) -> PlannerClass:
        """The planner class: `pure`, `assisted` (by checks in the simulator), or `per-step`."""
        if self.per_step:
            return "per-step"
        return "assisted" if self.look_ahead or self.legal_actions else "pure"


DEFAULT = "default"

COLLAB = Prompting(
    form="plan",
    chain_of_thought=True,
    look_ahead=1,
    memory=5,
    memory_of="actions",
    lessons=True,
    queue=True,
    retries=1,
)
"""The agent of Collab-Overcooked."""

_CHOOSING = Prompting(
    form="choice",
    per_step=True,
    chain_of_thought=True,
    feedback=False,
    hints=True,
    words=True,
    legal_actions=True,
    memory=5,
    memory_of="actions",
    talk=0,
)
"""The common parts of LLM-Co and CAC."""

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
    "llm-co": replace(_CHOOSING, helper=True),
    "cac": replace(_CHOOSING, theory_of_mind=True, verify=2),
    "collab-overcooked": Prompting(chain_of_thought=True, look_ahead=1, memory=3, lessons=True),
    "collab": COLLAB,
    "collab-text": replace(COLLAB, form="text"),
}
"""The presets: `default`, and versions of published methods for one central planner.
`collab` and `collab-text` are for an agent of a team. `llm-co` and `cac` have parts that only such
an agent uses.

docs/reference/prompting.md names the sources.
"""


def preset(name: str, own: Mapping[str, Prompting] = MappingProxyType({})) -> Prompting:
    """Return the options of a preset; `own` are the presets that a world defines differently.

    Raise InputError if no preset has the name.
    """
    presets = {**PRESETS, **own}
    if name not in presets:
        raise InputError("preset", f"expected one of {', '.join(presets)}, not {name!r}")
    return presets[name]
