"""A small valid scenario, menu, kitchen and schedule, which tests damage."""

from __future__ import annotations

from pathlib import Path

import pytest

SCENARIO = """\
title: A test
level: 3
kitchen: standard
events:
  - at: 0
    kind: new_order
    order: o1
    lines:
      - item: Classic Burger
        note: No onion, please.
      - item: French Fries
  - at: 9
    kind: change_line
    line: o1.1
    note: No tomato, please.
"""

MENU = """\
ingredients:
  pantry: [bread]
  fridge: [butter, cheddar]
doneness:
  bread:
    grill: {golden: [3, 4], burnt: 9}
"""

KITCHEN = """\
name: tiny
stations:
  pantry: {count: 1}
  fridge: {count: 1}
  plates: {count: 1}
  board: {count: 1, slots: 1}
  mixer: {count: 1, slots: 2}
  plating: {count: 1, slots: 4}
  grill: {count: 1, slots: 2}
  pan: {count: 1, slots: 2}
  fryer: {count: 1, slots: 2}
  pot: {count: 1, slots: 2}
  oven: {count: 1, slots: 2}
  pass: {count: 1}
  bin: {count: 1}
  aisle: {count: 1}
"""

SCHEDULE = """\
scenario: level1/01
schedule:
  - {worker_1: navigate(fridge), worker_2: wait, worker_3: navigate(pantry)}
  - worker_1: pick(butter)
    worker_3: pick(bread)
"""


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.yaml"
    path.write_text(SCENARIO)
    return path


@pytest.fixture
def menu_file(tmp_path: Path) -> Path:
    folder = tmp_path / "menu"
    (folder / "recipes").mkdir(parents=True)
    (folder / "recipes" / "Toast.txt").write_text("Toast the bread golden; butter beside it.")
    (folder / "truth.yaml").write_text("Toast: [bread > grill golden, butter]\n")
    (folder / "menu.yaml").write_text(MENU)
    return folder / "menu.yaml"


@pytest.fixture
def kitchen_file(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.yaml"
    path.write_text(KITCHEN)
    return path


@pytest.fixture
def schedule_file(tmp_path: Path) -> Path:
    path = tmp_path / "schedule.yaml"
    path.write_text(SCHEDULE)
    return path
