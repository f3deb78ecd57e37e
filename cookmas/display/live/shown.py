"""The parts of a run that a live page needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.judged import Judged
from mailboxes.protocol import Letterbox
from worlds.messages import MessageForm
from worlds.viewing import Viewing


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    """The run in a `folder`, of the `world` that a person names so.

    `judge` returns its verdict once it has ended. Into the `box` goes what guests send, which may
    be the `messages` of the world; None: the run takes none.
    """

    folder: Path
    world: str
    title: str
    viewing: Viewing
    judge: Callable[[], Judged]
    box: Letterbox | None
    messages: Sequence[MessageForm]
