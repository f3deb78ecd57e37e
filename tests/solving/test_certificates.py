"""A certificate is replayed: a wrong one is one line, in any world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.solving.certificates import Certificate, read_certificate, write_certificate
from cookmas.worlds.corridor.domain import DOMAIN

WAY = [{"walker_1": "right"}] * 3 + [{"walker_1": "ring(red)"}]


def certificate(**changes: Any) -> Certificate:
    """Return the certificate of the corridor with one bell, with other values of some fields."""
    right = {
        "world": "corridor",
        "certificate": "one",
        "digest": DOMAIN.scenario("one", {}).digest,
        "value": 4,
        "bound": 4,
        "schedule": WAY,
    }
    return Certificate.model_validate({**right, **changes})


def check(path: Path) -> tuple[int, str]:
    """Return the exit code of `cookmas check`, and what it says without the file's name."""
    result = CliRunner().invoke(app, ["check", str(path)])
    return result.exit_code, " ".join(result.output.replace(str(path), "FILE").split())


def test_what_a_certificate_does_not_say_is_not_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    write_certificate(certificate(), path)
    said = yaml.safe_load(path.read_text())
    assert said == {name: certificate().model_dump()[name] for name in said}
    assert {"world", "certificate", "digest", "value", "bound", "schedule"} <= said.keys()
    assert None not in said.values()


@pytest.mark.parametrize(
    ("bound", "what"), [(4, "which no schedule beats"), (3, "and at least 3 are needed")]
)
def test_a_right_certificate_is_replayed(tmp_path: Path, bound: int, what: str) -> None:
    path = tmp_path / "one.yaml"
    write_certificate(certificate(bound=bound), path)
    assert check(path) == (0, f"FILE: certificate of one: 4 timesteps, {what}")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"world": "dice"}, "world: expected"),
        ({"certificate": "eleven"}, "certificate: there is no scenario 'eleven'"),
        ({"digest": "0" * 16}, "digest: expected"),
        ({"bound": 5}, "bound: 5 is more than the value 4"),
        ({"value": 5}, "schedule: expected 5 timesteps, not 4"),
        ({"schedule": [*WAY[:3], {}]}, "schedule: does not succeed: the episode ended early"),
        ({"schedule": [*WAY, {}], "value": 5}, "schedule.4: the episode has ended before"),
        ({"schedule": [{"walker_9": "right"}, *WAY[1:]]}, "schedule.0: "),
        ({"schedule": [{"walker_1": "left"}, *WAY[1:]]}, "schedule.0.walker_1: FAILs"),
        (
            {"schedule": WAY[1:], "value": 3, "bound": 3},
            "schedule: does not succeed: not rung where they hang: red",
        ),
    ],
)
def test_a_wrong_certificate_is_one_line(
    tmp_path: Path, changes: dict[str, Any], fault: str
) -> None:
    path = tmp_path / "one.yaml"
    write_certificate(certificate(**changes), path)
    code, said = check(path)
    assert code == 1
    assert fault in said, said
    assert "Traceback" not in said


def test_a_certificate_is_found_by_its_scenario_alone(tmp_path: Path) -> None:
    digest = certificate().digest
    assert read_certificate(tmp_path, "one", digest) is None
    write_certificate(certificate(), tmp_path / "one.yaml")
    assert read_certificate(tmp_path, "one", digest) == certificate()
    assert read_certificate(tmp_path, "one", "0" * 16) is None
    text = (tmp_path / "one.yaml").read_text()
    assert yaml.safe_load(text)["schedule"] == WAY
    assert len(text.splitlines()) == len(WAY) + 6
