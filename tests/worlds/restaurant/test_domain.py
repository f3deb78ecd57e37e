"""What of a scenario is cooked when it is checked: the items of a user's own menu."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.scenarios.menu import SHIPPED_MENU
from cookmas.worlds.restaurant.domain import DOMAIN


def test_only_items_of_an_own_menu_are_cooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cooks: list[Any] = []

    def vet(scenario: Any, cook: Any = None) -> list[str]:
        cooks.append(cook)
        return []

    monkeypatch.setattr("cookmas.scenarios.check.vet", vet)
    for folder in (SHIPPED_MENU, tmp_path):
        scenario: Any = SimpleNamespace(menu=SimpleNamespace(folder=folder))
        assert DOMAIN.vet(scenario) == []
    shipped, own = cooks
    assert shipped is None
    assert own is DOMAIN.solved("checking:cook")
