"""What senders are told of lines that were closed long ago, and how much is taken at a timestep."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import aresume
from cookmas.client import AsyncClient
from cookmas.episodes.messages import MOST_OPEN
from cookmas.episodes.trace import EventRecord, PlannerClass, Trace
from cookmas.mailboxes.protocol import Answer
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.graph.messages import MOST_TAKEN
from cookmas.orchestrator.graph.recorder import NumberOf, records_since
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.restaurant.desk import RestaurantDesk
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.live.conftest import open_small
from tests.mailboxes.open_memory import MemoryOpenMailbox


async def told(client: AsyncClient, *messages: tuple[str, ...]) -> list[Answer]:
    """The answers to messages that are sent at once."""
    found = [await getattr(client, verb)(*words) for verb, *words in messages]
    return [answer for answer in found if answer is not None]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Answer]]:
    """A kitchen in which fifteen lines more were closed after those of the first two orders."""
    folder = open_small(tmp_path_factory.mktemp("bygone") / "run")

    async def play() -> list[Answer]:
        task = asyncio.create_task(aresume(folder))
        client = AsyncClient(folder, "anna", patience=60)
        await told(client, ("order", "2 Garden Salad"), ("order", "1 Garden Salad"))
        await told(client, ("cancel", "live1.2"), ("cancel", "live2"))
        while not (status := await client.status()) or not status["asleep"]:
            await asyncio.sleep(0.02)
        await told(client, ("order", "15 Garden Salad"), ("cancel", "live3"))
        await told(client, ("order", "1 Garden Salad"))
        answers = await told(
            client,
            ("change", "live1.1", "no cucumber"),
            ("cancel", "live1.2"),
            ("cancel", "live2"),
            ("add", "live1", "1 Garden Salad"),
            ("cancel", "live1.3"),
            ("cancel", "live99.1"),
        )
        await client.close()
        await task
        return answers

    return folder / "trace.jsonl", asyncio.run(play())


def test_the_truth_is_told_of_lines_that_have_left_the_state(
    served: tuple[Path, list[Answer]],
) -> None:
    trace = cookmas.read_trace(served[0])
    steps = {
        command.action: frame.timestep
        for frame in cookmas.replay(trace)
        for command in frame.commands
        if command.action.startswith("serve(")
    }
    cancelled = [r.timestep for r in trace.of(EventRecord) if r.event["kind"] == "remove_line"]
    at = steps["serve(live1.1)"]
    assert [answer.why for answer in served[1]] == [
        f"order line live1.1 was served at timestep {at}",
        f"order line live1.2 was cancelled at timestep {cancelled[0]}",
        f"order live2 was closed at timestep {cancelled_order(trace)}",
        f"order live1 was closed at timestep {at}",
        "there is no order line live1.3",
        "there is no order line live99.1",
    ]


def cancelled_order(trace: Trace) -> int:
    return next(r.timestep for r in trace.of(EventRecord) if r.event["kind"] == "cancel_order")


def test_the_trace_is_read_from_any_event_on(served: tuple[Path, list[Answer]]) -> None:
    path = served[0]
    records = cookmas.read_trace(path).records
    events = {n: r for n, r in enumerate(records) if isinstance(r, EventRecord)}
    places = {record.number: n for n, record in events.items()}
    orders = [r.number for r in events.values() if r.event["kind"] == "new_order"]
    by_order = {number: n for n, number in enumerate(orders, start=1)}
    numberings: list[tuple[NumberOf, dict[int, int]]] = [
        (attrgetter("number"), places),
        (lambda r: by_order.get(r.number, 0), {by_order[n]: places[n] for n in orders}),
    ]
    for number_of, found in numberings:
        for number, place in found.items():
            assert list(records_since(path, number, number_of)) == list(records[place:])
        assert list(records_since(path, max(found) + 1, number_of)) == []


class Waiting:
    """Lets the workers wait."""

    name = "waiting"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Four timesteps in which nothing is done."""
        return Plan(schedule=[{}] * 4)


@asynccontextmanager
async def quiet_kitchen(
    mailbox: MemoryOpenMailbox | None = None,
) -> AsyncIterator[tuple[AsyncClient, Callable[[], list[EventRecord]]]]:
    """A kitchen in which nothing is cooked, and the events that it has taken."""
    scenario = DOMAIN.scenario("open", {"kitchen": "small"})
    mailbox, taken = mailbox or MemoryOpenMailbox(), list[EventRecord]()
    desk = RestaurantDesk(scenario.world())
    episode = episode_of(scenario, Waiting(), mailbox=mailbox, desk=desk)

    async def play() -> None:
        async for record in episode.stream():
            if isinstance(record, EventRecord):
                taken.append(record)

    client = AsyncClient(mailbox, "anna", patience=0)
    task: asyncio.Task[None] | None = None

    def events() -> list[EventRecord]:
        nonlocal task
        task = task or asyncio.create_task(play())
        return taken

    yield client, events
    if task:
        task.cancel()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_cancellation_does_not_wait_behind_its_senders_own_orders() -> None:
    async with quiet_kitchen() as (client, events):
        for _ in range(MOST_OPEN + 20):
            await client.order("1 Garden Salad")
        await client.cancel("live1")
        await until(lambda: len(events()) > MOST_OPEN)
        kinds = [event.event["kind"] for event in events()]
        assert kinds.index("cancel_order") == MOST_OPEN


async def test_a_flood_of_messages_does_not_hold_a_timestep_up() -> None:
    async with quiet_kitchen() as (client, events):
        for _ in range(2 * MOST_TAKEN):
            await client.cancel("live999")
        await until(lambda: len(events()) == 2 * MOST_TAKEN)
        timesteps = [event.timestep for event in events()]
        assert max(map(timesteps.count, timesteps)) <= MOST_TAKEN + 8


async def test_an_order_that_must_wait_is_told_its_place_at_the_next_timestep() -> None:
    mailbox = MemoryOpenMailbox()
    places: list[int | None] = []
    async with quiet_kitchen(mailbox) as (client, events):
        for _ in range(MOST_OPEN + 20):
            await client.order("1 Garden Salad")
        await until(lambda: len(events()) == MOST_OPEN)
        bert = AsyncClient(mailbox, "bert", patience=60)
        ordering = bert.order("1 Garden Salad", on_waiting=lambda told: places.append(told.place))
        order = asyncio.create_task(ordering)
        await until(lambda: bool(places))
        order.cancel()
    assert places == [0]
