"""Long work is shown for as long as it lasts: on the page, on a terminal and in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from io import StringIO

import pytest
from playwright.sync_api import Page
from rich.console import Console

from cookmas.display.page.document import ASSETS
from cookmas.display.page.feed import Feed, entries
from cookmas.display.watch.board import Board
from cookmas.display.watch.lines import Lines
from cookmas.episodes.level import Level
from cookmas.episodes.parts import RunningRecord
from cookmas.episodes.trace import PartRecord, StepRecord, Trace, to_line
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.workers.protocol import Assigned, Report
from tests.cookmas.display.conftest import beside_the_browser
from tests.workers.incubator import Incubator, Written, play

KINDS = pytest.mark.parametrize(
    ("action", "why"), [("incubate", ""), ("incubate", "jam"), ("stir", ""), ("stir", "jam")]
)
"""Work that is long by its world, or as an asynchronous worker takes long; and how it ends."""


class Device:
    """A robot that is at work from timestep 2 to timestep 5, and is done or fails then."""

    def __init__(self, action: str, why: str) -> None:
        self.asynchronous = action == "stir"
        self.why = why

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report | str:
        if timestep < 5 and assignment != "wait":
            return Report.running()
        return Report.failed(self.why) if self.why and assignment != "wait" else str(assignment)


class Lab(Incubator):
    """A laboratory that does not end with a sample."""

    wanted = 9


def work(action: str, why: str) -> Trace:
    """Return the trace of a robot at work from timestep 2 on, beside one that stirs."""
    rows = [{}, {}, {"left": action, "right": "stir"}, *[{"right": "stir"}] * 9]
    device = Device(action, why)
    playing = play(Written(*rows), Lab(Level()), workers={"left": device}, horizon=9)
    with beside_the_browser():
        return asyncio.run(playing)


def shown(trace: Trace) -> list[str]:
    """Return what the left robot does at each timestep, as the entries of a page tell it."""
    told = [{act[0]: act[1] for act in e["acts"]} for e in entries(trace) if e["kind"] == "step"]
    return [each.get("left", "") for each in told]


@KINDS
def test_an_action_is_told_at_each_timestep_until_its_end(action: str, why: str) -> None:
    trace = work(action, why)
    commands = [dict(step.commands).get("left") for step in trace.of(StepRecord)]
    assert commands.count(action) < 2
    last = 4 if action == "incubate" else 5
    assert [t for t, each in enumerate(shown(trace)) if each == action] == [*range(2, last + 1)]


@KINDS
def test_terminal_and_lines_say_since_when_a_worker_is_at_its_action(action: str, why: str) -> None:
    trace = work(action, why)
    console = Console(width=100, record=True, file=StringIO())
    lines, board = Lines(console), Board()
    boards: dict[int, str] = {}
    for record in trace.records:
        lines.tell(record)
        board.hear(record)
        if isinstance(record, StepRecord):
            drawn = Console(width=100, height=60, record=True, file=StringIO())
            drawn.print(board)
            boards[record.timestep] = drawn.export_text()
    told = console.export_text().splitlines()
    for t in (3, 4):
        assert f"{t:4}  left {action}, since 2; right stir" in told
        assert f"{action}, since 2" in boards[t]
    assert "since" not in boards[6].partition("planner called")[0]
    assert "since" not in boards[2].partition("planner called")[0]


def on_film(page: Page, told: Iterable[object], body: str) -> object:
    """Return what a script returns, on an empty page, of the film of these entries."""
    for name in ("dom", "worlds", "film", "goals"):
        page.add_script_tag(path=ASSETS / f"{name}.js")
    pushed = "const film = new Film(); for (const entry of entries) film.push(entry);"
    return page.evaluate(f"(entries) => {{ {pushed} {body} }}", list(told))


@KINDS
def test_the_timeline_has_one_bar_for_long_work_with_its_end(
    page: Page, action: str, why: str
) -> None:
    bars = on_film(
        page,
        entries(work(action, why)),
        """const bars = film.rows.get("left").filter((bar) => !bar.idle);
        return [bars.map(({ from, to, fail }) => [from, to, Boolean(fail)]),
                film.marks.filter((mark) => mark.kind === "fail").map((mark) => mark.text)];""",
    )
    whole = [[2, 5, bool(why)]] if action == "incubate" else [[2, 6, False]]
    if action == "stir" and why:
        whole = [[2, 5, False], [5, 6, True]]
    assert bars == [whole, ["FAIL left: jam"] if why else []]


def test_a_page_that_begins_with_a_part_shows_the_work_that_began_before_it() -> None:
    trace = work("incubate", "")
    feed = Feed(trace.header)
    part = PartRecord(
        timestep=4,
        number=1,
        records=0,
        state={},
        spent={},
        texts={},
        running={"left": RunningRecord(action="incubate", since=2)},
    )
    (step,) = [each for each in trace.of(StepRecord) if each.timestep == 4]
    later = [entry for record in (part, step) for entry in feed.take(record)]
    assert ["left", "incubate"] in later[-1]["acts"]


def test_a_part_has_the_work_that_goes_on() -> None:
    recorder = Recorder()
    recorder.begin_part(4, {}, {"left": RunningRecord(action="incubate", since=2)})
    recorder.begin_part(8, {}, {})
    first, second = recorder.fresh()
    assert isinstance(first, PartRecord)
    assert first.running == {"left": RunningRecord(action="incubate", since=2)}
    assert "running" not in to_line(second)


def test_a_goal_is_reached_at_the_timestep_of_the_act_or_report_that_reached_it(
    page: Page,
) -> None:
    def tell(name: str, tone: str) -> list[dict[str, str]]:
        return [{"name": name, "what": name, "status": "made", "tone": tone}]

    opened = [*tell("by act", "open"), *tell("by report", "open")]
    run = {"kind": "run", "world": "lab", "planner": "p", "workers": [], "setup": {}, "state": {}}
    act = {"kind": "step", "t": 4, "acts": [], "change": [], "goals": tell("by act", "reached")}
    event = {"kind": "event", "t": 5, "text": "done", "change": []}
    told = [
        {**run, "t": 4, "goals": opened},
        act,
        {**event, "goals": tell("by report", "reached")},
    ]
    reached = on_film(
        page,
        told,
        """const closed = [...film.goals.values()].map((goal) => closedAt(goal.history));
        return [closed, film.marks.filter((m) => m.kind === "reached").map((m) => m.t)];""",
    )
    assert reached == [[4, 5], [4, 5]]
