"""The options that say which model to use and what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from cookmas.commands.options.fields import amount, duration, option, with_options

OPTIONS: Mapping[str, Any] = {
    "model": option(str | None, "--model", "Name of the model, for planners that call one."),
    "base_url": option(
        str | None,
        "--base-url",
        "OpenAI-compatible endpoint, such as http://localhost:8000/v1; else OpenAI's own.",
        envvar="OPENAI_BASE_URL",
    ),
    "deadline": Annotated[
        float,
        duration("Seconds that a call may take, with all its tries.", "--deadline", least=0.001),
    ],
    "price_in": Annotated[float | None, amount("Money per million prompt tokens.", "--price-in")],
    "price_cached": Annotated[
        float | None,
        amount("The same for cached prompt tokens; else as the others.", "--price-cached"),
    ],
    "price_out": Annotated[
        float | None, amount("Money per million answered tokens.", "--price-out")
    ],
    "budget_calls": option(int | None, "--budget-calls", "Calls that an episode may make.", min=0),
    "budget_tokens": option(
        int | None, "--budget-tokens", "Tokens, in and out, that an episode may use.", min=0
    ),
    "budget_money": Annotated[
        float | None, amount("Money that an episode may spend.", "--budget-money")
    ],
    "record": option(
        Path | None, "--record", "Cassette to which answers are added.", dir_okay=False
    ),
    "replay": option(
        Path | None, "--replay", "Cassette, trace or run that answers instead of a model."
    ),
}


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `options`, with an option for each of its fields in the place of it."""

    def made(**said: Any) -> Any:
        from orchestrator.models.options import ModelOptions
        from orchestrator.runs.folder import trace_file

        if replay := said.get("replay"):
            said["replay"] = trace_file(replay)
        return ModelOptions(**said)

    return with_options(command, "options", OPTIONS, made, {"deadline": 600.0})
