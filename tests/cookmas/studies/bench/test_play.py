"""Episodes of a sweep whose planner a person wrote, in a process of its own."""

from __future__ import annotations

from pathlib import Path

from cookmas.studies.bench.arms import Arm
from cookmas.studies.bench.ledger import Ledger
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.play import play
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec
from cookmas.worlds.corridor.domain import DOMAIN
from tests.cookmas.studies.bench.conftest import Sweeping


def spec_of(sweeping: Sweeping, planner: str) -> EpisodeSpec:
    arm = Arm(name="asked", planner=planner, scripted={"illegal": 0.5})
    sweeping.suite = sweeping.suite.model_copy(update={"arms": [arm]})
    return sweeping.specs[0]


async def test_a_model_is_asked_there_as_it_is_here_and_what_it_costs_is_counted(
    sweeping: Sweeping, tmp_path: Path
) -> None:
    own = DOMAIN.planners["llm"]
    ledger, answers = tmp_path / "spent.json", tmp_path / "answers.jsonl"
    here = await play(EpisodeJob(spec=spec_of(sweeping, "llm"), ledger=tmp_path / "other.json"))
    spec = spec_of(sweeping, own)
    short = EpisodeJob(spec=spec, ledger=ledger, answers=answers, limits=SweepLimits(calls=1))
    assert (await play(short)).failed == "1 of 1 calls of the whole sweep are spent"
    apart = await play(short.model_copy(update={"limits": SweepLimits()}))
    assert here.verdict
    assert apart.verdict
    assert apart.verdict.success
    assert apart.verdict.checks == here.verdict.checks
    spent = Ledger(ledger, SweepLimits()).spent
    assert spent == Ledger(tmp_path / "other.json", SweepLimits()).spent
    assert spent.calls > 1
