"""Thoughts stand between the rows of a schedule, and not in its columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cookmas.orchestrator.dialogue.layouts import ColumnsLayout
from cookmas.orchestrator.dialogue.prompting import Prompting
from tests.orchestrator.dialogue.layouts import rows_layout


@pytest.mark.parametrize("thinks", [False, True])
def test_only_rows_have_thoughts_between_them(*, thinks: bool) -> None:
    rows = replace(rows_layout(), prompting=Prompting(chain_of_thought=thinks))
    shown = rows.fields()["schedule"].example
    assert any("think" in row for row in shown) is thinks
    columns = ColumnsLayout(
        observation=rows.observation,
        prompting=rows.prompting,
        listed=rows.listed,
        lettered=rows.lettered,
        actions=rows.actions,
    )
    shown = columns.fields()["schedule"].example
    assert shown == {worker: [] for worker in rows.observation.planned}
