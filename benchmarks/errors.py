"""Measure how success, replans and tokens grow with a model's errors; write a page of the docs.

    python -m benchmarks.errors

The scripted model plays every scenario, with 0 to 20 per cent of all assignments illegal. It does
so with and without look-ahead repair, and with and without replanning. In a second series the model
overlooks customizations, which look-ahead cannot detect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.page import DOCS, by_class, fill
from benchmarks.plot import line_plot
from benchmarks.serving import Maker, faults, llm, play_with, total, verdict_of
from cookmas.api import Run
from cookmas.episodes.engine import EXHAUSTED, FAILURE
from cookmas.episodes.parts import mark_scripted
from cookmas.episodes.trace import ModelCall, PlannerClass
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.planner import Entry, Observation, Plan, Planner
from cookmas.scenarios.scenario import scenario_names

RATES = (0.0, 0.02, 0.05, 0.1, 0.2)
REPAIRS = 3
SEED = 1
PAGE = DOCS / "explanation/errors.md"
COLUMNS = "| | rate | success % | replans | model calls | 1000 tokens | FAILs | wishes kept % |"


class NoReplanning:
    """A planner that calls the planner `inner` only after an event.

    If it is called because of a FAIL, it returns the rest of its last schedule.
    """

    def __init__(self, inner: Planner) -> None:
        self._inner = inner
        self._last: Sequence[Entry] = ()
        self._since = 0

    @property
    def name(self) -> str:
        """The name of the inner planner with a suffix."""
        return f"{self._inner.name}, once"

    @property
    def planner_class(self) -> PlannerClass:
        """The class of the inner planner."""
        return self._inner.planner_class

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a new schedule if there is a trigger other than a FAIL or the end of the schedule.

        Otherwise return the rest of the last schedule; give up if nothing is left of it.
        """
        if {trigger.kind for trigger in observation.triggers} - {FAILURE, EXHAUSTED}:
            plan = await self._inner.plan(observation)
            self._last, self._since = plan.schedule, observation.timestep
            return plan
        rest = self._last[observation.timestep - self._since :]
        return Plan(schedule=rest, gave_up=None if rest else "the schedule has run out")


def without_replans(make: Maker) -> Maker:
    """Return a function that makes the same planners as `make`, but without replanning."""

    def make_once(model: Model) -> Planner:
        return NoReplanning(make(model))

    return make_once


AHEAD, BLIND = llm(Prompting(look_ahead=REPAIRS)), llm(Prompting())
ARMS: Mapping[str, Maker] = {
    "look-ahead repair and replanning": AHEAD,
    "replanning alone": BLIND,
    "look-ahead repair alone": without_replans(AHEAD),
    "neither": without_replans(BLIND),
}


@dataclass(frozen=True, kw_only=True)
class Point:
    """The figures of one arm at one error rate: the means over all scenarios.

    `kind` is the class of the planner, `kept` the share of customizations that were kept.
    """

    kind: PlannerClass
    success: float
    replans: float
    calls: float
    tokens: float
    fails: float
    kept: float


def call_timesteps(run: Run) -> set[int]:
    """Return the timesteps at which the model was called."""
    return {call.timestep for call in run.trace.of(ModelCall)}


def measure(runs: Sequence[Run]) -> Point:
    """Return the means over all episodes.

    Success and kept customizations are in per cent, tokens in thousands.
    """
    count = len(runs)
    wishes = total(runs, "customizations")
    return Point(
        kind=runs[0].trace.header.planner_class,
        success=100 * sum(bool(verdict_of(run).success) for run in runs) / count,
        replans=sum(len(call_timesteps(run)) for run in runs) / count - 1,
        calls=total(runs, "model_calls") / count,
        tokens=total(runs, "tokens") / count / 1000,
        fails=total(runs, "fails") / count,
        kept=100 * total(runs, "kept") / wishes,
    )


def sweep(fault: str, arms: Mapping[str, Maker], rates: Sequence[float]) -> dict[str, list[Point]]:
    """Play all scenarios with each arm at each rate of a fault; return the points by arm."""
    names = scenario_names()
    points: dict[str, list[Point]] = {}
    for name, make in arms.items():
        arm = mark_scripted(name)
        points[arm] = []
        for rate in rates:
            runs = play_with(faults(SEED, **{fault: rate}), names, make)
            points[arm].append(measure(runs))
            print(f"{fault} {rate:5.0%}  {arm:34}{row(points[arm][-1])}", flush=True)
    return points


def row(point: Point) -> str:
    """Return the cells of a table row for a point."""
    numbers = (point.success, point.replans, point.calls, point.tokens, point.fails, point.kept)
    return " | ".join(f"{number:.1f}" for number in numbers)


def tables_of(points: Mapping[str, Sequence[Point]], rates: Sequence[float]) -> str:
    """Return Markdown tables of the points of all arms, one table for each class of planners."""
    rows: dict[str, list[str]] = {}
    for arm, of_arm in points.items():
        for rate, point in zip(rates, of_arm, strict=True):
            rows.setdefault(point.kind, []).append(f"| {arm} | {rate:.0%} | {row(point)} |")
    return by_class(COLUMNS, rows)


def main() -> None:
    illegal = sweep("illegal", ARMS, RATES)
    deaf_rates = (0.0, 0.1, 0.3)
    deaf = sweep("dropped_customization", {"look-ahead repair and replanning": AHEAD}, deaf_rates)
    pictures = PAGE.parent
    percents = [100 * rate for rate in RATES]
    shown = [tables_of(illegal, RATES), ""]
    for name, field, title in (
        ("success", "success", "scenarios served correctly, %"),
        ("replans", "replans", "replans per episode"),
        ("tokens", "tokens", "thousand tokens per episode"),
    ):
        lines = {arm: [getattr(p, field) for p in points] for arm, points in illegal.items()}
        plot = line_plot(percents, lines, "illegal actions, %", title)
        (pictures / f"model-errors-{name}.svg").write_text(plot)
        shown.append(f"![{title}](model-errors-{name}.svg)")
    fill(PAGE, "illegal", "\n".join(shown))
    fill(PAGE, "deaf", tables_of(deaf, deaf_rates))


if __name__ == "__main__":
    main()
