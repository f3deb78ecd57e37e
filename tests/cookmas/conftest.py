"""A user's scenario, buttered toast, a user's schedule that serves it, and their run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app

SCENARIO = """
title: Toast
level: 1
kitchen: small
events:
  - {at: 0, kind: new_order, order: o1, lines: [{item: Buttered Toast}]}
"""

BREAD = ["navigate(pantry)", "pick(bread)", "navigate(grill_1)", "place", "start", "wait", "wait"]
BREAD += ["pick", "navigate(plating_1)", "place", "assemble", "pick", "navigate(pass)"]
BREAD += ["serve(o1.1)"]
BUTTER = ["navigate(fridge)", "pick(butter)", "navigate(plating_1)", "place", "navigate(plates)"]
BUTTER += ["pick", "navigate(plating_1)", "place", "navigate(aisle)"]


def write_scenario(folder: Path) -> str:
    path = folder / "toast.yaml"
    path.write_text(SCENARIO)
    return str(path)


def write_schedule(folder: Path) -> str:
    path = folder / "schedule.yaml"
    waits = ["wait"] * (len(BREAD) - len(BUTTER))
    pairs = zip(BREAD, BUTTER + waits, strict=True)
    path.write_text(yaml.safe_dump([{"worker_1": a, "worker_2": b} for a, b in pairs]))
    return str(path)


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    return write_scenario(tmp_path)


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    return write_schedule(tmp_path)


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scenario, the schedule and the folder of their run."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        asked = ["run", write_scenario(folder), "-p", write_schedule(folder), "-q"]
        assert CliRunner().invoke(app, asked).exit_code == 0
    return folder


@pytest.fixture
def toast(played_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the run, in a copy that is the present folder."""
    shutil.copytree(played_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("runs/toast-schedule")


@pytest.fixture
def poor_schedule(tmp_path: Path) -> str:
    path = tmp_path / "poor.yaml"
    path.write_text(yaml.safe_dump([{"worker_1": "pick(egg)"}, {"worker_1": "wait"}]))
    return str(path)
