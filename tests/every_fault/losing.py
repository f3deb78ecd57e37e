"""Trying a loss of power: the folder as it is left, then the same command."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.every_fault.calls import Call
from tests.every_fault.commands import COMMANDS, RUN
from tests.every_fault.kitchens import ACKNOWLEDGED, make_menu, rows
from tests.every_fault.power import CHANGES, MODELS, Disk
from tests.every_fault.trying import clear, judge, play


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss of power during a command, by one model of a file system."""

    command: str
    after: int
    """The number of calls that were made before it."""
    model: str


def losses_of(command: str, calls: Sequence[Call]) -> list[Loss]:
    """Return the losses of power after each call that changes what may be left."""
    moments = [
        number
        for number, call in enumerate(calls, start=1)
        if call.kind in CHANGES or call.kind == "sync"
    ]
    return [
        Loss(command, after, model)
        for after, model in itertools.product(moments, MODELS)
        if _differs(calls[after - 1], model)
    ]


def _differs(call: Call, model: str) -> bool:
    """Return whether a call changes what is left by a model."""
    if model == "strict":
        return call.kind == "sync"
    return model == "mixed" or call.kind not in ("write", "truncate", "empty")


def try_loss(loss: Loss, kept: Path, calls: Sequence[Call], within: Path) -> str | None:
    """Assert what was promised after a loss of power; return the line of a refusal, if any."""
    command, folder = COMMANDS[loss.command], clear(within)
    make_menu(folder)
    before = calls[: loss.after]
    disk = Disk(kept)
    for call in before:
        disk.take(call)
    disk.write_left(folder, loss.model, loss.after)
    if loss.after == len(calls):
        command.said(folder)
    refused = None
    if not command.over(folder):
        ended = play(command, folder)
        judge(ended)
        done = not ended.code or any(each in ended.errors for each in command.refusals)
        refused = None if done or command.over(folder) else ended.errors
    (command.lasts if refused else command.finish)(folder)
    if any(call.path == ACKNOWLEDGED and call.kind == "write" for call in before):
        assert "anna" in rows(folder / RUN), "an accepted order is lost"
    return refused
