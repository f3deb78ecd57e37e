"""What a model pays for: the size of what it is told, and of what it must write on a replan.

    python -m benchmarks.prompts

Tokens are estimated, one for every four characters, as `cookmas prompt` does. The answers are the
embedded planner's, laid out in these ways: with every worker and an empty thought in each row; in
rows without those; and with as much of the schedule under way kept as makes the answer shortest;
both also with null for who idles, as an endpoint has it that enforces the schema.
The embedded planner makes every schedule afresh; who changes less keeps more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.page import DOCS, fill, table
from cookmas.api import aplay
from cookmas.first import first_request
from episodes.trace import PlannerClass
from episodes.world import Commands, World
from orchestrator.dialogue.answers import THINK, TIMESTEP, ScheduleAnswer
from orchestrator.dialogue.blocks import block, parse_blocks, to_json
from orchestrator.dialogue.keeping import rows_of, written_out
from orchestrator.dialogue.options import AskingOptions
from orchestrator.dialogue.prompting import PRESETS
from orchestrator.models.message import estimated_tokens
from orchestrator.planner import Observation, Plan, commands_of
from scenarios.scenario import scenario_names
from worlds.restaurant.planners.embedded import EmbeddedPlanner

PAGE = DOCS / "reference" / "prompting.md"
FIRST = ("level3/07", "cuisineworld/level_3", "corridor/two")
"""A scenario of each world."""

REPLANNED = tuple(name for name in scenario_names() if name.startswith("level3/"))

Row = Mapping[str, Any]


def first_call(scenario: str, preset: str) -> str:
    """A row of the table of first calls: what holds always, the first block, and all of it."""
    request = first_request(scenario, "llm", AskingOptions(preset=preset))
    system, user = (message.content for message in request.messages)
    schema = to_json(request.schema.schema) if request.schema else ""
    name, data = next(iter(parse_blocks(user).items()))
    sizes = map(estimated_tokens, (system, block(name, data), schema, system + user + schema))
    return f"| {scenario}, `{preset}` | {' | '.join(map(str, sizes))} |"


@dataclass
class Answers:
    """The embedded planner, and the tokens of its answers to replans in each of the forms."""

    name: str = "embedded"
    planner_class: PlannerClass = "embedded"
    replans: int = 0
    shown: int = 0
    sizes: list[int] = field(default_factory=lambda: [0] * 5)
    _planner: EmbeddedPlanner = field(default_factory=EmbeddedPlanner)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """What the embedded planner answers."""
        plan = await self._planner.plan(observation)
        underway, now, world = observation.underway, observation.timestep, observation.world
        if underway and plan.schedule:
            entries = [commands_of(entry) for entry in plan.schedule]
            rows, least = (
                {"schedule": rows_of(entries, now, world)},
                kept(entries, underway, now, world),
            )
            forms = (
                {"schedule": [{THINK: "", **dict(entry)} for entry in entries]},
                enforced(rows, world),
                enforced(least, world),
                rows,
                least,
            )
            self.replans += 1
            self.shown += estimated_tokens(to_json(rows_of(underway, now, world)))
            for number, form in enumerate(forms):
                self.sizes[number] += estimated_tokens(to_json(form))
        return plan


def kept(
    entries: Sequence[Commands], underway: Sequence[Commands], now: int, world: World[Any]
) -> Mapping[str, Any]:
    """The shortest answer that means this schedule."""
    answers = [
        {
            "keep_until": now + keep,
            "schedule": [
                *_changes(entries[:keep], underway, now, world),
                *rows_of(entries[keep:], now + keep, world),
            ],
        }
        for keep in range(min(len(entries), len(underway)) + 1)
    ]
    shortest = min(answers, key=lambda answer: len(to_json(answer)))
    meant, problems = written_out(ScheduleAnswer.model_validate(shortest), underway, now)
    assert not problems
    assert [_done(entry, world) for entry in meant] == [_done(e, world) for e in entries]
    return shortest


def enforced(answer: Mapping[str, Any], world: World[Any]) -> Mapping[str, Any]:
    """The answer with null for every worker that is left out of a row."""
    nobody = dict.fromkeys(world.workers)
    return {**answer, "schedule": [{**nobody, **row} for row in answer["schedule"]]}


def _changes(
    entries: Sequence[Commands], underway: Sequence[Commands], now: int, world: World[Any]
) -> list[Row]:
    rows: list[Row] = []
    for t, (new, old) in enumerate(zip(entries, underway, strict=False), start=now):
        before, after = _done(old, world), _done(new, world)
        names = [name for name in world.workers if before.get(name) != after.get(name)]
        if names:
            rows.append({TIMESTEP: t, **{name: after.get(name, world.idle) for name in names}})
    return rows


def _done(entry: Any, world: World[Any]) -> dict[str, str]:
    return {worker: action for worker, action in commands_of(entry) if action != world.idle}


def replanned(scenario: str) -> Answers:
    """The answers to the replans of an episode."""
    planner = Answers()
    asyncio.run(aplay(scenario, planner))
    return planner


def main() -> None:
    """Measure, print, and fill the tables of the page."""
    calls = [first_call(FIRST[0], preset) for preset in PRESETS]
    calls += [first_call(scenario, "default") for scenario in FIRST[1:]]
    columns = "| first call | system | setup block | schema | all |"
    first = table(columns, calls)
    print(first)
    measured = [replanned(name) for name in REPLANNED]
    forms = (
        "every worker and an empty thought in each row",
        "rows without a thought, null for who idles",
        "and as much kept as makes it shortest",
        "rows without a thought and who idles",
        "and as much kept as makes it shortest",
        "the SCHEDULE blocks that are read for it",
    )
    sizes = [sum(each.sizes[n] for each in measured) for n in range(len(forms) - 1)]
    sizes.append(sum(each.shown for each in measured))
    replans = sum(each.replans for each in measured)
    second = table(
        f"| {replans} replans of {len(REPLANNED)} scenarios | tokens | share |",
        [
            f"| {form} | {size} | {100 * size / sizes[0]:.0f}% |"
            for form, size in zip(forms, sizes, strict=True)
        ],
    )
    print(second)
    fill(PAGE, "sizes", f"{first}\n\n{second}")


if __name__ == "__main__":
    main()
