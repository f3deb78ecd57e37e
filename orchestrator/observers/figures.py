"""The figures of an episode since the orchestrator started, for its status and its metrics."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from cookmas.episodes.reports import failure_in
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    Header,
    ModelCall,
    PlanRecord,
    StepRecord,
)
from cookmas.orchestrator.models.message import CallMeasurements


@dataclass
class Figures:
    """The observer that counts. All counts begin at 0 in each process, as Prometheus allows."""

    plans: int = 0
    """Answers of the planner, refused ones included."""
    refused: int = 0
    """Answers that were refused as a whole."""
    fails: int = 0
    """Actions that FAILed, those of long work included."""
    calls: int = 0
    """Answered model calls."""
    repairs: int = 0
    """Model calls that asked again after an answer that could not be used."""
    tokens_in: int = 0
    """Tokens of all requests to models."""
    tokens_out: int = 0
    """Tokens of all answers of models."""
    money: float = 0.0
    """Cost of all model calls whose price is known."""

    def begin(self, header: Header, idle: str) -> None:
        """Do nothing."""

    def note(self, record: AnyRecord, measured: CallMeasurements | None) -> None:
        """Count a record."""
        match record:
            case StepRecord():
                self.fails += len(record.fails)
            case EventRecord():
                self.fails += failure_in(record.event) is not None
            case PlanRecord():
                self.plans += 1
                self.refused += record.refused is not None
            case ModelCall():
                self.calls += 1
                self.repairs += record.purpose == "repair"
                self.tokens_in += record.usage.prompt
                self.tokens_out += record.usage.completion
                self.money += (measured and measured.cost) or 0.0

    def end(self) -> None:
        """Do nothing."""

    def data(self) -> dict[str, float]:
        """Return the figures as plain data."""
        return asdict(self)
