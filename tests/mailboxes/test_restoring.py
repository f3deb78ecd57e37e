"""A mailbox in memory that is restored gives each event once: those to come, and none again."""

from __future__ import annotations

import pytest

from cookmas.mailboxes.memory import MemoryMailbox

KNOWN = [(0, {"kind": "a"}), (2, {"kind": "b"}), (5, {"kind": "c"}), (5, {"kind": "d"})]


@pytest.mark.parametrize("until", range(7))
async def test_a_restored_mailbox_goes_on_as_the_first_one(until: int) -> None:
    first = MemoryMailbox(KNOWN)
    for timestep in range(until):
        if timestep == 1:
            first.inject({"kind": "by hand"})
        taken = list(await first.open(timestep, 0))
    again = MemoryMailbox(KNOWN)
    again.restore(taken if until else [])
    for timestep in range(until, 7):
        if timestep == 1:
            for each in (first, again):
                each.inject({"kind": "by hand"})
        assert await again.open(timestep, 0) == await first.open(timestep, 0)
        assert await again.due(0) == await first.due(0)
    kinds = [letter.event["kind"] for letter in await again.open(7, 0)]
    assert kinds == ["a", "by hand", "b", "c", "d"]
    assert await again.empty(len(kinds))
