"""From an observation to the messages that a model is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from episodes.capabilities import simulable
from episodes.conversation import Message
from episodes.world import World
from orchestrator.dialogue.blocks import CALL, STEP, block, call_data, to_json
from orchestrator.dialogue.keeping import SCHEDULE, UNDERWAY, laid_out, rows_of
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.schedules import THINK, TIMESTEP
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.planner import Observation

MEMORY, LESSONS, LEGAL, DEMONSTRATION = "MEMORY", "LESSONS", "LEGAL", "DEMONSTRATION"
INSTRUCTIONS = "INSTRUCTIONS"

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the planner kept of this episode: its last decisions, and its lessons.

    `meant` is the reasoning for the schedule under way.
    """

    decisions: Sequence[Mapping[str, Any]] = ()
    lessons: Sequence[Mapping[str, Any]] = ()
    meant: str = ""


NOTHING_KEPT = Kept()


def render(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    kept: Kept = NOTHING_KEPT,
) -> list[Message]:
    """Return what a planner that writes schedules sends at its first call for an observation.

    The system message is the same at every call of an episode, and the blocks that change least
    come first, so that a provider can reuse the longest possible prefix.
    """
    world = observation.world
    known = simulable(world, observation.state, observation.agent)
    ways = replace(ways, legal_actions=ways.legal_actions and known is not None)
    form = STEP if ways.per_step else "schedule"
    house = voice.house(world, templates)
    system = {
        **house,
        "workers": count(len(world.workers), templates),
        "goal": templates.fill("goal"),
        "hints": templates.fill("hints") if ways.hints else "",
        "demonstration": _demonstration(observation, voice, ways, templates),
        "given": _given(ways, templates),
        "answer": _answer(world, voice, ways, templates, templates.fill("until", house)),
        "chain_of_thought": _chain_of_thought(ways, templates),
        "lessons": templates.fill("lessons") if ways.lessons else "",
    }
    parts = [block(name, data) for name, data in voice.setting(observation).items()]
    if ways.recipes == "given":
        parts.append(block(*voice.texts(observation)))
    parts += [block(name, data) for name, data in voice.blocks(observation).items()]
    task, slots = f"task_{form}", {"timestep": str(observation.timestep)}
    if keeps(observation, ways):
        parts += _underway_blocks(observation, voice, ways, kept)
        task = "task_replan"
        end = observation.timestep + len(observation.underway)
        slots |= {"end": str(end), "nothing": _nothing(world, ways)}
    parts += instructions(observation, templates)
    if ways.legal_actions:
        legal = {w: list(world.legal(known, w)) for w in world.workers}
        parts.append(block(LEGAL, legal))
    if kept.decisions:
        parts.append(block(MEMORY, list(kept.decisions)))
    if kept.lessons:
        parts.append(block(LESSONS, list(kept.lessons)))
    parts.append(block(CALL, call_of(observation, ways)))
    return messages(templates, "system", system, parts, templates.fill(task, slots))


def instructions(observation: Observation[Any], templates: Templates) -> list[str]:
    """Return what the head chef has said as a block, and before it what the block is."""
    said = [{"t": each.timestep, "words": each.words} for each in observation.instructions]
    return (
        [f"{templates.fill('given_instructions')}\n\n{block(INSTRUCTIONS, said)}"] if said else []
    )


def call_of(observation: Observation[Any], ways: Prompting) -> dict[str, Any]:
    """Return the CALL block of a planner that writes schedules."""
    form = STEP if ways.per_step else "schedule"
    return call_data(observation, form, feedback=ways.feedback, last=ways.last_step)


def keeps(observation: Observation[Any], ways: Prompting) -> bool:
    """Return whether there is something under way that an answer may keep."""
    return bool(observation.underway) and not ways.per_step


def messages(
    templates: Templates, system: str, slots: Mapping[str, str], blocks: Sequence[str], task: str
) -> list[Message]:
    """Return the first messages of a dialogue: what holds always, and what is the case now."""
    user = templates.fill("observation", {"blocks": "\n\n".join(blocks), "task": task})
    return [
        Message(role="system", content=templates.fill(system, slots)),
        Message(role="user", content=user),
    ]


def _underway_blocks(
    observation: Observation[Any], voice: Voice, ways: Prompting, kept: Kept
) -> list[str]:
    """Return the schedule under way, and what is to be known about it."""
    world, now = observation.world, observation.timestep
    rows = rows_of(observation.underway, now, world)
    busy = dict.fromkeys(world.workers, now)
    for row in rows:
        busy |= {worker: int(row[TIMESTEP]) + 1 for worker in row if worker != TIMESTEP}
    about = {
        **({"reasoning": kept.meant} if kept.meant else {}),
        "free": busy,
        **voice.underway(observation),
    }
    shown = laid_out(rows, world.workers, columns=ways.columns)
    return [block(SCHEDULE, shown), block(UNDERWAY, about)]


def count(workers: int, templates: Templates) -> str:
    """Return so many workers in words, as the world calls them."""
    number = _COUNTS[workers] if workers < len(_COUNTS) else str(workers)
    return f"{number} {templates.text('worker')}{'' if workers == 1 else 's'}"


def given_texts(ways: Prompting, templates: Templates) -> str:
    """Return where the texts are: among the blocks, or to be looked up."""
    return templates.fill("given_recipes" if ways.recipes == "given" else "given_tool")


def describe_blocks(templates: Templates, texts: str, more: Sequence[str]) -> str:
    """Return what the blocks of a prompt are.

    `texts` says where the texts are; `more` names the prompt files about further blocks.
    """
    slots = {"given_recipes": texts, "given_more": "\n".join(map(templates.fill, more))}
    return templates.fill("given", slots)


def _given(ways: Prompting, templates: Templates) -> str:
    more = [
        name
        for name, there in (
            ("given_schedule", not ways.per_step),
            ("given_underway", not ways.per_step),
            ("given_feedback", ways.feedback),
            ("given_legal", ways.legal_actions),
            ("given_memory", ways.memory),
            ("given_lessons", ways.lessons),
        )
        if there
    ]
    return describe_blocks(templates, given_texts(ways, templates), more)


def _answer(
    world: World[Any], voice: Voice, ways: Prompting, templates: Templates, until: str
) -> str:
    """Return the form of an answer, and where a schedule may be under way how it is kept."""
    slots = {"example": _example(world, voice, ways), "until": until}
    if ways.per_step:
        return templates.fill("answer_step", slots)
    kept = {
        "kept": to_json(_kept_example(world, voice, ways)),
        "idle": world.idle,
        "nothing": _nothing(world, ways),
    }
    form = "columns" if ways.columns else "rows"
    return f"{templates.fill(f'answer_{form}', slots)}\n\n{templates.fill('answer_keep', kept)}"


def _chain_of_thought(ways: Prompting, templates: Templates) -> str:
    if not ways.chain_of_thought:
        return ""
    asked = templates.fill(f"chain_of_thought_{STEP if ways.per_step else 'schedule'}")
    return f"{asked}\n{templates.fill('thoughts')}" if ways.thoughts else asked


def _example(world: World[Any], voice: Voice, ways: Prompting) -> str:
    """Return an answer of the form; the rows of a voice have the actions of the first workers."""
    actions = voice.example[: 1 if ways.per_step else None]
    rows = [
        {TIMESTEP: t, **dict(zip(world.workers, row, strict=False))}
        for t, row in enumerate(actions)
    ]
    shown = laid_out(rows, world.workers, columns=ways.columns)
    return to_json(
        {
            **({"reasoning": "..."} if ways.chain_of_thought else {}),
            **({} if ways.per_step else {"keep_until": 0}),
            "schedule": [{THINK: "..."}, *shown] if ways.thoughts else shown,
            **({"lesson": "..."} if ways.lessons else {}),
        }
    )


def _kept_example(world: World[Any], voice: Voice, ways: Prompting) -> Mapping[str, Any]:
    """Return an answer that keeps what is under way before timestep 12, except at 9."""
    first, *others = world.workers
    rows = [
        {TIMESTEP: 9, (others or [first])[0]: world.idle},
        {TIMESTEP: 12, first: voice.example[0][0]},
    ]
    return {"keep_until": 12, "schedule": laid_out(rows, world.workers, columns=ways.columns)}


def _nothing(world: World[Any], ways: Prompting) -> str:
    """Return a schedule that adds nothing to what is kept."""
    return to_json(laid_out([], world.workers, columns=ways.columns))


def _demonstration(
    observation: Observation[Any], voice: Voice, ways: Prompting, templates: Templates
) -> str:
    if ways.demonstration == "none":
        return ""
    workers = ways.demonstration_workers or len(observation.world.workers)
    timesteps = 2 if ways.demonstration == "two_steps" else None
    shown = block(DEMONSTRATION, dict(voice.demonstration(observation, workers, timesteps)))
    return templates.fill(
        f"demonstration_{ways.demonstration}",
        {"workers": count(workers, templates), "blocks": shown},
    )
