"""The parts of a world are found by their names beside its `domain.py`."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from cookmas.worlds.base.domain import PARTS, Domain
from cookmas.worlds.shipped import WORLDS, import_world

DOMAIN = """
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.rooms.world import RoomWorld

class Own(Domain):
    world_type = RoomWorld
    {line}
"""


def make(folder: Path, monkeypatch: pytest.MonkeyPatch, package: str, line: str = "") -> Domain:
    """Return the domain of a package that has a part `view`, and in its domain this line."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    (folder / package / "view.py").write_text('VIEWING = "mine"\n')
    (folder / package / "domain.py").write_text(DOMAIN.format(line=line or "pass"))
    monkeypatch.syspath_prepend(folder)
    domain: Domain = importlib.import_module(f"{package}.domain").Own()
    return domain


@pytest.mark.parametrize("name", WORLDS)
def test_a_shipped_world_has_each_part_that_stands_beside_its_domain(name: str) -> None:
    domain = import_world(name)
    package = type(domain).__module__.rpartition(".")[0]
    beside = Path(importlib.import_module(package).__path__[0])
    for member, (part, constant) in PARTS.items():
        if (beside / f"{part}.py").exists() or (beside / part / "__init__.py").exists():
            assert getattr(domain, member) == f"{package}.{part}:{constant}"
    assert domain.script.domain is domain


def test_a_world_of_ones_own_brings_a_part_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = make(tmp_path, monkeypatch, "found_by_name")
    assert domain.viewing_spec == "found_by_name.view:VIEWING"
    assert domain.judging_spec == Domain.judging_spec


def test_a_part_that_stands_elsewhere_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = 'viewing_spec = "cookmas.worlds.base.viewing:VIEWING"'
    domain = make(tmp_path, monkeypatch, "named_elsewhere", line)
    assert domain.viewing_spec == "cookmas.worlds.base.viewing:VIEWING"
