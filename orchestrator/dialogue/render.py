"""Rendering: the first messages to a model about an observation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cookmas.episodes.base import complete, overrides
from cookmas.episodes.conversation import Message
from cookmas.orchestrator.dialogue.blocks import CALL, STEP, TURN, block, call_data
from cookmas.orchestrator.dialogue.choices import OPTIONS, Offer
from cookmas.orchestrator.dialogue.keeping import SCHEDULE, UNDERWAY, lay_out, rows_of
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.rules import empty_schedule, in_lines, system_message
from cookmas.orchestrator.dialogue.schedules import TIMESTEP
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import POSSIBLE, Voice
from cookmas.orchestrator.planner import Observation, actions_of_worker

MEMORY, LESSONS, LEGAL, INSTRUCTIONS = "MEMORY", "LESSONS", "LEGAL", "INSTRUCTIONS"
TALK, DID, DECIDED, PLANS = "TALK", "DID", "DECIDED", "PLANS"
SITUATION, PARTNERS = "SITUATION", "PARTNERS"


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
    partners: Mapping[str, str] = field(default_factory=dict)
    """The agent's inference about its partners; empty if it has made none."""


NOTHING_KEPT = PromptMemory()

Legal = Mapping[str, Sequence[str]]
"""The legal actions of workers, by worker."""


def render(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    kept: PromptMemory = NOTHING_KEPT,
    legal: Legal | None = None,
) -> list[Message]:
    """Return the first messages about an observation, for a central planner or a team's agent.

    `ways` are the prompting options, `kept` is the planner's memory. `legal` are the legal actions
    to list, as `find_legal` returns them; None to list none. The system message is the same at
    every call of an episode, and the blocks that change least come first, so that a provider can
    reuse the longest possible prefix.
    """
    ways = replace(ways, legal_actions=legal is not None)
    parts = blocks_of(observation, voice, ways, templates, kept, legal)
    parts.append(block(CALL, call_of(observation, ways)))
    system = system_message(observation, voice, ways, templates)
    return messages(templates, system, parts, _task(observation, ways, templates))


def find_legal(observation: Observation[Any], ways: Prompting) -> Legal | None:
    """Return the legal actions to list; None to list none.

    None are listed if the options say so, or if the observed state cannot be simulated.
    """
    if not ways.legal_actions:
        return None
    world = observation.world
    known = complete(world).simulable(observation.state, observation.agent)
    if known is None:
        return None
    workers = workers_of_answer(observation, ways)
    return {worker: list(world.legal(known, worker)) for worker in workers}


def blocks_of(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    kept: PromptMemory,
    legal: Legal | None,
) -> list[str]:
    """Return the blocks of an observation, without CALL; those that change least come first.

    `legal` are the legal actions to list; None to list none.
    """
    parts = [block(name, data) for name, data in voice.setting(observation).items()]
    if ways.recipes == "given":
        parts.append(block(*voice.texts(observation)))
    changing = voice.blocks(observation).items()
    parts += [block(name, data) for name, data in changing if name != POSSIBLE or not ways.choice]
    if ways.words and overrides(observation.world, "narrate"):
        told = complete(observation.world).narrate(observation.state, observation.agent)
        parts.append(block(SITUATION, list(told)))
    if keeps(observation, ways):
        parts += _blocks_of_schedule(observation, voice, ways, kept)
    if ways.sequence and (plans := _plans(observation, ways, kept)):
        parts.append(block(PLANS, plans))
    parts += instructions(observation, templates)
    if legal is not None:
        parts.append(_block_of_legal(legal, observation.agent, ways))
    if kept.decisions:
        parts.append(block(MEMORY, list(kept.decisions)))
    if kept.lessons:
        parts.append(block(LESSONS, list(kept.lessons)))
    if observation.agent is not None:
        parts += _blocks_of_others(observation)
    if kept.partners:
        parts.append(block(PARTNERS, dict(kept.partners)))
    return parts


def _block_of_legal(legal: Legal, agent: str | None, ways: Prompting) -> str:
    """Return the block of legal actions, as options with letters if the answer is a choice."""
    if not ways.choice:
        return block(LEGAL, {**legal})
    actions = Offer.of(legal).actions
    shown = actions if agent is None else actions.get(agent, {})
    return block(OPTIONS, {**shown})


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


def call_of(
    observation: Observation[Any], ways: Prompting, task: str | None = None
) -> dict[str, Any]:
    """Return the data of the CALL block for a central LLM planner or a team's agent.

    The default `task` is to decide.
    """
    form = STEP if ways.per_step else "schedule"
    return call_data(
        observation,
        task or (form if observation.agent is None else TURN),
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
