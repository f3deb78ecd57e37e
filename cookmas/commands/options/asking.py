"""The prompting options, which commands such as `cookmas run` and `cookmas prompt` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from cookmas.commands.options.by_seat import split_by_seat
from cookmas.commands.options.fields import amount, option, with_options
from cookmas.commands.options.panels import MODEL, PROMPTING
from cookmas.orchestrator.bounds import HOTTEST
from cookmas.orchestrator.dialogue.prompting import (
    PRESETS,
    Demonstration,
    Layout,
    Recipes,
    Remembered,
)

OPTIONS: Mapping[str, Any] = {
    "preset": option(
        str | None, "--preset", f"One of {', '.join(PRESETS)}.", metavar="[SEAT=]NAME"
    ),
    "form": option(
        Layout | None,
        "--form",
        "The layout of an answer: a row for each timestep, a column for each worker, a plan, or a "
        "plan in lines of text, or a choice out of a list.",
    ),
    "chain_of_thought": option(
        bool | None,
        "--chain-of-thought/--no-chain-of-thought",
        "Let the model reason before the schedule.",
    ),
    "per_step": option(
        bool | None, "--per-step/--no-per-step", "Ask for one decision at every timestep."
    ),
    "look_ahead": option(
        int | None, "--look-ahead", "Maximum repairs after a trial in the simulator.", min=0, max=99
    ),
    "feedback": option(bool | None, "--feedback/--no-feedback", "Tell which actions FAILed last."),
    "hints": option(bool | None, "--hints/--no-hints", "Give advice for this world."),
    "helper": option(
        bool | None, "--helper/--no-helper", "In a team, tell each agent to help its partners."
    ),
    "words": option(
        bool | None, "--words/--no-words", "Tell the situation in words too, if the world can."
    ),
    "demonstration": option(
        Demonstration | None, "--demonstration", "Show an example of another task."
    ),
    "demonstration_workers": option(
        int | None,
        "--demonstration-workers",
        "Number of workers in the demonstration.",
        min=1,
        max=6,
    ),
    "legal_actions": option(
        bool | None, "--legal-actions/--no-legal-actions", "List what each worker can do now."
    ),
    "last_step": option(
        bool | None, "--last-step/--no-last-step", "Tell the last timestep, if it is known."
    ),
    "memory": option(int | None, "--memory", "Number of past decisions to show.", min=0, max=99),
    "memory_of": option(
        Remembered | None, "--memory-of", "Show past decisions in full, or successful actions."
    ),
    "lessons": option(bool | None, "--lessons/--no-lessons", "Keep lessons from FAILed actions."),
    "recipes": option(
        Recipes | None, "--recipes", "Recipes in the prompt, or looked up with a tool."
    ),
    "queue": option(
        bool | None,
        "--queue/--no-queue",
        "In a team, work a plan off before the model is asked again.",
    ),
    "talk": option(
        int | None, "--talk", "Maximum turns of each agent at a timestep.", min=0, max=99
    ),
    "theory_of_mind": option(
        bool | None,
        "--theory-of-mind/--no-theory-of-mind",
        "In a team, ask first what the partners' last actions mean.",
    ),
    "verify": option(
        int | None,
        "--verify",
        "Maximum refusals of an answer by a call that verifies it.",
        min=0,
        max=99,
    ),
    "retries": option(
        int | None, "--retries", "Maximum requests to repair an unusable answer.", min=0, max=99
    ),
    "prompts": option(Path | None, "--prompts", "A folder with edited prompt files."),
    "temperature": Annotated[
        float | None, amount("Temperature of the model.", "--temperature", most=HOTTEST)
    ],
    "max_tokens": option(int | None, "--max-tokens", "Maximum tokens of an answer.", min=1),
    "model_seed": option(int | None, "--model-seed", "Seed of the model's answers."),
}

PANELS = {
    name: MODEL if name in ("temperature", "max_tokens", "model_seed") else PROMPTING
    for name in OPTIONS
}
"""The group of each option in the help."""


def with_asking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with one option for each field of its parameter `asking`."""

    def build(**given: Any) -> Any:
        from cookmas.orchestrator.dialogue.options import AskingOptions

        shared, own = split_by_seat(given, {"preset": "--preset"})
        seats = {seat: AskingOptions(**{**shared, **each}) for seat, each in own.items()}
        return AskingOptions(**shared, seats=seats)

    return with_options(command, "asking", OPTIONS, build, panels=PANELS)
