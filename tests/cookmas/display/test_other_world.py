"""An open CuisineWorld is ordered from by the same client, page and command as a restaurant."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient
from typer.testing import CliRunner

from cookmas.api import create
from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.commands.continuing import list_sendable
from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.serve import LOOPBACK
from cookmas.episodes.trace import EventRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError, NoOpenEpisodeError
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from cookmas.replaying import judge_run
from tests.cookmas.display.conftest import leave
from tests.cookmas.display.underway import TOKEN, send, served, under_way, watch
from tests.redis_process import RedisProcess

SPEC = "tests.worlds.cuisineworld.opened:DOMAIN"


OPEN = RunRequest(scenario="level_3", planner="embedded", world=SPEC, pace=0.05)


def wait_until_open(client: Client) -> None:
    """Wait until an orchestrator has opened the kitchen in Redis."""
    while True:
        with suppress(NoOpenEpisodeError):
            if client.status() is not None:
                return
        time.sleep(0.02)


def ordered(folder: Path) -> list[str]:
    """The dishes that were ordered, in the order in which they were taken."""
    events = read_trace(folder / "trace.jsonl").of(EventRecord)
    return [record.event["dish"] for record in events if record.refused is None]


def test_a_client_and_a_command_order_what_the_world_says(tmp_path: Path) -> None:
    with under_way(tmp_path / "run", OPEN) as folder:
        with Client(folder, "anna") as anna:
            assert [message.kind for message in anna.messages()] == ["order"]
            answers = [anna.order("tunaSushi"), anna.order(dish="salmonSushi")]
            assert [answer and answer.about for answer in answers] == [
                "tunaSushi",
                "salmonSushi",
            ]
            with pytest.raises(InputError, match="no such message, only order"):
                anna.cancel("tunaSushi")
        said = CliRunner().invoke(app, ["order", "tunaSushi", "--json", "--at", str(folder)])
        assert json.loads(said.stdout)["about"] == "tunaSushi"
        for fields in (["salmonSushi"], ["dish=salmonSushi"]):
            sent = ["send", "order", *fields, "--json", "--at", str(folder)]
            assert json.loads(CliRunner().invoke(app, sent).stdout)["about"] == "salmonSushi"
        for fields in (["a", "b"], ["a=b"], ["dish"]):
            sent = ["send", "order", *fields, "--at", str(folder)]
            assert CliRunner().invoke(app, sent).exit_code in (1, 2)
        said = CliRunner().invoke(app, ["order", "a", "b", "--at", str(folder)])
        assert "expected dish (such as 'tunaSushi')" in said.stderr
    assert ordered(folder) == ["tunaSushi", "salmonSushi", "tunaSushi", *["salmonSushi"] * 2]
    end = read_trace(folder / "trace.jsonl").end
    assert end
    assert end.termination == "closed"


def test_over_redis_code_from_outside_is_imported_where_a_person_names_it(
    server: RedisProcess, tmp_path: Path
) -> None:
    address = f"{server.url}#corner"
    with under_way(
        tmp_path / "run", OPEN.model_copy(update={"redis": RedisPlace.at(address)})
    ) as folder:
        with Client(address, "anna") as anna:
            wait_until_open(anna)
            with pytest.raises(InputError, match=f"{SPEC} is from outside"):
                anna.order("tunaSushi")
        with Client(address, "anna", world=SPEC) as anna:
            assert anna.order("tunaSushi")
    assert ordered(folder) == ["tunaSushi"]


@pytest.mark.usefixtures("refusals")
def test_its_page_has_the_form_of_its_message(page: Page, tmp_path: Path) -> None:
    with under_way(tmp_path / "run", OPEN) as folder, served(folder) as address:
        watch(page, address)
        said = page.locator(".answered")
        choices = page.locator("#guest datalist option")
        expect(choices).to_have_count(2)
        send(page, "Order", {"Dish": "tunaSushi"})
        expect(said).to_have_text("taken: tunaSushi")
        expect(page.locator("#goals .goal", has_text="tunaSushi")).to_have_count(1)
        send(page, "Order", {"Dish": "soup"})
        expect(said).to_contain_text("refused: message 'order', dish: expected one of")
        expect(page.locator("#guest form")).to_have_count(2)
        leave(page)
    assert ordered(folder) == ["tunaSushi"]


def test_the_commands_that_are_told_are_those_that_the_world_takes() -> None:
    assert list_sendable(SPEC) == ["send order", "instruct"]
    assert list_sendable("restaurant") == ["order", "change", "cancel", "instruct"]


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ('{"kind": "cancel", "name": "x"}', "no such message, only order, instruct"),
        ('{"kind": "order"}', "expected dish (such as"),
        ('{"kind": "order", "dish": ""}', "dish: expected 1 to 2000 characters"),
        ('{"kind": "order", "dish": 5}', "dish: expected text"),
        ('{"dish": "tunaSushi"}', "message: expected a mapping with its kind"),
        ("[]", "message: expected a mapping with its kind"),
        ("{", "message: is no JSON"),
    ],
)
def test_what_the_world_does_not_take_is_refused_in_a_line(
    tmp_path: Path, sent: str, why: str
) -> None:
    request = RunRequest(scenario="level_3", planner="embedded", world=SPEC, pace=0.0)
    folder = create(tmp_path / "run", request)
    app = live_app(ShownRun.of(folder, judge_run), LOOPBACK, TOKEN, house=True)
    with TestClient(app, "http://127.0.0.1:8088") as client:
        headers = {
            "Origin": "http://127.0.0.1:8088",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {TOKEN}",
        }
        answer = client.post("/messages", content=sent, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["status"] == "refused"
    assert why in answer.json()["why"]
