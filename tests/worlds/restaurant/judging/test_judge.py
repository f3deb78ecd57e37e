"""What is judged at all: whose episode, how it ended, and what an evaluator may do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas import judge
from cookmas.episodes.parts import OutcomeRecord, Record
from cookmas.episodes.trace import AnyRecord, PlanRecord, Trace
from cookmas.episodes.trace_file import parse_trace
from cookmas.evals.verdict import Check, Verdict
from cookmas.files.errors import TraceError
from cookmas.kitchen.customizations import Without
from cookmas.worlds.restaurant.judging import EVALUATORS
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.reading import KINDS
from tests.sampling import examples
from tests.worlds.restaurant.judging.house import HOUSE, TOAST

ABOUT_WORDS = {
    "reading",
    "error",
    *(f"{kind}_{share}" for kind in KINDS for share in ("recalled", "invented")),
}
"""Checks that are about what a planner says it understood."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    return HOUSE.ordered(HOUSE.serve(TOAST), "Buttered Toast", understood={"o1.1": TOAST})


def altered(trace: Trace, number: int, **changes: object) -> Verdict:
    """Judge the trace with changes to one of its records."""
    record: Record = trace.records[number]
    changed: Any = record.model_copy(update=changes)
    number %= len(trace.records)
    records = (*trace.records[:number], changed, *trace.records[number + 1 :])
    return judge(Trace(records), HOUSE.truth)


def test_a_verdict_says_whose_episode_it_judges(trace: Trace) -> None:
    verdict = judge(trace, HOUSE.truth)
    assert (verdict.scenario, verdict.planner) == ("by hand", "by hand")
    assert (verdict.planner_class, verdict.termination) == ("fixed", "finished")
    assert verdict.group == "level2"
    assert [(goal.name, goal.status) for goal in verdict.goals] == [("o1.1", "served")]
    assert altered(trace, 1, injected=True).group == "level3"


def test_a_verdict_survives_json_and_a_trace_its_file(trace: Trace) -> None:
    verdict = judge(trace, HOUSE.truth)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert judge(parse_trace(trace.lines(), "trace"), HOUSE.truth) == verdict


@pytest.mark.parametrize("kept", [1, 2, 10, -1])
def test_a_trace_that_breaks_off_is_unscored(trace: Trace, kept: int) -> None:
    verdict = judge(Trace(trace.records[:kept]), HOUSE.truth)
    assert verdict.success is None
    assert verdict.why.startswith("the trace is unfinished: it breaks off at")
    assert verdict.termination is None
    assert [check.name for check in verdict.checks] == list(EVALUATORS)
    assert not any(check.scored for check in verdict.checks)


ELSEWHERE = OutcomeRecord(fail="too_far", why="it stands elsewhere.")


@pytest.mark.parametrize(
    ("number", "changes", "success", "begins", "ends"),
    [
        pytest.param(
            -1,
            {"termination": "infrastructure_error"},
            None,
            "infrastructure error: that is how it ended",
            "ended",
            id="infrastructure error",
        ),
        pytest.param(
            -2,
            {"digest": "0" * 16},
            None,
            "the trace does not replay: timestep",
            "",
            id="another state",
        ),
        pytest.param(
            -2,
            {"fails": {"worker_2": ELSEWHERE}},
            None,
            "the trace does not replay: timestep",
            "should have the FAILs worker_2: too_far and has no FAILs",
            id="other fails",
        ),
        *(
            pytest.param(
                -1, {"termination": how}, False, f"the episode ended early ({how})", "", id=how
            )
            for how in ("horizon", "gave_up", "no_progress", "budget")
        ),
    ],
)
def test_an_episode_that_did_not_end_as_it_should_is_no_success(
    trace: Trace,
    number: int,
    changes: dict[str, object],
    success: bool | None,
    begins: str,
    ends: str,
) -> None:
    verdict = altered(trace, number, **changes)
    assert verdict.success is success
    assert verdict.why.startswith(begins)
    assert verdict.why.endswith(ends)
    assert any(check.scored for check in verdict.checks) is (success is not None)


@pytest.mark.parametrize(
    "changes", [{"world": "moon base"}, {"rules": "0"}, {"setup": {"name": "x"}}]
)
def test_a_trace_of_something_else_is_refused(trace: Trace, changes: dict[str, object]) -> None:
    with pytest.raises(TraceError):
        altered(trace, 0, **changes)


def test_a_verdict_says_what_is_missing_and_how_it_ended() -> None:
    trace = HOUSE.ordered(["wait"] * 3, "Ramen")
    assert altered(trace, -1, termination="budget", why="3 calls.").why == (
        "not served, or not as asked: o1.1; the episode ended early (budget): 3 calls."
    )


def test_an_episode_of_which_all_was_cancelled_is_a_success() -> None:
    cancelled = {2: [{"kind": "cancel_order", "order": "o1"}]}
    verdict = HOUSE.judged(["wait"] * 3, "Ramen", at=cancelled)
    assert verdict.success is True
    assert verdict.summary["standing"] == 0


def crashing(evidence: KitchenEvidence) -> Iterator[Check]:
    yield Check(name="half", subject="episode", value=1)
    raise ZeroDivisionError("one\nline")


def test_a_crashing_evaluator_is_one_unscored_row(trace: Trace) -> None:
    sound = judge(trace, HOUSE.truth)
    verdict = HOUSE.judge(trace, {**EVALUATORS, "own": crashing})
    assert verdict.checks[:-1] == sound.checks
    assert (verdict.checks[-1].name, verdict.checks[-1].value) == ("own", None)
    reason = "the evaluator crashed: ZeroDivisionError: one line at test_judge.py:"
    assert verdict.checks[-1].reason.startswith(reason)
    assert verdict.success is None
    assert verdict.why == f"own: {verdict.checks[-1].reason}"


def test_success_is_unscored_where_what_it_rests_on_crashed(trace: Trace) -> None:
    verdict = HOUSE.judge(trace, {**EVALUATORS, "completeness": crashing})
    assert verdict.success is None
    assert verdict.why.startswith("completeness: the evaluator crashed: ZeroDivisionError")


@settings(max_examples=examples(50, tests=8))
@given(reasoning=st.text(), understood=st.none() | st.lists(st.text(), max_size=3))
def test_a_verdict_never_depends_on_the_planners_words(
    reasoning: str, understood: list[str] | None
) -> None:
    truth, dry = HOUSE.knowing(Without(food="butter"), note="dry"), HOUSE.serve(TOAST[:1])
    said = None if understood is None else {"o1.1": understood}

    def verdict(**how: Any) -> Verdict:
        return HOUSE.judged(dry, "Buttered Toast", note="dry", truth=truth, **how)

    plain, wordy = verdict(), verdict(reasoning=reasoning, understood=said)
    assert (wordy.success, wordy.why) == (plain.success, plain.why) == (True, plain.why)
    assert [c for c in wordy.checks if c.name not in ABOUT_WORDS] == [
        c for c in plain.checks if c.name not in ABOUT_WORDS
    ]
    assert verdict(reasoning=reasoning) == plain


def test_plans_may_be_missing_altogether(trace: Trace) -> None:
    silent = Trace(tuple(r for r in trace.records if not isinstance(r, PlanRecord)))
    verdict = judge(silent, HOUSE.truth)
    assert verdict.success is True
    assert verdict.summary["planner_calls"] == 0


class Read(tuple[AnyRecord, ...]):
    """Records that count how often one of them is visited."""

    visits = 0

    def __iter__(self) -> Iterator[AnyRecord]:
        for record in super().__iter__():
            Read.visits += 1
            yield record


def visits(orders: int) -> int:
    """Return how often a record is visited to judge an episode of so many misread orders."""
    actions: list[str] = []
    events: dict[int, list[dict[str, Any]]] = {}
    names = [f"o{number}" for number in range(1, orders + 1)]
    for name in names:
        events[len(actions)] = [{**HOUSE.order("Buttered Toast"), "order": name}]
        actions += HOUSE.serve(TOAST, f"{name}.1")
    trace = HOUSE.play(actions, events, understood={f"{name}.1": ["butter"] for name in names})
    Read.visits = 0
    verdict = HOUSE.judge(replace(trace, records=Read(trace.records)), EVALUATORS)
    assert [check.passed for check in verdict.of("reading")] == [False] * orders
    return Read.visits


def test_judging_takes_as_long_as_the_trace_is() -> None:
    assert visits(20) <= 4.5 * visits(5)
