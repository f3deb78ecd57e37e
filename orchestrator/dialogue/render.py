"""From an observation to the messages that a model is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.conversation import Message
from episodes.world import World
from orchestrator.dialogue.answers import example_schedule
from orchestrator.dialogue.blocks import CALL, STEP, block, call_again, call_data, to_json
from orchestrator.dialogue.keeping import SCHEDULE, rows_of
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.planner import Observation

MEMORY, LESSONS, LEGAL, DEMONSTRATION = "MEMORY", "LESSONS", "LEGAL", "DEMONSTRATION"
INSTRUCTIONS = "INSTRUCTIONS"

_COUNTS = ("no worker", "one worker", *(f"{n} workers" for n in ("two", "three", "four", "five")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the planner kept of this episode: its last decisions, and its lessons."""

    decisions: Sequence[Mapping[str, Any]] = ()
    lessons: Sequence[Mapping[str, Any]] = ()


NOTHING_KEPT = Kept()


def render(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    kept: Kept = NOTHING_KEPT,
) -> list[Message]:
    """What a planner that writes schedules sends at its first call for an observation."""
    world = observation.world
    form = STEP if ways.per_step else "schedule"
    keep = keeps(observation, ways)
    system = {
        **voice.house(world, templates),
        "workers": count(len(world.workers)),
        "hints": templates.fill("hints") if ways.hints else "",
        "demonstration": _demonstration(observation, voice, ways, templates),
        "given": _given(observation, ways, templates, kept, keep),
        "answer": templates.fill(f"answer_{form}", {"example": _example(world, voice, ways, keep)}),
        "keep": templates.fill("answer_keep") if keep else "",
        "chain_of_thought": templates.fill(f"chain_of_thought_{form}")
        if ways.chain_of_thought
        else "",
        "lessons": templates.fill("lessons") if ways.lessons else "",
    }
    parts = [block(name, data) for name, data in voice.blocks(observation).items()]
    if ways.recipes == "given":
        parts.append(block(*voice.texts(observation)))
    if keep:
        parts.append(block(SCHEDULE, rows_of(observation.underway, observation.timestep, world)))
    parts += instructions_block(observation)
    if ways.legal_actions:
        legal = {w: list(world.legal(observation.state, w)) for w in world.workers}
        parts.append(block(LEGAL, legal))
    if kept.decisions:
        parts.append(block(MEMORY, list(kept.decisions)))
    if kept.lessons:
        parts.append(block(LESSONS, list(kept.lessons)))
    parts.append(block(CALL, call_of(observation, ways)))
    task = templates.fill(f"task_{form}", {"timestep": str(observation.timestep)})
    return messages(templates, "system", system, parts, task)


def instructions_block(observation: Observation[Any]) -> list[str]:
    """The block of what the head chef has said, if there is anything."""
    said = [{"t": each.timestep, "words": each.words} for each in observation.instructions]
    return [block(INSTRUCTIONS, said)] if said else []


def given_instructions(observation: Observation[Any], templates: Templates) -> str:
    """What that block is, if it is there."""
    return templates.fill("given_instructions") if observation.instructions else ""


def call_of(observation: Observation[Any], ways: Prompting) -> dict[str, Any]:
    """The CALL block of a planner that writes schedules."""
    form = STEP if ways.per_step else "schedule"
    return call_data(observation, form, feedback=ways.feedback, last=ways.last_step)


def keeps(observation: Observation[Any], ways: Prompting) -> bool:
    """Whether there is something under way that an answer may keep."""
    return bool(observation.underway) and not ways.per_step


def messages(
    templates: Templates, system: str, slots: Mapping[str, str], blocks: Sequence[str], task: str
) -> list[Message]:
    """The first messages of a dialogue: what holds always, and what is the case now."""
    user = templates.fill("observation", {"blocks": "\n\n".join(blocks), "task": task})
    return [
        Message(role="system", content=templates.fill(system, slots)),
        Message(role="user", content=user),
    ]


def render_problems(
    call: Mapping[str, Any], repair: int, problems: Sequence[str], templates: Templates
) -> Message:
    """The message that an answer could not be used, and why."""
    again = call_again(call, repair, problems=list(problems))
    return Message(role="user", content=templates.fill("repair_answer", {"blocks": again}))


def render_violations(
    call: Mapping[str, Any],
    repair: int,
    violations: Sequence[Mapping[str, Any]],
    templates: Templates,
) -> Message:
    """The message which actions of a schedule would FAIL."""
    again = call_again(call, repair, violations=list(violations))
    return Message(role="user", content=templates.fill("repair_violations", {"blocks": again}))


def count(workers: int) -> str:
    """So many workers, in words."""
    return _COUNTS[workers] if workers < len(_COUNTS) else f"{workers} workers"


def given_texts(ways: Prompting, templates: Templates) -> str:
    """Where the texts are: among the blocks, or to be looked up."""
    return templates.fill("given_recipes" if ways.recipes == "given" else "given_tool")


def _given(
    observation: Observation[Any], ways: Prompting, templates: Templates, kept: Kept, keep: bool
) -> str:
    more = [
        templates.fill(name)
        for name, there in (
            ("given_schedule", keep),
            ("given_instructions", observation.instructions),
            ("given_feedback", ways.feedback),
            ("given_legal", ways.legal_actions),
            ("given_memory", kept.decisions),
            ("given_lessons", kept.lessons),
        )
        if there
    ]
    slots = {"given_recipes": given_texts(ways, templates), "given_more": "\n".join(more)}
    return templates.fill("given", slots)


def _example(world: World[Any], voice: Voice, ways: Prompting, keep: bool) -> str:
    return to_json(
        example_schedule(
            world.workers,
            voice.example[: 1 if ways.per_step else None],
            reasoning=ways.chain_of_thought,
            think=ways.chain_of_thought and not ways.per_step,
            lesson=ways.lessons,
            keep=keep,
        )
    )


def _demonstration(
    observation: Observation[Any], voice: Voice, ways: Prompting, templates: Templates
) -> str:
    if ways.demonstration == "none":
        return ""
    workers = ways.demonstration_workers or len(observation.world.workers)
    timesteps = 2 if ways.demonstration == "two_steps" else None
    shown = block(DEMONSTRATION, dict(voice.demonstration(observation, workers, timesteps)))
    return templates.fill(
        f"demonstration_{ways.demonstration}", {"workers": count(workers), "blocks": shown}
    )
