"""The options of a run and of its model, which commands, requests, suites and pages share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cookmas.files.options import LONGEST_WAIT, MOST_MONEY, option
from cookmas.orchestrator.thinking import ThinkingPrice

ADDRESS = "COOKMAS_REDIS"
"""The environment variable that may hold the URL of Redis, with user and password.

It replaces the URL in `run.json`, which has no password.
"""

REDIS = "The episode's address in Redis, such as redis://localhost:6379/0#corner."
"""The description of the option `--redis`."""

ORCHESTRATOR = "orchestrator"
"""The place of the person who writes the schedule, besides the workers' seats."""

SUPERVISOR = "supervisor"
"""The place of the person who instructs the orchestrator."""

HOTTEST = 100.0
"""Greatest sampling temperature of a model."""

WORKER_DEADLINE = 10.0
"""Seconds that a remote worker has for each action, if nothing else is said."""

MAX_STALLED = 25
"""Planner calls in a row without progress after which an episode ends.

This is more than any shipped scenario needs: a planner that is called at every timestep is also
called while it only waits.
"""


@dataclass(frozen=True, kw_only=True)
class RunFields:
    """The options of a run that commands share with `RunRequest`."""

    world: str | None = option(None, "The world, if the name has none; or package.module:Domain.")
    max_stalled: int = option(
        MAX_STALLED, "Maximum calls of the planner in a row without progress.", least=1
    )
    seed: int | None = option(
        None, "Seed for the random parts of a scenario. [default: its own]", flag="--draw-seed"
    )
    planner_seed: int | None = option(None, "Seed of a planner that draws.")
    langsmith: bool = option(
        False, "Send orders, prompts and plans to LangSmith.", flag="--langsmith"
    )
    otel: str | None = option(
        None,
        "Send spans to this receiver of OpenTelemetry, such as http://localhost:4318. [default: "
        "the standard variables]",
    )


@dataclass(frozen=True, kw_only=True)
class WorkFields:
    """The options of a run's workers, and of the time that its planner takes."""

    thinking: ThinkingPrice | str | None = option(
        None,
        "Price of an answer: a timestep for each '500 tokens' or declared '2 seconds', or "
        "'3 timesteps' an answer. [default: answers take effect at once]",
        parse=ThinkingPrice.parse,
    )
    worker: tuple[str, ...] = option(
        (),
        "NAME=package.module:Class or NAME=URL: who carries out the assignments of a worker; may "
        "be repeated.",
        metavar="NAME=SPEC",
    )
    asynchronous: tuple[str, ...] = option(
        (), "A worker for which nobody waits; may be repeated.", metavar="NAME"
    )
    longest: int | None = option(
        None,
        "Maximum timesteps of an action that lasts; then its worker is told to stop. [default: as "
        "the world says]",
        least=1,
    )


@dataclass(frozen=True, kw_only=True)
class OpenFields:
    """The options of an open episode, as the command line takes them."""

    pace: str | None = option(
        None,
        "Duration of a timestep, such as 1s or 500ms. [default: as fast as possible]",
        meaning="Seconds between timesteps of an open run (0: as fast as possible); None: the run "
        "is not open.",
    )
    clock: Literal["simulated", "wall"] = option(
        "simulated",
        "simulated: a timestep waits for planner and workers; wall: it is an interval of real "
        "time. [default: simulated]",
        meaning="The clock of an open run: whether its timesteps wait for planner and workers, or "
        "pass in real time.",
    )
    fallback: str | None = option(
        None,
        "One of the world's planners, which plans while the model of --planner is away.",
        meaning="The planner of an open run that plans while the endpoint of `planner` is away; "
        "None: nobody does.",
    )
    redis: str | None = option(
        None,
        REDIS,
        meaning="Place of an open run in Redis; None: it is in its folder.",
        envvar=ADDRESS,
    )
    remote: tuple[str, ...] = option(
        (),
        "A worker that 'cookmas worker' plays; may be repeated.",
        meaning="The workers of an open run that other processes play.",
    )
    worker_deadline: float = option(
        WORKER_DEADLINE,
        f"Seconds for a remote worker to act. [default: {WORKER_DEADLINE:g}]",
        meaning="Seconds that each of these workers has to report an action.",
        least=0.001,
        most=LONGEST_WAIT,
    )
    remember: int | None = option(
        None,
        "Answers that Redis keeps for each sender, to recognise repeated messages. "
        "[default: 10000]",
        least=1,
    )


@dataclass(frozen=True, kw_only=True)
class CheckpointFields:
    """The options of a run's checkpoints."""

    checkpoints: str | None = option(
        None, "A PostgreSQL database, by its URL. [default: in the folder]"
    )
    keep_checkpoints: int | None = option(
        None,
        "Number of latest checkpoints to keep. [default: 1000 of an open episode, otherwise all]",
        least=1,
    )


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The sampling parameters of a request; None leaves a parameter to the endpoint."""

    temperature: float | None = option(None, "Temperature of the model.", least=0.0, most=HOTTEST)
    max_tokens: int | None = option(None, "Maximum tokens of an answer.", least=1)
    model_seed: int | None = option(None, "Seed of the model's answers.")


def _money_option(about: str) -> float | None:
    return option(None, about, least=0.0, most=MOST_MONEY, by_seat="MONEY")


def _number_option(about: str) -> int | None:
    return option(None, about, least=0, by_seat="NUMBER")


@dataclass(frozen=True, kw_only=True)
class EndpointFields:
    """The options of a model and its endpoint."""

    model: str | None = option(
        None, "Name of the model, for planners that call one.", by_seat="NAME"
    )
    base_url: str | None = option(
        None,
        "OpenAI-compatible endpoint, such as http://localhost:8000/v1. [default: OpenAI's]",
        by_seat="URL",
        envvar="OPENAI_BASE_URL",
    )
    key_from: str | None = option(
        None,
        "Environment variable with the key. [default: COOKMAS_API_KEY or OPENAI_API_KEY]",
        by_seat="VARIABLE",
    )
    calls_at_once: int | None = option(
        None,
        "Maximum simultaneous calls of all models of a run. [default: no limit]",
        least=1,
        flag="--calls-at-once",
    )
    deadline: float = option(
        600.0,
        "Maximum seconds of a call with its retries. [default: 600]",
        least=0.001,
        most=LONGEST_WAIT,
        by_seat="SECONDS",
    )
    extra: tuple[str, ...] = option(
        (),
        "A further field of each request to the model, with its value in JSON; repeatable.",
        metavar="[SEAT:]KEY=VALUE",
    )
    header: tuple[str, ...] = option(
        (),
        "A further header of each request, and the environment variable with its value; "
        "repeatable.",
        metavar="[SEAT:]NAME=VARIABLE",
    )
    stream: bool = option(
        False, "Ask for answers piece by piece, where a long answer takes too long as a whole."
    )
    outage_limit: float | None = option(
        None,
        "Maximum seconds to wait for an endpoint that is away, 0 to give up at once. "
        "[default: 600, in a sweep 43200]",
        least=0.0,
        most=LONGEST_WAIT,
        flag="--outage-limit",
    )


@dataclass(frozen=True, kw_only=True)
class CostFields:
    """The prices of a model, and the budget of an episode in their currency."""

    price_in: float | None = _money_option("Money per million prompt tokens.")
    price_cached: float | None = _money_option(
        "Money per million cached prompt tokens. [default: --price-in]"
    )
    price_out: float | None = _money_option("Money per million answer tokens.")
    budget_calls: int | None = _number_option("Maximum calls in an episode.")
    budget_tokens: int | None = _number_option("Maximum prompt and answer tokens in an episode.")
    budget_money: float | None = _money_option("Maximum cost of an episode.")


@dataclass(frozen=True, kw_only=True)
class CassetteFields:
    """The options of recorded answers."""

    record: Path | None = option(None, "Cassette file that records the answers.", dir_okay=False)
    replay: Path | None = option(
        None, "Cassette, trace or run that supplies answers instead of a model."
    )
