"""Who watches sees what a spectator may see; who plays or plans sees what is theirs to see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cookmas.api import create
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.playing import at_pages
from tests.warm import say

WATCHED = "tests.worlds.hands.watched:DOMAIN"
BLIND = "sees no dice"


def test_who_runs_a_game_watches_it(tmp_path: Path) -> None:
    code, said = say(tmp_path, "", "run", "ring", "--world", WATCHED, "--planner", "dash")
    assert code == 1, "it is lost"
    assert "right and sees 10 dice" in said
    assert BLIND not in said


@pytest.mark.parametrize("place", ["orchestrator", "ann"])
def test_who_plays_it_does_not_see_what_spectators_do(tmp_path: Path, place: str) -> None:
    others = ["--planner", "wary"] if place == "ann" else []
    options = ["--world", WATCHED, "--as", place, *others]
    _, said = say(tmp_path, "do\nstay\n" * 20, "play", "ring", *options)
    assert BLIND in said
    assert "10 dice" not in said


def test_the_supervisor_sees_what_the_orchestrator_does(tmp_path: Path) -> None:
    schedule = tmp_path / "stay.yaml"
    schedule.write_text("[{ann: stay}, {ann: stay}]\n")
    options = ["--world", WATCHED, "--as", "supervisor", "--planner", str(schedule)]
    _, said = say(tmp_path, "1\n1\nquit\n", "play", "ring", *options)
    assert f"stay and {BLIND}" in said
    assert "10 dice" not in said


async def test_the_page_of_the_orchestrator_is_told_what_a_planner_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[dict[str, Any]] = []

    @asynccontextmanager
    async def keeping(*_: Any, **options: Any) -> AsyncIterator[str]:
        served.append(options)
        raise asyncio.CancelledError
        yield ""

    monkeypatch.setattr("cookmas.display.live.serve.serve_beside", keeping)
    create(tmp_path / "run", RunRequest(scenario="ring", planner="person", world=WATCHED))
    with pytest.raises(asyncio.CancelledError):
        await at_pages(RunFolder(tmp_path / "run"), "127.0.0.1", 0, lambda *_: None)
    assert [options["worker"] for options in served] == ["orchestrator"]
