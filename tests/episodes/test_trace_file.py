"""A trace is whole, or unfinished, or refused with the line at which it is damaged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.trace import Header, Trace
from cookmas.episodes.trace_file import parse_trace, read_trace
from cookmas.files.errors import MissingError, TraceError
from tests.rechained import rechained, write_trace

WHOLE = Path(__file__).parents[1] / "traces" / "level1-01.jsonl"
DATA = WHOLE.read_bytes()
LINES = DATA.decode().splitlines()
NUMBERS = st.integers(0, len(LINES) - 1)
PLACES = st.integers(0, len(DATA))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces") / "trace.jsonl"


def refused_or_unfinished(path: Path, data: bytes) -> bool:
    path.write_bytes(data)
    try:
        return read_trace(path).end is None
    except TraceError:
        return True


def test_a_whole_trace_is_read_and_written_alike() -> None:
    trace = read_trace(WHOLE)
    assert trace.end
    assert list(trace.lines()) == LINES
    assert parse_trace(trace.lines(), "again") == trace


@given(PLACES, PLACES)
def test_a_cut_anywhere_is_noticed(path: Path, one: int, other: int) -> None:
    begin, end = sorted((one, other))
    if begin != end:
        assert refused_or_unfinished(path, DATA[:begin] + DATA[end:])


@given(NUMBERS, NUMBERS)
def test_lines_that_are_gone_doubled_moved_or_swapped_are_noticed(
    path: Path, one: int, other: int
) -> None:
    gone = LINES[:one] + LINES[one + 1 :]
    doubled = [*LINES[: one + 1], LINES[one], *LINES[one + 1 :]]
    moved = [*gone[:other], LINES[one], *gone[other:]]
    swapped = list(LINES)
    swapped[one], swapped[other] = LINES[other], LINES[one]
    for lines in (gone, doubled, moved, swapped):
        if lines != LINES:
            assert refused_or_unfinished(path, "".join(f"{x}\n" for x in lines).encode())


@given(PLACES.filter(lambda place: place < len(DATA)), st.integers(0, 255))
def test_another_byte_anywhere_is_noticed(path: Path, place: int, byte: int) -> None:
    if DATA[place] != byte:
        assert refused_or_unfinished(path, DATA[:place] + bytes([byte]) + DATA[place + 1 :])


@pytest.mark.parametrize("kept", [1, 2, 17, len(LINES) - 1])
def test_an_unfinished_trace_is_read_to_its_last_whole_line(path: Path, kept: int) -> None:
    write_trace(path, LINES[:kept])
    with path.open("a") as file:
        file.write(LINES[kept][:-1])
    trace = read_trace(path)
    assert trace.end is None
    assert list(trace.lines()) == LINES[:kept]


def test_a_trace_that_is_damaged_is_refused_with_the_line(path: Path) -> None:
    write_trace(path, [*LINES[:9], LINES[9].replace("wait", "chop"), *LINES[10:]])
    for broken in (9, 20):
        write_trace(path, LINES[:broken] + LINES[broken + 1 :])
        with pytest.raises(TraceError, match=f"line {broken + 1}: is damaged"):
            read_trace(path)


def number_of(kind: str, nth: int = 0) -> int:
    found = [number for number, line in enumerate(LINES) if json.loads(line)["kind"] == kind]
    return found[nth]


def with_field(kind: str, name: str, value: object) -> list[str]:
    number = number_of(kind)
    fields = {**json.loads(LINES[number]), name: value}
    chain = fields.pop("chain")
    body = json.dumps({**fields, "chain": chain}, separators=(",", ":"), ensure_ascii=False)
    return [*LINES[:number], body, *LINES[number + 1 :]]


def with_command(command: list[str]) -> list[str]:
    commands = json.loads(LINES[number_of("step")])["commands"]
    return with_field("step", "commands", [*commands, command])


def without(kind: str) -> list[str]:
    return LINES[: number_of(kind)] + LINES[number_of(kind) + 1 :]


HEADER, STEP, END = LINES[0], number_of("step"), LINES[-1]
MEDDLED: dict[str, tuple[Callable[[], list[str]], str]] = {
    "second header": (lambda: [HEADER, *LINES], "line 2: is a second header"),
    "second end": (lambda: [*LINES, END], "comes after the end"),
    "end in the middle": (lambda: [*LINES[:9], END, *LINES[9:]], "line 10: is of timestep"),
    "no header": (lambda: LINES[1:], "is no trace, the first line"),
    "nothing": (list, "has no whole line"),
    "a step less": (lambda: without("step"), f"line {STEP + 1}: is of timestep"),
    "a step twice": (
        lambda: [*LINES[: STEP + 1], *LINES[STEP:]],
        f"line {STEP + 2}: is of timestep 0, where 1",
    ),
    "other workers": (lambda: with_field("header", "workers", ["a", "b"]), "names the workers"),
    "no workers": (lambda: with_field("header", "workers", []), "line 1: is no trace record"),
    "negative horizon": (lambda: with_field("header", "horizon", -4), "line 1: is no trace record"),
    "other planner class": (
        lambda: with_field("header", "planner_class", "magic"),
        "line 1: is no trace record",
    ),
    "another end": (lambda: with_field("end", "tally", [7, 0, None]), "says that it ended with"),
    "later end": (lambda: with_field("end", "timestep", 999), "is of timestep 999"),
    "a worker more": (
        lambda: with_command(["worker_9", "wait"]),
        "timestep 0 .+'worker_9': expected each",
    ),
    "a worker twice": (
        lambda: with_command(["worker_1", "wait"]),
        "timestep 0 .+'worker_1': expected each",
    ),
    "no record": (lambda: [*LINES[:5], '{"kind":"joke"}', *LINES[6:]], "line 6: is no trace rec"),
    "nested": (lambda: [HEADER, "[" * 9000 + "]" * 9000 + "}"], "line 2: is no trace record"),
    "older format": (lambda: with_field("header", "schema_version", 2), "has trace format 2"),
}


@pytest.mark.parametrize("case", MEDDLED)
def test_a_trace_that_cannot_have_been_is_refused_though_its_chain_holds(
    path: Path, case: str
) -> None:
    make, expected = MEDDLED[case]
    write_trace(path, rechained(make()))
    with pytest.raises(TraceError, match=expected):
        list(cookmas.replay(read_trace(path)))


@pytest.mark.parametrize(
    "change",
    [
        {"workers": ["worker_1", "worker_3", "worker_2"]},
        {"workers": ["worker_1"]},
    ],
)
def test_workers_that_are_not_the_worlds_are_refused_by_judges_too(change: dict[str, Any]) -> None:
    trace = read_trace(WHOLE)
    header: Header = trace.header.model_copy(update=change)
    meddled = Trace((header, *trace.records[1:]))
    with pytest.raises(TraceError, match="names the workers"):
        cookmas.judge(meddled, cookmas.truth_of(trace, WHOLE))


OCCUPIED = OutcomeRecord(fail="occupied", why="somebody is there")


def test_fails_that_are_others_diverge() -> None:
    trace = read_trace(WHOLE)
    step = trace.records[STEP].model_copy(update={"fails": {"worker_1": OCCUPIED}})
    meddled = Trace((*trace.records[:STEP], step, *trace.records[STEP + 1 :]))
    frames = list(cookmas.replay(meddled))
    assert [frame.timestep for frame in frames if not frame.equal] == [0]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_what_never_ends_is_refused_in_the_end(name: str) -> None:
    if os.path.exists(name):
        with pytest.raises(TraceError):
            read_trace(Path(name))


def test_a_trace_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        read_trace(tmp_path / "none.jsonl")
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(tmp_path)


@pytest.mark.parametrize(
    ("copied", "told"),
    [
        (DATA.replace(b"\n", b"\r\n"), "has Windows line ends"),
        (b"\xef\xbb\xbf" + DATA, "begins with a byte order mark"),
        (b"\xef\xbb\xbf" + DATA.replace(b"\n", b"\r\n"), "begins with a byte order mark"),
    ],
)
def test_what_another_program_made_of_the_lines_is_told_as_that(
    path: Path, copied: bytes, told: str
) -> None:
    path.write_bytes(copied)
    with pytest.raises(TraceError, match=told):
        read_trace(path)
