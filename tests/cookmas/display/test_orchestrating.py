"""The orchestrator's place in a browser: a schedule is edited, tried out and cooked."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, expect

import cookmas
from cookmas.api import create
from cookmas.display.page.show import films
from cookmas.episodes.trace import PlanRecord
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.working.questionnaire import Questionnaire, Text
from cookmas.people.working.study import StudyFile, create_study
from cookmas.replaying import judge_run
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth import load_menu_truth
from tests.cookmas.display.conftest import look, until
from tests.cookmas.display.seats import playing

SECRET = "secret2"
"""The order that comes in later."""


def scenario(folder: Path) -> Path:
    toast = [{"item": "Buttered Toast"}]
    orders = ((0, "o1"), (4, SECRET))
    events = [{"at": at, "kind": "new_order", "order": o, "lines": toast} for at, o in orders]
    data = {"title": "Toast twice", "level": 3, "kitchen": "small", "events": events}
    path = folder / "toast.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def ask(address: str, path: str = "", data: bytes | None = None, **headers: str) -> Any:
    """Open a path of the page at `address`, which has the token."""
    base, _, token = address.partition("?token=")
    said = {"Origin": base[:-1], "Authorization": f"Bearer {token}", **headers}
    return urllib.request.urlopen(urllib.request.Request(base + path, data, said))


def served(address: str, ends: str) -> str:
    """All that the server tells now, with the entries up to one that has `ends` in it."""
    said = [ask(address, path).read().decode() for path in ("", "schedule")]
    with ask(address, "events") as events:
        for line in events:
            said.append(line.decode())
            if ends in said[-1]:
                return "\n".join(said)
    raise AssertionError(ends)


def cell(page: Page, worker: int, timestep: int) -> Any:
    return page.get_by_label(f"worker {worker} at {timestep}", exact=True)


def cook(page: Page, at: int) -> None:
    """Carry out what is suggested when the schedule from a timestep on is asked for."""
    expect(page.get_by_role("heading", name=f"from timestep {at} on")).to_be_visible()
    page.get_by_role("button", name="Carry out").click()


@pytest.mark.usefixtures("refusals")
def test_a_person_plans_in_a_browser(page: Page, tmp_path: Path) -> None:
    path = scenario(tmp_path)
    folder = create(tmp_path / "run", RunRequest(scenario=str(path), planner="person-draft"))
    questions = Questionnaire(questions=[Text(name="why", ask="What was hard?", kind="text")])
    create_study(folder, StudyFile(consent="Of my own will.", questionnaire=questions))
    truth = load_menu_truth(load_scenario(str(path)).menu)["Buttered Toast"]
    with playing(folder) as ([address], run):
        page.goto(address)
        expect(page.get_by_text("Of my own will.")).to_be_visible()
        assert not (folder / "trace.jsonl").exists()
        page.get_by_role("button", name="I agree").click()
        until(page, "Boolean(window.cookmas)")
        expect(page.get_by_role("heading", name="Your schedule")).to_be_in_viewport()
        expect(cell(page, 1, 0)).to_have_value("navigate(plates)")
        told = served(address, '"kind":"lookup"')
        assert SECRET not in told
        assert '"kind":"verdict"' not in told
        made = [str(component) for component in truth if " > " in str(component)]
        assert made
        assert not any(component in told for component in made)
        first = cell(page, 1, 0).input_value()
        cell(page, 1, 0).fill("serve(o1.1)")
        page.get_by_role("button", name="Check").click()
        row = page.locator("#schedule tbody tr").first
        expect(row.locator("td").first).to_contain_text("cannot be done at aisle")
        expect(cell(page, 1, 0)).to_have_attribute("aria-invalid", "true")
        page.get_by_role("button", name="Carry out").click()
        expect(page.get_by_role("button", name="Carry out all the same")).to_be_visible()
        cell(page, 1, 0).fill("sing")
        cell(page, 1, 0).press("Enter")
        expect(cell(page, 1, 1)).to_be_focused()
        expect(page.locator("#schedule .answered")).to_contain_text("1 cannot be read")
        cell(page, 1, 0).fill(first)
        cook(page, 0)
        expect(page.get_by_role("heading", name="from timestep 4 on")).to_be_visible()
        until(page, "window.cookmas.player.t === 4")
        assert look(page, "film.verdict") is None
        expect(page.locator("#schedule")).to_contain_text(SECRET)
        cook(page, 4)
        expect(page.locator("header .outcome")).to_contain_text("success")
        page.get_by_label("What was hard?").fill("Toast.")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#seat")).to_contain_text("It is over.")
        expect(page.locator("#schedule")).to_contain_text("The episode is over.")
        done = run.result(timeout=60)
        until(page, f"cookmas.player.films[0].entries === {len(list(films([judge_run(folder)])))}")
    assert done.success
    assert [plan.timestep for plan in done.trace.of(PlanRecord)] == [0, 4]
    study = json.loads((folder / "people.json").read_text())
    assert study["people"] == {"orchestrator": {"agreed": True, "answers": {"why": "Toast."}}}
    assert all(frame.equal for frame in cookmas.replay(done.trace))


def send(address: str, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with ask(address, path, data, **headers) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_what_the_page_may_send(tmp_path: Path) -> None:
    folder = create(tmp_path / "run", RunRequest(scenario="corridor/one", planner="person"))
    with playing(folder) as ([address], run):
        wanted = json.loads(ask(address, "schedule").read())
        good = {"wanted": wanted["wanted"], "rows": [{"walker_1": "left"}]}
        assert wanted["workers"] == ["walker_1", "walker_2"]
        assert "ring(red)" in wanted["legal"]["walker_1"]
        code, told = send(address, "schedule/check", good)
        assert (code, told["troubles"][0]["why"]) == (200, "walker_1 stands at the wall.")
        assert send(address, "schedule", good)[1]["taken"] is False
        for body, code in (
            ({**good, "wanted": "other"}, 409),
            ({**good, "rows": [{"walker_9": "left"}]}, 409),
            ({**good, "rows": [{"walker_1": "x" * 201}]}, 400),
            ({**good, "rows": [{}] * 2001}, 400),
            (b"[" * 100, 400),
            (b" " * (2**22 + 1), 409),
        ):
            assert send(address, "schedule", body)[0] == code
        assert send(address, "schedule", good, Origin="http://elsewhere")[0] == 403
        assert send(address, "schedule/legal", {**good, "t": 10**12})[0] == 409
        assert send(address, "schedule/legal", {**good, "t": 1})[0] == 200
        rows = [*[{"walker_1": "right"}] * 3, {"walker_1": " ring(red) "}]
        assert send(address, "schedule", {**good, "rows": rows}) == (200, {"taken": True})
        assert run.result(timeout=60).success
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address)
