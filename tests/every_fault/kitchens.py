"""Small kitchens with waiting orders, and the promises that hold for them after any fault."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.orchestrator.runs.request import RunRequest
from tests.live.conftest import OpenRun, verify

MENU = "../menu"
"""The menu, outside the folder of a command, so that the folder may be moved."""

ACKNOWLEDGED = "acknowledged"
"""The file to which SENDER writes that its order was accepted."""

SENDER = """
import pathlib, sys, time
from cookmas.client import Client
from cookmas.files.errors import CookMASError

run = pathlib.Path(sys.argv[1])
done = False
while not done:
    try:
        with Client(run, "anna", patience=0) as kitchen:
            kitchen.order(sys.argv[2], id="anna")
            pathlib.Path(sys.argv[3]).write_text("anna")
        with Client(run, patience=0) as kitchen:
            kitchen.close()
        done = True
    except CookMASError:
        time.sleep(0.05)
"""
"""A process that orders in a kitchen as soon as there is one, and closes it."""

WORDS = "Plain Bread"
"""The one item of the menu, which is served within ten timesteps."""

SENDERS = ("anna", "bert")


def make_menu(folder: Path) -> Path:
    """Make the menu beside a folder, if it is not there yet."""
    menu = (folder / MENU).resolve()
    if menu.exists():
        return menu
    (menu / "recipes").mkdir(parents=True)
    (menu / "menu.yaml").write_text("ingredients: {pantry: [bread]}\ndoneness: {}\n")
    recipe = "The bread is put on a plate as it comes, and it leaves at once.\n"
    (menu / "recipes" / f"{WORDS}.txt").write_text(recipe)
    return menu


def make_kitchen(folder: Path, senders: Sequence[str], *, closed: bool) -> Path:
    """Create an open kitchen in which an order of each sender waits; return its folder."""
    run = folder / "runs" / "open"
    settings = {"kitchen": "small", "menu": str(make_menu(folder))}
    create(
        run,
        RunRequest(
            scenario="open", planner="embedded", pace=0.0, settings=settings, keep_checkpoints=1
        ),
    )
    for sender in senders:
        send(run, sender)
    if closed:
        close(run)
    return run


def send(run: Path, sender: str) -> None:
    """Send the one order of a sender, without waiting for the answer."""
    with Client(run, sender, patience=0) as kitchen:
        kitchen.order(WORDS, id=sender)


def close(run: Path) -> None:
    with Client(run, patience=0) as kitchen:
        kitchen.close()


def rows(run: Path) -> dict[str, str | None]:
    """Return the ids of the messages in the mailbox of a run, and the statuses of their answers."""
    with closing(sqlite3.connect(run / "mailbox.sqlite")) as database:
        query = "SELECT id, answer FROM messages WHERE sender IS NOT NULL"
        return {
            name: None if answer is None else json.loads(answer)["status"]
            for name, answer in database.execute(query)
        }


def finish(run: Path, senders: Sequence[str]) -> None:
    """Close a kitchen and play it to its end; assert that each sender's order is served once."""
    close(run)
    asyncio.run(aresume(run))
    verify_end(run, senders)


def verify_end(run: Path, senders: Sequence[str]) -> None:
    """Assert that the orders of these senders, and no others, were served once and answered."""
    finished = OpenRun(run)
    with closing(sqlite3.connect(run / "mailbox.sqlite")) as database:
        query = "SELECT sender, id, event, answer FROM messages WHERE number > 0"
        taken = database.execute(query).fetchall()
    assert sorted(sender for sender, *_ in taken) == sorted(senders)
    for sender, name, event, answer in taken:
        assert answer, f"the order of {sender} was taken and not answered"
        entry = {"id": name, "event": json.loads(event), "answer": _whole(json.loads(answer))}
        finished.log(sender).write_text(json.dumps(entry) + "\n")
    verify(finished, senders)


def _whole(answer: dict[str, object]) -> dict[str, object]:
    return {"why": None, **answer}
