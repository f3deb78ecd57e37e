"""The options that say how a model is asked; `cookmas run` and `cookmas prompt` share them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from orchestrator.dialogue.prompting import PRESETS, Demonstration, Recipes


def _option(kind: Any, flag: str, about: str, **more: Any) -> Any:
    option = typer.Option(flag, help=about, **more)
    return Annotated[kind, option]


OPTIONS: Mapping[str, Any] = {
    "preset": _option(str | None, "--preset", f"One of {', '.join(PRESETS)}."),
    "chain_of_thought": _option(
        bool | None, "--chain-of-thought/--no-chain-of-thought", "Reasoning before the schedule."
    ),
    "per_step": _option(bool | None, "--per-step/--no-per-step", "One decision at every timestep."),
    "look_ahead": _option(
        int | None, "--look-ahead", "Repairs after trying out in the simulator.", min=0, max=99
    ),
    "feedback": _option(bool | None, "--feedback/--no-feedback", "Say what FAILed last."),
    "hints": _option(bool | None, "--hints/--no-hints", "Give advice for this world."),
    "demonstration": _option(
        Demonstration | None, "--demonstration", "Show how another dish was made."
    ),
    "demonstration_workers": _option(
        int | None, "--demonstration-workers", "So many workers made it.", min=1, max=6
    ),
    "legal_actions": _option(
        bool | None, "--legal-actions/--no-legal-actions", "List what each worker can do now."
    ),
    "memory": _option(int | None, "--memory", "Show so many last decisions.", min=0, max=99),
    "lessons": _option(bool | None, "--lessons/--no-lessons", "Keep lessons from what FAILed."),
    "recipes": _option(
        Recipes | None, "--recipes", "Given, or looked up by the model with a tool."
    ),
    "retries": _option(
        int | None, "--retries", "Times an unusable answer is sent back.", min=0, max=99
    ),
    "prompts": _option(Path | None, "--prompts", "A folder with edited prompt files."),
    "temperature": _option(float | None, "--temperature", "Of the model's answers.", min=0.0),
    "max_tokens": _option(int | None, "--max-tokens", "Tokens of an answer at most.", min=1),
    "model_seed": _option(int | None, "--model-seed", "Seed of the model's answers."),
}


def with_asking_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `asking`, with an option for each of its fields in the place of it."""

    @wraps(command)
    def wrapped(**given: Any) -> None:
        from orchestrator.dialogue.options import AskingOptions

        asking = AskingOptions(**{name: given.pop(name) for name in OPTIONS})
        command(**given, asking=asking)

    hints = get_type_hints(command, localns={"AskingOptions": object}, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name])
        for name, parameter in inspect.signature(command).parameters.items()
        if name != "asking"
    ]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in OPTIONS.items()
    ]
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + options
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapped
