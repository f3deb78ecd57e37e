"""Errors a person can mend: one line each, with what is wrong, where, and what was expected.

CookMASError
+-- InputError          a file or an argument (file, field, what, expected)
|   |-- UnsupportedError  something that this world does not have
|   |-- NotationError   a food, component or action that cannot be read
|   `-- NobodyThereError  a person should answer, and has left or never came
+-- TraceError          a trace that cannot be read
+-- MissingError        something asked for that is not there
|   `-- NoOpenEpisodeError  an open episode that is not there, or not yet
`-- InfrastructureError something outside CookMAS does not answer, such as a server
    |-- NotAllowedError a server that does not let this user do it
    |-- LeaseLostError  another process plays the episode now
    `-- LimitReachedError  whoever counts outside CookMAS lets no model be called any more
"""

from __future__ import annotations


class CookMASError(Exception):
    """Base of all errors that a person can mend; the command line prints its one line."""


class InputError(CookMASError):
    """Bad input: where it is and what is wrong with it."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class NotationError(InputError):
    """A text that does not follow the notation it should."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(repr(text), problem)


class UnsupportedError(InputError):
    """Something was asked of a world that does not have it."""


class NobodyThereError(InputError):
    """A person should answer, and nobody sits there; the episode can go on once somebody does."""

    def __init__(self, place: str) -> None:
        super().__init__(place, "nobody sits there")


class TraceError(CookMASError):
    """A trace that cannot be read or does not belong here."""


class MissingError(CookMASError):
    """A scenario, recipe, file or package that is not there."""


class NoOpenEpisodeError(MissingError):
    """An open episode that is not there; somebody may be opening it."""


class InfrastructureError(CookMASError):
    """Something outside CookMAS does not answer; an episode that meets it ends unscored."""


class NotAllowedError(InfrastructureError):
    """A server that does not let this user do what is asked."""


class LeaseLostError(InfrastructureError):
    """Another process plays the episode now; whoever finds out stops, and writes nothing more."""


class LimitReachedError(InfrastructureError):
    """Whoever counts outside CookMAS lets no model be called any more; the budget is used up."""
