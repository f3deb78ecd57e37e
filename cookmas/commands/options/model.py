"""The options that say which model to use and what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cookmas.commands.options.by_seat import seated
from cookmas.commands.options.fields import option, with_options
from cookmas.commands.options.panels import COST, MODEL, RECORDED


def _of_seats(kind: str, flag: str, about: str, **more: Any) -> Any:
    """An option that takes a value for each seat."""
    return option(str | None, flag, about, metavar=f"[SEAT=]{kind}", **more)


OPTIONS: Mapping[str, Any] = {
    "model": _of_seats("NAME", "--model", "Name of the model, for planners that call one."),
    "base_url": _of_seats(
        "URL",
        "--base-url",
        "OpenAI-compatible endpoint, such as http://localhost:8000/v1; else OpenAI's own.",
        envvar="OPENAI_BASE_URL",
    ),
    "key_from": _of_seats(
        "VARIABLE",
        "--key-from",
        "Environment variable with the key; else COOKMAS_API_KEY or OPENAI_API_KEY.",
    ),
    "deadline": _of_seats(
        "SECONDS", "--deadline", "Seconds that a call may take, with all its tries; else 600."
    ),
    "price_in": _of_seats("MONEY", "--price-in", "Money per million prompt tokens."),
    "price_cached": _of_seats(
        "MONEY", "--price-cached", "The same for cached prompt tokens; else as the others."
    ),
    "price_out": _of_seats("MONEY", "--price-out", "Money per million answered tokens."),
    "budget_calls": _of_seats("NUMBER", "--budget-calls", "Calls that an episode may make."),
    "budget_tokens": _of_seats(
        "NUMBER", "--budget-tokens", "Tokens, in and out, that an episode may use."
    ),
    "budget_money": _of_seats("MONEY", "--budget-money", "Money that an episode may spend."),
    "record": option(
        Path | None, "--record", "Cassette to which answers are added.", dir_okay=False
    ),
    "replay": option(
        Path | None, "--replay", "Cassette, trace or run that answers instead of a model."
    ),
}

SEATED = {
    name: f"--{name.replace('_', '-')}" for name in OPTIONS if name not in ("record", "replay")
}
"""The options that can be said for single seats."""

PANELS = {
    **dict.fromkeys(("model", "base_url", "key_from", "deadline"), MODEL),
    **dict.fromkeys(("price_in", "price_cached", "price_out"), COST),
    **dict.fromkeys(("budget_calls", "budget_tokens", "budget_money"), COST),
    **dict.fromkeys(("record", "replay"), RECORDED),
}
"""The group of each option in the help."""


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `options`, with an option for each of its fields in the place of it."""

    def made(**said: Any) -> Any:
        from orchestrator.models.options import BUDGETS, ModelOptions
        from orchestrator.runs.folder import trace_file

        if replay := said.get("replay"):
            said["replay"] = trace_file(replay)
        shared, own = seated(said, SEATED)
        shared = {name: value for name, value in shared.items() if value is not None}
        beside = {name: value for name, value in shared.items() if name not in BUDGETS}
        seats = {seat: ModelOptions(**{**beside, **each}) for seat, each in own.items()}
        return ModelOptions(**shared, seats=seats)

    return with_options(command, "options", OPTIONS, made, panels=PANELS)
