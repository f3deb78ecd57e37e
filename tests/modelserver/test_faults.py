"""Faults: each at its rate, the same for the same seed, and what it says it is."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openai
import pytest

from cookmas.files.errors import InputError
from cookmas.kitchen.simulator import Reason
from cookmas.kitchen.world import Restaurant
from cookmas.modelserver.corruption import corrupt_reading, corrupt_schedule
from cookmas.modelserver.faults import FAULTS, Faults, parse_rates
from cookmas.orchestrator.dialogue.blocks import block
from cookmas.orchestrator.planner import commands_of
from cookmas.worlds.restaurant.domain import DOMAIN

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire

Schedule = Sequence[Mapping[str, str]]

REQUESTS = 40


def cells(schedule: Schedule) -> dict[tuple[int, str], str]:
    return {
        (n, worker): action for n, entry in enumerate(schedule) for worker, action in entry.items()
    }


@pytest.fixture(scope="module")
def world(wire: Wire) -> Restaurant:
    world = wire.observed("level2/06").world
    assert isinstance(world, Restaurant)
    return world


@pytest.fixture(scope="module")
def right(wire: Wire) -> Schedule:
    """The right schedule of level2/06."""
    return [dict(entry) for entry in asyncio.run(wire.right("level2/06")).schedule]


def test_rates_are_read_and_bad_ones_refused() -> None:
    assert parse_rates(["illegal=0.1", "prose=1"]) == {"illegal": 0.1, "prose": 1.0}
    for spec, expected in (
        ("ilegal=0.1", "expected one of illegal, wrong_item"),
        ("prose", "a rate of prose from 0 to 1"),
        ("prose=1.1", "a rate of prose from 0 to 1"),
        ("prose=nan", "a rate of prose from 0 to 1"),
    ):
        with pytest.raises(InputError, match=expected):
            parse_rates([spec])


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5])
def test_illegal_actions_come_at_their_rate_and_always_fail(
    wire: Wire, world: Restaurant, right: Schedule, rate: float
) -> None:
    situation = wire.situation("level2/06")
    faults = Faults(rates={"illegal": rate}, seed=4)
    total = struck = 0
    for number in range(10):
        made = corrupt_schedule(right, DOMAIN.script, situation, faults, f"request {number}")
        changed = {place for place, action in cells(made).items() if cells(right)[place] != action}
        total, struck = total + len(cells(right)), struck + len(changed)
        state = wire.observed("level2/06").state
        for timestep, entry in enumerate(made):
            state, outcomes, _ = world.step(state, commands_of(entry))
            for worker, outcome in outcomes.items():
                assert (timestep, worker) not in changed or not outcome.done
                assert outcome.fail != Reason.NO_ACTION
    deviation = (total * rate * (1 - rate)) ** 0.5
    assert abs(struck - total * rate) < 3 * deviation


def test_faults_of_actions_are_what_they_say(
    wire: Wire, world: Restaurant, right: Schedule
) -> None:
    situation, foods = wire.situation("level2/06"), world.kitchen.larder

    def struck(fault: str) -> list[dict[str, str]]:
        return corrupt_schedule(
            right, DOMAIN.script, situation, Faults(rates={fault: 1.0}), "request"
        )

    for place, action in cells(struck("wrong_item")).items():
        before = cells(right)[place]
        if before.startswith("pick(") and before != "pick(plate)" and "slot" not in before:
            assert action[5:-1] not in foods
        elif not before.startswith("pick("):
            assert action == before
    for place, action in cells(struck("forbidden_station")).items():
        before = cells(right)[place]
        if before.startswith("navigate"):
            assert action[9:-1] not in world.kitchen.stations
            assert action[9:-1].split("_")[0] in before
        else:
            assert action == before
    assert struck("missing_worker") == [{} for _ in right]
    swapped = Faults(rates={"off_by_one": 1.0})
    late = corrupt_schedule(right[:2], DOMAIN.script, situation, swapped, "r")
    assert late == [right[1], right[0]]
    assert len(struck("off_by_one")) == len(right)


def test_repairs_are_struck_at_the_same_rate_and_nothing_else_is(
    wire: Wire, right: Schedule
) -> None:
    situation = wire.situation("level2/06")
    faults = Faults(rates={"illegal": 0.2, "off_by_one": 0.2}, seed=1)
    only = frozenset(list(cells(right))[::2])
    changed = 0
    for number in range(20):
        made = corrupt_schedule(right, DOMAIN.script, situation, faults, str(number), only)
        different = {place for place in cells(right) if cells(made)[place] != cells(right)[place]}
        assert different <= only
        changed += len(different)
    assert abs(changed / (20 * len(only)) - 0.2) < 0.03


def test_wrong_items_in_a_reading(wire: Wire) -> None:
    situation = wire.situation("level2/06")
    lines = {"o1.1": ["tomato > slice 1", "(oil + olive oil > boil 2) > mix 2"]}
    always = Faults(rates={"wrong_item": 1.0})
    made = corrupt_reading(lines, DOMAIN.script, situation, always, "request")
    assert made["o1.1"][0] == "fresh tomato > slice 1"
    rarely = Faults(rates={"wrong_item": 0.2}, seed=3)
    struck = sum(
        corrupt_reading({"o1.1": ["tomato"]}, DOMAIN.script, situation, rarely, str(n))["o1.1"]
        != ["tomato"]
        for n in range(1000)
    )
    assert 160 < struck < 240


async def test_the_seed_decides_and_nothing_else(wire: Wire) -> None:
    options = ("--fault", "illegal=0.2", "--fault", "prose=0.5", "--fault", "invalid_json=0.2")
    requests = wire.unlike(wire.prompt("level1/03"), 12)

    async def said(seed: str, extra: str, order: int) -> list[str]:
        url = wire.server("--seed", seed, *options, "--latency", extra)
        choices = await wire.ask_all(url, requests[::order])
        return [choice.message.content for choice in choices][::order]

    first = await said("7", "0", 1)
    assert await said("7", "0.01", -1) == first
    assert await said("8", "0", 1) != first
    assert len(set(first)) > 6


@pytest.mark.parametrize("fault", ["invalid_json", "prose", "truncation", "refusal"])
async def test_faults_of_texts_come_at_their_rate(wire: Wire, fault: str) -> None:
    url = wire.server("--seed", "5", "--fault", f"{fault}=0.4")
    choices = await wire.ask_all(url, wire.unlike(wire.prompt("level1/03"), REQUESTS))
    right = (await wire.ask(wire.server(), wire.prompt("level1/03"))).message.content
    struck = [choice for choice in choices if choice.message.content != right]
    assert 0.25 * REQUESTS < len(struck) < 0.55 * REQUESTS
    for choice in struck:
        text, how = choice.message.content, choice.finish_reason
        if fault == "refusal":
            assert text is None
            assert choice.message.refusal
        elif fault == "prose":
            assert text != right
            assert f"```json\n{right}\n```" in text
        else:
            with pytest.raises(json.JSONDecodeError):
                json.loads(text)
            assert how == ("length" if fault == "truncation" else "stop")
            assert fault != "truncation" or right.startswith(text)


async def test_a_dropped_customization_stays_dropped(wire: Wire) -> None:
    salad = block("RECIPES", {"Salad": "Slice a tomato and put it on a plate with a lettuce."})
    orders = [{"line": f"o{n}.1", "item": "Salad", "note": "No tomato, please."} for n in range(40)]
    messages = wire.prompt("level1/03", "read")
    messages[0]["content"] += f"\n\n{salad}\n\n{block('ORDERS', orders)}"
    url = wire.server("--seed", "2", "--fault", "dropped_customization=0.5")
    heard = [
        json.loads(choice.message.content)["lines"]
        for choice in await wire.ask_all(url, wire.unlike(messages, 3))
    ]
    assert heard[0] == heard[1] == heard[2]
    dropped = [line for line, components in heard[0].items() if "tomato > slice 1" in components]
    assert 12 <= len(dropped) <= 28


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("status_429", openai.RateLimitError),
        ("status_500", openai.InternalServerError),
        ("reset", openai.APIConnectionError),
    ],
)
async def test_faults_of_transport_come_at_their_rate_and_pass(
    wire: Wire, fault: str, error: type[Exception]
) -> None:
    url = wire.server("--seed", "3", "--fault", f"{fault}=0.5", "--retry-after", "0.5")
    requests = wire.unlike(wire.prompt("level1/03"), REQUESTS)
    failed = 0
    left = requests
    for attempt in range(12):
        answers = await wire.ask_all(url, left)
        errors: list[Any] = [answer for answer in answers if isinstance(answer, Exception)]
        assert [one for one in errors if type(one) is not error] == []
        if fault == "status_429":
            assert all(one.response.headers["retry-after"] == "0.5" for one in errors)
        failed += len(errors) if attempt == 0 else 0
        left = [
            request
            for request, answer in zip(left, answers, strict=True)
            if isinstance(answer, Exception)
        ]
    assert 0.33 * REQUESTS < failed < 0.67 * REQUESTS
    assert left == []


@pytest.mark.parametrize("stream", [False, True])
async def test_a_stalled_answer_begins_and_does_not_end(wire: Wire, stream: bool) -> None:
    url = wire.server("--fault", "stall=1")
    messages: Any = wire.prompt("level1/03")
    received = b""
    begun = asyncio.Event()

    async def receive() -> None:
        nonlocal received
        async with wire.client(url) as client:
            raw = client.chat.completions.with_streaming_response
            async with raw.create(model="m", messages=messages, stream=stream) as response:
                assert response.status_code == 200
                async for piece in response.iter_bytes():
                    received += piece
                    if b"worker_1" in received:
                        begun.set()

    receiving = asyncio.create_task(receive())
    await asyncio.wait_for(begun.wait(), 60)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(receiving, 0.2)
    assert not received.endswith((b"}", b"[DONE]\n\n"))


async def test_slow_answers_and_latency(wire: Wire) -> None:
    async def seconds(*options: str) -> float:
        url = wire.server(*options)
        begun = time.perf_counter()
        await wire.ask(url, wire.prompt("level1/03"))
        return time.perf_counter() - begun

    assert min([await seconds() for _ in range(5)]) < 1
    assert await seconds("--latency", "0.2") >= 0.2
    assert await seconds("--fault", "slow=1", "--slow", "0.2") >= 0.2


def test_every_fault_is_explained() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/model-server.md").read_text()
    for name, words in FAULTS.items():
        assert f"| `{name}` | {words} |" in page
