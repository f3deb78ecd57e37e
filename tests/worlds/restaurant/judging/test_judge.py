from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas import judge
from cookmas.episodes.parts import OutcomeRecord, Record
from cookmas.episodes.trace import AnyRecord, PlanRecord, Termination, Trace
from cookmas.episodes.trace_file import parse_trace
from cookmas.evals.verdict import Check, Verdict
from cookmas.files.errors import TraceError
from cookmas.kitchen.customizations import Without
from cookmas.worlds.restaurant.judging import EVALUATORS
from cookmas.worlds.restaurant.judging.evidence import KitchenEvidence
from cookmas.worlds.restaurant.judging.reading import KINDS
from tests.sampling import examples

if TYPE_CHECKING:
    from tests.worlds.restaurant.judging.conftest import House

ABOUT_WORDS = {
    "reading",
    "error",
    *(f"{kind}_{share}" for kind in KINDS for share in ("recalled", "invented")),
}
"""Checks that are about what a planner says it understood."""

TOAST = ["bread > grill 3", "butter"]


@pytest.fixture(scope="module")
def trace(house: House) -> Trace:
    understood = {"o1.1": TOAST}
    order = house.order("Buttered Toast")
    return house.play(house.serve(TOAST), {0: [order]}, understood=understood)


def altered(trace: Trace, number: int, **changes: object) -> Trace:
    """The trace with changes to one of its records."""
    record: Record = trace.records[number]
    changed = record.model_copy(update=changes)
    number %= len(trace.records)
    return Trace((*trace.records[:number], changed, *trace.records[number + 1 :]))  # type: ignore[arg-type]


def test_a_verdict_says_whose_episode_it_judges(house: House, trace: Trace) -> None:
    verdict = judge(trace, house.truth)
    assert (verdict.scenario, verdict.planner, verdict.planner_class) == (
        "by hand",
        "by hand",
        "fixed",
    )
    assert (verdict.termination, verdict.group) == ("finished", "level2")
    assert [(goal.name, goal.status) for goal in verdict.goals] == [("o1.1", "served")]


def test_a_verdict_survives_json_and_a_trace_its_file(house: House, trace: Trace) -> None:
    verdict = judge(trace, house.truth)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert judge(parse_trace(trace.lines(), "trace"), house.truth) == verdict


def test_an_injected_event_makes_it_level_3(house: House, trace: Trace) -> None:
    injected = altered(trace, 1, injected=True)
    assert judge(injected, house.truth).group == "level3"


@pytest.mark.parametrize("kept", [1, 2, 10, -1])
def test_a_trace_that_breaks_off_is_unscored(house: House, trace: Trace, kept: int) -> None:
    verdict = judge(Trace(trace.records[:kept]), house.truth)
    assert verdict.success is None
    assert verdict.why.startswith("the trace is unfinished: it breaks off at")
    assert verdict.termination is None
    assert [check.name for check in verdict.checks] == list(EVALUATORS)
    assert not any(check.scored for check in verdict.checks)


def test_an_infrastructure_error_is_unscored_however_far_it_got(house: House, trace: Trace) -> None:
    verdict = judge(altered(trace, -1, termination="infrastructure_error"), house.truth)
    assert (verdict.success, verdict.why) == (None, "infrastructure error: that is how it ended")
    assert not any(check.scored for check in verdict.checks)


def test_a_trace_that_does_not_replay_is_unscored(house: House, trace: Trace) -> None:
    verdict = judge(altered(trace, -2, digest="0" * 16), house.truth)
    assert verdict.success is None
    assert verdict.why.startswith("the trace does not replay: timestep")


def test_a_trace_that_replays_with_other_fails_names_them(house: House, trace: Trace) -> None:
    fails = {"worker_2": OutcomeRecord(fail="too_far", why="it stands elsewhere.")}
    verdict = judge(altered(trace, -2, fails=fails), house.truth)
    assert verdict.why.endswith("should have the FAILs worker_2: too_far and has no FAILs")


@pytest.mark.parametrize(
    "changes", [{"world": "moon base"}, {"rules": "0"}, {"setup": {"name": "x"}}]
)
def test_a_trace_of_something_else_is_refused(
    house: House, trace: Trace, changes: dict[str, object]
) -> None:
    with pytest.raises(TraceError):
        judge(altered(trace, 0, **changes), house.truth)


@pytest.mark.parametrize("termination", ["horizon", "gave_up", "no_progress", "budget"])
def test_an_episode_that_ended_before_everything_came_in_is_no_success(
    house: House, trace: Trace, termination: Termination
) -> None:
    verdict = judge(altered(trace, -1, termination=termination), house.truth)
    assert verdict.success is False
    assert verdict.why.startswith(f"the episode ended early ({termination})")


def test_a_verdict_says_what_is_missing_and_how_it_ended(house: House) -> None:
    trace = house.play(["wait"] * 3, {0: [house.order("Ramen")]})
    verdict = judge(altered(trace, -1, termination="budget", why="3 calls."), house.truth)
    assert verdict.why == (
        "not served, or not as asked: o1.1; the episode ended early (budget): 3 calls."
    )


def test_an_episode_of_which_all_was_cancelled_is_a_success(house: House) -> None:
    events = {0: [house.order("Ramen")], 2: [{"kind": "cancel_order", "order": "o1"}]}
    verdict = judge(house.play(["wait"] * 3, events), house.truth)
    assert verdict.success is True
    assert verdict.summary["standing"] == 0


def test_a_crashing_evaluator_is_one_unscored_row(house: House, trace: Trace) -> None:
    def crashing(evidence: KitchenEvidence) -> Iterator[Check]:
        yield Check(name="half", subject="episode", value=1)
        raise ZeroDivisionError("one\nline")

    sound = judge(trace, house.truth)
    verdict = house.judge(trace, {**EVALUATORS, "own": crashing})
    assert verdict.checks[:-1] == sound.checks
    assert (verdict.checks[-1].name, verdict.checks[-1].value) == ("own", None)
    reason = "the evaluator crashed: ZeroDivisionError: one line at test_judge.py:"
    assert verdict.checks[-1].reason.startswith(reason)
    assert verdict.success is None
    assert verdict.why == f"own: {verdict.checks[-1].reason}"


def test_success_is_unscored_where_what_it_rests_on_crashed(house: House, trace: Trace) -> None:
    def crashing(evidence: KitchenEvidence) -> Iterator[Check]:
        raise RuntimeError

    verdict = house.judge(trace, {**EVALUATORS, "completeness": crashing})
    assert verdict.success is None
    assert verdict.why.startswith("completeness: the evaluator crashed: RuntimeError")


@settings(max_examples=examples(50))
@given(reasoning=st.text(), understood=st.none() | st.lists(st.text(), max_size=3))
def test_a_verdict_never_depends_on_the_planners_words(
    house: House, reasoning: str, understood: list[str] | None
) -> None:
    truth = house.knowing(Without(food="butter"), note="dry")
    said = None if understood is None else {"o1.1": understood}

    def verdict(words: str, read: dict[str, list[str]] | None) -> Verdict:
        trace = house.play(
            house.serve(TOAST[:1]),
            {0: [house.order("Buttered Toast", note="dry")]},
            reasoning=words,
            understood=read,
        )
        return judge(trace, truth)

    plain, wordy = verdict("", None), verdict(reasoning, said)
    assert (wordy.success, wordy.why) == (plain.success, plain.why) == (True, plain.why)
    assert [c for c in wordy.checks if c.name not in ABOUT_WORDS] == [
        c for c in plain.checks if c.name not in ABOUT_WORDS
    ]
    assert verdict(reasoning, None) == plain


def test_plans_may_be_missing_altogether(house: House, trace: Trace) -> None:
    silent = Trace(tuple(r for r in trace.records if not isinstance(r, PlanRecord)))
    verdict = judge(silent, house.truth)
    assert verdict.success is True
    assert verdict.summary["planner_calls"] == 0


class Read(tuple[AnyRecord, ...]):
    """Records that count how often one of them is visited."""

    visits = 0

    def __iter__(self) -> Iterator[AnyRecord]:
        for record in super().__iter__():
            Read.visits += 1
            yield record


def visits(house: House, orders: int) -> int:
    """Return how often a record is visited to judge an episode of so many misread orders."""
    actions: list[str] = []
    events: dict[int, list[dict[str, Any]]] = {}
    for number in range(1, orders + 1):
        order = house.order("Buttered Toast") | {"order": f"o{number}"}
        events[len(actions)] = [order]
        actions += house.serve(TOAST, f"o{number}.1")
    misread = {f"o{number}.1": ["butter"] for number in range(1, orders + 1)}
    trace = house.play(actions, events, understood=misread)
    Read.visits = 0
    verdict = house.judge(replace(trace, records=Read(trace.records)), EVALUATORS)
    assert [check.passed for check in verdict.of("reading")] == [False] * orders
    return Read.visits


def test_judging_takes_as_long_as_the_trace_is(house: House) -> None:
    assert visits(house, 20) <= 4.5 * visits(house, 5)
