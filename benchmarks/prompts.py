"""Measure the tokens of a model's prompts, and of its answers on a replan.

    python -m benchmarks.prompts

Tokens are estimated, one for every four characters, as `cookmas prompt` does. There are three
tables:

1. The tokens of the parts of first calls.
2. The tokens of the embedded planner's schedules as answers to replans, in rows and in columns. An
   answer either has the whole schedule, or keeps the part of the active schedule that makes the
   answer shortest. The embedded planner makes every schedule from scratch; a planner that changes
   less could keep more. The table also has the length of the prefix that a replan shares with the
   call before, because a provider can reuse it.
3. The costs of the scripted model with faults, in both layouts. The seed and the text of the
   request decide where the model errs. So the repairs are summed over six seeds, and their
   difference has an interval over scenarios.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise, product, takewhile
from typing import Any, NamedTuple

import cookmas
from benchmarks.page import DOCS, fill, table
from cookmas.api import aplay
from cookmas.episodes.trace import ModelCall, PlannerClass
from cookmas.episodes.world import AnyWorld, Commands
from cookmas.evals.statistics import SIGNIFICANCE, Cases, difference
from cookmas.first import first_request
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.inside import ScriptedModel
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer, write_out
from cookmas.orchestrator.dialogue.blocks import block, to_json
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.parsing import parse_blocks
from cookmas.orchestrator.dialogue.prompt import Prompt, PromptMemory
from cookmas.orchestrator.dialogue.prompting import DEFAULT, PRESETS, AnswerForm, preset
from cookmas.orchestrator.dialogue.schedules import TIMESTEP, columns_of, rows_of
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.models.message import estimate_tokens
from cookmas.orchestrator.planner import Observation, Plan, commands_of
from cookmas.scenarios.scenario import scenario_names
from cookmas.world_names import WORLDS
from cookmas.worlds.restaurant.planners.embedded import EmbeddedPlanner
from cookmas.worlds.restaurant.planners.llm import LLMPlanner
from cookmas.worlds.restaurant.prompts.voice import VOICE

PAGE = DOCS / "reference" / "prompting.md"
FIRST = ("level3/07", "cuisineworld/level_3", "corridor/two")
"""A scenario of each world."""

REPLANNED = tuple(name for name in scenario_names() if name.startswith("level3/"))

FAULTS = {"illegal": 0.02, "missing_worker": 0.01, "off_by_one": 0.01, "prose": 0.2}
"""The faults of the scripted model, each with the share of actions or answers that have it."""

SEEDS = range(1, 7)
"""The seeds of the faults. Every scenario is played once for each seed, in both layouts."""

SCHEDULES: Sequence[AnswerForm] = ("rows", "columns")
"""The layouts of a schedule with timesteps."""

LOOK_AHEAD = 3
"""Maximum number of repairs of a schedule after the look-ahead."""

Row = Mapping[str, Any]


def first_call(scenario: str, name: str) -> str:
    """Return a row of the table of first calls, for a scenario and the preset `name`.

    The cells are the tokens of the system prompt, of the block with the setup of the world, of the
    schema, and of the whole call.
    """
    request = first_request(scenario, "llm", AskingOptions(preset=name))
    system, user = (message.content for message in request.messages)
    schema = to_json(request.schema.schema) if request.schema else ""
    setup = block(*next(iter(parse_blocks(user).items())))
    sizes = map(estimate_tokens, (system, setup, schema, system + user + schema))
    return f"| {scenario}, `{name}` | {' | '.join(map(str, sizes))} |"


@dataclass
class Answers:
    """The embedded planner, which also records the tokens of its answers to replans.

    `sizes` has the sum of the tokens for each form of answer. `told` has the text of the messages
    of each call.
    """

    name: str = "embedded"
    planner_class: PlannerClass = "embedded"
    sizes: dict[str, int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    _planner: EmbeddedPlanner = field(default_factory=EmbeddedPlanner)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the embedded planner's plan; record the tokens of the plan in each form."""
        plan = await self._planner.plan(observation)
        underway, now, world = observation.underway, observation.timestep, observation.world
        kept = PromptMemory(meant=plan.reasoning if self.told else "")
        prompt = Prompt.of(observation, VOICE, preset(DEFAULT), Templates(VOICE.prompts), kept)
        messages = prompt.messages()
        self.told.append("".join(message.content for message in messages))
        if underway and plan.schedule:
            entries = [commands_of(entry) for entry in plan.schedule]
            shown = rows_of(underway, now, world)
            for form in SCHEDULES:
                columns = form == "columns"
                whole = {"schedule": _lay_out(rows_of(entries, now, world), columns=columns)}
                self._count(f"{form}, whole", whole)
                least = shortest(entries, underway, now, world, columns=columns)
                self._count(f"{form}, as much kept as makes it shortest", least)
                block_read = columns_of(shown, world.workers) if columns else shown
                self._count(f"{form}, the SCHEDULE block that is read", block_read)
        return plan

    def _count(self, name: str, data: Any) -> None:
        self.sizes[name] = self.sizes.get(name, 0) + estimate_tokens(to_json(data))

    @property
    def cacheable(self) -> list[tuple[int, int]]:
        """For each replan, the length of the prefix that its call shares with the call before.

        The second number is the length of the whole call. Both are in characters.
        """
        return [
            (
                sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(a, b, strict=False))),
                len(b),
            )
            for a, b in pairwise(self.told)
        ]


def shortest(
    entries: Sequence[Commands],
    underway: Sequence[Commands],
    now: int,
    world: AnyWorld[Any],
    *,
    columns: bool,
) -> Mapping[str, Any]:
    """Return the shortest answer that means the schedule `entries`, in columns or in rows.

    Both `entries` and `underway` begin at the timestep `now`. `underway` is the rest of the active
    schedule, of which the answer may keep a part.
    """
    answers = []
    for keep in range(min(len(entries), len(underway)) + 1):
        rows = [
            *_changes(entries[:keep], underway, now, world),
            *rows_of(entries[keep:], now + keep, world),
        ]
        schedule = _lay_out(rows, columns=columns)
        answers.append({"keep_until": now + keep, "schedule": schedule})
    answer = min(answers, key=lambda answer: len(to_json(answer)))
    meant, problems = write_out(ScheduleAnswer.model_validate(answer), underway, now)
    assert not problems
    done = [_is_done(entry, world) for entry in entries]
    assert [_is_done(entry, world) for entry in meant] == done[: len(meant)]
    assert not any(done[len(meant) :])
    return answer


def _lay_out(rows: Sequence[Row], *, columns: bool) -> Any:
    return columns_of(rows, ()) if columns else rows


def _changes(
    entries: Sequence[Commands], underway: Sequence[Commands], now: int, world: AnyWorld[Any]
) -> list[Row]:
    rows: list[Row] = []
    for t, (new, old) in enumerate(zip(entries, underway, strict=False), start=now):
        before, after = _is_done(old, world), _is_done(new, world)
        names = [name for name in world.workers if before.get(name) != after.get(name)]
        if names:
            rows.append({TIMESTEP: t, **{name: after.get(name, world.idle) for name in names}})
    return rows


def _is_done(entry: Any, world: AnyWorld[Any]) -> dict[str, str]:
    return {worker: action for worker, action in commands_of(entry) if action != world.idle}


def replan(scenario: str) -> Answers:
    """Play an episode; return the planner with the sizes of its answers."""
    planner = Answers()
    asyncio.run(aplay(scenario, planner))
    return planner


def replans() -> str:
    """Return the table of replans."""
    measured = [replan(name) for name in REPLANNED]
    sizes: dict[str, int] = {}
    for each in measured:
        for name, size in each.sizes.items():
            sizes[name] = sizes.get(name, 0) + size
    whole = next(iter(sizes.values()))
    rows = [f"| {name} | {size} | {100 * size / whole:.0f}% |" for name, size in sizes.items()]
    shares = [pair for each in measured for pair in each.cacheable]
    same, told = (sum(column) // 4 for column in zip(*shares, strict=True))
    rows.append(f"| all that is read, {DEFAULT} preset | {told} | |")
    rows.append(f"| of these as in the call before | {same} | {100 * same / told:.0f}% of it |")
    return table(f"| {len(shares)} replans of {len(REPLANNED)} scenarios | tokens | share |", rows)


class PromptCost(NamedTuple):
    """The cost of one episode that the scripted model played."""

    calls: int
    repairs: int
    unusable: int
    tokens_in: int
    tokens_out: int
    served: int


def play_scripted(form: AnswerForm, seed: int) -> dict[str, PromptCost]:
    """Play the scenarios of level 3 with the scripted model in a layout; return the cost of each.

    `seed` and the text of a request decide where the model errs.
    """
    model = ScriptedModel(WORLDS, Faults(seed=seed, rates=FAULTS))
    ways = replace(preset(DEFAULT), form=form, look_ahead=LOOK_AHEAD)
    costs = {}
    for name in REPLANNED:
        trace = cookmas.play(name, LLMPlanner(model, ways)).trace
        assert trace.end
        calls = list(trace.of(ModelCall))
        costs[name] = PromptCost(
            calls=len(calls),
            repairs=sum(call.purpose == "repair" for call in calls),
            unusable=sum(call.unusable is not None for call in calls),
            tokens_in=sum(call.usage.prompt for call in calls),
            tokens_out=sum(call.usage.completion for call in calls),
            served=trace.end.tally.done,
        )
    return costs


def layouts() -> str:
    """Return the table of the scripted model, with a sentence on the difference in repairs."""
    forms = SCHEDULES
    asked = list(product(forms, SEEDS))
    with ProcessPoolExecutor() as pool:
        played = dict(zip(asked, pool.map(play_scripted, *zip(*asked, strict=True)), strict=True))
    rows, repairs = [], {}
    for form in forms:
        episodes = [played[form, seed] for seed in SEEDS]
        sums = map(sum, zip(*(cost for each in episodes for cost in each.values()), strict=True))
        rows.append(f"| {form} | {' | '.join(map(str, sums))} |")
        repairs[form] = {name: [each[name].repairs for each in episodes] for name in REPLANNED}
    columns = (
        f"| scripted model, {len(SEEDS)} seeds | calls | repairs | unusable "
        "| tokens in | tokens out | served |"
    )
    return f"{table(columns, rows)}\n\n{describe_difference(repairs['columns'], repairs['rows'])}"


def describe_difference(columns: Cases, rows: Cases) -> str:
    """Return a sentence on the difference in repairs per episode between the two answer layouts.

    `columns` and `rows` have the numbers of repairs with the layout of this name.
    """
    found = difference(columns, rows)
    assert found
    text = (
        f"Repairs of an episode: {found.one:.1f} in columns and {found.other:.1f} in rows; "
        f"the difference is {found.mean:+.1f}"
    )
    if found.low is None or found.high is None:
        return f"{text}, of too few scenarios for an interval."
    told = "is decided" if found.p < SIGNIFICANCE else "may be chance"
    return (
        f"{text} (95% interval {found.low:+.1f} to {found.high:+.1f} over {found.cases} scenarios, "
        f"p = {found.p:.2f}), which {told}."
    )


def main() -> None:
    """Measure everything, print the tables and write them into the page."""
    calls = [first_call(FIRST[0], name) for name in PRESETS]
    calls += [first_call(scenario, "default") for scenario in FIRST[1:]]
    first = table("| first call | system | setup block | schema | all |", calls)
    second = replans()
    text = f"{first}\n\n{second}\n\n{layouts()}"
    print(text)
    fill(PAGE, "sizes", text)


if __name__ == "__main__":
    main()
