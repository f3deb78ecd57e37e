"""From an observation to the messages that a model is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.conversation import Message
from kitchen.actions import LIBRARY
from kitchen.components import DonenessTable
from kitchen.layout import KIND_OF_PROCESS, STANDARD_WORK
from kitchen.state import KitchenState, OrderLine
from kitchen.world import Restaurant
from orchestrator.planner import Observation
from orchestrator.planners.answers import example_read, example_schedule
from orchestrator.planners.prompting import Prompting
from orchestrator.prompts import blocks
from orchestrator.prompts.blocks import block, to_json
from orchestrator.prompts.demonstrations import demonstrate
from orchestrator.prompts.templates import Templates

MEMORY, LESSONS, LEGAL = "MEMORY", "LESSONS", "LEGAL"

_COUNTS = ("no worker", "one worker", *(f"{n} workers" for n in ("two", "three", "four", "five")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the planner kept of this episode: its last decisions, and its lessons."""

    decisions: Sequence[Mapping[str, Any]] = ()
    lessons: Sequence[Mapping[str, Any]] = ()


NOTHING_KEPT = Kept()


def render(
    observation: Observation[KitchenState],
    options: Prompting,
    templates: Templates | None = None,
    kept: Kept = NOTHING_KEPT,
) -> list[Message]:
    """What a planner that writes schedules sends at its first call for an observation."""
    templates = templates or Templates()
    world = _restaurant(observation)
    form = "step" if options.per_step else "schedule"
    system = {
        **_house(world, templates),
        "workers": _count(len(world.workers)),
        "rules": templates.fill("rules"),
        "library": "\n".join(f"- {spec}" for spec in LIBRARY.values()),
        "hints": templates.fill("hints") if options.hints else "",
        "demonstration": _demonstration(observation, options, templates),
        "given": _given(options, templates, kept),
        "answer": templates.fill(f"answer_{form}", {"example": _example(world, options)}),
        "chain_of_thought": templates.fill(f"chain_of_thought_{form}")
        if options.chain_of_thought
        else "",
        "lessons": templates.fill("lessons") if options.lessons else "",
    }
    parts = [
        block(blocks.KITCHEN, blocks.kitchen_data(world)),
        block(blocks.STATE, world.dump(observation.state)),
        block(blocks.ORDERS, blocks.orders_data(observation.state)),
    ]
    if options.recipes == "given":
        parts.append(block(blocks.RECIPES, blocks.recipes_data(observation)))
    if options.legal_actions:
        legal = {w: list(world.legal(observation.state, w)) for w in world.workers}
        parts.append(block(LEGAL, legal))
    if kept.decisions:
        parts.append(block(MEMORY, list(kept.decisions)))
    if kept.lessons:
        parts.append(block(LESSONS, list(kept.lessons)))
    call = blocks.call_data(observation, form, feedback=options.feedback)
    task = templates.fill(f"task_{form}", {"timestep": str(observation.timestep)})
    parts.append(block(blocks.CALL, call))
    user = templates.fill("observation", {"blocks": "\n\n".join(parts), "task": task})
    return [_system(templates, "system", system), Message(role="user", content=user)]


def render_reading(
    observation: Observation[KitchenState],
    lines: Mapping[str, OrderLine],
    options: Prompting,
    templates: Templates | None = None,
) -> list[Message]:
    """What a planner that only reads sends at its first call, for these order lines."""
    templates = templates or Templates()
    world = _restaurant(observation)
    example = example_read(lines, reasoning=options.chain_of_thought)
    system = {
        **_house(world, templates),
        "processes": ", ".join(KIND_OF_PROCESS),
        "given": templates.fill("given_reading", _given_recipes(options, templates)),
        "example": to_json(example),
        "chain_of_thought": templates.fill("chain_of_thought_read")
        if options.chain_of_thought
        else "",
    }
    orders = [entry for entry in blocks.orders_data(observation.state) if entry["line"] in lines]
    items = {line.item for line in lines.values()}
    recipes = {i: text for i, text in blocks.recipes_data(observation).items() if i in items}
    given = [block(blocks.RECIPES, recipes)] if options.recipes == "given" else []
    parts = [
        block(blocks.KITCHEN, blocks.kitchen_data(world)),
        block(blocks.ORDERS, orders),
        *given,
        block(blocks.CALL, blocks.call_data(observation, "read")),
    ]
    user = templates.fill(
        "observation", {"blocks": "\n\n".join(parts), "task": templates.fill("task_read")}
    )
    return [_system(templates, "read_system", system), Message(role="user", content=user)]


def render_problem(call: Mapping[str, Any], repair: int, why: str, templates: Templates) -> Message:
    """The message that an answer could not be used, and why."""
    again = block(blocks.CALL, {**call, "repair": repair, "problem": why})
    text = templates.fill("repair_answer", {"problem": to_json(why)[1:-1], "blocks": again})
    return Message(role="user", content=text)


def render_violations(
    call: Mapping[str, Any],
    repair: int,
    violations: Sequence[Mapping[str, Any]],
    templates: Templates,
) -> Message:
    """The message which actions of a schedule would FAIL."""
    again = block(blocks.CALL, {**call, "repair": repair, "violations": list(violations)})
    text = templates.fill("repair_violations", {"blocks": again})
    return Message(role="user", content=text)


def _restaurant(observation: Observation[KitchenState]) -> Restaurant:
    assert isinstance(observation.world, Restaurant)
    return observation.world


def _system(templates: Templates, name: str, values: Mapping[str, str]) -> Message:
    return Message(role="system", content=templates.fill(name, values))


def _house(world: Restaurant, templates: Templates) -> dict[str, str]:
    work = ", ".join(f"{process} {minutes}" for process, minutes in STANDARD_WORK.items())
    return {
        "conventions": templates.fill("conventions", {"standard_work": work}),
        "doneness": _doneness(world.kitchen.doneness),
    }


def _doneness(table: DonenessTable) -> str:
    lines = []
    for (food, process), entry in table.items():
        levels = ", ".join(
            f"{level} {low}-{high}" if low < high else f"{level} {low}"
            for level, (low, high) in entry.levels.items()
        )
        lines.append(f"- {food}, {process}: {levels}; burnt from {entry.burnt}")
    return "\n".join(lines)


def _count(workers: int) -> str:
    return _COUNTS[workers] if workers < len(_COUNTS) else f"{workers} workers"


def _given(options: Prompting, templates: Templates, kept: Kept) -> str:
    more = [
        templates.fill(name)
        for name, there in (
            ("given_feedback", options.feedback),
            ("given_legal", options.legal_actions),
            ("given_memory", kept.decisions),
            ("given_lessons", kept.lessons),
        )
        if there
    ]
    return templates.fill(
        "given", {**_given_recipes(options, templates), "given_more": "\n".join(more)}
    )


def _given_recipes(options: Prompting, templates: Templates) -> dict[str, str]:
    name = "given_recipes" if options.recipes == "given" else "given_tool"
    return {"given_recipes": templates.fill(name)}


def _example(world: Restaurant, options: Prompting) -> str:
    return to_json(
        example_schedule(
            world.workers,
            reasoning=options.chain_of_thought,
            think=options.chain_of_thought and not options.per_step,
            lesson=options.lessons,
            steps=1 if options.per_step else 3,
        )
    )


def _demonstration(
    observation: Observation[KitchenState], options: Prompting, templates: Templates
) -> str:
    if options.demonstration == "none":
        return ""
    world = _restaurant(observation)
    workers = options.demonstration_workers or len(world.workers)
    ordered = {line.item for line in observation.state.lines.values()}
    timesteps = 2 if options.demonstration == "two_steps" else None
    return templates.fill(
        f"demonstration_{options.demonstration}",
        {"workers": _count(workers), "blocks": demonstrate(world, ordered, workers, timesteps)},
    )
