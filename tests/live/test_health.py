"""`/health` and `/metrics` of the live page, read by the parser of Prometheus."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from cookmas.display.live.app import ShownRun, live_app
from cookmas.display.live.metrics import METRICS, metrics_text
from cookmas.display.live.serve import LOOPBACK
from cookmas.replaying import judge_run
from cookmas.status import State, Status

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun

HERE = "http://127.0.0.1:8088"


@pytest.fixture
def page(sqlite_run: OpenRun) -> Iterator[TestClient]:
    with TestClient(
        live_app(ShownRun.of(sqlite_run.folder, judge_run), LOOPBACK, "secret"),
        HERE,
        client=("127.0.0.1", 5),
    ) as client:
        yield client


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cookmas.display.live.metrics.FRESH", 0.0)


def samples(text: str) -> dict[tuple[str, str], float]:
    """The samples by name and label, of which each has at most one."""
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def until_health(page: TestClient, code: int, state: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while (answer := page.get("/health")).json()["state"] != state:
        assert time.monotonic() < end, answer.json()
        time.sleep(0.05)
    assert answer.status_code == code
    told: dict[str, Any] = answer.json()
    return told


def test_health_is_200_while_the_orchestrator_lives_and_503_when_it_was_killed(
    page: TestClient, sqlite_run: OpenRun
) -> None:
    assert until_health(page, 503, "down")["alive"] is False
    playing = sqlite_run.play()
    told = until_health(page, 200, "asleep")
    assert told.keys() == {"alive", "state", "heartbeat_seconds"}
    assert told["alive"] is True
    alive = samples(page.get("/metrics").text)
    assert (alive["cookmas_up", ""], alive["cookmas_state", "asleep"]) == (1, 1)
    assert alive["cookmas_heartbeat_age_seconds", ""] < 60
    playing.send_signal(signal.SIGKILL)
    playing.wait()
    assert until_health(page, 503, "down")["heartbeat_seconds"] is None
    dead = samples(page.get("/metrics").text)
    assert (dead["cookmas_up", ""], dead["cookmas_state", "down"]) == (0, 1)
    assert sum(value for (name, _), value in dead.items() if name == "cookmas_state") == 1
    sqlite_run.finish()
    assert until_health(page, 503, "over")["alive"] is False


def test_a_status_that_cannot_be_read_is_503(page: TestClient, sqlite_run: OpenRun) -> None:
    (sqlite_run.folder / "mailbox.sqlite").unlink()
    health, metrics = page.get("/health"), page.get("/metrics")
    assert (health.status_code, health.json()) == (503, {"alive": False, "state": "unknown"})
    assert (metrics.status_code, metrics.text.count("\n")) == (503, 1)


def test_elsewhere_metrics_need_the_token_and_health_says_nothing_else_without_it(
    sqlite_run: OpenRun,
) -> None:
    with TestClient(
        live_app(ShownRun.of(sqlite_run.folder, judge_run), LOOPBACK, "secret"), HERE
    ) as page:
        assert page.get("/").status_code == 401
        assert page.get("/metrics").status_code == 401
        assert page.get("/health").json()["state"] == "down"
        assert page.get("/health", headers={"Host": "elsewhere"}).status_code == 421
        bearer = {"Authorization": "Bearer secret"}
        answer = page.get("/metrics", headers=bearer)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


def test_whoever_asks_often_does_not_make_it_read_more_often(
    page: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    async def reading(folder: Path) -> Status:
        read.append(folder)
        return STATUS

    monkeypatch.setattr("cookmas.display.live.metrics.FRESH", 3600.0)
    monkeypatch.setattr("cookmas.display.live.metrics.status_of", reading)
    for _ in range(5):
        page.get("/health")
        page.get("/metrics")
    assert len(read) == 1


STATUS = Status(
    state="planning",
    alive=True,
    heartbeat_seconds=0.25,
    ended=None,
    timestep=7,
    reached=3,
    lost=1,
    open=2,
    plans=9,
    refused=2,
    fails=8,
    calls=12,
    repairs=6,
    tokens_in=700,
    tokens_out=80,
    money=0.5,
    taken=5,
    waiting=2000,
    oldest_seconds=65.5,
    quarantined=4,
    away={},
    late_seconds=1.5,
    call_seconds=12.5,
    world=None,
)


def test_each_number_of_the_status_is_a_metric_with_its_help_and_its_kind() -> None:
    families = {
        family.name: family for family in text_string_to_metric_families(metrics_text(STATUS))
    }
    for name, kind, field in METRICS:
        family = families[name.removesuffix("_total")]
        about = Status.model_fields[field].description
        assert (family.type, family.documentation) == (kind, about)
        assert [sample.value for sample in family.samples] == [getattr(STATUS, field)]
    numbers = {
        name
        for name, field in Status.model_fields.items()
        if field.annotation in (int, float, bool, int | None) or name.endswith("_seconds")
    }
    assert numbers == {metric.field for metric in METRICS}
    assert {sample.labels["state"] for sample in families["cookmas_state"].samples} == set(
        get_args(State)
    )
    assert families["cookmas_worker_out_of_reach"].samples == []


@given(st.dictionaries(st.text(), st.just("away"), max_size=5))
def test_names_of_workers_are_labels_whatever_is_in_them(away: dict[str, str]) -> None:
    found = samples(metrics_text(STATUS.model_copy(update={"away": away})))
    told = {label for name, label in found if name == "cookmas_worker_out_of_reach"}
    assert told == set(away)
