"""The command `cookmas replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.shared import Json, World
from cookmas.display.terminal import console, print_json, say_error, tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cookmas.episodes.replay import Frame
    from cookmas.episodes.trace import Trace


def replay(
    trace: Annotated[Path, typer.Argument(help="The folder of a run, or a trace file.")],
    at: Annotated[
        int | None, typer.Option(help="Show the state at this timestep, before the actions.")
    ] = None,
    world: World = None,
    json: Json = False,
) -> None:
    """Simulate a trace again and compare every timestep with the record."""
    from cookmas.episodes.trace_file import read_trace
    from cookmas.orchestrator.runs.folder import trace_file
    from cookmas.replaying import replay as simulate

    recorded = read_trace(trace_file(trace))
    if at is None:
        equal = _compare(simulate(recorded, world), json)
        if equal and recorded.end and not json:
            count = recorded.end.timestep
            tell(f"All {count} timesteps are equal.", style="green")
    else:
        equal = _show(recorded, at, world, json)
    if equal and recorded.end is None:
        say_error(f"{trace}: is unfinished; the run was killed or is still being played")
    raise typer.Exit(int(not equal or recorded.end is None))


def _compare(frames: Iterable[Frame], json: bool) -> bool:
    """Print whether each timestep up to the first divergence equals the record; return True if all
    do.
    """
    rows: list[dict[str, Any]] = []
    equal = True
    for frame in frames:
        equal = frame.equal
        row = {"timestep": frame.timestep, "equal": equal}
        rows.append({**row, "expected": frame.expected, "found": frame.found})
        if not json:
            _tell(frame)
        if not equal:
            break
    if json:
        print_json(rows)
    return equal


def _tell(frame: Frame) -> None:
    line = f"{frame.timestep:4}  {frame.found}  "
    if frame.equal:
        tell(f"{line}equal")
    elif frame.expected != frame.found:
        tell(f"{line}diverges: expected {frame.expected}", style="red")
    else:
        tell(f"{line}diverges: other actions FAIL", style="red")


def _show(trace: Trace, at: int, world: str | None, json: bool) -> bool:
    """Show the state at a timestep; return True if all timesteps before it equal the record."""
    from cookmas.display.watch.scene import scene
    from cookmas.episodes.replay import replay as simulate
    from cookmas.episodes.replay import replay_to_end
    from cookmas.files.errors import InputError
    from cookmas.world_names import world_of

    domain = world_of(trace, world)
    begun: Any = domain.world(trace.header.setup)
    rules, state, last = begun, None, -1
    for frame in simulate(trace, begun):
        last = frame.timestep
        if last == at:
            rules, state = frame.world, frame.before
        if last < at and not frame.equal:
            say_error(f"timestep {last} diverges from the record; 'cookmas replay' says how")
            return False
    if at == last + 1:
        rules, state = replay_to_end(trace, begun)
    if state is None:
        raise InputError("--at", f"expected a timestep from 0 to {last + 1}, not {at}")
    if json:
        print_json(rules.dump(state))
    else:
        tell(f"Timestep {at}", style="bold")
        console().print(scene(domain.viewing, rules, state))
    return True
