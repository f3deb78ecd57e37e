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
    """A run that the page shows."""

    folder: Path
    """Its folder."""
    world: str
    """Its world, by the name that a person uses."""
    title: str
    """Title of the page."""
    viewing: Viewing
    """The world's words and drawings."""
    judge: Callable[[], Judged]
    """Returns its verdict once it has ended."""
    box: Letterbox | None
    """Takes the messages of guests; None: the run takes none."""
    messages: Sequence[MessageForm]
    """The kinds of messages that guests may send."""
