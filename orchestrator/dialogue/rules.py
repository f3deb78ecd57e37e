"""The system message of planners and agents, which is the same at every call of an episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cookmas.episodes.base import overrides
from cookmas.episodes.speech import END
from cookmas.orchestrator.dialogue.blocks import STEP, block, to_json
from cookmas.orchestrator.dialogue.choices import ACTION, ACTIONS, letter_of
from cookmas.orchestrator.dialogue.keeping import lay_out
from cookmas.orchestrator.dialogue.lines import write_lines
from cookmas.orchestrator.dialogue.plans import ANALYSIS, PLAN
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.schedules import THINK, TIMESTEP
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import Voice
from cookmas.orchestrator.planner import Observation

DEMONSTRATION = "DEMONSTRATION"

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def system_message(
    observation: Observation[Any], voice: Voice, ways: Prompting, templates: Templates
) -> str:
    """Return the system message: the rules, the description of the prompt, and how to answer.

    It is for a central planner or for an agent of a team. The messages of two agents have the
    longest possible beginning in common.
    """
    agent = observation.agent
    common = common_slots(observation, voice, ways, templates)
    slots = {
        **common,
        "hints": _advise(agent, ways, templates),
        "demonstration": _demonstration(observation, voice, ways, templates),
        "answer": _answer(observation, voice, ways, templates, templates.fill("until", common)),
        "chain_of_thought": _chain_of_thought(observation, ways, templates),
        "lessons": templates.fill("lessons") if ways.lessons else "",
    }
    say = "say_plan" if ways.sequence else "say_choice" if ways.choice else "say"
    if agent is None:
        return templates.fill("system", slots)
    rounds = {"rounds": str(observation.rounds)}
    talks = observation.rounds > 0
    return templates.fill(
        "agent_system",
        {
            **slots,
            "turns": templates.fill("turns_talk" if talks else "turns_silent", rounds),
            "say": templates.fill(say) if talks else "",
        },
    )


def common_slots(
    observation: Observation[Any],
    voice: Voice,
    ways: Prompting,
    templates: Templates,
    *further: str,
) -> dict[str, str]:
    """Return the values of the slots that the system messages of all calls share.

    `further` names the prompt files about blocks that only this call has.
    """
    world, agent = observation.world, observation.agent
    return {
        **voice.rules_and_actions(world, templates, agent),
        "agent": agent or "",
        "workers": count(len(world.workers), templates),
        "goal": templates.fill("goal"),
        "given": _describe_given(observation, ways, templates, *further),
    }


def count(workers: int, templates: Templates) -> str:
    """Return a number of workers in words, such as "two workers", with the world's noun."""
    number = _COUNTS[workers] if workers < len(_COUNTS) else str(workers)
    return f"{number} {templates.text('worker')}{'' if workers == 1 else 's'}"


def describe_texts(ways: Prompting, templates: Templates) -> str:
    """Return the sentences that say where the model finds texts: in a block, or with the tool."""
    return templates.fill("given_texts" if ways.recipes == "given" else "given_tool")


def describe_blocks(templates: Templates, texts: str, more: Sequence[str]) -> str:
    """Return the description of the blocks of a prompt.

    `texts` says where the texts are; `more` names the prompt files about further blocks.
    """
    slots = {"given_texts": texts, "given_more": "\n".join(map(templates.fill, more))}
    return templates.fill("given", slots)


def empty_schedule(workers: Sequence[str], ways: Prompting) -> str:
    """Return, as JSON, the empty schedule in an answer that keeps the whole active schedule."""
    return to_json(lay_out([], workers, columns=ways.columns))


def _advise(agent: str | None, ways: Prompting, templates: Templates) -> str:
    """Return the world's hints, and for an agent the directive to help its partners."""
    advice = [templates.fill(templates.variant("hints", agent))] if ways.hints else []
    if ways.helper and agent is not None:
        advice.append(templates.fill("helper"))
    return "\n\n".join(advice)


def _describe_given(
    observation: Observation[Any], ways: Prompting, templates: Templates, *further: str
) -> str:
    """Return the description of the blocks that a model gets; `further` as in `common_slots`."""
    agent = observation.agent
    remembered = ways.memory and ways.memory_of == "actions"
    situation = overrides(observation.world, "narrate")
    more = [
        templates.variant(name, agent)
        for name, there in (
            ("given_situation", ways.words and situation),
            ("given_schedule", ways.keeps),
            ("given_underway", ways.keeps),
            ("given_plans", ways.sequence),
            ("given_partners", ways.theory_of_mind and agent),
            ("given_agent", agent),
            ("given_talk", agent and observation.rounds),
            ("given_feedback", ways.feedback),
            ("given_legal", ways.legal_actions and not ways.choice),
            ("given_options", ways.legal_actions and ways.choice),
            ("given_memory", ways.memory and ways.memory_of == "decisions"),
            ("given_memory_actions", remembered and ways.feedback),
            ("given_memory_chosen", remembered and not ways.feedback),
            ("given_lessons", ways.lessons),
        )
        if there
    ]
    return describe_blocks(templates, describe_texts(ways, templates), [*more, *further])


def _answer(
    observation: Observation[Any], voice: Voice, ways: Prompting, templates: Templates, until: str
) -> str:
    """Return the text that tells the model how to write an answer.

    Without `per_step` it also tells how to keep the active schedule. `until` is the world's text
    that says how far a schedule should reach.
    """
    world, agent = observation.world, observation.agent
    slots = {"example": _example(observation, voice, ways), "until": until}
    if ways.choice:
        form = "answer_choice" if ways.legal_actions else "answer_action"
        return templates.fill(templates.variant(form, agent), slots)
    if ways.per_step:
        return templates.fill(templates.variant("answer_step", agent), slots)
    if ways.sequence:
        slots["kind"] = "lines of text" if in_lines(observation, ways) else "one JSON object"
        return templates.fill(templates.variant("answer_plan", agent), slots)
    keep_slots = {
        "kept": to_json(_example_of_keeping(observation, voice, ways)),
        "idle": world.idle,
        "nothing": empty_schedule(observation.planned, ways),
    }
    form = templates.variant("answer_columns" if ways.columns else "answer_rows", agent)
    keep = templates.variant("answer_keep", agent)
    return f"{templates.fill(form, slots)}\n\n{templates.fill(keep, keep_slots)}"


def _chain_of_thought(observation: Observation[Any], ways: Prompting, templates: Templates) -> str:
    if not ways.chain_of_thought:
        return ""
    kind = STEP if ways.per_step else "plan" if ways.sequence else "schedule"
    form = f"chain_of_thought_{kind}"
    asked = templates.fill(templates.variant(form, observation.agent))
    return f"{asked}\n{templates.fill('thoughts')}" if ways.thoughts else asked


def in_lines(observation: Observation[Any], ways: Prompting) -> bool:
    """Return whether an answer is lines of text: a plan of an agent, with the form `text`."""
    return ways.sequence and ways.form == "text" and observation.agent is not None


def _example(observation: Observation[Any], voice: Voice, ways: Prompting) -> str:
    """Return an example of an answer, as JSON or as lines of text."""
    actions = _example_rows(observation, voice)
    if ways.sequence:
        plan = _plan_example(observation, actions, ways)
        lines = in_lines(observation, ways)
        return write_lines(observation.agent or "", plan) if lines else to_json(plan)
    if ways.choice:
        return to_json(_choice_example(observation, actions[0], ways))
    rows = [{TIMESTEP: t, **row} for t, row in enumerate(actions[: 1 if ways.per_step else None])]
    shown = lay_out(rows, observation.planned, columns=ways.columns)
    return to_json(
        {
            **({"reasoning": "..."} if ways.chain_of_thought else {}),
            **({"say": "..."} if observation.rounds else {}),
            **({} if ways.per_step else {"keep_until": 0}),
            "schedule": [{THINK: "..."}, *shown] if ways.thoughts else shown,
            **({"lesson": "..."} if ways.lessons else {}),
        }
    )


def _example_rows(observation: Observation[Any], voice: Voice) -> list[dict[str, str]]:
    """Return the world's example, as actions by worker; an agent has those of the first worker."""
    rows = voice.example(observation.world)
    if observation.agent is not None:
        return [{observation.agent: row[0]} for row in rows]
    return [dict(zip(observation.world.workers, row, strict=False)) for row in rows]


def _plan_example(
    observation: Observation[Any], actions: Sequence[Mapping[str, str]], ways: Prompting
) -> Mapping[str, Any]:
    """Return an example of a plan. If agents may talk, the example ends with a request."""
    plans = {w: [row[w] for row in actions if w in row] for w in observation.planned}
    talks = observation.rounds > 0
    own = plans[observation.agent] if observation.agent else []
    request = [f"request('{own[-1]}')"] if own and talks else []
    return {
        **({ANALYSIS: "..."} if ways.chain_of_thought else {}),
        PLAN: [*own[:2], *request] if observation.agent else plans,
        **({"say": f"... {END}"} if talks else {}),
        **({"lesson": "..."} if ways.lessons else {}),
    }


def _choice_example(
    observation: Observation[Any], actions: Mapping[str, str], ways: Prompting
) -> Mapping[str, Any]:
    """Return an example of a choice: letters if options are listed, else actions."""
    letters = {worker: letter_of(number) for number, worker in enumerate(actions)}
    shown = letters if ways.legal_actions else actions
    agent = observation.agent
    return {
        **({"reasoning": "..."} if ways.chain_of_thought else {}),
        **({"say": "..."} if observation.rounds else {}),
        **({ACTIONS: shown} if agent is None else {ACTION: shown[agent]}),
        **({"lesson": "..."} if ways.lessons else {}),
    }


def _example_of_keeping(
    observation: Observation[Any], voice: Voice, ways: Prompting
) -> Mapping[str, Any]:
    """Return an answer that keeps the active schedule until timestep 12, with a change at 9."""
    world, workers = observation.world, observation.planned
    first, *others = workers
    action = _example_rows(observation, voice)[0][first]
    rows = [{TIMESTEP: 9, (others or [first])[0]: world.idle}, {TIMESTEP: 12, first: action}]
    return {"keep_until": 12, "schedule": lay_out(rows, workers, columns=ways.columns)}


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
