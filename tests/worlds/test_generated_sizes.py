"""The default size of a generated scenario is a size like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.episodes.base import overrides
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.base.domain import Domain

DEFAULTS = {
    "restaurant": (2, 4),
    "cuisineworld": (3, 2),
    "collab-overcooked": (2, 1),
    "robotouille": (0, 2),
    "hanabi": (2, 5),
    "collab-capture": (0, 9),
    "collab-escape": (1, 9),
    "corridor": (1, 3),
}
"""A level of each world, and the size that it has by default."""


def test_every_world_that_generates_is_here() -> None:
    generating = {name for name in WORLDS if overrides(domain_of(name), "generate", Domain)}
    assert generating == set(DEFAULTS)


@pytest.mark.parametrize("world", DEFAULTS)
def test_the_default_size_is_drawn_as_if_it_were_given(world: str, tmp_path: Path) -> None:
    level, size = DEFAULTS[world]
    drawn = []
    for given in (None, size):
        file = tmp_path / f"{given}" / "own.yaml"
        file.parent.mkdir()
        written = domain_of(world).generate(level, given, 1, file)
        drawn.append([path.read_text(encoding="utf-8") for path in written])
    assert drawn[0] == drawn[1]
