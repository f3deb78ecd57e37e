"""The ledger of a sweep: each of its limits holds, in every session and process."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request, Usage
from cookmas.studies.bench.ledger import Ledger, SweepSpending, charge_calls
from cookmas.studies.bench.limits import SweepLimits


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (SweepLimits(calls=3), "3 of 3 calls of the whole sweep are spent"),
        (SweepLimits(tokens=250), "300 of 250 tokens of the whole sweep are spent"),
        (SweepLimits(money=0.6), "0.6 of 0.6 money of the whole sweep are spent"),
    ],
)
def test_no_call_is_made_beyond_a_limit(limits: SweepLimits, said: str, tmp_path: Path) -> None:
    path = tmp_path / "spent.json"
    for _ in range(3):
        ledger = Ledger(path, limits)
        assert ledger.reached is None
        ledger.begin()
        ledger.add(tokens=100, money=0.2)
    with pytest.raises(InfrastructureError, match=said):
        Ledger(path, limits).begin()
    assert Ledger(path, SweepLimits()).spent == SweepSpending(calls=3, tokens=300, money=0.6)
    assert Ledger(path, SweepLimits()).reached is None


async def test_a_ledger_counts_all_tokens_and_the_smallest_amounts(tmp_path: Path) -> None:
    class Cheap:
        name = "cheap"

        async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
            usage = Usage(prompt=100, completion=7)
            answer = ModelAnswer(text="", model=self.name, usage=usage)
            return answer, CallMeasurements(seconds=0.0, cost=0.00001234)

    ledger = Ledger(tmp_path / "spent.json", SweepLimits())
    model = charge_calls(Cheap(), ledger)
    for _ in range(3):
        await model.answer(Request(messages=()))
    spent = ledger.spent
    assert (spent.calls, spent.tokens) == (3, 321)
    assert spent.money == pytest.approx(0.00003702)
