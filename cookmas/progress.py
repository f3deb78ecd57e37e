"""Live progress: what happens in an episode, told line by line while it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from cookmas.doubts import Doubts
from cookmas.terminal import words
from episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    Lookup,
    ModelCall,
    PlanRecord,
    StepRecord,
    TriggerRecord,
)

_SERVE = re.compile(r"serve\((.+)\)")


def _said(event: Mapping[str, Any]) -> str:
    about = event.get("line") or event.get("order") or ""
    return f"{event.get('kind', '')} {about}".replace("_", " ").rstrip()


class Progress:
    """Tells the records of a trace to a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._doubts = Doubts()

    def tell(self, record: AnyRecord) -> None:
        """One record, where it is of interest."""
        match record:
            case EventRecord(refused=str()):
                self._note(f"refused event {record.number}: {record.refused}", "yellow")
            case EventRecord(injected=True):
                self._note(f"took message {record.number}: {_said(record.event)}", "cyan")
            case TriggerRecord():
                self._note(f"{record.trigger}: {record.cause}", "yellow")
            case Lookup():
                self._note(f"looked up {record.key}", "dim")
            case ModelCall(usage=usage):
                tokens = f"{usage.prompt} tokens in, {usage.completion} out"
                self._note(f"{record.purpose}: {record.model}, {tokens}", "dim")
            case PlanRecord():
                self._plan(record)
            case StepRecord():
                self._step(record)
            case End():
                self._note(f"{record.termination}: {record.why}", "bold")

    def _plan(self, record: PlanRecord) -> None:
        if record.refused:
            self._note(f"schedule refused: {record.refused}", "red")
        elif record.gave_up is None:
            timesteps = len(record.schedule)
            self._note(f"planned {timesteps} timesteps; {record.reasoning}".rstrip("; "), "cyan")
        for doubt in self._doubts.new(record):
            self._note(doubt, "yellow")

    def _step(self, record: StepRecord) -> None:
        actions = "".join(f"{action:26}" for _, action in record.commands)
        self._console.print(words(f"{record.timestep:4}  {actions}".rstrip()), soft_wrap=True)
        for worker, action in record.commands:
            served = _SERVE.fullmatch(action)
            if served and worker not in record.fails:
                self._note(f"served {served[1]}", "green")
        for worker, outcome in record.fails.items():
            self._note(f"FAIL {worker}: {outcome.why}", "red")

    def _note(self, text: str, style: str) -> None:
        self._console.print(words(f"      * {text}", style=style), soft_wrap=True)
