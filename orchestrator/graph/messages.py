"""Messages from outside: the check of their senders, their effects, and the answers to them.

Answers and the status are published once a checkpoint with their causes is durable. The sender of
each message is in the trace, so a resumed run decides in the same way.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cookmas.episodes.answered import tally_of
from cookmas.episodes.instruction import apply_event, is_instruction
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import AnyRecord, EventRecord
from cookmas.episodes.world import Json, Ruling
from cookmas.files.errors import InputError
from cookmas.mailboxes.desk import Desk, Origin
from cookmas.mailboxes.protocol import OPERATOR, Letter, Settled, allow_all
from cookmas.orchestrator.graph.bookkeeping import Change, creation_in, write
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.recorder import NumberOf
from cookmas.orchestrator.graph.state import State, must_plan
from cookmas.workers.remote import RemoteWorker

_log = logging.getLogger(__name__)

MOST_TAKEN = 64
"""Maximum number of messages taken at a timestep.

Without this limit a fast sender could keep the episode at one timestep.
"""

LONGEST_REFUSAL = 300
"""Maximum length, in characters, of the refusal of an event that the world does not know."""

UNAUTHORIZED = "unauthorized"
"""The kind of event that is recorded if the sender had no right to send it.

No world has this kind, so no fork applies the event.
"""


class UnauthorizedError(InputError):
    """An event whose sender may not send it."""

    def __init__(self, event: Json, problem: str) -> None:
        super().__init__("event", problem)
        self.event = {"kind": UNAUTHORIZED, "event": dict(event)}


async def take_messages(state: State, context: Context) -> State:
    """Take the messages that are due, at most about MOST_TAKEN, and return the state after them."""
    desk, mailbox = context.desk, context.mailbox
    most = state["cursor"] + MOST_TAKEN
    while state["cursor"] < most:
        may = desk.room(state["world"]) if desk else allow_all
        letters = await mailbox.open(state["timestep"], state["cursor"], may)
        if not letters:
            break
        for letter in letters:
            state = await take(letter, state, context)
    await mailbox.tell_places()
    return state


async def take(letter: Letter, state: State, context: Context) -> State:
    """Apply the event of a message, record it, and return the state after it.

    An event from outside that the world does not know is rejected. Its sender is told, and a fork
    at a later timestep rejects the event too.
    """
    event, world, ruling = letter.event, state["world"], Ruling()
    if letter.waited is not None:
        context.note_wait(letter.waited)
    try:
        if letter.sender is not None and context.desk:
            event = await _authorize(letter, state, context.desk, context)
        world, ruling = apply_event(context.world, world, event)
        if ruling.refused and context.desk:
            await context.recorder.write()
            recall, since = context.desk.recall, partial(_records_since, context)
            why = await asyncio.to_thread(recall, event, state["world"], since)
            ruling = Ruling(refused=why or ruling.refused)
    except UnauthorizedError as error:
        event, ruling = error.event, Ruling(refused=error.problem)
    except InputError as error:
        if not letter.injected:
            raise
        ruling = Ruling(refused=str(error)[:LONGEST_REFUSAL])
    record = EventRecord(
        timestep=state["timestep"],
        number=letter.number,
        event=event,
        injected=letter.injected,
        refused=ruling.refused,
        made=None if letter.sender is None else ruling.made,
        sender=letter.sender,
    )
    if letter.sender is not None:
        context.settled.append(settle_record(record, context.desk))
    triggers = [ruling.trigger] if ruling.trigger else []
    return write(state, record, context.conditions, Change(world, triggers))


def settle_record(record: EventRecord, desk: Desk | None) -> Settled:
    """Return the answer to the sender of a recorded event."""
    about = record.made
    if desk and not about and not record.refused:
        about = desk.name_subject(record.event)
    return Settled(number=record.number, about=about, refused=record.refused)


async def _authorize(letter: Letter, state: State, desk: Desk, context: Context) -> dict[str, Any]:
    """Return the event of a message in the form that the world takes.

    The house is the sender name of the episode's operator. Only the house may send an instruction,
    and a message that is declared for it.
    A thing that a message created, such as an order, may be changed by the sender of that message
    and by the house; any other thing by the house alone. Raises UnauthorizedError if this sender
    may not send the event, InputError if nobody may.
    """
    if is_instruction(letter.event):
        if letter.sender != OPERATOR:
            raise UnauthorizedError(letter.event, "an instruction is the house's alone")
        return letter.event
    if is_report(letter.event):
        raise UnauthorizedError(letter.event, "only a worker reports the end of its action")
    if letter.sender != OPERATOR and desk.is_for_house(letter.event):
        raise UnauthorizedError(letter.event, "only the house may send this message")
    event = desk.admit(letter.event, state["created"])
    if letter.sender != OPERATOR and (found := desk.origin(event)):
        owner = await _sender(found, context) if found.numbered else OPERATOR
        if owner not in (None, letter.sender):
            raise UnauthorizedError(letter.event, f"{found.word} {found.name} is another sender's")
    return event


async def _sender(thing: Origin, context: Context) -> str | None:
    """Return the sender of the message that created a thing; None if no message did."""
    await context.recorder.write()
    record = await asyncio.to_thread(context.recorder.find_event, *_search_for(thing, context))
    return None if record is None else record.sender or OPERATOR


def _records_since(context: Context, thing: Origin) -> Iterator[AnyRecord]:
    """Yield the records from the one on with which a thing came to be; all, if the scenario's."""
    return context.recorder.records_since(*_search_for(thing, context))


def _search_for(thing: Origin, context: Context) -> tuple[int, NumberOf]:
    """Return the number of a thing, and the function that returns it of the event that created it.

    Messages create the things whose names begin alike in the order of their numbers.
    """
    beginning, last = thing.numbered or ("", 0)

    def number(record: EventRecord) -> int:
        made = creation_in(record, context.world)
        return made.number if made and made.beginning == beginning else 0

    return last, number


async def tell_durable(context: Context, values: Mapping[str, Any]) -> None:
    """Answer the messages whose effects are in a durable checkpoint, and publish the status.

    The status comes before the answers, so that a sender finds its message in it. If the episode
    has ended, the messages that wait are refused, and the status comes last: it says that all is
    answered.

    `values` are the values of the graph's state in this checkpoint.
    """
    cursor = values.get("cursor", 0)
    due = [each for each in context.settled if each.number <= cursor]
    tells = _is_opened(values) and (bool(due) or not _is_planning(values))
    if tells and not values.get("ended"):
        await publish_status(context, values)
    if due:
        await context.mailbox.settle(due)
        context.settled[:] = context.settled[len(due) :]
    if values.get("ended"):
        if refused := await context.mailbox.end():
            _log.warning("the episode has ended; %d waiting messages were refused", refused)
        if tells:
            await publish_status(context, values)


async def publish_status(context: Context, values: Mapping[str, Any]) -> None:
    """Publish the status of an open episode; does nothing in any other episode."""
    if context.publish:
        await context.publish(status(context, values))


def _is_opened(values: Mapping[str, Any]) -> bool:
    """Return whether the timestep is open and its workers have not acted yet."""
    acts = values.get("acts") or {}
    return "timestep" in values and acts.get("timestep") != values["timestep"]


def _is_planning(values: Mapping[str, Any]) -> bool:
    return must_plan(values) and not values["asleep"] and not values["ended"]


def _describe_running(context: Context, values: Mapping[str, Any]) -> dict[str, Any]:
    told = {}
    for name, each in (values.get("running") or {}).items():
        if context.begun.get(name, (None,))[0] != each["since"]:
            context.begun[name] = each["since"], round(time.time(), 3)
        told[name] = {
            "action": each["action"],
            "since": each["since"],
            "began": context.begun[name][1],
        }
    return told


def status(context: Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the status as plain data; `world` is the state as a spectator sees it.

    `published` is the orchestrator's wall clock in seconds since the epoch. `late` is the delay
    against the pace since the process began, in seconds. `away` has the reason for each unavailable
    worker, `running` what the busy workers are at, since which timestep, and since when by this
    clock; after a restart since the restart. `remote` are the workers that other processes play.
    `figures` count what has happened since the process began.
    """
    world = context.world
    state = context.load(values["world"])
    tally, seen = tally_of(world, state), world.spectate(state)
    return {
        "timestep": values["timestep"],
        "episode": context.episode,
        "world_name": world.name,
        "world": values["world"] if seen is state else world.dump(seen),
        "done": tally.done,
        "lost": tally.lost,
        "open": world.count_open(state),
        "figures": dict(context.figures()),
        "letters": values["cursor"],
        "planning": _is_planning(values),
        "asleep": values["asleep"],
        "ended": values["ended"],
        "outage": context.outage.why,
        "late": round(context.pace.late, 3),
        "published": round(time.time(), 3),
        "away": dict(values.get("away") or {}),
        "running": _describe_running(context, values),
        "remote": [
            name for name, each in context.workers.items() if isinstance(each, RemoteWorker)
        ],
    }
