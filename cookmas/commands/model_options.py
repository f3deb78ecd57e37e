"""The options that say which model to use and what it may cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _option(flag: str, about: str, **more: object) -> object:
    return typer.Option(flag, help=about, **more)  # type: ignore[arg-type]


Model = Annotated[str | None, _option("--model", "Name of the model, for planners that call one.")]
BaseUrl = Annotated[
    str | None,
    _option(
        "--base-url",
        "OpenAI-compatible endpoint, such as http://localhost:8000/v1; else OpenAI's own.",
        envvar="OPENAI_BASE_URL",
    ),
]
Deadline = Annotated[
    float, _option("--deadline", "Seconds that a call may take, with all its tries.", min=0.001)
]
PriceIn = Annotated[float | None, _option("--price-in", "Money per million prompt tokens.", min=0)]
PriceCached = Annotated[
    float | None,
    _option("--price-cached", "The same for cached prompt tokens; else as the others.", min=0),
]
PriceOut = Annotated[
    float | None, _option("--price-out", "Money per million answered tokens.", min=0)
]
BudgetCalls = Annotated[
    int | None, _option("--budget-calls", "Calls that an episode may make.", min=0)
]
BudgetTokens = Annotated[
    int | None, _option("--budget-tokens", "Tokens, in and out, that an episode may use.", min=0)
]
BudgetMoney = Annotated[
    float | None, _option("--budget-money", "Money that an episode may spend.", min=0)
]
Record = Annotated[
    Path | None, _option("--record", "Cassette to which answers are added.", dir_okay=False)
]
Replay = Annotated[
    Path | None,
    _option("--replay", "Cassette or trace that answers instead of a model.", dir_okay=False),
]
