"""Prompting options, which can be combined freely, and presets that follow published work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.files.options import option, refuse_options

if TYPE_CHECKING:
    from cookmas.episodes.trace import PlannerClass

Demonstration = Literal["none", "two_steps", "full"]
Recipes = Literal["given", "tool"]
AnswerForm = Literal["rows", "columns", "plan", "text", "choice"]
Remembered = Literal["decisions", "actions"]
Reading = Literal["lenient", "strict"]
Told = Literal["all", "own", "news"]

MOST_WORKERS = 6


def _count_option(default: int, about: str) -> int:
    """Return an option whose value is a number from 0 to 99."""
    return option(default, about, least=0, most=99)


@dataclass(frozen=True, kw_only=True)
class Prompting:
    """Options that decide how a planner asks a model. They are independent of each other."""

    form: AnswerForm = option(
        "columns",
        "The layout of an answer: a row for each timestep, a column for each worker, a plan, or a "
        "plan in lines of text, or a choice out of a list.",
    )
    """A plan is a sequence of actions without timesteps, with an analysis and a message; `text` is
    a plan that an agent of a team writes in lines of text. A choice is one action out of a list;
    it needs `per_step`. With `per_step` any other answer is a row.
    """
    chain_of_thought: bool = option(
        False, "Let the model reason before the schedule, and between its rows."
    )
    guided: bool = option(
        False, "Guide the reasoning step by step, by what is known and how probable the rest is."
    )
    """It needs `chain_of_thought`."""
    per_step: bool = option(False, "Ask for one decision at every timestep.")
    look_ahead: int = _count_option(0, "Maximum repairs after a trial in the simulator.")
    feedback: bool = option(True, "Tell which actions FAILed last.")
    hints: bool = option(False, "Give advice for this world.")
    helper: bool = option(False, "In a team, tell each agent to help its partners.")
    words: bool = option(False, "Tell the situation in words too, if the world can.")
    deductions: bool = option(True, "Show what follows from what was observed, if the world can.")
    """Without deductions the situation is not told in words, because words may have some."""
    told: Told = option(
        "all",
        "Tell all of the state, what is at the own stations, or what changed since the last "
        "decision.",
    )
    """The own stations are those of the workers that the planner plans for. A world must know them.
    Words tell all, so only `all` goes with them.
    """
    demonstration: Demonstration = option("none", "Show an example of another task.")
    demonstration_workers: int | None = option(
        None, "Number of workers in the demonstration.", least=1, most=MOST_WORKERS
    )
    """None stands for the number in the world."""
    legal_actions: bool = option(False, "List what each worker can do now.")
    last_step: bool = option(False, "Tell the last timestep, if it is known.")
    memory: int = _count_option(0, "Number of past decisions to show.")
    memory_of: Remembered = option(
        "decisions", "Show past decisions in full, or successful actions."
    )
    """With `decisions` the state, the reasoning and the actions are shown; with `actions` only the
    actions that did not FAIL.
    """
    lessons: bool = option(False, "Keep lessons from FAILed actions.")
    """The model's own lessons are kept too, throughout the episode."""
    scratch_pad: bool = option(
        False, "Let the model write down what it believes, and give it back at the next call."
    )
    recipes: Recipes = option("given", "Recipes in the prompt, or looked up with a tool.")
    queue: bool = option(False, "In a team, work a plan off before the model is asked again.")
    """The model is asked when the plan is used up, when its next action is refused, when others
    have spoken, and when something new happens.
    """
    talk: int = _count_option(4, "Maximum turns of each agent at a timestep.")
    """With 0 an agent takes one turn, and cannot talk."""
    theory_of_mind: bool = option(
        False, "In a team, ask first what the partners' last actions mean."
    )
    verify: int = _count_option(0, "Maximum refusals of an answer by a call that verifies it.")
    """After a refusal the model decides again. The decision after the last refusal is not verified.
    """
    retries: int = _count_option(2, "Maximum requests to repair an unusable answer.")
    """After that the planner gives up, or skips this timestep if it is asked at every timestep."""

    answers: Reading = option(
        "lenient", "Use answers whose meaning is beyond doubt, or only those exactly as asked."
    )

    def __post_init__(self) -> None:
        refuse_options(self)
        if self.form == "choice" and not self.per_step:
            raise InputError("form", "a choice is one decision: use it together with per_step")
        if self.guided and not self.chain_of_thought:
            raise InputError("guided", "there is no reasoning: use it with chain_of_thought")
        if self.words and not self.deductions:
            raise InputError("words", "words may have deductions: leave out one of the options")
        if self.words and self.told != "all":
            raise InputError("words", "words tell all of the state: leave out one of the options")
        if self.scratch_pad and self.form == "text":
            raise InputError("scratch_pad", "lines of text have none: use another form")

    def limit_to(self, *, simulated: bool, listed: bool) -> Prompting:
        """Return a copy in which the options are off that a world cannot serve.

        `simulated` says whether anything observed can be simulated, which a look-ahead needs;
        `listed` whether legal actions can be listed.
        """
        return replace(
            self,
            look_ahead=self.look_ahead if simulated else 0,
            legal_actions=self.legal_actions and listed,
        )

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

CHOOSING = Prompting(
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

CAC = replace(CHOOSING, theory_of_mind=True, verify=2)
"""The agent CAC."""

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
    "llm-co": replace(CHOOSING, helper=True),
    "cac": CAC,
    "cac-triggers": replace(
        CHOOSING,
        form="plan",
        per_step=False,
        feedback=True,
        look_ahead=1,
        legal_actions=False,
        queue=True,
        theory_of_mind=True,
    ),
    "collab-overcooked": Prompting(chain_of_thought=True, look_ahead=1, memory=3, lessons=True),
    "collab": COLLAB,
    "collab-text": replace(COLLAB, form="text"),
}
"""The presets: `default`, and versions of published methods for one central planner.
`collab` and `collab-text` are for an agent of a team. `llm-co` and `cac` have parts that only such
an agent uses. `cac-triggers` is CookMAS's own: an agent like that of CAC which writes a plan, and
is asked only if there is a reason. A trial in the simulator takes the place of CAC's verifier.

docs/reference/prompting.md names the sources.
"""


@dataclass(frozen=True, kw_only=True)
class PromptFields:
    """Where the prompting options and the prompts come from."""

    preset: str | None = option(
        None, f"One of {', '.join(PRESETS)}, or of the world's own.", by_seat="NAME"
    )
    """None stands for the planner's own options."""
    prompts: Path | None = option(None, "A folder with edited prompt files.")


def preset(name: str, own: Mapping[str, Prompting] = MappingProxyType({})) -> Prompting:
    """Return the options of a preset; `own` are the presets that a world defines differently.

    Raise InputError if no preset has the name.
    """
    presets = {**PRESETS, **own}
    if name not in presets:
        near = suggest_name(name, presets)
        raise InputError("preset", f"expected one of {', '.join(presets)}, not {name!r}{near}")
    return presets[name]
