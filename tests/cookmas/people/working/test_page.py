"""A worker played on a page of one's own: nothing that others know, or that is to come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

from cookmas.orchestrator.runs.folder import RunFolder, read_run
from cookmas.people.playing import at_pages
from cookmas.people.working.study import StudyFile, create_study
from tests.cookmas.people.working.conftest import follow, play, prepared


@asynccontextmanager
async def seats(
    folder: Path, *, to_the_end: bool = True
) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Each person's browser, by worker, which has come in by its own address."""
    addresses: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    ready = lambda *page: addresses.put_nowait(page)  # noqa: E731
    playing = asyncio.create_task(at_pages(RunFolder(folder), "127.0.0.1", 0, ready))
    found: dict[str, httpx.AsyncClient] = {}
    for _ in read_run(folder).people:
        worker, address = await asyncio.wait_for(addresses.get(), 60)
        origin, _, token = address.partition("/?token=")
        client = httpx.AsyncClient(base_url=origin, headers={"origin": origin}, timeout=60)
        assert (await client.get("/")).status_code == 401
        assert (await client.get(address)).status_code == 200
        client.headers["authorization"] = f"Bearer {token}"
        found[worker] = client
    try:
        yield found
        if to_the_end:
            await asyncio.wait_for(playing, 60)
    finally:
        for client in found.values():
            await client.aclose()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def served(client: httpx.AsyncClient, until: str) -> str:
    """All that a page is sent: itself, what is asked, and what has happened up to some words."""
    said = (await client.get("/")).text + (await client.get("/seat")).text
    async with client.stream("GET", "/events") as events:
        async for line in events.aiter_lines():
            said += f"{line}\n"
            if until in line:
                break
    return said


async def asked(client: httpx.AsyncClient, seen: int) -> dict[str, Any]:
    """The next question, or that it is over."""
    while True:
        told: dict[str, Any] = (await client.get("/seat", params={"seen": seen})).json()
        if "kind" in told or told["over"]:
            return told
        seen = told["number"]


async def obey(client: httpx.AsyncClient, timesteps: int | None = None) -> None:
    """Do what is suggested, for so many timesteps or to the end."""
    seen = -1
    while timesteps is None or timesteps > 0:
        told = await asked(client, seen)
        if told["over"]:
            return
        answer = {"number": told["number"], "said": told["suggested"][0]}
        assert (await client.post("/seat", json=answer)).json() == {}
        seen = told["number"]
        timesteps = None if timesteps is None else timesteps - 1


async def test_two_people_each_at_a_page_see_what_their_own_walker_knows(tmp_path: Path) -> None:
    people = ("walker_1", "walker_2")
    undisturbed = prepared(tmp_path / "undisturbed", "corridor/halves", *people)
    expected = await play(undisturbed, walker_1=follow, walker_2=follow)
    folder = prepared(tmp_path / "run", "corridor/halves", *people)
    async with seats(folder) as there:
        ann, bob = there.values()
        bearer = {"authorization": bob.headers["authorization"]}
        async with httpx.AsyncClient(base_url=ann.base_url, headers=bearer) as foreign:
            assert (await foreign.get("/seat")).status_code == 401
        told = asyncio.gather(served(ann, '"kind":"end"'), served(bob, '"kind":"end"'))
        await asyncio.gather(obey(ann), obey(bob))
        hers, his = await told
    red, blue = "The red bell hangs five steps", "hangs the blue bell"
    assert (blue in hers, red in hers) == (True, False)
    assert (blue in his, red in his) == (False, True)
    for said in (hers, his):
        assert "bell red is asked for" in said
        assert '"kind":"trigger"' not in said
    assert (folder / "trace.jsonl").read_bytes() == expected


TOLD_LATER = "crisp as autumn"
"""What a guest will say once more has been asked for."""


async def test_nothing_to_come_and_nothing_of_the_truth_is_served(tmp_path: Path) -> None:
    toast = {"item": "Buttered Toast", "note": "No butter, please."}
    later = {"at": 4, "kind": "new_order", "order": "o2"}
    data = {
        "title": "Toast and more",
        "level": 3,
        "kitchen": "small",
        "events": [
            {"at": 0, "kind": "new_order", "order": "o1", "lines": [toast]},
            {"at": 2, "kind": "fault", "station": "grill_1", "timesteps": 7},
            {**later, "lines": [{"item": "Garden Salad", "note": TOLD_LATER}]},
        ],
    }
    scenario = tmp_path / "later.yaml"
    scenario.write_text(yaml.safe_dump(data))
    folder = prepared(tmp_path / "run", str(scenario), "worker_2")
    async with asyncio.timeout(60), seats(folder, to_the_end=False) as there:
        client = there["worker_2"]
        await obey(client, 3)
        await asked(client, -1)
        said = await served(client, '"kind":"step","t":2')
        assert "No butter, please." in said
        assert "grill 1 is out of service" in said
        for hidden in (TOLD_LATER, "Garden Salad,", '"understood":', '"kind":"verdict"'):
            assert hidden not in said
        assert '"until":9' not in said.replace(" ", "")
        refused = await client.post("/seat", json={"number": 1, "said": "serve(o1.1)"})
        assert refused.status_code == 409
        assert (await client.post("/seat", content="nonsense")).status_code == 400
        evil = {"origin": "http://evil.example"}
        assert (await client.post("/seat", json={}, headers=evil)).status_code == 403


async def test_who_does_not_agree_is_told_what_becomes_of_it(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "run", "corridor/one", "walker_1", "walker_2")
    create_study(folder, StudyFile(consent="Mine."))
    async with seats(folder, to_the_end=False) as there:
        ann, bob = there.values()
        told = await asked(ann, -1)
        assert (told["kind"], told["text"]) == ("consent", "Mine.")
        last = (await asked(bob, -1))["number"]
        await ann.post("/seat", json={"number": told["number"], "said": False})
        await asyncio.sleep(0.3)  # A server that waits for nobody is gone by then.
        for client, seen in ((ann, told["number"]), (bob, last)):
            over = (await asked(client, seen))["over"]
            assert "walker_1: this person does not agree" in over
    assert not (folder / "trace.jsonl").exists()
