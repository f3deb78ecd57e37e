"""How the things that messages create are numbered: without gaps, and none of them twice."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.api import aresume
from cookmas.client import AsyncClient
from cookmas.episodes.trace import EventRecord, PlannerClass
from cookmas.episodes.world import Json, Ruling
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.graph.context import complete_state
from cookmas.orchestrator.graph.state import State
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.base import Domain, MessageField, MessageForm, World
from tests.live.conftest import open_small
from tests.mailboxes.open_memory import MemoryOpenMailbox

AMOUNT = MessageField(name="amount", kind=int)
LEVEL = """
title: A day
events:
- {at: 0, kind: order, job: job2, amount: 1}
- {at: 90, kind: order, job: job4, amount: 1}
"""


class Yard(World):
    """Jobs come by two kinds of messages, and boxes by a third; nothing is ever done."""

    name = "yard"
    workers = ("ann",)
    actions = {"wait": "do nothing."}  # noqa: RUF012
    messages = (
        MessageForm(kind="order", fields=(AMOUNT,), subject="job", creates="job"),
        MessageForm(kind="rush", event="hurry", fields=(AMOUNT,), subject="job", creates="job"),
        MessageForm(kind="box", fields=(AMOUNT,), subject="box", creates="box"),
        MessageForm(kind="cancel", fields=(MessageField(name="job"),), subject="job"),
    )

    def opening(self) -> dict[str, Any]:
        return {"open": []}

    def receive(self, state: Any, event: Json) -> tuple[Any, Ruling]:
        name, there = event.get("job") or event.get("box"), state["open"]
        if event["kind"] == "cancel" and name in there:
            return {**state, "open": [each for each in there if each != name]}, Ruling()
        if event["kind"] == "cancel" or event["amount"] < 1 or name in there:
            return state, Ruling(refused=f"{name}: that is not possible")
        return {**state, "open": [*there, name]}, Ruling()

    def legal(self, state: Any, worker: str) -> Sequence[str]:
        return [self.idle]

    def advance(self, state: Any, actions: Mapping[str, str], draw: Random) -> Any:
        return state

    def count_open(self, state: Any) -> int:
        return len(state["open"])


class YardDomain(Domain):
    world_type = Yard


class Waiting:
    """Lets the workers wait."""

    name = "waiting"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        return Plan(schedule=[{}] * 4)


KINDS = st.sampled_from(["order", "rush", "box", "refused", "wrong", "cancel", "instruct"])
Sent = tuple[str, str, bool]
"""A message to be sent: its kind, its sender, and whether it is sent twice."""

SENT = st.lists(
    st.tuples(KINDS, st.sampled_from(["anna", "bert"]), st.booleans()), min_size=1, max_size=14
)


def event_of(kind: str) -> dict[str, Any]:
    events: dict[str, dict[str, Any]] = {
        "refused": {"kind": "order", "amount": 0},
        "wrong": {"kind": "order", "amount": "much"},
        "cancel": {"kind": "cancel", "job": "job999"},
        "instruct": {"kind": "instruct", "words": "Hurry."},
    }
    kind = "hurry" if kind == "rush" else kind
    return events.get(kind, {"kind": kind, "amount": 1})


async def play(sent: Sequence[Sent], level: Path, path: Path | None) -> list[EventRecord]:
    """Return the events of what is sent, some of it twice, and then of bert's cancellations."""
    scenario = YardDomain().scenario(str(level), {})
    desk, mailbox = YardDomain().desk(scenario), MemoryOpenMailbox(scenario.events())
    clients = {name: AsyncClient(mailbox, name, patience=0) for name in ("anna", "bert")}
    for number, (kind, sender, again) in enumerate(sent):
        for _ in range(1 + again):
            await clients[sender].send(event_of(kind), id=f"{number}")
    taken: list[EventRecord] = []
    due = len(sent)
    episode = episode_of(scenario, Waiting(), mailbox=mailbox, desk=desk, path=path)
    async for record in episode.stream():
        if isinstance(record, EventRecord) and record.sender:
            taken.append(record)
        for begun in of_anna(taken) if len(taken) == due == len(sent) else ():
            await clients["bert"].send({"kind": "cancel", "job": begun.event["job"]})
            due += 1
        if len(taken) == due:
            break
    return taken


def of_anna(events: Sequence[EventRecord]) -> list[EventRecord]:
    """Return the events with which jobs of anna began."""
    own = [each for each in events if each.sender == "anna" and not each.refused]
    return [each for each in own if each.event["kind"] in ("order", "hurry")]


@settings(max_examples=12)
@given(sent=SENT, filed=st.booleans())
def test_accepted_things_have_the_next_free_numbers_of_their_kind(
    sent: list[Sent], filed: bool
) -> None:
    with TemporaryDirectory() as folder:
        level, path = Path(folder) / "day.yaml", Path(folder) / "trace.jsonl"
        level.write_text(LEVEL)
        events = asyncio.run(play(sent, level, path if filed else None))
    first, foreign = events[: len(sent)], events[len(sent) :]
    fine = [each.event for each in first if not each.refused]
    boxes = [each["box"] for each in fine if each["kind"] == "box"]
    assert boxes == [f"box{number}" for number in range(1, len(boxes) + 1)]
    jobs = [each["job"] for each in fine if each["kind"] in ("order", "hurry")]
    assert jobs == [f"job{number}" for number in (1, 3, *range(5, 30))][: len(jobs)]
    assert len(jobs) + len(boxes) == sum(kind in ("order", "rush", "box") for kind, _, _ in sent)
    assert len(foreign) == len(of_anna(first))
    theirs = [f"job {each.event['job']} is another sender's" for each in of_anna(first)]
    assert [each.refused for each in foreign] == theirs


async def told(client: AsyncClient, kind: str, *words: str) -> str | None:
    answer = await client.say(kind, *words)
    assert answer
    return answer.about or answer.why


@pytest.mark.usefixtures("least_effort")
async def test_a_restarted_kitchen_and_its_copy_go_on_counting(tmp_path: Path) -> None:
    run, copy = open_small(tmp_path / "run"), tmp_path / "copy"
    anna, bert = AsyncClient(run, "anna"), AsyncClient(run, "bert")
    task = asyncio.create_task(aresume(run))
    assert await told(anna, "order", "1 Garden Salad") == "live1"
    assert await told(bert, "order", "1 Unicorn") == "not on the menu: Unicorn"
    assert await told(bert, "cancel", "live7") == "there is no order live7"
    assert await told(bert, "order", "15 Garden Salad") == "live2"
    task.cancel()
    await asyncio.wait([task])
    shutil.copytree(run, copy)
    for folder in (run, copy):
        task = asyncio.create_task(aresume(folder))
        anna, bert = AsyncClient(folder, "anna"), AsyncClient(folder, "bert")
        assert await told(anna, "cancel", "live2") == "order live2 is another sender's"
        assert await told(anna, "order", "1 Garden Salad") == "live3"
        assert await told(bert, "cancel", "live3") == "order live3 is another sender's"
        assert await told(bert, "cancel", "live2") == "live2"
        await anna.close()
        await task
        trace = cookmas.read_trace(folder / "trace.jsonl")
        taken = [each.event for each in trace.of(EventRecord) if not each.refused]
        names = [each["order"] for each in taken if each["kind"] == "new_order"]
        assert names == ["live1", "live2", "live3"]


def test_what_an_older_version_began_goes_on_after_its_last_message(tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(LEVEL)
    scenario = YardDomain().scenario(str(tmp_path / "day.yaml"), {})
    older = State(cursor=7, triggers=[], world=scenario.world().dump(scenario.world().start()))
    episode = episode_of(scenario, Waiting(), desk=YardDomain().desk(scenario))
    assert complete_state(older, episode)["created"] == {"job": 7, "box": 7}
    assert complete_state({**older, "created": {"job": 2}}, episode)["created"] == {"job": 2}
