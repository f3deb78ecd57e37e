"""`cookmas replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.world_options import World
from cookmas.terminal import console, print_json, tell

if TYPE_CHECKING:
    from episodes.replay import Frame
    from episodes.trace import Trace


def replay(
    trace: Annotated[Path, typer.Argument(help="A trace file.")],
    at: Annotated[
        int | None, typer.Option(help="Show the state at this timestep, before the actions.")
    ] = None,
    world: World = None,
    json: Annotated[bool, typer.Option("--json", help="JSON for machines.")] = False,
) -> None:
    """Simulate a trace again and compare every timestep with the record."""
    from cookmas.api import replay as simulate
    from episodes.trace import read_trace

    recorded = read_trace(trace)
    if at is not None:
        _show(recorded, at, world, json)
        return
    frames: list[Frame] = []
    for frame in simulate(recorded, world):
        frames.append(frame)
        if not frame.equal:
            break
    if json:
        print_json(
            [
                {
                    "timestep": frame.timestep,
                    "equal": frame.equal,
                    "expected": frame.expected,
                    "found": frame.found,
                }
                for frame in frames
            ]
        )
    else:
        _tell(frames)
    raise typer.Exit(int(not all(frame.equal for frame in frames)))


def _tell(frames: list[Frame]) -> None:
    for frame in frames:
        if frame.equal:
            tell(f"{frame.timestep:4}  {frame.found}  equal")
        else:
            line = f"{frame.timestep:4}  {frame.found}  diverges: expected {frame.expected}"
            tell(line, style="red")
    if all(frame.equal for frame in frames):
        tell(f"All {len(frames)} timesteps are equal.", style="green")


def _show(trace: Trace, at: int, world: str | None, json: bool) -> None:
    from cookmas.worlds import world_of
    from episodes.errors import InputError
    from episodes.replay import final_state
    from episodes.replay import replay as simulate

    domain = world_of(trace, world)
    rules = domain.world(trace.header.setup)
    frames = list(simulate(trace, rules))
    states = {frame.timestep: frame.before for frame in frames}
    states.setdefault(len(frames), final_state(trace, rules))
    if at not in states:
        raise InputError("--at", f"expected a timestep from 0 to {len(frames)}, not {at}")
    if json:
        print_json(rules.dump(states[at]))
    else:
        console().print(domain.picture(rules, states[at]))
