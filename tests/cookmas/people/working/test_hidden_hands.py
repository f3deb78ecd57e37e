"""A person who plays Hanabi gets nothing from which its own cards could be told."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
import yaml

from cookmas.display.live.app import ShownRun
from cookmas.display.live.serve import serve_beside
from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.playing import seats_of
from cookmas.people.working.asked import MoveQuestion
from cookmas.replaying import judge_run
from tests.cookmas.people.working.conftest import play, prepared
from tests.cookmas.people.working.test_page import asked, seats, served

ALICES = ("R5", "Y5", "G5", "W5", "B5")
"""Cards of which there is one copy each."""

OTHERS = ("R4", "R4", "Y4", "Y4", "G4")
"""Other cards in her hand, of which she sees no copy either."""

BOBS = ("R1", "R1", "R2", "Y1", "Y2", "Y1")
"""The cards of bob, and the first that he draws."""

COLOURS = ("red", "yellow")
"""What alice tells bob, in turns; he always has a card of either colour."""


def prepare(folder: Path, hand: Sequence[str], horizon: int) -> Path:
    """Prepare a run with these cards in alice's hand."""
    rest = [f"{c}{r}" for c in "RYGWB" for r, n in zip("12345", (3, 2, 2, 2, 1), strict=True)
            for _ in range(n)]  # fmt: skip
    for card in (*hand, *BOBS):
        rest.remove(card)
    drawn = [card for card in rest if card[0] in "GWB" and card[1] in "12"][:8]
    for card in drawn:
        rest.remove(card)
    deck = [*hand, *BOBS, *drawn, *sorted(rest)]
    data = {
        "world": "hanabi",
        "horizon": horizon,
        "events": [{"at": 0, "kind": "deal", "deck": deck}],
    }
    folder.mkdir()
    file = folder / "game.yaml"
    file.write_text(yaml.safe_dump(data))
    lineup = "alice=person,bob=person"
    return prepared(folder / "run", str(file), "alice", "bob", planner=lineup)


async def answer(client: httpx.AsyncClient, choices: Sequence[str]) -> int:
    """Give these answers, each to the next question; return the number of the last one."""
    seen = -1
    for said in choices:
        told = await asked(client, seen)
        assert said in [action for action, _ in told["legal"]]
        sent = await client.post("/seat", json={"number": told["number"], "said": said})
        assert sent.json() == {}
        seen = told["number"]
    return seen


async def told_to(folder: Path) -> dict[str, str]:
    """Play: alice tells colours, bob discards. Return all that each page was sent."""
    clues = [f"clue(bob,{COLOURS[turn % 2]})" for turn in range(3)]
    async with asyncio.timeout(100), seats(folder) as there:
        alice, bob = there["alice"], there["bob"]
        pages = asyncio.gather(*(served(each, '"kind":"end"') for each in (alice, bob)))
        seen = await asyncio.gather(answer(alice, clues), answer(bob, ["discard(1)"] * 3))
        for client, number in zip((alice, bob), seen, strict=True):
            assert (await asked(client, number))["over"]
        return dict(zip(there, await pages, strict=True))


def without_ids(said: str, folder: Path) -> str:
    """Leave out the names of entries, and that of the folder."""
    return re.sub(r"^id: .*$", "", said, flags=re.MULTILINE).replace(str(folder), "")


async def test_a_page_is_sent_the_same_whatever_cards_its_player_holds(tmp_path: Path) -> None:
    folders = (tmp_path / "one", tmp_path / "other")
    one = await told_to(prepare(folders[0], ALICES, 6))
    other = await told_to(prepare(folders[1], OTHERS, 6))
    said = {
        name: [without_ids(*each) for each in zip((one[name], other[name]), folders, strict=True)]
        for name in one
    }
    assert said["alice"][0] == said["alice"][1]
    assert said["bob"][0] != said["bob"][1]
    dealt = {name: text.split('"kind":"event"')[2] for name, text in one.items()}
    for card in ALICES:
        assert f'"card":"{card}"' not in dealt["alice"]
        assert f'"card":"{card}"' in dealt["bob"]
    assert '"card":"R1"' in dealt["alice"], "the cards of bob are seen"
    assert '"deck":["' not in dealt["alice"].replace('"deck":["??"', "")


async def test_the_names_of_entries_tell_a_player_nothing_either(tmp_path: Path) -> None:
    folder = prepare(tmp_path / "one", ALICES, 6)
    said = await told_to(folder)
    names = {
        name: re.findall(r"^id: \d+-(\w+)$", text, re.MULTILINE) for name, text in said.items()
    }
    assert len(names["alice"]) > 6
    digests = {digest for name in names for digest in names[name]}
    async with serve_beside(ShownRun.of(RunFolder(folder), judge_run), "127.0.0.1", 0) as address:
        origin, _, token = address.partition("/?token=")
        bearer = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=origin, headers=bearer) as spectator:
            whole = await served(spectator, '"kind":"end"')
    shown = set(re.findall(r"^id: \d+-(\w+)$", whole, re.MULTILINE))
    assert shown
    assert not shown & digests, "a digest of the trace would confirm a guess about hidden cards"
    assert '"card":"B5"' in whole, "spectators see all"


PATHS = (
    "/trace", "/trace.jsonl", "/run/trace.jsonl", "/../trace.jsonl", "/fork", "/forks", "/state",
    "/schedule", "/schedule/check", "/schedule/legal", "/look-ahead", "/spectate", "/page",
    "/verdict", "/runs", "/game.yaml", "/run.json", "/checkpoints.sqlite", "/messages",
)  # fmt: skip


async def test_the_token_of_a_seat_opens_neither_the_trace_nor_another_page(tmp_path: Path) -> None:
    folder = prepare(tmp_path / "one", ALICES, 6)
    async with (
        asyncio.timeout(100),
        seats(folder, to_the_end=False) as there,
        serve_beside(ShownRun.of(RunFolder(folder), judge_run), "127.0.0.1", 0) as address,
    ):
        alice, bob = there["alice"], there["bob"]
        await answer(alice, ["clue(bob,red)"])
        for path in PATHS:
            assert (await alice.get(path)).status_code == 404, path
            assert (await alice.post(path, json={})).status_code == 404, path
        assert "B5" not in re.findall(r'"card":"(..)"', await served(alice, '"t":0,"acts"'))
        for query in ("?worker=bob", "?worker=", "?seat=bob&spectator=1"):
            async with alice.stream("GET", f"/events{query}") as events:
                assert events.status_code == 200
                async for line in events.aiter_lines():
                    assert '"card":"B5"' not in line
                    if '"kind":"step"' in line:
                        break
        spectators, _, _ = address.partition("/?")
        for origin in (str(bob.base_url), spectators):
            hers = {"authorization": alice.headers["authorization"]}
            token = hers["authorization"].removeprefix("Bearer ")
            async with httpx.AsyncClient(base_url=origin) as foreign:
                for path in ("/", "/events", "/seat"):
                    assert (await foreign.get(path, headers=hers)).status_code == 401
                    assert (await foreign.get(path, params={"token": token})).status_code == 401
                guess = {"authorization": f"Bearer {secrets.token_urlsafe(24)}"}
                assert (await foreign.get("/events", headers=guess)).status_code == 401


@pytest.mark.parametrize("seat", ["alice", "bob"])
async def test_a_person_plays_any_seat_beside_a_planner_to_the_end(
    tmp_path: Path, seat: str
) -> None:
    partner = {"alice": "bob", "bob": "alice"}[seat]
    folder = prepared(tmp_path / "run", "hanabi/small", seat, planner=f"{partner}=random")
    pictures: list[str] = []
    [place] = seats_of(RunFolder(folder).file)

    def choose(move: MoveQuestion) -> str:
        pictures.append(str(move.data()))
        for written in ("play(3)", "clue(eve,red)", f"clue({seat},red)", "wait"):
            with pytest.raises(InputError, match=r"cannot .* now"):
                move.check(written)
        last = move.asked["legal"][-1]
        assert move.check(last) == last
        return last

    assert place.worker == seat
    await play(folder, **{seat: choose})
    trace = read_trace(folder / "trace.jsonl")
    assert trace.end
    assert trace.end.termination in ("won", "lost", "over", "horizon")
    did = [dict(step.commands) for step in trace.of(StepRecord)]
    assert any(seat in each for each in did)
    assert pictures
