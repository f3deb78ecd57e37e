"""The options of the model: its name, endpoint, prices and budgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cookmas.commands.options.by_seat import split_by_seat
from cookmas.commands.options.fields import option, with_options
from cookmas.commands.options.panels import COST, MODEL, RECORDED


def _of_seats(kind: str, flag: str, about: str, **more: Any) -> Any:
    """Return an option that takes a value for each seat."""
    return option(str | None, flag, about, metavar=f"[SEAT=]{kind}", **more)


OPTIONS: Mapping[str, Any] = {
    "model": _of_seats("NAME", "--model", "Name of the model, for planners that call one."),
    "base_url": _of_seats(
        "URL",
        "--base-url",
        "OpenAI-compatible endpoint, such as http://localhost:8000/v1. [default: OpenAI's]",
        envvar="OPENAI_BASE_URL",
    ),
    "key_from": _of_seats(
        "VARIABLE",
        "--key-from",
        "Environment variable with the key. [default: COOKMAS_API_KEY or OPENAI_API_KEY]",
    ),
    "deadline": _of_seats(
        "SECONDS", "--deadline", "Maximum seconds of a call with its retries. [default: 600]"
    ),
    "price_in": _of_seats("MONEY", "--price-in", "Money per million prompt tokens."),
    "price_cached": _of_seats(
        "MONEY", "--price-cached", "Money per million cached prompt tokens. [default: --price-in]"
    ),
    "price_out": _of_seats("MONEY", "--price-out", "Money per million answer tokens."),
    "budget_calls": _of_seats("NUMBER", "--budget-calls", "Maximum calls in an episode."),
    "budget_tokens": _of_seats(
        "NUMBER", "--budget-tokens", "Maximum prompt and answer tokens in an episode."
    ),
    "budget_money": _of_seats("MONEY", "--budget-money", "Maximum cost of an episode."),
    "record": option(
        Path | None, "--record", "Cassette file that records the answers.", dir_okay=False
    ),
    "replay": option(
        Path | None, "--replay", "Cassette, trace or run that supplies answers instead of a model."
    ),
}

SEATED = {
    name: f"--{name.replace('_', '-')}" for name in OPTIONS if name not in ("record", "replay")
}
"""The flags of the options that single seats can have, by the options' names."""

PANELS = {
    **dict.fromkeys(("model", "base_url", "key_from", "deadline"), MODEL),
    **dict.fromkeys(("price_in", "price_cached", "price_out"), COST),
    **dict.fromkeys(("budget_calls", "budget_tokens", "budget_money"), COST),
    **dict.fromkeys(("record", "replay"), RECORDED),
}
"""The group of each option in the help."""


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with one option for each field of its parameter `options`."""

    def build(**given: Any) -> Any:
        from cookmas.orchestrator.models.options import BUDGETS, ModelOptions
        from cookmas.orchestrator.runs.folder import trace_file

        if replay := given.get("replay"):
            given["replay"] = trace_file(replay)
        shared, own = split_by_seat(given, SEATED)
        shared = {name: value for name, value in shared.items() if value is not None}
        beside = {name: value for name, value in shared.items() if name not in BUDGETS}
        seats = {seat: ModelOptions(**{**beside, **each}) for seat, each in own.items()}
        return ModelOptions(**shared, seats=seats)

    return with_options(command, "options", OPTIONS, build, panels=PANELS)
