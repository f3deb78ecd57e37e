"""Parts of an open episode's trace: it goes on from the last ones, as if it had read everything."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

import cookmas
from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.display.watch.lines import Lines
from cookmas.display.watch.story import Story
from cookmas.episodes.trace import AnyRecord, Header, PartRecord, StepRecord, Trace
from cookmas.episodes.trace_file import count_records, find_part, iterate_written, read_trace
from cookmas.files.errors import TraceError
from cookmas.orchestrator.graph import timestep
from cookmas.orchestrator.runs.folder import TRACE
from cookmas.orchestrator.runs.request import RunRequest

ORDERS = 3


@pytest.fixture(scope="module", autouse=True)
def small_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timestep, "PART", 10)
        patch.setattr("cookmas.orchestrator.graph.recorder.ANSWERED_AGAIN", 5)
        yield


@pytest.fixture(scope="module")
def whole(small_parts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the trace's file of a kitchen that was played without a stop."""
    folder = asyncio.run(kitchen(tmp_path_factory.mktemp("runs") / "whole"))
    asyncio.run(aresume(folder))
    return folder / TRACE


async def kitchen(folder: Path) -> Path:
    """Return an open kitchen that has got all its orders and is closed, but not played."""
    settings = {"kitchen": "small"}
    create(folder, RunRequest(scenario="open", planner="naive", pace=0.0, settings=settings))
    async with AsyncClient(folder, "anna", patience=0) as anna:
        for number in range(ORDERS):
            await anna.order("1 Garden Salad", id=str(number))
        await anna.close()
    return folder


async def played_in_pieces(folder: Path, every: int) -> list[list[AnyRecord]]:
    """Play a kitchen, and stop it after each `every` timesteps; return what each session heard."""
    sessions: list[list[AnyRecord]] = []
    over = False
    while not over:
        heard: list[AnyRecord] = []
        until = every * (len(sessions) + 1)

        def stop(record: AnyRecord, heard: list[AnyRecord] = heard, until: int = until) -> None:
            heard.append(record)
            if isinstance(record, StepRecord) and record.timestep == until:
                raise asyncio.CancelledError

        try:
            await aresume(folder, stop)
            over = True
        except asyncio.CancelledError:
            pass
        sessions.append(heard)
    return sessions


async def test_a_run_goes_on_from_its_last_parts_as_if_it_had_read_everything(
    tmp_path: Path, whole: Path
) -> None:
    trace = read_trace(whole)
    parts = list(trace.of(PartRecord))
    assert len(parts) > 3
    assert [part.timestep for part in parts] == [10 * n for n in range(1, len(parts) + 1)]
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))
    assert [trace.records[part.records] for part in parts] == parts
    assert parts[-1].texts.keys() == {"Garden Salad"}
    sessions = await played_in_pieces(await kitchen(tmp_path / "pieces"), 9)
    assert read_trace(tmp_path / "pieces" / TRACE).records == trace.records
    first, *_, last = sessions
    assert len(last) < len(trace.records) / 2
    assert isinstance(last[0], Header)
    assert isinstance(last[1], PartRecord)
    assert list(trace.records[last[1].records :]) == last[1:]
    assert first == list(trace.records[: len(first)])


def test_who_hears_a_part_knows_the_state(whole: Path) -> None:
    trace = read_trace(whole)
    from_the_first, from_a_part = Story(trace.header), Story(trace.header)
    for record in trace.records:
        from_the_first.take(record)
    part = find_part(whole, lambda each: each.number == 2)
    assert part is not None
    for _, record in iterate_written(whole, part):
        from_a_part.take(record)
    assert from_a_part.following.state == from_the_first.following.state
    assert from_a_part.goals == from_the_first.goals
    assert from_a_part.timestep == from_the_first.timestep


async def test_a_restart_from_a_part_prints_what_is_new(tmp_path: Path) -> None:
    folder = await kitchen(tmp_path / "run")
    told: list[int] = []
    printed: list[str] = []

    def play(until: int) -> Callable[[AnyRecord], None]:
        told.append(count_records(folder / TRACE))
        console = Console(file=io.StringIO(), width=200)
        lines = Lines(console, told=told[-1])

        def hear(record: AnyRecord) -> None:
            lines.tell(record)
            if isinstance(record, StepRecord) and record.timestep == until:
                assert isinstance(console.file, io.StringIO)
                printed.append(console.file.getvalue())
                raise asyncio.CancelledError

        return hear

    for until in (25, 35, 38):
        with pytest.raises(asyncio.CancelledError):
            await aresume(folder, play(until))
    assert told[0] == 0
    first, *later = printed
    assert len(first.splitlines()) > 25
    for text, start, until in zip(later, (25, 35), (35, 38), strict=True):
        begun, *new = text.splitlines()
        assert begun.strip().startswith(f"* it goes on at timestep {start + 1}")
        timesteps = [int(line[:4]) for line in new if line[:4].strip().isdecimal()]
        assert timesteps[0] in (start + 1, start + 2)
        assert timesteps[-1] in (until - 1, until)


def test_a_part_with_another_state_does_not_replay(whole: Path) -> None:
    trace = read_trace(whole)
    frames = len(list(cookmas.replay(trace)))
    assert frames == len(list(trace.of(StepRecord)))
    place = next(n for n, each in enumerate(trace.records) if isinstance(each, PartRecord))
    part = trace.records[place]
    assert isinstance(part, PartRecord)
    other = part.model_copy(update={"state": {**part.state, "time": -1}})
    records = (*trace.records[:place], other, *trace.records[place + 1 :])
    with pytest.raises(TraceError, match="part 1 of the trace begins with another state"):
        list(cookmas.replay(Trace(records)))


async def test_a_damaged_part_is_not_gone_on_from(tmp_path: Path) -> None:
    folder = await kitchen(tmp_path / "run")

    def stop(record: AnyRecord) -> None:
        if isinstance(record, StepRecord) and record.timestep == 35:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await aresume(folder, stop)
    path = folder / TRACE
    text = path.read_bytes()
    last = text.rindex(b'"state":{')
    path.write_bytes(text[:last] + text[last:].replace(b'"state":{', b'"state":{"x":1,', 1))
    with pytest.raises(TraceError, match="is damaged"):
        await aresume(folder)
