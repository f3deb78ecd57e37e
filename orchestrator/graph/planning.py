"""The nodes that plan: one central planner, or a team of agents, and which of them an episode has.

A central planner is called on triggers, and writes the schedule of all workers. In a team every
worker is an agent that plans for itself from what it may know, and may talk:

    world -> agent -> agent -> ... -> worker x n -> world

The agents that a trigger concerns take turns, in the order of the workers, if they may move. In a
turn an agent sends a message, decides on its own actions from now on, or both. An agent that
continues its earlier decision gets another turn only after a new message, and one that has decided
only after a message that asks for an answer. Where a world has listeners, they hear messages and
answer although it is not their move. Each turn is a superstep of its own, so that a killed dialogue
continues with the next turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from cookmas.episodes.base import limit_talk, movers
from cookmas.episodes.trace import EffectRecord, EventRecord, MessageRecord, PlanRecord, Superstep
from cookmas.episodes.world import Command, Trigger
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.graph.bookkeeping import (
    NEVER,
    Change,
    commands_at,
    conclude_talk,
    rest_of,
    run_out,
    write,
)
from cookmas.orchestrator.graph.context import Context, Node
from cookmas.orchestrator.graph.messages import publish_status
from cookmas.orchestrator.graph.observation import (
    describe_running,
    messages_of,
    observe,
    rest_of_own,
)
from cookmas.orchestrator.graph.plans import (
    UNANSWERED,
    charge,
    end_here,
    end_unanswered,
    interpretation,
    record_calls,
    remember,
)
from cookmas.orchestrator.graph.state import (
    AGENT,
    PLANNER,
    THE_PLANNER,
    State,
    Thinking,
    trigger_data,
)
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan, Planner, check_plan
from cookmas.orchestrator.planners.calling import (
    AnswerBy,
    ask_member,
    ask_patiently,
    ask_planner,
)

RECENT = 3
"""Number of answers, by a wall clock, after which an earlier one no longer counts as usual."""

LONGEST_MESSAGE = 2000
"""Maximum length of a message, in characters; the rest is cut off."""

LATE = "late"
"""Kind of the trigger that says that an answer came later than it was made for."""


async def planner(state: State, context: Context) -> State:
    """Look up the needed texts, ask the planner, and activate its schedule if it is well-formed.

    By a wall clock the planner is only called here; `take_answer` takes its answer at a later
    timestep. If thinking takes time, the planner's `meanwhile` is asked first, and alone while an
    answer is to take effect; but not at the timestep at which one does, because it would replace
    that one.
    """
    state = write(state, Superstep(timestep=state["timestep"], nodes=[PLANNER]), context.conditions)
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
    plan = context.conditions.find_plan(active["plan"]) if active else None
    if plan is None:
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
) -> AnswerBy | None:
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
    plans = [context.conditions.find_plan(number) for number, _ in thinking["answers"].values()]
    known = [plan for plan in plans if plan is not None]
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
    return write(state, EffectRecord(timestep=timestep, begin=begin), context.conditions)


def _went_on(state: State, since: int, context: Context) -> bool:
    """Return whether the active schedules have had an action at a timestep from `since` on."""
    idle, now = context.world.idle, state["timestep"]
    for each in state["schedule"].values():
        if plan := context.conditions.find_plan(each["plan"]):
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
            done = commands_at(state["schedule"], timestep, context.conditions)
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
        schedule=schedule,
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
    state = write(state, plan, context.conditions)
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
        state = write(state, record, context.conditions, Change(now))
    return state


async def agent(state: State, context: Context) -> State:
    """Give one agent one turn; after the last turn activate the schedules."""
    team = context.planner
    assert isinstance(team, Team)
    state = write(state, Superstep(timestep=state["timestep"], nodes=[AGENT]), context.conditions)
    circle = _circle(state, team, context)
    name = circle.next(state)
    assert name is not None
    member = team.members[name]
    observation = await observe(
        state,
        context,
        known=not getattr(member, "looks_up", False),
        agent=name,
        talk=messages_of(state["talk"].get("messages", ()), context),
        rounds=circle.rounds,
        decided=_disclose(state, name, team, context),
    )
    try:
        turn = await ask_member(member, observation)
    except UNANSWERED as error:
        return await end_unanswered(state, context, error, name)
    record_calls(context, turn.calls, turn.measured, name)
    state, due = charge(turn, state, context, name)
    state = remember(state, context, turn.memory, name)
    if circle.rounds and turn.say:
        text = turn.say[:LONGEST_MESSAGE]
        said = MessageRecord(timestep=state["timestep"], agent=name, text=text)
        state = write(state, said, context.conditions)
        if turn.settles:
            talk = state["talk"]
            last = talk["messages"][-1]
            state = {**state, "talk": {**talk, "settled": [*talk.get("settled", ()), last]}}
    if turn.actions is not None:
        plan = _plan_of(turn, turn.actions, name, due, state, context)
        state = write(state, plan, context.conditions)
    state = _end_turn(state, name)
    return state if circle.next(state) else conclude_talk(state, context.conditions)


def _plan_of(
    turn: Turn, actions: Sequence[str], name: str, due: int | None, state: State, context: Context
) -> PlanRecord:
    commands = [[Command(name, action)] if action else [] for action in actions]
    problems = (context.world.refusal(each) for each in commands if each)
    return PlanRecord(
        timestep=state["timestep"],
        agent=name,
        reasoning=turn.reasoning,
        schedule=commands,
        **interpretation(turn),
        refused=next(filter(None, problems), None),
        due=due,
        queued=turn.queued or None,
    )


def _end_turn(state: State, name: str) -> State:
    """Return the state after a turn of an agent, which has now heard all messages."""
    talk = state["talk"]
    turns = talk.get("turns", {})
    return {
        **state,
        "talk": {
            **talk,
            "turns": {**turns, name: turns.get(name, 0) + 1},
            "heard": {**talk.get("heard", {}), name: len(talk.get("messages", ()))},
            "last": name,
        },
    }


class _Circle(NamedTuple):
    """The agents that take part in a dialogue, in the order of the workers."""

    names: Sequence[str]
    """The agents that may move or listen."""
    moving: Collection[str]
    """The workers that may move."""
    at_work: Collection[str]
    rounds: int
    """The turns that each agent may take; with 0 each takes one turn and sends no messages."""

    def next(self, state: State) -> str | None:
        """Return the agent whose turn it is; None if no agent needs a turn.

        An agent needs a turn if it has to decide or has not got all messages.
        """
        names, last = self.names, state["talk"].get("last")
        begin = names.index(last) + 1 if last in names else 0
        circle = (*names[begin:], *names[:begin])
        return next((name for name in circle if self._has_turn(name, state)), None)

    def _has_turn(self, name: str, state: State) -> bool:
        talk = state["talk"]
        taken = talk.get("turns", {}).get(name, 0)
        if taken >= max(self.rounds, 1):
            return False
        decided = name in talk.get("decided", {})
        settled = talk.get("settled", ()) if decided else ()
        unheard = talk.get("messages", [])[talk.get("heard", {}).get(name, 0) :]
        if any(number not in settled for number in unheard):
            return True
        if taken == 0:
            return name in state["asked"]
        return name in self.moving and not decided and name not in self.at_work


def _circle(state: State, team: Team, context: Context) -> _Circle:
    world = context.world
    moving = movers(world, state["world"])
    present = {*moving, *world.listeners(state["world"])}
    names = [name for name in world.workers if name in team.members and name in present]
    ran_out = run_out(state["schedule"], state["timestep"], context.conditions, names)
    at_work = [name for name in names if name not in ran_out]
    return _Circle(names, moving, at_work, limit_talk(world, team.rounds))


def _disclose(state: State, name: str, team: Team, context: Context) -> Mapping[str, list[str]]:
    """Return the actions that agents other than `name` have decided on, by agent.

    The result is empty if the world does not disclose them.
    """
    if not context.world.discloses_decisions:
        return {}
    decided = state["talk"].get("decided", {})
    found: dict[str, list[str]] = {}
    for other in context.world.workers:
        part, rows = state["schedule"].get(other), []
        if other in decided:
            rows = _rows_of(decided[other][0], context)
        elif part and other in team.stepwise:
            rows = _rows_of(part["plan"], context)[1:]
        elif part:
            rows = rest_of(part, state["timestep"], context.conditions)
        if other != name and rows:
            found[other] = [command.action for entry in rows for command in entry]
    return found


def _rows_of(number: int, context: Context) -> list[list[Command]]:
    """Return the schedule of the answer with this number; an empty one if it is not in memory."""
    plan = context.conditions.find_plan(number)
    return plan.schedule if plan else []


class Topology(NamedTuple):
    """A way to organise planning: the node that asks the planner or team."""

    name: str
    decide: Node
    repeats: bool = False
    """True if the node runs in superstep after superstep until no agent is to be called."""


CENTRAL = Topology(PLANNER, planner)

TOPOLOGIES: Mapping[str, Topology] = {
    "central": CENTRAL,
    "team": Topology(AGENT, agent, repeats=True),
}


def topology_of(planner: object) -> Topology:
    """Return the topology that the attribute `topology` of a planner names; the default is
    `central`.
    """
    return TOPOLOGIES[getattr(planner, "topology", "central")]
