"""Forms of actions, such as `ring(BELL)`, and the actions of a form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from cookmas.files.wording import show_value

ARGUMENT = re.compile(r"[A-Z][A-Z_]*")
"""Pattern of an argument in a form; BELL is the argument in `ring(BELL)`."""

Choices = Mapping[str, Sequence[str]]
"""The values of arguments that are known beforehand, by argument."""


def pattern_of(form: str, choices: Choices) -> re.Pattern[str]:
    """Return the pattern that the actions of a form match.

    An argument without choices is any text without brackets and commas.
    """
    pieces = ARGUMENT.split(form)
    values = [
        "|".join(map(re.escape, choices[name])) if name in choices else r"[^(),]+"
        for name in ARGUMENT.findall(form)
    ]
    rest = (
        f"(?:{value}){re.escape(piece)}" for value, piece in zip(values, pieces[1:], strict=True)
    )
    return re.compile(re.escape(pieces[0]) + "".join(rest))


def is_listed(form: str, choices: Choices) -> bool:
    """Return whether all actions of a form can be listed: each argument has choices."""
    return all(name in choices for name in ARGUMENT.findall(form))


def list_actions(form: str, choices: Choices) -> Iterator[str]:
    """Yield all actions of a form whose arguments all have choices."""
    frame = ARGUMENT.sub("{}", form)
    for values in product(*(choices[name] for name in ARGUMENT.findall(form))):
        yield frame.format(*values)


def explain_mistake(action: str, forms: Iterable[str], choices: Choices) -> str:
    """Return why a text is no action of these forms.

    If it has the verb of a form, only this form is named.
    """
    verb, _, rest = action.partition("(")
    given = (
        [argument.strip() for argument in rest.rstrip(") ").split(",")] if rest.rstrip(") ") else []
    )
    own = [form for form in dict.fromkeys(forms) if form.partition("(")[0] == verb.strip()]
    said = f"{show_value(action)} is no action"
    if not own:
        return f"{said}; the actions are {', '.join(dict.fromkeys(forms))}"
    for form in own:
        named = ARGUMENT.findall(form.partition("(")[2])
        if len(named) != len(given):
            continue
        for name, value in zip(named, given, strict=True):
            if name in choices and value not in choices[name]:
                return f"{said}: {show_value(value)} is no {_noun(name)}"
        return f"{said}; write it as {form}"
    return f"{said}; {' or '.join(f'{form} takes {_count_arguments(form)}' for form in own)}"


def _count_arguments(form: str) -> str:
    """Return what a form takes, such as `1 item and 2 stations`."""
    nouns = Counter(map(_noun, ARGUMENT.findall(form.partition("(")[2])))
    counts = [f"{count} {noun}{'s' if count > 1 else ''}" for noun, count in nouns.items()]
    return (
        " and ".join(filter(None, [", ".join(counts[:-1]), *counts[-1:]])) or "nothing in brackets"
    )


def _noun(argument: str) -> str:
    """Return an argument as a noun: `station` for STATION_A."""
    return re.sub(r"_[A-Z]$", "", argument).replace("_", " ").lower()
