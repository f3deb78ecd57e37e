"""Let one orchestrator, and teams of agents, run the same kitchens; write a page of the docs.

    python -m benchmarks.central_or_many [--model NAME --base-url URL]

The same model plays each kitchen as a central planner that is called on triggers, as one that is
called at every timestep, as a team that talks, and as a team whose agents see what the others have
decided. Each of them is told all of the state, what is at its own stations, or the news. Without a
model the scripted one plays; that tests the experiment, and is no result. At a further rate of
faults it is told all.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from statistics import mean
from typing import Any, NamedTuple

from benchmarks.page import DOCS, fill, table
from benchmarks.serving import AT_A_TIME, faults, model_server
from cookmas.api import Run, aplay
from cookmas.episodes.parts import mark_scripted
from cookmas.episodes.trace import MessageRecord, ModelCall, PlanRecord, StepRecord, Trace
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.collab_overcooked.domain import DOMAIN as COLLAB_OVERCOOKED
from cookmas.worlds.cuisineworld.domain import DOMAIN as CUISINEWORLD

PAGE = DOCS / "experiments" / "central-or-many.md"
RATES = (0.0, 0.2)
COLUMNS = (
    "| arm | told | faults | {score} | timesteps | calls | tokens | messages | announced "
    "| kept % | broken % |"
)


class KitchenArm(NamedTuple):
    """A way in which the same model runs a kitchen."""

    name: str
    team: bool
    """True if each worker is an agent of its own."""
    asking: Mapping[str, Any]
    """The prompting options that differ from the world's default."""
    discloses: bool = False
    """True if each agent sees what the others have decided."""


ARMS = (
    KitchenArm("central, on triggers", False, {}),
    KitchenArm("central, at every timestep", False, {"per_step": True}),
    KitchenArm("team that talks", True, {"talk": 4}),
    KitchenArm("team that shares its schedule", True, {"talk": 0}, discloses=True),
)


REMEMBERED = 99
"""Number of past decisions that a planner is shown if it has to remember."""


class Telling(NamedTuple):
    """How much of the state the planners are told."""

    name: str
    asking: Mapping[str, Any]
    """The prompting options that differ from the world's default."""


TELLINGS = (
    Telling("all", {}),
    Telling("own", {"told": "own"}),
    Telling("own, remembered", {"told": "own", "memory": REMEMBERED}),
    Telling("news", {"told": "news"}),
    Telling("news, remembered", {"told": "news", "memory": REMEMBERED}),
)


class Kitchens(NamedTuple):
    """The kitchens of a world, and its score."""

    domain: Domain
    scenarios: Sequence[str]
    score: str
    """Heading of the score."""
    part: tuple[str, str] | None
    """The entries of the summary whose ratio is the score; None stands for success."""


WORLDS = (
    Kitchens(
        CUISINEWORLD,
        ("level_1", "level_3", "level_7"),
        "orders completed %",
        ("completed", "arrived"),
    ),
    Kitchens(COLLAB_OVERCOOKED, ("level_1/01", "level_3/01", "level_6/01"), "success %", None),
)


class Commitments(NamedTuple):
    """The actions that planners announced for workers: how many were kept, and how many broken.

    An action is announced by a schedule. It is kept if its worker did it without a FAIL. It is
    broken if the next schedule for this worker no longer has it. Actions that an episode ended
    before are neither.
    """

    announced: int
    kept: int
    broken: int


def count_commitments(trace: Trace, idle: str) -> Commitments:
    """Return the commitments of an episode; `idle` is the action for doing nothing."""
    open_actions: dict[str, Counter[str]] = {}
    announced = kept = broken = 0
    for record in trace.records:
        if isinstance(record, PlanRecord) and record.refused is None and record.gave_up is None:
            planned: dict[str, Counter[str]] = {}
            for worker, action in (command for entry in record.schedule for command in entry):
                planned.setdefault(worker, Counter())[action] += action != idle
            for worker in {*planned, *(open_actions if record.agent is None else [record.agent])}:
                before, now = open_actions.get(worker, Counter()), planned.get(worker, Counter())
                announced += (now - before).total()
                broken += (before - now).total()
                open_actions[worker] = +now
        elif isinstance(record, StepRecord):
            for worker, action in record.commands:
                if worker not in record.fails and open_actions.get(worker, Counter())[action]:
                    open_actions[worker][action] -= 1
                    kept += 1
    return Commitments(announced, kept, broken)


def disclosing(domain: Domain, discloses: bool) -> Domain:
    """Return the domain with a world in which agents see the decisions of others, or do not."""
    scenario: Any = domain.scenario_type

    def world(self: Any) -> Any:
        made = scenario.world(self)
        made.discloses_decisions = discloses
        return made

    varied = type(scenario.__name__, (scenario,), {"world": world})
    kind: type[Domain] = type(type(domain).__name__, (type(domain),), {"scenario_type": varied})
    return kind()


async def play(
    arm: KitchenArm, telling: Telling, kitchens: Kitchens, model: ModelOptions
) -> list[Run]:
    """Return the runs of an arm in the kitchens of a world, one for each."""
    turns = asyncio.Semaphore(AT_A_TIME)
    domain = disclosing(kitchens.domain, arm.discloses)

    async def one(name: str) -> Run:
        async with turns:
            scenario = domain.scenario(name, {})
            workers = scenario.world().workers
            planner = ",".join(f"{each}=llm" for each in workers) if arm.team else "llm"
            asking = AskingOptions(**arm.asking, **telling.asking)
            return await aplay(scenario, planner, model=model, asking=asking)

    return list(await asyncio.gather(*map(one, kitchens.scenarios)))


def describe(kitchens: Kitchens, runs: Sequence[Run]) -> str:
    """Return the cells of a row: means over the runs."""
    scores, rows = list[float](), list[list[float]]()
    for run in runs:
        assert run.verdict
        summary: Any = run.verdict.summary
        if kitchens.part:
            part, whole = kitchens.part
            scores.append(summary[part] / summary[whole])
        else:
            scores.append(bool(run.success))
        calls = list(run.trace.of(ModelCall))
        made = count_commitments(run.trace, kitchens.domain.world_type.idle)
        rows.append(
            [
                len(list(run.trace.of(StepRecord))),
                len(calls),
                sum(call.usage.prompt + call.usage.completion for call in calls),
                len(list(run.trace.of(MessageRecord))),
                *made,
            ]
        )
    steps, asked, tokens, said, announced, kept, broken = map(mean, zip(*rows, strict=True))
    shares = [100 * each / announced if announced else 0.0 for each in (kept, broken)]
    cells = [f"{100 * mean(scores):.0f}", f"{steps:.1f}", f"{asked:.1f}", f"{tokens:,.0f}"]
    cells += [f"{said:.1f}", f"{announced:.1f}", *(f"{share:.0f}" for share in shares)]
    return " | ".join(cells)


@contextmanager
def models(name: str | None, url: str | None) -> Iterator[dict[str, ModelOptions]]:
    """Yield the model of a user, or the scripted one at each rate; its label is the cell of it."""
    if name is not None:
        yield {"-": ModelOptions(model=name, base_url=url)}
        return
    with ExitStack() as servers:
        yield {
            f"{rate:.0%}": ModelOptions(
                model="scripted",
                base_url=servers.enter_context(
                    model_server(*faults(1, **dict.fromkeys(("illegal", "prose"), rate)))
                ),
            )
            for rate in RATES
        }


def main() -> None:
    """Play all arms, and write a table for each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    given = parser.parse_args()
    with models(given.model, given.base_url) as by_rate:
        for kitchens in WORLDS:
            rows = []
            for number, (rate, model) in enumerate(by_rate.items()):
                for telling, arm in product(TELLINGS[:1] if number else TELLINGS, ARMS):
                    runs = asyncio.run(play(arm, telling, kitchens, model))
                    name = arm.name if given.model else mark_scripted(arm.name)
                    cells = f"{name} | {telling.name} | {rate}"
                    rows.append(f"| {cells} | {describe(kitchens, runs)} |")
                    print(kitchens.domain.name, rows[-1], flush=True)
            fill(PAGE, kitchens.domain.name, table(COLUMNS.format(score=kitchens.score), rows))


if __name__ == "__main__":
    main()
