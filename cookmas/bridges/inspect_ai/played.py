"""Traces in Inspect's log: storing them, reading them, and writing them to files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.util import StoreModel

from cookmas.episodes.trace import Trace
from cookmas.episodes.trace_file import parse_trace
from cookmas.files.writing import write_text


class Played(StoreModel):
    """The part of a sample's store that CookMAS writes."""

    trace: str = ""
    """The text of the trace's file; empty if no episode was played."""

    def read(self, name: str) -> Trace | None:
        """Return the trace; None if no episode was played.

        Raises TraceError if the trace is damaged; the error calls the trace `name`.
        """
        return parse_trace(self.trace.splitlines(), name) if self.trace else None


def trace_of(sample: EvalSample) -> Trace | None:
    """Return the trace of a sample in a log; None if no episode was played. Raises TraceError."""
    return sample.store_as(Played).read(f"{sample.id}, epoch {sample.epoch}")


def write_traces(log: str | Path, folder: str | Path) -> Sequence[Path]:
    """Write each trace of a log to its own file in `folder`; return the files in order.

    A file's name has its sample and epoch, such as `level1-03-1.jsonl`.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for sample in read_eval_log(str(log)).samples or ():
        text = sample.store_as(Played).trace
        if text:
            name = "".join(c if c.isalnum() or c in "._=" else "-" for c in str(sample.id))
            written.append(folder / f"{name}-{sample.epoch}.jsonl")
            write_text(written[-1], text)
    return written
