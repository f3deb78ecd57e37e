"""Pages of long runs: they load the last parts, and earlier ones when asked."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.display.live import stream as streaming
from cookmas.display.live.stream import Events, Stream
from cookmas.display.page.document import ASSETS
from cookmas.display.page.show import films
from cookmas.orchestrator.graph import timestep
from cookmas.orchestrator.runs.folder import TRACE
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import leave, look, until
from tests.cookmas.display.test_stream import told
from tests.cookmas.display.underway import served


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An open kitchen that was played and closed, with a part for every twenty timesteps."""
    folder = create(
        tmp_path_factory.mktemp("long") / "run",
        RunRequest(scenario="open", planner="naive", pace=0.0, settings={"kitchen": "small"}),
    )

    async def play() -> None:
        playing = asyncio.create_task(aresume(folder))
        async with AsyncClient(folder, "anna", patience=60) as anna:
            for _ in range(4):
                await anna.order("1 Garden Salad")
            await anna.close()
        await playing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timestep, "PART", 20)
        asyncio.run(play())
        yield folder


async def entries_from(stream: Stream, part: int | None) -> list[Any]:
    found: list[Any] = []
    async for text in stream.events(None, part):
        lines = [line for line in text.decode().split("\n") if line.startswith("data: ")]
        found += [json.loads(line.removeprefix("data: ")) for line in lines]
    return [without_plans(each) for each in found if "kind" in each]


def without_plans(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without the plans that were made before the first part that was read."""
    return {name: value for name, value in entry.items() if name != "plans"}


async def test_a_page_gets_the_last_parts_and_earlier_ones_when_it_asks(long_run: Path) -> None:
    trace = long_run / TRACE
    stream = Stream(trace, partial(judge_run, long_run))
    await stream.read()
    whole = await entries_from(stream, 0)
    told_at_once = map(json.loads, films([judge_run(long_run)]))
    assert whole == list(map(without_plans, told_at_once))
    begun = [place for place, entry in enumerate(whole) if entry["kind"] == "run"]
    assert len(begun) > 3
    assert await entries_from(stream, None) == whole[begun[-2] :]
    for part, place in enumerate(begun):
        assert await entries_from(stream, part) == whole[place:]
    assert await entries_from(stream, 10**9) == whole[begun[-1] :]
    parts = [(each["part"], each["t"]) for each in map(whole.__getitem__, begun[1:])]
    assert [number for number, _ in parts] == list(range(1, len(begun)))
    assert [t for _, t in parts] == sorted(t for _, t in parts)
    last = [name async for name, kind, _ in told(stream) if kind == "entry"]
    assert [kind async for _, kind, _ in told(stream, last[-1])] == ["over"]
    early = [each async for each in told(stream, "0-0123456789abcdef")]
    assert early[0][1] == "again"
    assert early[1][2]["part"] == len(begun) - 2


async def test_a_page_can_ask_for_so_many_earlier_parts(
    long_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Stream(long_run / TRACE, partial(judge_run, long_run))
    await stream.read()
    (first, *_) = await entries_from(stream, None)
    for most in (1, 2):
        monkeypatch.setattr(streaming, "MOST_EARLIER", most)
        for part in (first["part"] - most, first["part"] - most - 1):
            (begins, *_) = await entries_from(stream, part)
            assert begins["part"] == first["part"] - most


def test_a_browser_shows_the_last_parts_and_loads_earlier_ones(page: Page, long_run: Path) -> None:
    with served(long_run, house=False) as address:
        page.goto(address)
        until(page, "Boolean(window.cookmas?.player.films[0].verdict)")
        first, length = look(page, "[film.first, film.length]")
        assert 0 < first < length
        late = look(page, f"[{first}, {length}].map((t) => JSON.stringify(film.at(t)))")
        acts = look(page, f"film.acts[{first}]")
        page.keyboard.press("Home")
        until(page, f"cookmas.player.t === {first}")
        expect(page.locator(".now")).to_have_text(f"{first} / {length}")
        earlier = page.get_by_role("button", name="Load what was earlier")
        while look(page, "film.first"):
            before = look(page, "film.first")
            earlier.click()
            until(page, f"cookmas.player.films[0].first < {before} && cookmas.player.films[0].end")
        expect(earlier).to_be_hidden()
        assert look(page, "film.length") == length
        assert look(page, "player.t") == first
        again = look(page, f"[{first}, {length}].map((t) => JSON.stringify(film.at(t)))")
        assert [json.loads(each) for each in again] == [json.loads(each) for each in late]
        assert look(page, f"film.acts[{first}]") == acts
        leave(page)


def test_the_memory_of_a_stream_does_not_grow_with_its_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streaming, "IN_MEMORY", 2**20)
    events = Events()

    def add(count: int) -> None:
        for number in range(count):
            events.add({"kind": "step", "t": number, "text": 400 * "x"}, f"{number:016x}")
            if number % 1000 == 0:
                events.begin_part()

    add(20_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    add(200_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024
    assert len(events.read(0)) >= streaming.AT_ONCE


def test_the_moment_of_an_address_stays_although_the_film_has_grown_just_so_far(
    page: Page,
) -> None:
    for name in ("dom", "worlds", "film", "player"):
        page.add_script_tag(path=ASSETS / f"{name}.js")
    shown = page.evaluate(
        """() => {
            const film = { first: 0, length: 1 };
            const player = new Player([film]);
            player.go(3);
            const shown = [player.t];
            for (film.length = 2; film.length < 6; film.length += 1) {
                player.grown();
                shown.push(player.t);
            }
            return shown;
        }"""
    )
    assert shown == [1, 2, 3, 3, 3]
