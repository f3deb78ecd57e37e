"""The development server that LangGraph Studio talks to, started for real and used over its API.

It refuses whatever touches a file on its event loop.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from cookmas.bridges.studio_guard import STUDIO
from tests.ports import reserved_port

ROOT = Path(__file__).parents[3]
GRAPH = "cookmas"
PATIENCE = 120.0
"""Seconds that the server may take to begin."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncLangGraphClient]:
    folder = tmp_path_factory.mktemp("studio")
    for name in ("langgraph.json", "cookmas"):
        (folder / name).symlink_to(ROOT / name)
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    quiet = {
        "PYTHONPATH": str(ROOT),
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }
    with (folder / "log").open("wb") as log, reserved_port() as port:
        command += ["--port", str(port)]
        url = f"http://127.0.0.1:{port}"
        server = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **quiet}, stdout=log, stderr=log
        )
        try:
            _wait_for(server, url, folder / "log")
            with get_sync_client(url=url) as client:
                yield client
        finally:
            server.terminate()
            server.wait(timeout=60)


def _wait_for(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            if httpx.get(f"{url}/ok").is_success:
                return
        except httpx.TransportError:
            pass
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.2)


def _play(client: SyncLangGraphClient, thread: str | None, scenario: str, **more: Any) -> Any:
    return client.runs.wait(thread, GRAPH, context={"scenario": scenario}, **more)


@pytest.mark.parametrize("scenario", ["level1/03", "level2/01", "level3/01"])
def test_a_scenario_of_each_level_runs_to_its_end(
    client: SyncLangGraphClient, scenario: str
) -> None:
    end = _play(client, None, scenario, input={})
    assert end["ended"] == "finished"
    assert {line[3] for line in end["world"]["lines"].values()} <= {"served", "cancelled"}


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ({"scenario": "level9/99"}, "there is no scenario 'level9/99'"),
        ({"scenario": "level1/01", "planner": "nobody"}, "planner 'nobody'"),
        ({"scenario": 7}, "context, scenario: expected a text, not 7"),
        ({"scenari": "level1/05"}, "context, scenari: there is no such field; is it 'scenario'?"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    client: SyncLangGraphClient, context: dict[str, Any], expected: str
) -> None:
    answer = client.runs.wait(None, GRAPH, input={}, context=context, raise_error=False)
    assert isinstance(answer, dict)
    said = answer["__error__"]["message"]
    assert expected in said
    assert "\n" not in said


def test_each_request_on_a_thread_is_played(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    ends = [_play(client, thread, name, input={}) for name in ("level1/01", "level1/05")]
    assert [(end["ended"], end["timestep"]) for end in ends] == [("finished", 14), ("finished", 19)]


def test_history_is_read_and_a_thread_is_forked_from_an_earlier_superstep(
    client: SyncLangGraphClient,
) -> None:
    thread = client.threads.create()["thread_id"]
    first = _play(client, thread, "level1/03", input={})
    assert first["ended"] == "finished"

    history = client.threads.get_history(thread, limit=1000)
    kept: list[Any] = [state for state in history if "world" in state["values"]]
    timesteps = [state["values"]["timestep"] for state in kept]
    assert timesteps == sorted(timesteps, reverse=True)
    assert (timesteps[0], timesteps[-1]) == (first["timestep"], 0)

    earlier = next(
        state for state in kept if state["values"]["timestep"] == 5 and state["next"] == ["worker"]
    )
    world = earlier["values"]["world"]
    world["lines"]["o1.1"][1] = "On a warm plate, please."
    forked: Any = client.threads.update_state(
        thread, {"world": world}, as_node="world", checkpoint=earlier["checkpoint"]
    )
    second = _play(client, thread, "level1/03", input=None, checkpoint=forked["checkpoint"])
    assert (second["ended"], second["timestep"]) == ("finished", first["timestep"])
    assert second["world"]["lines"]["o1.1"][1] == "On a warm plate, please."
    assert first["world"]["lines"]["o1.1"][1] != "On a warm plate, please."


@pytest.mark.parametrize(
    ("headers", "code", "readable"),
    [
        ({}, 200, None),
        ({"origin": "https://smith.langchain.com"}, 200, "https://smith.langchain.com"),
        ({"origin": "https://eu.smith.langchain.com"}, 200, "https://eu.smith.langchain.com"),
        ({"origin": "https://evil.example"}, 403, None),
        ({"origin": "https://evil.example/?smith.langchain.com"}, 403, None),
        ({"origin": "https://smith.langchain.com.evil.example"}, 403, None),
        ({"origin": "null"}, 403, None),
        ({"host": "evil.example"}, 403, None),
    ],
)
def test_only_studio_and_programs_use_the_server(
    client: SyncLangGraphClient, headers: dict[str, str], code: int, readable: str | None
) -> None:
    said = {**headers, "content-type": "text/plain"}
    base = str(client.http.client.base_url)
    searched = httpx.post(f"{base}/assistants/search", content="{}", headers=said)
    asked = {"access-control-request-method": "POST", "origin": "https://evil.example", **headers}
    allowed = httpx.options(f"{base}/runs/wait", headers=asked)
    assert searched.status_code == code
    assert searched.headers.get("access-control-allow-origin") == readable
    assert allowed.headers.get("access-control-allow-origin") == readable


def test_the_file_and_the_guard_name_the_same_origins() -> None:
    written = json.loads((ROOT / "langgraph.json").read_text())["http"]["cors"]
    assert written["allow_origin_regex"] == STUDIO.pattern
    assert written["allow_origins"] == [], "without it the server allows every origin"
