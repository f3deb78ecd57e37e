"""Watching a run: what a terminal shows of it, and the lines where there is none."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

import cookmas
from cookmas.display.watch.board import Board, show_records
from cookmas.display.watch.lines import Lines
from cookmas.display.watch.scene import goals
from cookmas.display.watch.story import Story
from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.trace import EventRecord, PlanRecord, StepRecord, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.evals.report import share_width, verdict_report
from cookmas.worlds.base.viewing import VisibleGoal
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.sampling import CONFORMANCE
from tests.warm import COOKMAS, ROOT, Warm

TRACES = ROOT / "tests" / "traces"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def changing() -> Trace:
    return read_trace(TRACES / "level3-01.jsonl")


@pytest.fixture(scope="module", params=["restaurant", "corridor", "cuisineworld"])
def trace(request: pytest.FixtureRequest, changing: Trace) -> Trace:
    if request.param == "restaurant":
        return changing
    corridor = cookmas.play("two", world="corridor")
    if request.param == "corridor":
        return corridor.trace
    return cookmas.play("level_1", "greedy", world="cuisineworld").trace


@pytest.mark.parametrize(
    ("search", "shown"),
    [
        (None, ""),
        ({"status": "optimal", "bound": 3}, " (optimal)"),
        ({"status": "feasible", "bound": 2}, " (at most 50% above the shortest)"),
        (
            {"status": "feasible", "bound": 2, "model_bound": 3},
            " (at most 50% above the shortest, 0% in the solver's model)",
        ),
        (
            {"status": "feasible", "bound": 2, "model_bound": 4},
            " (at most 50% above the shortest)",
        ),
        ({"status": "partial", "bound": 2}, " (partial)"),
    ],
)
def test_beside_a_schedule_stands_what_it_is_worth(
    changing: Trace, search: dict[str, Any] | None, shown: str
) -> None:
    found = SearchRecord(**search, effort=9) if search else None
    plan = PlanRecord(timestep=0, reasoning="toast", schedule=[[]] * 3, search=found)
    [note] = Story(changing.header).take(plan)
    assert note.text.endswith(f"a schedule of 3 timesteps{shown}; toast")


def drawn(shown: RenderableType, height: int | None = None) -> str:
    """Return what a terminal of 80 columns shows."""
    said = io.StringIO()
    Console(file=said, width=80, height=height, highlight=False).print(shown)
    return said.getvalue()


def told_in_lines(trace: Trace, told: int = 0) -> str:
    """Return the lines about a trace for who has been told so many records before."""
    said = io.StringIO()
    lines = Lines(Console(file=said, width=80, highlight=False), told=told)
    for record in trace.records:
        lines.tell(record)
    return said.getvalue()


def frames(trace: Trace, height: int, begin: int = 0, every: int = 7) -> Iterator[str]:
    """What the board shows as records come, 80 columns wide, after each so many steps and plans."""
    board = Board()
    for number, record in enumerate(trace.records):
        board.hear(record)
        if isinstance(record, StepRecord | PlanRecord) and (number - begin) % every:
            continue
        yield drawn(board, height)


@pytest.mark.parametrize(("height", "begin"), [(12, 0), (24, 7), (60, 14)])
def test_the_board_fits_any_terminal(trace: Trace, height: int, begin: int) -> None:
    for frame in frames(trace, height, begin, 7 if CONFORMANCE else 21):
        lines = frame.splitlines()
        assert len(lines) <= height
        assert max(map(len, lines)) <= 80
        assert all(worker.replace("_", " ") in frame for worker in trace.header.workers)


def test_what_workers_do_and_guests_say_is_told_in_words(changing: Trace) -> None:
    said = told_in_lines(changing)
    steps = re.findall(r"^ {0,3}\d+  (.*)", said, re.MULTILINE)
    assert len(steps) == len(list(changing.of(StepRecord)))
    assert all(step.count("worker ") >= len(changing.header.workers) for step in steps)
    assert re.search(r"worker \d chops \w", said)
    notes = [line["note"] for e in changing.of(EventRecord) for line in e.event.get("lines", ())]
    assert all(note in said for note in notes)


def test_who_has_been_told_a_part_is_told_the_rest_and_where_it_goes_on(changing: Trace) -> None:
    records = list(changing.records)
    middle = next(n for n, each in enumerate(records) if getattr(each, "timestep", 0) == 9)
    whole, rest = (told_in_lines(changing, told).splitlines() for told in (0, middle + 1))
    assert rest[0] == "      * it goes on at timestep 9"
    assert 1 < len(rest) < len(whole)
    assert rest[1:] == whole[1 - len(rest) :]


def test_who_has_been_told_nothing_is_told_all_of_it(
    changing: Trace, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_records("restaurant", "It opens.") as tell:
        for record in changing.records:
            tell(record)
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "It opens."
    assert "it goes on" not in said
    assert re.search(r"^ +0  worker", said, re.MULTILINE)


def test_a_timestep_at_which_nobody_begins_anything_has_no_line() -> None:
    run = cookmas.play("collab-overcooked/level_1/01", "random")
    said = told_in_lines(run.trace)
    told = re.findall(r"^ {0,3}(\d+)  (.*)", said, re.MULTILINE)
    begun = [str(step.timestep) for step in run.trace.of(StepRecord) if step.commands]
    assert [timestep for timestep, _ in told] == begun
    assert len(begun) < len(list(run.trace.of(StepRecord)))
    assert all(words.strip() for _, words in told)


def event(kind: str, number: int = 0, refused: str | None = None, **more: Any) -> EventRecord:
    return EventRecord(timestep=0, number=number, event={"kind": kind, **more}, refused=refused)


def test_words_that_a_guest_has_changed_are_still_there(changing: Trace) -> None:
    line = {"item": changing.header.setup["menu"][0], "note": "No salt."}
    ordered = event("new_order", order="o1", lines=[line])
    changed = event("change_line", 1, line="o1.1", note="No sugar.")
    *_, frame = frames(Trace((changing.header, ordered, changed)), 24)
    assert "“No sugar.” (before: “No salt.”)" in frame
    assert "o1.1 is changed: “No sugar.”" in frame


def test_what_was_closed_last_stands_below_what_is_open() -> None:
    closed = [
        VisibleGoal(name=f"o1.{n}", what="soup", status="served", when=n) for n in (1, 2, 3, 4)
    ]
    for count in range(5):
        shown = goals([*closed[:count], VisibleGoal(name="o2.1", what="tea")], closed=3)
        lines = drawn(shown).splitlines()
        assert lines[0].split() == ["o2.1", "tea"]
        expected = [f"o1.{n} soup, served at {n}" for n in range(max(1, count - 2), count + 1)]
        assert [" ".join(line.split()) for line in lines[1:]] == expected


def test_texts_from_outside_draw_nothing() -> None:
    trace = read_trace(TRACES / "level1-01.jsonl")
    line = {"item": "\x1b[2J", "note": "[red]\x1b[31m"}
    nasty = event("new_order", order="\x1b[2J[bold]", lines=[line], refused="\x07[red]")
    for frame in frames(Trace((trace.header, nasty)), 24):
        assert all(c.isprintable() or c == "\n" for c in frame)
    assert "[bold]" in frame
    assert "[red]" in frame


def test_a_run_in_a_terminal_is_drawn_in_place_and_then_judged(tmp_path: Path) -> None:
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    playing = Warm[bytes](
        (COOKMAS, "run", "corridor/two"),
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "TERM": "xterm"},
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    said = b"".join(_read(master)).decode()
    assert playing.wait() == 0
    assert "\r\x1b[2K" in said
    shown = CONTROL.sub("", said)
    assert re.search(r"walker 1 +rings blue +at place 8", shown)
    assert "SUCCESS" in shown
    assert "cookmas view runs/corridor-two-embedded" in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def _read(master: int) -> Iterator[bytes]:
    while True:
        try:
            read = os.read(master, 65536)
        except OSError:
            return
        if not read:
            return
        yield read


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 60)), min_size=1, max_size=6),
    st.integers(6, 100),
)
def test_columns_share_what_room_there_is(pairs: list[tuple[int, int]], room: int) -> None:
    needs = [(least, least + more) for least, more in pairs]
    widths = share_width(needs, room)
    assert sum(widths) <= room
    if sum(least for least, _ in needs) <= room:
        assert all(least <= w <= most for w, (least, most) in zip(widths, needs, strict=True))
        assert sum(widths) == min(room, sum(most for _, most in needs))


def test_a_verdict_breaks_no_word_at_80_columns(changing: Trace) -> None:
    run = cookmas.judge(changing, DOMAIN.truth(DOMAIN.rebuild(changing.header, TRACES / "x")))
    shown = drawn(verdict_report(run, DOMAIN.judging.measures, DOMAIN.details))
    assert max(map(len, shown.splitlines())) == 80
    told = {word for goal in run.goals for word in f"{goal.what} {goal.note}".split()}
    told |= {word for check in run.of("customization") for word in check.reason.split()}
    assert told <= set(re.split(r"[\s│┃]+", shown))
