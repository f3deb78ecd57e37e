"""Evaluators of planning: calls of the planner and the model, talk, FAILs, and help by checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from cookmas.episodes.trace import (
    MessageRecord,
    ModelCall,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check

LENIENT = "lenient"
"""Name of the checks that count the answers that were read leniently, by kind of leniency."""

LONGEST_LIST = 80
"""Greatest length of a list in the evidence of a check, in characters."""

EVERYBODY = ""
"""Stands in the place of an agent's name for a planner that decides for all workers."""


def planning(evidence: Evidence) -> Iterator[Check]:
    """Yield the checks `planner_calls`, `calls_by_trigger` and `schedules_refused`.

    There is one `calls_by_trigger` for each kind of trigger that a call answered, and one for calls
    without a trigger. A call that answers triggers of several kinds counts once for each kind. If a
    model was called, also yield `model_calls`, `model_calls_by_purpose`, `repairs`,
    `unusable_answers`, `lenient_answers`, `lenient` (the number of answers that were read with this
    kind of leniency) and `tokens`. Every question that is asked again counts as a repair. The first
    answer may have been unusable, or usable but with actions that would FAIL.
    """
    answers = list(evidence.trace.of(PlanRecord))
    yield Check(
        name="planner_calls",
        subject=EPISODE,
        value=len(answers),
        evidence=_describe_answers(answers, evidence.trace),
    )
    kinds: dict[int, set[str]] = {}
    for trigger in evidence.trace.of(TriggerRecord):
        kinds.setdefault(trigger.timestep, set()).add(trigger.trigger)
    calls = Counter(
        kind for answer in answers for kind in kinds.get(answer.timestep, {"no trigger"})
    )
    for kind in sorted(calls):
        yield Check(name="calls_by_trigger", subject=kind, value=calls[kind])
    refused = [answer for answer in answers if answer.refused is not None]
    yield Check(
        name="schedules_refused",
        subject=EPISODE,
        value=len(refused),
        evidence=list_some([f"{answer.timestep}: {answer.refused}" for answer in refused], "; "),
    )
    yield from _model_calls(list(evidence.trace.of(ModelCall)))


def list_some(texts: Sequence[str], separator: str = ", ") -> str:
    """Return the first texts of a list, at most about a line, and how many more there are."""
    shown = 0
    length = 0
    while shown < len(texts) and (not shown or length + len(texts[shown]) <= LONGEST_LIST):
        length += len(texts[shown]) + len(separator)
        shown += 1
    more = len(texts) - shown
    return separator.join(texts[:shown]) + (f" and {more} more" if more else "")


def _describe_answers(answers: Sequence[PlanRecord], trace: Trace) -> str:
    """Return when the planner answered, and how many of its answers a model was asked for."""
    asked = {(call.timestep, call.agent) for call in trace.of(ModelCall)}
    of_model = sum((answer.timestep, answer.agent) in asked for answer in answers)
    by_model = f"{of_model} of a model; " if asked and of_model < len(answers) else ""
    return f"{by_model}at timesteps {list_some([str(answer.timestep) for answer in answers])}"


def _list_counts(counts: Counter[Any]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items()))


def _model_calls(calls: list[ModelCall]) -> Iterator[Check]:
    if not calls:
        return
    yield Check(name="model_calls", subject=EPISODE, value=len(calls))
    for purpose, number in sorted(Counter(call.purpose for call in calls).items()):
        yield Check(name="model_calls_by_purpose", subject=purpose, value=number)
    repairs = sum(call.purpose == "repair" for call in calls)
    yield Check(name="repairs", subject=EPISODE, value=repairs)
    unusable = Counter(call.unusable for call in calls if call.unusable)
    yield Check(
        name="unusable_answers",
        subject=EPISODE,
        value=unusable.total(),
        evidence=_list_counts(unusable),
    )
    lenient = [call.lenient for call in calls if call.lenient]
    kinds = Counter(chain.from_iterable(lenient))
    yield Check(
        name="lenient_answers",
        subject=EPISODE,
        value=len(lenient),
        evidence=_list_counts(kinds),
    )
    for kind, number in sorted(kinds.items()):
        yield Check(name=LENIENT, subject=kind, value=number)
    usages = [call.usage for call in calls]
    parts = (
        f"{sum(usage.prompt for usage in usages)} in "
        f"({sum(usage.cached for usage in usages)} cached), "
        f"{sum(usage.completion for usage in usages)} out "
        f"({sum(usage.reasoning for usage in usages)} reasoning)"
    )
    counted = "; in part estimated" if any(usage.estimated for usage in usages) else ""
    yield Check(
        name="tokens",
        subject=EPISODE,
        value=sum(usage.total for usage in usages),
        evidence=parts + counted,
    )


def failures(evidence: Evidence) -> Iterator[Check]:
    """Yield the checks `fails`, `fails_by_reason` (of reasons that occurred), `fails_by_worker`.

    Long actions that failed are counted with the others.
    """
    failed = [act for act in evidence.acts if not act.outcome.done]
    failed = sorted([*failed, *evidence.failed_work], key=lambda act: act.timestep)
    yield Check(
        name="fails",
        subject=EPISODE,
        value=len(failed),
        evidence=list_some(
            [f"{act.timestep}: {act.worker}, {act.outcome.why}" for act in failed], "; "
        ),
    )
    reasons = Counter(str(act.outcome.fail) for act in failed)
    for reason in sorted(reasons):
        yield Check(name="fails_by_reason", subject=reason, value=reasons[reason])
    workers = Counter(act.worker for act in failed)
    for worker in evidence.world.workers:
        yield Check(name="fails_by_worker", subject=worker, value=workers[worker])


def verifier_dependence(evidence: Evidence) -> Iterator[Check]:
    """Yield `verifier_dependence`: the share of actions that a refusal preceded in their decision.

    An action counts if it did not FAIL and is not idling. A refusal is a repair that does not
    follow an unusable answer: the look-ahead or a verifier has refused a usable answer, or the
    look-ahead a queued action.
    Yield nothing if no model was asked.
    """
    refused: dict[str, bool] = {}
    unusable = False
    acted = dependent = 0
    world = evidence.world
    for record in evidence.trace.records:
        if isinstance(record, ModelCall):
            who = record.agent or EVERYBODY
            if record.number == 1:
                refused[who], unusable = False, False
            if record.purpose == "repair" and not unusable:
                refused[who] = True
            unusable = record.unusable is not None
        elif isinstance(record, StepRecord) and refused:
            for command in record.commands:
                if not world.is_idle(command.action) and command.worker not in record.fails:
                    acted += 1
                    dependent += refused.get(command.worker, refused.get(EVERYBODY, False))
    if acted:
        yield Check(
            name="verifier_dependence",
            subject=EPISODE,
            value=round(dependent / acted, 4),
            evidence=f"{dependent} of {acted} actions",
        )


def is_team(evidence: Evidence) -> bool:
    """Return whether a team played the episode: each agent planned for itself."""
    return any(plan.agent for plan in evidence.trace.of(PlanRecord))


def talk(evidence: Evidence) -> Iterator[Check]:
    """Yield the number of messages of each agent in a team, as `talk_initiated`, `talk_responded`.

    A message responds if another agent has spoken since the sender's last turn. Otherwise the
    message initiates.
    """
    messages = list(evidence.trace.of(MessageRecord))
    if not messages or not is_team(evidence):
        return
    agents = list(evidence.world.workers)
    addressed: dict[str, bool] = dict.fromkeys(agents, False)
    counts: Counter[tuple[str, str]] = Counter()
    for record in evidence.trace.records:
        if isinstance(record, MessageRecord):
            kind = "talk_responded" if addressed.get(record.agent) else "talk_initiated"
            counts[kind, record.agent] += 1
            addressed = dict.fromkeys(addressed, True)
        if isinstance(record, MessageRecord | PlanRecord) and record.agent in addressed:
            addressed[record.agent] = False
    for kind in ("talk_initiated", "talk_responded"):
        for agent in agents:
            yield Check(name=kind, subject=agent, value=counts[kind, agent])
