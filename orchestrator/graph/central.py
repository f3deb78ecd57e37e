"""The central topology: one planner, called on triggers, writes the schedule of all workers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from cookmas.episodes.trace import EffectRecord, EventRecord, PlanRecord, Superstep
from cookmas.episodes.world import Trigger
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.graph.bookkeeping import NEVER, Change
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.messages import publish_status
from cookmas.orchestrator.graph.observation import describe_running, observe, rest_of_own
from cookmas.orchestrator.graph.outage import ask_patiently
from cookmas.orchestrator.graph.plans import (
    UNANSWERED,
    charge,
    commands_at,
    end_here,
    end_unanswered,
    interpretation,
    legible,
    record_calls,
    remember,
)
from cookmas.orchestrator.graph.state import (
    PLANNER,
    THE_PLANNER,
    State,
    Thinking,
    trigger_data,
)
from cookmas.orchestrator.graph.thought import Answered
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan, Planner, check_plan
from cookmas.orchestrator.planners.calling import ask_planner

RECENT = 3
"""Number of answers, by a wall clock, after which an earlier one no longer counts as usual."""

LATE = "late"
"""Kind of the trigger that says that an answer came later than it was made for."""


async def planner(state: State, context: Context) -> State:
    """Look up the needed texts, ask the planner, and activate its schedule if it is well-formed.

    By a wall clock the planner is only called here; `take_answer` takes its answer at a later
    timestep. If thinking takes time, the planner's `meanwhile` is asked first, and alone while an
    answer is to take effect; but not at the timestep at which one does, because it would replace
    that one.
    """
    state = context.write(state, Superstep(timestep=state["timestep"], nodes=[PLANNER]))
    quick: Planner | None = getattr(context.planner, "meanwhile", None)
    asked = context.planner
    assert not isinstance(asked, Team)
    observation = await _observe(state, context)
    try:
        if quick is not None and observation.price and not _is_new(state, context):
            at_once = replace(observation, price=None, effect=None)
            triggers = state["triggers"]
            state = _record(await ask_planner(quick, at_once), state, context)
            if state["thinking"] or state["ended"]:
                return state
            state = {**state, "triggers": triggers}
            observation = replace(observation, underway=rest_of_own(state, context))
        if isinstance(context.pace, WallClock):
            thinking = Thinking(begin=state["timestep"], triggers=state["triggers"])
            if observation.effect is not None:
                thinking["expected"] = observation.effect
            context.thought.begin(_ask(asked, observation, state, context))
            return {**state, "thinking": thinking, "triggers": [], "fresh": []}
        news = partial(context.mailbox.wait, state["cursor"])
        answered = await _ask(asked, observation, state, context, news)
        if answered is None:
            return _leave_as_news(state)
        answer, by = answered
    except UNANSWERED as error:
        return await end_unanswered(state, context, error)
    return _record(answer, state, context, by=by, expected=observation.effect, priced=True)


def _is_new(state: State, context: Context) -> bool:
    """Return whether the active schedule is an answer that has taken effect at this timestep."""
    active = state["schedule"].get(THE_PLANNER)
    plan = context.recorder.find_referred(active["plan"]) if active else None
    if not isinstance(plan, PlanRecord):
        return False
    since = plan.due if plan.asked is None else plan.timestep
    return since == state["timestep"]


def _leave_as_news(state: State) -> State:
    """Return the state in which the episode takes messages, and then calls the planner again."""
    news = [*state["triggers"], *state["news"]]
    stalled = max(0, state["stalled"] - 1)
    return {**state, "triggers": [], "news": news, "stalled": stalled, "asleep": True}


async def _ask(
    planner: Planner,
    observation: Observation[Any],
    state: State,
    context: Context,
    news: Callable[[], Awaitable[None]] | None = None,
) -> Answered:
    """Return the answer and the planner that gave it, as `ask_patiently` does.

    In an episode that is not open, an endpoint that is away is an error.
    """
    if context.desk is None:
        return await ask_planner(planner, observation), planner

    async def tell() -> None:
        await publish_status(context, {**state, "world": context.dump(state["world"])})

    fallback = context.fallback
    return await ask_patiently(planner, fallback, observation, context.outage, news, tell)


async def take_answer(state: State, context: Context) -> State:
    """Take the answer to a call at an earlier timestep, if it is there.

    If the process that called the planner is gone, the triggers of the call are news again.
    """
    thinking, thought = state["thinking"], context.thought
    if "due" in thinking or not thinking:
        return state
    if not thought.began:
        return {**state, "thinking": {}, "news": [*thinking["triggers"], *state["news"]]}
    if not thought.ended:
        return state
    state = {**state, "thinking": {}}
    try:
        answered = await thought.answer()
    except UNANSWERED as error:
        return await end_unanswered(state, context, error)
    assert answered is not None
    answer, by = answered
    begin = thinking["begin"]
    took = state["timestep"] - begin
    state["recent"] = [*state.get("recent", []), took][-RECENT:]
    asked = begin if begin < state["timestep"] else None
    expected = thinking.get("expected")
    return _record(answer, state, context, asked=asked, by=by, expected=expected)


def let_take_effect(state: State, context: Context) -> State:
    """Let the answers take effect that are due, after a check in the simulator.

    Their schedules begin at the timestep of the call, so that what they say of the timesteps since
    is dropped. But if they would FAIL later so, they begin later by as many timesteps as the answer
    took longer than expected, or else now: the workers have had nothing to do meanwhile. By a wall
    clock they also begin later if actions would be dropped that no worker has done. If the workers
    have gone on in that time, or actions are lost nevertheless, the world is another one than the
    answer was made for, and the planner is called again.
    """
    thinking, timestep = state["thinking"], state["timestep"]
    if thinking.get("due", NEVER) > timestep:
        return state
    plans = [context.recorder.find_referred(number) for number, _ in thinking["answers"].values()]
    known = [plan for plan in plans if isinstance(plan, PlanRecord)]
    called, expected = thinking["begin"], thinking.get("expected", timestep)
    begin, best = called, -1
    choices = [*dict.fromkeys((called, called + max(0, timestep - expected), timestep))]
    lost = dict.fromkeys(choices, 0)
    if isinstance(context.pace, WallClock):
        lost = {each: _count_lost(known, called, timestep - each, state, context) for each in lost}
        choices.sort(key=lost.__getitem__)
    for begins in choices:
        fail = _first_fail(known, timestep - begins, state, context)
        if fail is None:
            begin = begins
            break
        if fail > best:
            begin, best = begins, fail
    late, cause = timestep - expected, ""
    if late > 0 and _went_on(state, expected, context):
        cause = f"the answer came {late} timesteps later than expected, and the workers went on"
    elif lost[begin]:
        cause = f"the answer came when {lost[begin]} of its actions were over that nobody had done"
    if cause:
        state = {**state, "news": [*state["news"], trigger_data(Trigger(kind=LATE, cause=cause))]}
    return context.write(state, EffectRecord(timestep=timestep, begin=begin))


def _went_on(state: State, since: int, context: Context) -> bool:
    """Return whether the active schedules have had an action at a timestep from `since` on."""
    idle, now = context.world.idle, state["timestep"]
    for each in state["schedule"].values():
        plan = context.recorder.find_referred(each["plan"])
        if isinstance(plan, PlanRecord):
            first = max(0, since - each["begin"])
            entries = plan.schedule[first : max(first, now - each["begin"])]
            if any(command.action != idle for entry in entries for command in entry):
                return True
    return False


def _count_lost(
    plans: Sequence[PlanRecord], called: int, dropped: int, state: State, context: Context
) -> int:
    """Return how many of the first `dropped` entries' actions the active schedules did not have.

    The schedules of `plans` begin at the timestep `called`.
    """
    lost = 0
    for plan in plans:
        for timestep, entry in enumerate(plan.schedule[: 0 if plan.queued else dropped], called):
            done = commands_at(state["schedule"], timestep, context.recorder)
            lost += sum(each.action != context.world.idle and each not in done for each in entry)
    return lost


def _first_fail(
    plans: Sequence[PlanRecord], dropped: int, state: State, context: Context
) -> int | None:
    """Return the timestep of the first FAIL of schedules without their first entries, if any.

    If no entry is left, this is the present timestep. Without a simulator there is no FAIL.
    """
    world, timestep = context.world, state["timestep"]
    seen = world.simulable(world.observe(context.copy(state["world"])), None)
    rows = [plan.schedule if plan.queued else plan.schedule[dropped:] for plan in plans]
    joint = [
        [command for each in entries for command in each]
        for entries in zip_longest(*rows, fillvalue=())
    ]
    if seen is None or not joint:
        return None if seen is None else timestep
    queued = any(plan.queued for plan in plans)
    running = describe_running(state, context)
    found = look_ahead(world, seen, timestep, joint, queued=queued, running=running)
    return found[0].timestep if found else None


def _record(
    answer: Plan,
    state: State,
    context: Context,
    *,
    asked: int | None = None,
    priced: bool = False,
    by: Planner | None = None,
    expected: int | None = None,
) -> State:
    """Record an answer and what comes with it.

    `asked` is the timestep of an earlier call, `expected` that at which the effect was expected.
    An answer that is `priced` takes effect when it is due. `by` is the planner that answered if it
    may be the fallback.
    """
    fallback = by if by is not None and by is context.fallback else None
    timestep = state["timestep"]
    begin = timestep if asked is None else asked
    record_calls(context, answer.calls, answer.measured)
    state, due = charge(answer, state, context) if priced else (state, None)
    schedule, refused = check_plan(answer, context.world, begin)
    plan = PlanRecord(
        timestep=timestep,
        reasoning=answer.reasoning,
        schedule=legible(answer.schedule) if refused else schedule,
        **interpretation(answer),
        refused=refused,
        gave_up=answer.gave_up,
        by=fallback.name if fallback else None,
        by_class=fallback.planner_class if fallback else None,
        asked=asked,
        due=due,
        expected=expected if expected is not None and expected < (due or timestep) else None,
        search=answer.search,
        queued=answer.queued or None,
    )
    state = context.write(state, plan)
    state = remember(state, context, answer.memory)
    state = _reject({} if refused else answer.declined, state, context)
    if answer.gave_up is not None and context.desk:
        return {**state, "fresh": [], "stalled": context.max_stalled + 1}
    if answer.gave_up is not None:
        state = end_here(state, context, "gave_up", answer.gave_up)
    return {**state, "fresh": []}


async def _observe(state: State, context: Context) -> Observation[Any]:
    known = not getattr(context.planner, "looks_up", False)
    return await observe(state, context, known=known)


def _reject(rejected: Mapping[str, str], state: State, context: Context) -> State:
    """Apply and record the events by which a planner rejects requests; return the changed state.

    `rejected` has the reason for each request. Each such event is an event of the world, and the
    trace has it like an event from outside.
    """
    world = context.world
    for name, why in rejected.items():
        event = dict(world.decline_event(name, why))
        now, ruling = world.apply(state["world"], event)
        record = EventRecord(timestep=state["timestep"], event=event, refused=ruling.refused)
        state = context.write(state, record, Change(now))
    return state
