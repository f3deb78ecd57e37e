"""A user's scenario, buttered toast, and a user's schedule that serves it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

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


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    path = tmp_path / "toast.yaml"
    path.write_text(SCENARIO)
    return str(path)


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    path = tmp_path / "schedule.yaml"
    waits = ["wait"] * (len(BREAD) - len(BUTTER))
    pairs = zip(BREAD, BUTTER + waits, strict=True)
    path.write_text(yaml.safe_dump([{"worker_1": a, "worker_2": b} for a, b in pairs]))
    return str(path)


@pytest.fixture
def poor_schedule(tmp_path: Path) -> str:
    path = tmp_path / "poor.yaml"
    path.write_text(yaml.safe_dump([{"worker_1": "pick(egg)"}, {"worker_1": "wait"}]))
    return str(path)
