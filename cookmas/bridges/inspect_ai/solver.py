"""The solver: an orchestrator plays the sample's scenario, and Inspect's model answers it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from inspect_ai.model import Model as InspectsModel
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from cookmas.api import episode_for
from cookmas.bridges.inspect_ai.messages import Played, answer_of, to_inspect
from cookmas.bridges.inspect_ai.samples import load_run
from cookmas.episodes.base import World
from cookmas.episodes.replay import replay_to_end
from cookmas.episodes.trace import AnyRecord, End, StepRecord, Trace
from cookmas.files.errors import InfrastructureError, LimitReachedError
from cookmas.loading import planner_of
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.message import Answered, CallMeasurements, Request


class InspectModel:
    """Model that calls Inspect's model. Inspect retries, counts tokens, enforces limits and logs
    the call.

    Each `epoch` has its own seed, so that epochs differ. `request` is the last request that was
    answered, and `output` is its answer. `stopped` is the last error that Inspect raised instead of
    an answer.
    """

    def __init__(self, model: InspectsModel, epoch: int = 1) -> None:
        self.name = str(model)
        self._model = model
        self._epoch = epoch
        self.request: Request | None = None
        self.output: ModelOutput | None = None
        self.stopped: Exception | None = None

    def seed(self, first: int | None) -> int:
        """Return the seed of the epoch.

        Epoch 1 has the seed `first`. If `first` is None, epoch 1 has the seed of Inspect's model,
        or 0. Each further epoch adds 1.
        """
        named = self._model.config.seed if first is None else first
        return (named or 0) + self._epoch - 1

    async def answer(self, request: Request) -> Answered:
        """Call the model once. Raises LimitReachedError, or InfrastructureError for any other
        error.
        """
        messages, tools, config = to_inspect(replace(request, seed=self.seed(request.seed)))
        try:
            output = await self._model.generate(messages, tools, config=config)
        except LimitExceededError as error:
            self.stopped = error
            raise LimitReachedError(error.message) from error
        except Exception as error:
            self.stopped = error
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise InfrastructureError(f"{self.name}: {said}") from error
        self.request, self.output = request, output
        cost = output.usage.total_cost if output.usage else None
        measured = CallMeasurements(seconds=output.time or 0.0, cost=cost)
        return answer_of(output, request, self.name), measured


@solver
def orchestrator(planner: str = "llm", **asking: Any) -> Solver:
    """Return a solver that plays one episode with a planner and the prompting options of `cookmas
    run`.

    From the second epoch on, each epoch draws the random parts of the scenario with another seed.
    The trace goes into the sample's store (`Played`). If a limit of Inspect stops the episode, the
    trace ends with the termination `budget`. An error of the model is raised again, so that the
    sample is not scored. Raises CookMASError.
    """
    ways = AskingOptions(**asking)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = InspectModel(get_model(), state.epoch)
        request = {
            "planner": planner,
            "planner_seed": model.seed(ways.model_seed),
            "asking": ways,
        }
        loaded = await asyncio.to_thread(partial(load_run, state.metadata, **request))
        loaded = loaded.redraw(loaded.scenario.seed + state.epoch - 1)
        world = loaded.scenario.world()
        episode = episode_for(loaded, planner_of(loaded, make_model=lambda *_: model))
        records: list[AnyRecord] = []
        try:
            async for record in episode.stream():
                records.append(record)
        finally:
            trace = _close(records, world)
            state.store_as(Played).trace = "".join(f"{line}\n" for line in trace.lines())
            _show(model, state)
        if trace.end and trace.end.termination in ("budget", "infrastructure_error"):
            raise model.stopped or InfrastructureError(trace.end.why)
        return state

    return solve


def check_planner(planner: str, ways: AskingOptions, metadata: Mapping[str, Any]) -> None:
    """Make a sample's planner once, to find errors before any episode.

    `metadata` is that of the sample, and `ways` are the prompting options. Raises CookMASError.
    """
    model = InspectModel(get_model("mockllm/model"))
    loaded = load_run(metadata, planner=planner, asking=ways)
    planner_of(loaded, make_model=lambda *_: model)


def _close(records: list[AnyRecord], world: World) -> Trace:
    """Return the trace of these records; a trace without an end gets the end `budget`."""
    trace = Trace(tuple(records))
    if not records or trace.end:
        return trace
    timestep = sum(1 for _ in trace.of(StepRecord))
    why = "Inspect let it go on no longer."
    last, after = replay_to_end(trace, world)
    tally = last.tally(after)
    return Trace((*records, End(timestep=timestep, termination="budget", why=why, tally=tally)))


def _show(model: InspectModel, state: TaskState) -> None:
    """Show the last call of the model as the conversation of the sample."""
    if model.request and model.output:
        messages, _, _ = to_inspect(model.request)
        state.messages = [*messages, *(choice.message for choice in model.output.choices[:1])]
        state.output = model.output
