"""The commands that send to an open episode: `cookmas send` sends any message of its world, and
`order`, `change` and `cancel` are the restaurant's words. `instruct` and `close` fit every world.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.folders import find_open_episode, once_open
from cookmas.commands.options.shared import At, Redis, Runs, Sending, with_sending
from cookmas.display.terminal import print_json, tell

if TYPE_CHECKING:
    from cookmas.episodes.messages import MessageForm
    from cookmas.mailboxes.protocol import Answer

Meaning = Annotated[
    str | None,
    typer.Option(help="JSON for the judge: a list of typed wishes for each line number."),
]


@with_sending
def send(
    kind: Annotated[
        str | None, typer.Argument(help="The message; without it the messages are listed.")
    ] = None,
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIELD=VALUE...", help="The message's fields; of a single one the value."
        ),
    ] = None,
    meaning: Meaning = None,
    *,
    sending: Sending,
) -> None:
    """Send a message to an open episode of any world."""
    from cookmas.episodes.messages import message_of

    with sending.client() as episode:
        messages = episode.messages()
        if kind is None:
            for each in messages:
                tell(each.usage())
            return
        form = message_of(messages, kind)
        words = list(fields or ())
        event = (
            form.fill(words)
            if _is_only_value(form, words)
            else form.fill(named=_parse_fields(words))
        )
        answer = episode.send(event, meaning=_parse_meaning(meaning), **_list_options(sending))
    _print_answer(answer, json=sending.json)


def _is_only_value(form: MessageForm, words: Sequence[str]) -> bool:
    """Return whether the words are the value of the only field of a message, without its name."""
    return len(words) == 1 == len(form.fields) and "=" not in words[0]


def _parse_fields(words: Sequence[str]) -> dict[str, str]:
    from cookmas.files.errors import InputError

    fields: dict[str, str] = {}
    for word in words:
        name, given, value = word.partition("=")
        if not given or name in fields:
            raise InputError(word[:60], "expected FIELD=VALUE, each field once")
        fields[name] = value
    return fields


@with_sending
def order(
    words: Annotated[
        list[str],
        typer.Argument(
            help="2 Classic Burger: no onion; 1 French Fries. In another world the fields of its "
            "message 'order', in order."
        ),
    ],
    to: Annotated[str | None, typer.Option("--to", help="An existing order to extend.")] = None,
    meaning: Meaning = None,
    *,
    sending: Sending,
) -> None:
    """Order dishes, in words."""
    message = ("order", *words) if to is None else ("add", to, *words)
    _send(sending, *message, meaning=_parse_meaning(meaning))


@with_sending
def change(
    line: Annotated[str, typer.Argument(help="An order line, such as live1.2.")],
    note: Annotated[str, typer.Argument(help="The guest's new words.")],
    meaning: Meaning = None,
    *,
    sending: Sending,
) -> None:
    """Change the words for an order line."""
    _send(sending, "change", line, note, meaning=_parse_meaning(meaning))


@with_sending
def cancel(
    name: Annotated[str, typer.Argument(help="An order (live1) or one of its lines (live1.2).")],
    *,
    sending: Sending,
) -> None:
    """Cancel an order or one of its lines."""
    _send(sending, "cancel", name)


@with_sending
def instruct(
    words: Annotated[str, typer.Argument(help="The supervisor's instruction, in plain words.")],
    *,
    sending: Sending,
) -> None:
    """Instruct the orchestrator of an open episode, as its supervisor."""
    with sending.client() as episode:
        answer = episode.instruct(words, **_list_options(sending))
    _print_answer(answer, json=sending.json)


def close(at: At = None, redis: Redis = None, runs: Runs = Path("runs")) -> None:
    """Stop an open episode from taking messages; it ends after its open goals are closed."""
    from cookmas.client import Client

    def ask() -> None:
        with Client(find_open_episode(at, redis, runs)) as episode:
            episode.close()

    once_open(ask)
    tell("No more messages are taken.")


def _send(sending: Sending, *message: str, meaning: Any = None) -> None:
    """Send a message, given as its name and its fields, and print the answer."""
    with sending.client() as episode:
        answer = episode.say(*message, meaning=meaning, **_list_options(sending))
    _print_answer(answer, json=sending.json)


def _list_options(sending: Sending) -> dict[str, Any]:
    """Return the keyword arguments of a message: its id, and the function that prints its place in
    the queue. With output as JSON the function is None.
    """
    return {"id": sending.id, "on_waiting": None if sending.json else _tell_place}


def _tell_place(answer: Answer) -> None:
    tell(f"waiting: {answer.place} messages are before it")


def _parse_meaning(meaning: str | None) -> Any:
    import json

    from cookmas.files.errors import InputError

    try:
        parsed = None if meaning is None else json.loads(meaning)
    except (ValueError, RecursionError) as error:
        raise InputError("--meaning", f"is no JSON ({error})") from None
    if parsed is not None and not isinstance(parsed, dict):
        raise InputError("--meaning", 'expected lists of wishes by line, such as {"1": []}')
    return parsed


def _print_answer(answer: Answer | None, *, json: bool) -> None:
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
