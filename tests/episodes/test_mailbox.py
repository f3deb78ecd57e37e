"""In which order events reach an episode."""

from __future__ import annotations

from episodes.mailbox import MemoryMailbox


async def test_what_is_due_comes_before_what_is_injected() -> None:
    box = MemoryMailbox([(4, {"kind": "late"}), (2, {"kind": "known"})])
    box.inject({"kind": "injected first"})
    box.inject({"kind": "injected second"})
    letters = await box.open(2, after=0)
    assert [letter.event["kind"] for letter in letters] == [
        "known",
        "injected first",
        "injected second",
    ]
    assert [letter.number for letter in letters] == [1, 2, 3]
    assert [letter.injected for letter in letters] == [False, True, True]


async def test_a_timestep_opened_again_gives_the_same_letters() -> None:
    box = MemoryMailbox([(0, {"kind": "known"})])
    box.inject({"kind": "injected"})
    letters = await box.open(0, after=0)
    box.inject({"kind": "injected for the next timestep"})
    assert (await box.open(0, after=0))[:2] == letters
    assert [letter.number for letter in await box.open(1, after=2)] == [3]
