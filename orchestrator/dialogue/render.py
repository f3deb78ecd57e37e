"""Rendering: the first messages to a model about an observation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from episodes.capabilities import simulable
from episodes.conversation import Message
from orchestrator.dialogue.blocks import CALL, STEP, TURN, block, call_data
from orchestrator.dialogue.keeping import SCHEDULE, UNDERWAY, lay_out, rows_of
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.rules import empty_schedule, in_lines, system_message
from orchestrator.dialogue.schedules import TIMESTEP
from orchestrator.dialogue.templates import Templates
from orchestrator.dialogue.voice import Voice
from orchestrator.planner import Observation, actions_of_worker

MEMORY, LESSONS, LEGAL, INSTRUCTIONS = "MEMORY", "LESSONS", "LEGAL", "INSTRUCTIONS"
TALK, DID, DECIDED, PLANS = "TALK", "DID", "DECIDED", "PLANS"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemory:
    """The part of a planner's memory that goes into the prompt."""

    decisions: Sequence[Mapping[str, Any]] = ()
    """The last decisions, oldest first."""
    lessons: Sequence[Mapping[str, Any]] = ()
    """The lessons, oldest first."""
    meant: str = ""
    """The reasoning for the active schedule."""
    left: Sequence[str] = ()
    """The rest of an agent's queue."""


NOTHING_KEPT = PromptMemory()


def render(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    kept: PromptMemory = NOTHING_KEPT,
) -> list[Message]:
    """Return the first messages about an observation, for a central planner or a team's agent.

    `ways` are the prompting options, `kept` is the planner's memory. The system message is the same
    at every call of an episode, and the blocks that change least come first, so that a provider can
    reuse the longest possible prefix.
    """
    known = simulable(observation.world, observation.state, observation.agent)
    ways = replace(ways, legal_actions=ways.legal_actions and known is not None)
    parts = [block(name, data) for name, data in voice.setting(observation).items()]
    if ways.recipes == "given":
        parts.append(block(*voice.texts(observation)))
    parts += [block(name, data) for name, data in voice.blocks(observation).items()]
    if keeps(observation, ways):
        parts += _blocks_of_schedule(observation, voice, ways, kept)
    if ways.sequence and (plans := _plans(observation, ways, kept)):
        parts.append(block(PLANS, plans))
    parts += instructions(observation, templates)
    if ways.legal_actions:
        world = observation.world
        legal = {w: list(world.legal(known, w)) for w in workers_of_answer(observation, ways)}
        parts.append(block(LEGAL, legal))
    if kept.decisions:
        parts.append(block(MEMORY, list(kept.decisions)))
    if kept.lessons:
        parts.append(block(LESSONS, list(kept.lessons)))
    if observation.agent is not None:
        parts += _blocks_of_others(observation)
    parts.append(block(CALL, call_of(observation, ways)))
    system = system_message(observation, voice, ways, templates)
    return messages(templates, system, parts, _task(observation, ways, templates))


def workers_of_answer(observation: Observation[Any], ways: Prompting) -> tuple[str, ...]:
    """Return the workers whose actions an answer has: with `per_step`, only those that may move."""
    movers = observation.movers if ways.per_step else ()
    return tuple(w for w in observation.planned if not movers or w in movers)


def instructions(observation: Observation[Any], templates: Templates) -> list[str]:
    """Return the block of the supervisor's instructions, with an explanation before it.

    The result is a list of one text; it is empty if there are no instructions.
    """
    entries = [{"t": each.timestep, "words": each.words} for each in observation.instructions]
    return (
        [f"{templates.fill('given_instructions')}\n\n{block(INSTRUCTIONS, entries)}"]
        if entries
        else []
    )


def call_of(observation: Observation[Any], ways: Prompting) -> dict[str, Any]:
    """Return the data of the CALL block for a central LLM planner or a team's agent."""
    form = STEP if ways.per_step else "schedule"
    return call_data(
        observation,
        form if observation.agent is None else TURN,
        feedback=ways.feedback,
        last=ways.last_step,
        per_step=ways.per_step,
        form=ways.form if in_lines(observation, ways) else "",
    )


def keeps(observation: Observation[Any], ways: Prompting) -> bool:
    """Return whether an answer may keep a part of an active schedule."""
    return bool(observation.underway) and ways.keeps


def messages(templates: Templates, system: str, blocks: Sequence[str], task: str) -> list[Message]:
    """Return the first messages of a dialogue: the system message, then the observation."""
    user = templates.fill("observation", {"blocks": "\n\n".join(blocks), "task": task})
    return [Message(role="system", content=system), Message(role="user", content=user)]


def _task(observation: Observation[Any], ways: Prompting, templates: Templates) -> str:
    """Return the text of the task, with which the message ends."""
    slots = {"timestep": str(observation.timestep)}
    if keeps(observation, ways):
        end = observation.timestep + len(observation.underway)
        slots |= {"end": str(end), "nothing": empty_schedule(observation.planned, ways)}
        return templates.fill("task_replan", slots)
    form = f"task_{STEP if ways.per_step else 'schedule'}"
    return templates.fill(templates.variant(form, observation.agent), slots)


def _blocks_of_schedule(
    observation: Observation[Any], voice: Voice, ways: Prompting, kept: PromptMemory
) -> list[str]:
    """Return two blocks: the active schedule, and the remarks on it."""
    world, now = observation.world, observation.timestep
    rows = rows_of(observation.underway, now, world)
    busy = dict.fromkeys(observation.planned, now)
    for row in rows:
        busy |= {worker: int(row[TIMESTEP]) + 1 for worker in row if worker != TIMESTEP}
    about = {
        **({"reasoning": kept.meant} if kept.meant else {}),
        "free": busy,
        **voice.remarks_on_schedule(observation),
    }
    shown = lay_out(rows, observation.planned, columns=ways.columns)
    return [block(SCHEDULE, shown), block(UNDERWAY, about)]


def _plans(
    observation: Observation[Any], ways: Prompting, kept: PromptMemory
) -> dict[str, Sequence[str]]:
    """Return the rest of the plan of each worker; leave out workers whose plan is used up."""
    idle = observation.world.idle
    left = {
        worker: kept.left
        if ways.queue and observation.agent
        else actions_of_worker(observation.underway, worker, idle)
        for worker in observation.planned
    }
    return {worker: actions for worker, actions in left.items() if actions}


def _blocks_of_others(observation: Observation[Any]) -> list[str]:
    """Return the blocks about the other agents: their last actions, decisions and messages."""
    said = (*observation.heard, *observation.talk)
    talk = [{"t": each.timestep, "agent": each.agent, "said": each.text} for each in said]
    return [
        *([block(DID, dict(observation.did))] if observation.did else []),
        *(
            [block(DECIDED, {name: list(acts) for name, acts in observation.decided.items()})]
            if observation.decided
            else []
        ),
        *([block(TALK, talk)] if observation.rounds else []),
    ]
