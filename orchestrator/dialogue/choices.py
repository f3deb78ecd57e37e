"""Choices: the legal actions as a list, out of which a model chooses one.

    ### OPTIONS
    ["pickup(apple, counter)", "wait(1)"]

An answer writes one of them out. A letter would stand for another action at another call, and a
model that remembers the letter would do something else. The options of a question, which is asked
once, have letters: `{"A": "...", "B": "..."}`.

A choice that is written in another way is read by its words: `(B)`, `**b**` and `Option B.` are the
same letter. Words that two options could have are no choice.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cookmas.episodes.possible import Legal

OPTIONS = "OPTIONS"
"""Name of the block with the options of an agent, or of each worker."""

ACTION, ACTIONS = "action", "actions"

MARKED = "choice_marks"
"""The kind of leniency of a choice with other marks, brackets or words around it than asked for."""

LONGEST_CHOICE = 2000
"""Number of characters from which on a text is no choice, unless it is an option itself."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LABEL = re.compile(
    r"(?:(?:the|my|final|correct|right|best) )*(?:answer|option|choice|letter|action)(?: is)? "
)
"""The words that announce a choice."""

_COMMAND = re.compile(r"[\\\b\t\f][A-Za-z]+(?={)")
"""A command of LaTeX, such as `\\boxed`; JSON reads the begin of some as a control character."""

_ANGLES = re.compile(r"<(?P<tag>\w+)>(?P<held>.*)</(?P=tag)>|<([^<>]+)>", re.DOTALL)
_STOP = re.compile(r"(?<=\w)[.,:;!]|[.,:;!](?!\w)|(?<=\s)[-\u2013](?=\s)")
"""A mark that ends or separates; a mark before a number is a part of it, as in `-1` and `.5`."""

_MARKS = "\u2014\"'`*_#$\\\u3001\u3002"
_BRACKETS = ("Ps", "Pe", "Pi", "Pf", "Cc")
"""The categories of brackets, of quotes that open or close, and of control characters."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The actions that a model may choose from."""

    actions: Legal = field(default_factory=dict)
    """The actions, for each worker; empty if nothing is offered."""
    lettered: bool = False
    """True if each action of a worker has a letter."""

    def show(self, worker: str) -> Mapping[str, str] | Sequence[str]:
        """Return the actions of a worker as a prompt lists them: by letter, or as a list."""
        return dict(self._options(worker)) if self.lettered else [*self.actions.get(worker, ())]

    def _options(self, worker: str) -> Iterator[tuple[str, str]]:
        """Yield the letter and the action of each option; an option without a letter has ''."""
        for number, action in enumerate(self.actions.get(worker, ())):
            yield (letter_of(number) if self.lettered else ""), action

    def read_asked(self, text: str) -> str | None:
        """Return the action that a text names as it is asked for: by its letter, or written out.

        A text that is the letter of one option and the action of another names the letter. Return
        None if the text names no option.
        """
        text = text.strip()
        options = [each for worker in self.actions for each in self._options(worker)]
        lettered = (action for letter, action in options if letter and letter == text)
        return next(lettered, text if any(text == action for _, action in options) else None)

    def read_marked(self, text: str) -> str | None:
        """Return the one action whose letter, words, or both a text has, in whatever marks.

        Return None if there is none, or if the text can mean several.
        """
        if len(text) > LONGEST_CHOICE:
            return None
        meant: dict[str, set[str]] = defaultdict(set)
        for worker in self.actions:
            for letter, action in self._options(worker):
                named, done = _words(letter), _words(action)
                both = (named, f"{named} {done}", f"{done} {named}") if letter else ()
                for words in (done, *both):
                    meant[words].add(action)
        found: set[str] = set()
        for words in _without_labels(_words(text)):
            found |= meant[words]
        return found.pop() if len(found) == 1 else None

    def find_unlisted(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return a problem for each worker whose chosen action is not offered to it."""
        problems: dict[str, str] = {}
        for worker, action in chosen.items():
            if worker not in self.actions or action in self.actions[worker]:
                continue
            last = letter_of(len(self.actions[worker]) - 1) if self.actions[worker] else ""
            which = f" (A to {last})" if last and self.lettered else ""
            none = "" if last else ", of which there are none"
            problems[worker] = f"{worker}: {action!r} is not among the OPTIONS{which}{none}."
        return problems


def _words(text: str) -> str:
    """Return the words of a text in small letters, without the marks and brackets around them."""
    text = unicodedata.normalize("NFKC", _COMMAND.sub("", text))
    while found := _ANGLES.search(text):
        text = f"{text[: found.start()]} {found['held'] or found[3] or ''} {text[found.end() :]}"
    text = _STOP.sub(" ", text)
    kept = (
        " " if each in _MARKS or unicodedata.category(each) in _BRACKETS else each for each in text
    )
    return " ".join("".join(kept).casefold().split())


def _without_labels(words: str) -> Iterator[str]:
    """Yield words, and what remains of them without each label in front."""
    while words:
        yield words
        label = _LABEL.match(words)
        words = words[label.end() :] if label else ""


def letter_of(number: int) -> str:
    """Return the letter of an option by its number from 0 on: A to Z, then AA, AB and so on."""
    rest, last = divmod(number, len(_LETTERS))
    return (letter_of(rest - 1) if rest else "") + _LETTERS[last]
