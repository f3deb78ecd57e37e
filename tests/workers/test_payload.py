"""The data that a world sends with an assignment: at the worker, in the trace, after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.display.page.feed import entries
from cookmas.episodes.failure import WorldFailedError
from cookmas.episodes.level import Level
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import EventRecord, StepRecord, Trace, to_line
from cookmas.workers.protocol import Assigned, Report
from tests.workers.incubator import Incubator, Written, play


class Instructed(Incubator):
    """A laboratory that sends how much was stirred so far with each incubation."""

    def payload(self, state: Any, worker: str, action: str) -> Any:
        return {"after": state["stirred"]} if action == "incubate" else None


class Reader:
    """A device that remembers the data of each of its assignments."""

    def __init__(self, polls: int = 0) -> None:
        self.polls = polls
        self.got: list[tuple[str, Any]] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.got.append((assignment.id.partition("/")[2], assignment.payload))
        self.polls -= assignment == "incubate"
        return Report.running() if assignment == "incubate" and self.polls >= 0 else Report.done()


def payloads_of(trace: Trace) -> list[tuple[int, Any]]:
    return [(each.timestep, each.payloads) for each in trace.of(StepRecord) if each.payloads]


async def test_data_go_with_an_assignment_and_are_in_the_trace() -> None:
    device = Reader(polls=2)
    rows = [{"right": "stir"}, {"left": "incubate", "right": "stir"}, {"right": "stir"}, {}, {}]
    trace = await play(Written(*rows), Instructed(Level()), workers={"left": device}, horizon=5)
    data = {"after": 1}
    work = [(key, payload) for key, payload in device.got if payload is not None]
    assert work == [("1/left", data)] * 3
    assert payloads_of(trace) == [(1, {"left": data})]
    assert all(frame.equal for frame in replay(trace, Instructed(Level())))
    assert all("payloads" not in entry for entry in entries(trace))


async def test_an_assignment_that_is_repeated_after_a_restart_has_the_same_data(
    tmp_path: Path,
) -> None:
    class KilledError(BaseException):
        """The process ends."""

    class Dying(Instructed):
        deadly = True

        def advance(self, state: Any, actions: Any, draw: Any) -> Any:
            if self.deadly and state["timestep"] == 3:
                raise KilledError
            return super().advance(state, actions, draw)

    rows = [{"left": "incubate", "right": "stir"}, *[{"right": "stir"}] * 9]

    async def run(world: Any, device: Reader) -> None:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
            more: dict[str, Any] = {"path": tmp_path / "trace.jsonl", "checkpointer": saver}
            await play(Written(*rows), world, workers={"left": device}, horizon=6, **more)

    with pytest.raises(KilledError):
        await run(Dying(Level()), Reader(polls=99))
    again, world = Reader(polls=1), Dying(Level())
    world.deadly = False
    await run(world, again)
    assert ("0/left", {"after": 0}) in again.got
    assert all(payload in ({"after": 0}, None) for _, payload in again.got)


@pytest.mark.parametrize("data", [{1, 2}, float("nan"), "x" * 100_001, 2**64, {"a": "\ud83d"}])
async def test_data_that_cannot_be_sent_are_a_failure_of_the_world(data: Any) -> None:
    class Strange(Incubator):
        def payload(self, state: Any, worker: str, action: str) -> Any:
            return data

    with pytest.raises(WorldFailedError, match="payload for 'incubate'"):
        await play(Written({"left": "incubate"}), Strange(Level()), workers={"left": Reader()})


@pytest.mark.parametrize(
    "more",
    [{}, {"timesteps": 9}, {"outlasts": True}, {"payload": {"two": 2}}, {"traceparent": "00-1-2"}],
    ids=str,
)
def test_an_assignment_is_the_same_after_a_journey(more: dict[str, Any]) -> None:
    sent = Assigned("bake", "oven", 3, "shop", **more)
    found = Assigned.of_data(sent.data(), "oven")
    assert (found, found.id, found.data()) == (sent, sent.id, sent.data())
    assert {name: getattr(found, name) for name in more} == more
    assert ("payload" in sent.data()) == ("payload" in more)


async def test_without_data_a_trace_is_as_before() -> None:
    trace = await play(Written({"left": "incubate"}), workers={"left": Reader()}, horizon=3)
    assert not any('"payloads"' in to_line(record) for record in trace.records)
    assert [each.event["status"] for each in trace.of(EventRecord) if "status" in each.event]
