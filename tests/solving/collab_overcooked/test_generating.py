"""Generated tasks: sound, solvable, and the same for the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.files.errors import InputError
from cookmas.solving.collab_overcooked.generating import generate_task
from cookmas.worlds.collab_overcooked.rules.book import book


@pytest.mark.parametrize("level", range(1, 6))
def test_a_generated_task_is_solved_in_its_published_time(level: int, tmp_path: Path) -> None:
    path = generate_task(level, None, 2, tmp_path / "task.yaml")
    run = cookmas.play(str(path), "oracle", world="collab-overcooked")
    scenario: Any = load_scenario(str(path), "collab-overcooked")
    entry = scenario.dishes[scenario.order]
    assert run.success
    assert run.trace.end is not None
    assert run.trace.end.timestep == entry.published
    assert len(entry.steps) == level
    assert scenario.order not in book().dishes
    for step in entry.steps:
        assert step.product in entry.text


def test_neither_cook_can_make_a_generated_dish_alone(tmp_path: Path) -> None:
    for seed in range(4):
        path = generate_task(3, None, seed, tmp_path / f"{seed}.yaml")
        kitchen = load_scenario(str(path), "collab-overcooked").kitchen  # type: ignore[attr-defined]
        reached = [kitchen.reaches(n, "ingredient_dispenser") for n in (0, 1)]
        assert reached != [kitchen.reaches(n, "delivery") for n in (0, 1)]
        assert kitchen.roommates == ((), ())


def test_the_same_seed_gives_the_same_task(tmp_path: Path) -> None:
    texts = [
        generate_task(2, size, seed, tmp_path / f"{n}.yaml").read_text()
        for n, (size, seed) in enumerate([(None, 1), (None, 1), (None, 2), (3, 1)])
    ]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


@pytest.mark.parametrize(("level", "size"), [(0, None), (7, None), (1, 4)])
def test_a_wrong_level_or_size_is_refused(level: int, size: int | None, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected level 1 to 6"):
        generate_task(level, size, 0, tmp_path / "task.yaml")
