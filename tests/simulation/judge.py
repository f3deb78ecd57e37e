"""The judge of a simulation: whether the trace and all answers keep the promises to senders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import cookmas
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.files.errors import CookMASError
from tests.simulation.kitchen import History

ORDERS = ("new_order", "order")
"""The kinds of events with which an order or a job begins."""

Numbers = Mapping[tuple[str, str], int]
"""The numbers of letters, each by its sender and the id of its message."""


WORLDS = {"dispatch": "examples.dispatch:DOMAIN"}
"""The names of worlds that are not shipped, as commands take them."""


def find_broken(
    path: Path,
    histories: Mapping[str, Sequence[History]],
    numbers: Numbers,
    deliveries: Mapping[str, str] | None = None,
    *,
    room: bool,
) -> Iterator[str]:
    """Yield the promises that a trace and the histories of all messages break.

    `room` says whether there was always room for further orders, so that none had to wait.
    `deliveries` are those that the device has begun, by the ids of their assignments.
    """
    try:
        trace = cookmas.read_trace(path)
    except CookMASError as error:
        yield f"the trace cannot be read: {error}"
        return
    if trace.end is None or trace.end.termination != "closed":
        yield f"a closed kitchen ends, but the trace ends with {trace.records[-1]}"
    if not all(frame.equal for frame in cookmas.replay(trace, WORLDS.get(trace.header.world))):
        yield "the trace replays, but this one does not"
    events = [each for each in trace.of(EventRecord) if not is_report(each.event)]
    if [record.number for record in events] != list(range(1, len(events) + 1)):
        yield "the trace has each letter once"
    taken_ones = [each.event for each in events if each.sender and not each.refused]
    made = [event for event in taken_ones if event["kind"] in ORDERS]
    names = [str(event.get("order") or event.get("job")) for event in made]
    if [name.strip("joblive") for name in names] != [str(n + 1) for n in range(len(names))]:
        yield f"orders are numbered without gaps, but they are named {names}"
    if deliveries is None:
        yield from _find_served(trace, events)
    else:
        yield from _find_undelivered(trace, events, deliveries)
    for sender, messages in histories.items():
        taken = [numbers[key] for each in messages if (key := (sender, each.id)) in numbers]
        for message in messages:
            number = numbers.get((sender, message.id), 0)
            yield from _find_untrue(message, number, events, sender)
        if taken != sorted(taken) and room:
            yield f"the order of each sender is kept, but {sender}'s messages became {taken}"
        orders = [
            numbers[key]
            for each in messages
            if each.event["kind"] in ORDERS and (key := (sender, each.id)) in numbers
        ]
        if any(later < earlier for earlier, later in pairwise(orders)):
            yield f"the order of each sender is kept, but {sender}'s orders became {orders}"
    known = {(sender, each.id) for sender, messages in histories.items() for each in messages}
    sent = [record.number for record in events if record.sender]
    if sorted(numbers.values()) != sent or not numbers.keys() <= known:
        yield f"each message is taken once, but {len(sent)} events stand for {dict(numbers)}"


def _find_untrue(
    message: History, number: int, events: Sequence[EventRecord], sender: str
) -> Iterator[str]:
    """Yield what does not agree with the trace in the answers to a message."""
    statuses = {answer.status.removesuffix("_already") for answer in message.answers}
    if len(statuses) != 1 or len({(each.about, each.why) for each in message.answers}) != 1:
        yield f"{message.id} is answered once, but it was told {message.answers}"
        return
    answer = message.answers[0]
    if not 0 < number <= len(events):
        if answer.status in ("taken", "taken_already"):
            yield f"{message.id} was told {answer}, but it is not in the trace"
        if answer.status == "refused" and message.stored is not None:
            yield f"{message.id} was stored, but it was never taken: {answer}"
        return
    record = events[number - 1]
    if record.sender != sender or answer.status == "withdrawn":
        yield f"{message.id} was told {answer}, but the trace has {record}"
    if record.refused != answer.why or (answer.status == "refused") != bool(record.refused):
        yield f"{message.id} was told {answer}, but the trace has {record}"
    about = next((record.event[name] for name in ABOUT if record.event.get(name)), None)
    if not record.refused and answer.about != about:
        yield f"{message.id} was told {answer}, but the trace has {record}"


ABOUT = ("line", "order", "job")
"""The fields of events that name what an answer is about."""


def _find_undelivered(
    trace: Trace, events: Sequence[EventRecord], deliveries: Mapping[str, str]
) -> Iterator[str]:
    """Yield jobs that are not delivered once, by the trace and by the device."""
    ordered = [each.event["job"] for each in events if each.sender and not each.refused]
    jobs = Counter(f"deliver({job})" for job in ordered)
    ends = [each.event for each in trace.of(EventRecord) if is_report(each.event)]
    delivered = Counter(end["action"] for end in ends if end["status"] == "done")
    if delivered != jobs:
        yield f"each job is delivered once, but the trace has {delivered} of {jobs}"
    if (begun := Counter(deliveries.values())) != jobs:
        yield f"the device does nothing twice, but it began {begun} of {jobs}"


def _find_served(trace: Trace, events: Sequence[EventRecord]) -> Iterator[str]:
    """Yield lines that were served twice, after their cancellation, or never."""
    served = [
        (record.timestep, command.action[len("serve(") : -1])
        for record in trace.of(StepRecord)
        for command in record.commands
        if command.action.startswith("serve(") and command.worker not in record.fails
    ]
    taken = [record for record in events if not record.refused]
    cancelled = {
        f"{record.event['order']}.1": record.timestep
        for record in taken
        if record.event["kind"] == "cancel_order"
    }
    for line, count in Counter(line for _, line in served).items():
        if count > 1:
            yield f"{line} was served {count} times"
    for timestep, line in served:
        if timestep >= cancelled.get(line, timestep + 1):
            yield f"{line} was served after its cancellation"
    ordered = {
        f"{record.event['order']}.1" for record in taken if record.event["kind"] == "new_order"
    }
    if missing := ordered - {line for _, line in served} - cancelled.keys():
        yield f"a closed kitchen serves what it has taken, but not {sorted(missing)}"
