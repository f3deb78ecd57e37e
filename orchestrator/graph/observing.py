"""What an agent is shown when it is asked: the observation, made from the state of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from episodes.capabilities import Staffed, movers, watched
from episodes.engine import Fails
from episodes.trace import Lookup, MessageRecord
from episodes.world import Command, Commands
from files.errors import MissingError
from orchestrator.graph.concerns import told
from orchestrator.graph.remembering import remembered
from orchestrator.graph.standing import commands_at
from orchestrator.graph.state import THE_PLANNER, Context, State, fails_of, trigger_of
from orchestrator.planner import Instruction, Observation, Said


async def observe(
    state: State,
    context: Context,
    *,
    known: bool,
    agent: str | None = None,
    talk: Sequence[Said] = (),
    rounds: int = 0,
    decided: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Observation[Any]:
    """The observation of the one planner, or of an `agent` that plans for itself.

    With `known` whatever the world says must be looked up has been looked up before. `talk` is what
    was said at this timestep, `decided` what others have decided on that the agent may see.
    """
    world = context.world
    triggers = tuple(map(trigger_of, state["triggers"]))
    fails: Fails = fails_of(state["fails"])
    if agent is not None:
        triggers, fails = told(agent, triggers, fails, state.get("untold", {}))
    away = state.get("away", {})
    seen = world.observe(context.copied(state), agent)
    if away and isinstance(world, Staffed):
        seen = world.without(seen, tuple(away))
    due = world.lookups(seen)

    library, recorder, timestep = context.library, context.recorder, state["timestep"]

    async def look_up(*keys: str) -> None:
        for key, text in (await library.look_up(keys)).items():
            recorder.append(Lookup(timestep=timestep, key=key, text=text))

    async def look_up_one(key: str) -> str:
        if agent is not None and key not in due:
            raise MissingError(f"{agent} has nothing to look up about {key!r}")
        await look_up(key)
        return library.texts[key]

    if agent is None:
        context.library.forget(state.get("fresh", ()))
    if known:
        await look_up(*due)
    await recorder.write()
    texts = context.library.texts
    return Observation(
        timestep=state["timestep"],
        triggers=triggers,
        world=world,
        state=seen,
        texts=texts if agent is None else {key: texts[key] for key in due if key in texts},
        away=away,
        fails=fails,
        underway=_underway(state, context, agent),
        spent=context.recorder.spent,
        spent_by=context.recorder.spent_by,
        memory=remembered(state, context, agent),
        look_up=look_up_one,
        agent=agent,
        talk=tuple(talk),
        instructions=tuple(Instruction(*each) for each in state.get("instructions", ())),
        last=context.last,
        movers=tuple(movers(world, context.loaded(state))),
        did=tuple(watched(world, _done(state), agent)),
        heard=_heard(state, context) if agent is not None else (),
        rounds=rounds,
        decided=decided,
    )


def _underway(state: State, context: Context, agent: str | None) -> tuple[Commands, ...]:
    """What is left of the schedule, or of an agent's own: not what the others planned."""
    part = state["schedule"].get(agent or THE_PLANNER)
    if not part:
        return ()
    own = {agent or THE_PLANNER: part}
    return tuple(
        tuple(commands_at(own, timestep, context.recorder))
        for timestep in range(state["timestep"], part["end"])
    )


def _done(state: State) -> list[Command]:
    """What the workers did at the timestep before, in order."""
    acts = state.get("acts")
    if not acts or acts["timestep"] != state["timestep"] - 1:
        return []
    by = (acts["by"][place] for place in sorted(acts["by"], key=int))
    return [Command(name, act) for name, act, away in by if act is not None and away is None]


def _heard(state: State, context: Context) -> tuple[Said, ...]:
    """Return the last messages of earlier timesteps."""
    records = map(context.recorder.referred, state.get("said", ()))
    return tuple(
        Said(record.agent, record.text, record.timestep)
        for record in records
        if isinstance(record, MessageRecord)
    )
