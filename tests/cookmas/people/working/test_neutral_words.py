"""What people of every world are told has no words of the kitchen."""

from __future__ import annotations

import asyncio
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.display.live.metrics import METRICS
from cookmas.display.page.document import ASSETS
from cookmas.display.page.feed import entries
from cookmas.display.watch.standing import render_status
from cookmas.episodes.instruction import INSTRUCT
from cookmas.mailboxes.protocol import Answer, Envelope
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.orchestrator.dialogue.voice import SHARED_PROMPTS
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.orchestrating import terminal as orchestrating
from cookmas.people.working import terminal as people
from cookmas.status import STATES, Status, status_of
from tests.warm import say

KITCHEN = re.compile(
    r"\b(cook|cooked|cooking|kitchens?|dish|dishes|recipes?|order lines?|plates?|served|chef|"
    r"burger|menu)\b",
    re.IGNORECASE,
)
SAID = re.compile(r'"([^"\n]*)"|`([^`]*)`')
SPEC = "tests.worlds.hands.opened:DOMAIN"


@pytest.mark.parametrize("told", [orchestrating.HELP, people.HELP])
def test_the_terminal_speaks_of_no_kitchen(told: str) -> None:
    assert not KITCHEN.findall(told)


def test_the_page_speaks_of_no_kitchen() -> None:
    scripts = [path.read_text(encoding="utf-8") for path in ASSETS.glob("*.js")]
    said = SAID.findall("\n".join(scripts))
    assert len(said) > 100
    assert not KITCHEN.findall(" ".join(map(" ".join, said)))


def test_shared_prompts_speak_of_no_kitchen() -> None:
    templates = [path.read_text(encoding="utf-8") for path in SHARED_PROMPTS.glob("*.md")]
    slots = re.compile(r"\{\{\w+\}\}")
    assert not KITCHEN.findall(" ".join(slots.sub("", text) for text in templates))


def test_an_open_episode_of_another_world_speaks_of_no_kitchen(tmp_path: Path) -> None:
    folder = create(
        tmp_path / "run", RunRequest(scenario="ring", planner="dash", world=SPEC, pace=0.0)
    )
    with Client(folder, None, patience=0) as house:
        house.instruct("Stay together.")
    with Client(folder, "anna", patience=0) as client:
        client.send({"kind": "order", "words": "1 of whatever there is"}, id="asked")
        client.close()
        late = client.instruct("Too late.")
    assert late
    run = asyncio.run(aresume(folder))
    box = SqliteLetterbox(folder)
    answers = [late, asyncio.run(_answered(box, "asked"))]
    fed = [json.dumps(entry) for entry in entries(run.trace, SPEC)]
    written = StringIO()
    console = Console(width=200, file=written)
    status = asyncio.run(status_of(folder))
    console.print(render_status(folder, status))
    shown = written.getvalue()
    _, replayed = say(
        tmp_path, "", "replay", str(folder / "trace.jsonl"), "--at", "1", "--world", SPEC
    )
    said = "\n".join([*map(str, answers), *fed, shown, replayed, *STATES, *STATES.values()])
    assert late.why == "the episode is closed"
    assert "the supervisor says: Stay together." in said
    assert json.loads(fed[0])["places"] == {"ann": "at room 2", "ben": "at room 5"}
    assert "others\nhunter" in replayed
    assert not KITCHEN.findall(said)


def test_what_is_measured_of_an_open_episode_speaks_of_no_kitchen() -> None:
    fields = [field.description or "" for field in Status.model_fields.values()]
    assert not KITCHEN.findall(" ".join([*fields, *(m.name.replace("_", " ") for m in METRICS)]))


async def _answered(box: SqliteLetterbox, id: str) -> Answer | None:  # noqa: A002
    event = {"kind": INSTRUCT, "words": "-"}
    return await box.answer(Envelope(id=id, sender="anna", event=event))
