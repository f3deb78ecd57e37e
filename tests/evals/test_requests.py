"""Requests and responses, by hand: what advances, what becomes of each, and by which number N."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cookmas.episodes.trace import AnyRecord, MessageRecord, Trace
from cookmas.evals.requests import (
    JudgedRequest,
    PartnerRequest,
    capabilities,
    collaborations,
    fates,
    find_requests,
    fulfilment,
)
from cookmas.evals.trajectories import TrajectoryStep
from tests.evals.test_judging import ended

GET, CUT, PUT = "pickup(egg, box)", "cut(board)", "place()"
REFERENCES = [[GET, CUT, PUT]]


def read(text: str) -> str | None:
    return text if text in (GET, CUT, PUT, "wait(1)") else None


def said(text: str, timestep: int = 0, agent: str = "bob") -> MessageRecord:
    return MessageRecord(timestep=timestep, agent=agent, text=text)


def trace(*messages: AnyRecord) -> Trace:
    first, *rest = ended("over", (1, 2)).records
    return Trace((first, *messages, *rest))


def asked(timestep: int, *actions: str) -> PartnerRequest:
    return PartnerRequest(timestep, "bob", "alice", actions)


def did(*timed: tuple[int, str]) -> list[TrajectoryStep]:
    return [TrajectoryStep(timestep, "alice", action) for timestep, action in timed]


def found(
    requests: Sequence[PartnerRequest], steps: Sequence[TrajectoryStep]
) -> list[JudgedRequest]:
    return collaborations(requests, steps, REFERENCES)


def values(checks: Any) -> dict[tuple[str, str], Any]:
    return {(check.name, check.subject): check.value for check in checks}


def test_requests_are_those_of_one_agent_by_the_talks_that_it_begins() -> None:
    known = find_requests(
        trace(
            said("Alice, go.\nrequest('pickup(egg, box)'); request('cut(board)')"),
            said("why?", agent="alice"),
            said("request('place()'); request('fly()') [END]"),
            said("what now?", 4, agent="alice"),
            said("wait a moment", 4),
            said("cook something", 7),
            said("Please do cut(board) and then fly(away).", 9),
        ),
        "bob",
        "alice",
        read,
    )
    assert known == [
        PartnerRequest(0, "bob", "alice", [GET, CUT, PUT, "fly()"]),
        PartnerRequest(7, "bob", "alice", []),
        PartnerRequest(9, "bob", "alice", [CUT]),
    ]


def test_a_request_to_wait_is_left_out_wherever_it_stands() -> None:
    def read_waits(text: str) -> str | None:
        return "" if text.startswith("wait(") else read(text)

    messages = (
        said("request('pickup(egg, box)'); request('wait(3)'); request('place()')"),
        said("then wait(2), please", 5),
    )
    known = find_requests(trace(*messages), "bob", "alice", read_waits)
    assert [list(each.actions) for each in known] == [[GET, PUT], []]
    assert [fate.action for fate in fates(known, did((1, GET), (2, PUT)))] == [GET, PUT]


def test_the_talks_that_are_counted_are_named() -> None:
    checks = {c.name: c for c in capabilities(found([asked(0, GET)], []), REFERENCES, 3)}
    begun, answered = (checks[f"{x}_capability_of_dialogues"] for x in ("initiating", "responding"))
    assert (begun.value, begun.evidence) == (1.0, "1 of 1 talks that bob began")
    assert (answered.value, answered.evidence) == (0.0, "0 of 1 talks that bob began")


def test_a_perfect_run_has_one_everywhere() -> None:
    requests = [asked(0, GET, CUT), asked(9, PUT)]
    steps = did((3, GET), (8, CUT), (12, PUT))
    known = found(requests, steps)
    assert [(each.initiated, each.responded, each.why) for each in known] == [(True, True, "")] * 2
    numbers = values(capabilities(known, REFERENCES, 3))
    assert numbers["initiating_capability", "episode"] == 1.0
    assert numbers["responding_capability", "episode"] == 1.0
    assert numbers["matrix", "successful initiating, successful responding"] == 2
    assert all(check.passed for check in fulfilment(requests, steps, lambda _: 4) if check.passed)
    assert {name for name, _ in numbers} == {
        "initiated",
        "responded",
        "ites",
        "initiating_capability",
        "responding_capability",
        "initiating_capability_of_dialogues",
        "responding_capability_of_dialogues",
        "matrix",
    }


def test_the_increments_are_those_of_the_trajectories() -> None:
    steps = did((1, GET), (2, CUT), (3, PUT))
    numbers = values(capabilities(found([asked(0, GET, PUT)], steps), REFERENCES, 3))
    b2 = 0.95**2
    one = (1 + b2) / (3 + 2 * b2)
    assert numbers["ites", "request of bob at 0"] == pytest.approx(one, abs=1e-4)
    assert numbers["ites", "response to bob at 0"] == pytest.approx(2 * one, abs=1e-4)


def test_the_categories_of_requests_that_do_not_advance() -> None:
    steps = did((1, GET))
    known = found([asked(0, CUT), asked(2, GET), asked(3, "wait(1)"), asked(4)], steps)
    assert [each.why for each in known] == ["premature", "repetitive", "irrelevant", "nothing"]
    assert not any(each.initiated for each in known)
    assert [each.responded for each in known] == [True, False, False, False]
    numbers = values(capabilities(known, REFERENCES, 3))
    assert numbers["failed_initiation", "premature"] == 1
    assert numbers["matrix", "failed initiating, successful responding"] == 1
    assert numbers["matrix", "failed initiating, failed responding"] == 3
    assert numbers["initiating_capability", "episode"] == 0.0
    assert numbers["responding_capability", "episode"] == pytest.approx(0.3333)


def test_the_two_readings_of_n_differ() -> None:
    known = found([asked(0, GET), asked(1, GET)], did((3, GET)))
    assert [each.initiated for each in known] == [True, True]
    numbers = values(capabilities(known, REFERENCES, 3))
    assert numbers["initiating_capability", "episode"] == pytest.approx(0.3333)


def test_an_action_fulfils_the_first_request_of_it_and_only_one() -> None:
    first, second = asked(0, GET, GET), asked(2, GET, GET, GET)
    known = fates([first, second], did((1, GET), (3, GET), (4, CUT)))
    assert [(each.request.timestep, each.done) for each in known] == [
        (0, 1),
        (0, 3),
        (2, None),
        (2, None),
    ]


def test_what_is_asked_for_again_is_one_request() -> None:
    known = fates([asked(0, GET), asked(2, GET)], did((5, GET)))
    assert [(each.request.timestep, each.done) for each in known] == [(0, 5)]


def test_a_response_is_measured_against_the_shortest_one() -> None:
    requests = [asked(2, GET, CUT), asked(20, PUT)]
    checks = list(fulfilment(requests, did((7, GET), (9, CUT)), lambda request: 3))
    numbers = values(checks)
    assert numbers["response_time", "bob at 2"] == 6
    assert numbers["response_delay", "bob at 2"] == 2.0
    assert [check.passed for check in checks if check.name == "fulfilled"] == [True, True, False]
    assert ("response_time", "bob at 20") not in numbers
    assert ("response_delay", "bob at 2") not in values(fulfilment(requests, [], lambda _: None))


def test_a_partner_without_a_part_has_no_required_collaborations() -> None:
    assert "initiating_capability" not in {
        check.name for check in capabilities(found([asked(0, GET)], []), [[]], 0)
    }


def test_a_partner_that_does_more_than_is_required_has_a_capability_of_one() -> None:
    """Three actions advance the longest way, of which the shortest one requires two."""
    requests = [asked(0, GET), asked(2, CUT), asked(4, PUT)]
    judged = found(requests, did((1, GET), (3, CUT), (5, PUT)))
    numbers = values(capabilities(judged, REFERENCES, 2))
    assert numbers["initiating_capability", "episode"] == 1.0
    assert numbers["responding_capability", "episode"] == 1.0
