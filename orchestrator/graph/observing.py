"""What an agent is shown when it is asked: the observation, made from the state of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from episodes.capabilities import Staffed
from episodes.trace import Lookup
from episodes.world import Commands
from orchestrator.graph.remembering import remembered
from orchestrator.graph.standing import commands_at
from orchestrator.graph.state import Context, State, fails_of, trigger_of
from orchestrator.planner import Instruction, Observation, Said


async def observe(
    state: State,
    context: Context,
    *,
    known: bool,
    agent: str | None = None,
    talk: Sequence[Said] = (),
) -> Observation[Any]:
    """The observation of the one planner, or of an `agent` that plans for itself.

    With `known` whatever the world says must be looked up has been looked up before.
    """
    world = context.world
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
        triggers=tuple(map(trigger_of, state["triggers"])),
        world=world,
        state=seen,
        texts=texts if agent is None else {key: texts[key] for key in due if key in texts},
        away=away,
        fails=fails_of(state["fails"]),
        underway=_underway(state, context, agent),
        spent=context.recorder.spent,
        spent_by=context.recorder.spent_by,
        memory=remembered(state, context, agent),
        look_up=look_up_one,
        agent=agent,
        talk=tuple(talk),
        instructions=tuple(Instruction(*each) for each in state.get("instructions", ())),
        last=context.last,
    )


def _underway(state: State, context: Context, agent: str | None) -> tuple[Commands, ...]:
    """What is left of the schedule, or an agent's own part of it: not what the others planned."""
    schedule = state["schedule"]
    left = (
        commands_at(schedule, timestep, context.recorder)
        for timestep in range(state["timestep"], schedule["end"])
    )
    return tuple(
        tuple(command for command in commands if agent in (None, command.worker))
        for commands in left
    )
