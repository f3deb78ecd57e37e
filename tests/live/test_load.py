"""An open kitchen under load: what `benchmarks.load` checks, of a small one."""

from __future__ import annotations

import pytest

from benchmarks.load import run


@pytest.mark.parametrize(("kind", "orders", "stream"), [("sqlite", 25, 0), ("redis", 0, 10)])
async def test_nothing_is_lost_or_reordered_in_a_rush_or_a_stream(
    kind: str, orders: int, stream: int
) -> None:
    await run(kind, orders, stream)
