"""`cookmas order`, `change`, `cancel`, `instruct`, `close`: what is said to an open kitchen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.folders import kitchen_of, once_open
from cookmas.commands.options.sending import Sending, with_sending
from cookmas.commands.options.where import At, Redis, Runs
from cookmas.display.terminal import print_json, tell

if TYPE_CHECKING:
    from mailboxes.envelope import Answer

Meaning = Annotated[
    str | None,
    typer.Option(help="JSON for the judge: a list of typed wishes by the number of the line."),
]


@with_sending
def order(
    words: Annotated[
        list[str],
        typer.Argument(
            help="2 Classic Burger: no onion; 1 French Fries. In another world the fields of its "
            "message, one after the other."
        ),
    ],
    to: Annotated[str | None, typer.Option("--to", help="An order that gets a line more.")] = None,
    kind: Annotated[
        str, typer.Option("--message", help="Another message of the world than an order.")
    ] = "order",
    meaning: Meaning = None,
    *,
    sending: Sending,
) -> None:
    """Order something in an open kitchen, in words."""
    message = (kind, *words) if to is None else ("add", to, *words)
    _said(sending, *message, meaning=_parsed(meaning))


@with_sending
def change(
    line: Annotated[str, typer.Argument(help="An order line, such as live1.2.")],
    note: Annotated[str, typer.Argument(help="The guest's words, in place of those before.")],
    meaning: Meaning = None,
    *,
    sending: Sending,
) -> None:
    """Change the words for an order line."""
    _said(sending, "change", line, note, meaning=_parsed(meaning))


@with_sending
def cancel(
    name: Annotated[str, typer.Argument(help="An order (live1), or a line of it (live1.2).")],
    *,
    sending: Sending,
) -> None:
    """Cancel an order, or a line of it."""
    _said(sending, "cancel", name)


@with_sending
def instruct(
    words: Annotated[str, typer.Argument(help="What the supervisor says, in plain words.")],
    *,
    sending: Sending,
) -> None:
    """Tell the orchestrator of an open kitchen, as its supervisor, how to work."""
    with sending.client() as kitchen:
        answer = kitchen.instruct(words, **_how(sending))
    _answered(answer, json=sending.json)


def close(at: At = None, redis: Redis = None, runs: Runs = Path("runs")) -> None:
    """Let an open kitchen take no more orders; it ends once the open lines are served."""
    from cookmas.client import Client

    def ask() -> None:
        with Client(kitchen_of(at, redis, runs)) as kitchen:
            kitchen.close()

    once_open(ask)
    tell("No more messages are taken.")


def _said(sending: Sending, *message: str, meaning: Any = None) -> None:
    """Send a message of the world: its name and its fields."""
    with sending.client() as kitchen:
        answer = kitchen.say(*message, meaning=meaning, **_how(sending))
    _answered(answer, json=sending.json)


def _how(sending: Sending) -> dict[str, Any]:
    """Return the id of a message, and what tells its place while it waits; not with JSON."""
    return {"id": sending.id, "on_waiting": None if sending.json else _tell_place}


def _tell_place(answer: Answer) -> None:
    tell(f"waiting: {answer.place} messages are before it")


def _parsed(meaning: str | None) -> Any:
    import json

    from files.errors import InputError

    try:
        found = None if meaning is None else json.loads(meaning)
    except (ValueError, RecursionError) as error:
        raise InputError("--meaning", f"is no JSON ({error})") from None
    if found is not None and not isinstance(found, dict):
        raise InputError("--meaning", 'expected lists of wishes by line, such as {"1": []}')
    return found


def _answered(answer: Answer | None, *, json: bool) -> None:
    if json:
        print_json(answer.model_dump(exclude_none=True) if answer else None)
    elif answer is None:
        tell("kept; not answered yet")
    elif answer.status == "refused":
        tell(f"refused: {answer.why}", style="yellow")
    elif answer.status == "withdrawn":
        tell("withdrawn: the house took it back before it was taken", style="yellow")
    else:
        about = f": {answer.about}" if answer.about else ""
        tell(f"{answer.status.replace('_', ' ')}{about}", style="green")
    raise typer.Exit(int(answer is not None and answer.status in ("refused", "withdrawn")))
