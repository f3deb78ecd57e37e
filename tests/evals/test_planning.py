"""The counts of a model's answers, by hand."""

from __future__ import annotations

from cookmas.episodes.trace import Trace
from cookmas.evals.evidence import Evidence
from cookmas.evals.planning import planning
from cookmas.evals.verdict import EPISODE
from tests.evals.test_judging import ended
from tests.evals.test_verifier_dependence import call
from tests.worlds.rolls import RollsWorld


def test_leniencies_are_counted_by_answer_and_by_kind() -> None:
    first, *rest = ended("over", (1, 2)).records
    calls = [
        call("ann", number, "turn").model_copy(update={"lenient": lenient})
        for number, lenient in enumerate([("comment", "wrapper"), (), ("comment",)], start=1)
    ]
    world = RollsWorld()
    trace = Trace((first, *calls, *rest))
    evidence = Evidence(trace=trace, truth={}, world=world, frames=(), final=world.start())
    found = {(check.name, check.subject): check for check in planning(evidence)}
    whole = found["lenient_answers", EPISODE]
    assert (whole.value, whole.evidence) == (2, "comment 2, wrapper 1")
    assert {of: check.value for (name, of), check in found.items() if name == "lenient"} == {
        "comment": 2,
        "wrapper": 1,
    }
