"""Failures of user-supplied code: where its errors cross into CookMAS, and how they are reported.

Errors are of three kinds. An error of CookMAS itself keeps its type and traceback. An error that a
user can correct is a CookMASError; failures of the user's own planner, worker, evaluator or world
become one at the `boundary`. What is expected in an episode, such as an illegal action, is no
exception, but a value in the trace. `docs/explanation/errors.md` says what each error leads to.
"""

from __future__ import annotations

import sys
import sysconfig
import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from cookmas.files.errors import CookMASError, InfrastructureError
from cookmas.files.lines import escape, one_line

LONGEST_TRACEBACK = 200_000
"""Maximum length of a stored traceback, in characters."""

_OURS = f"{Path(__file__).parents[1]}/"
_STANDARD = f"{sysconfig.get_path('stdlib')}/"

_INSTALLED = ("/site-packages/", "/dist-packages/")
"""The folders into which packages are installed; `pip install --target` takes any other."""


class FailedError(CookMASError):
    """A failure of user-supplied code: its type, message and place; `traceback` has the details."""

    def __init__(self, why: str, traceback: str = "") -> None:
        super().__init__(why)
        self.traceback = traceback


class WorldFailedError(FailedError, InfrastructureError):
    """A failure of a world; an episode in which it occurs ends unscored."""


class boundary:  # noqa: N801
    """The context of every call of user-supplied code, which turns what it raises into FailedError.

    `called` is the function or class that is called. `allowed` are the errors that it may raise;
    they pass as they are. `world` is the world that the code works with; if a method of the world
    raised the error, the context raises WorldFailedError instead. Without `called`, the block is
    code of CookMAS that calls the world's methods, and all other errors pass.
    """

    __slots__ = ("_allowed", "_called", "_world")

    def __init__(
        self,
        called: object = None,
        *,
        world: Any = None,
        allowed: tuple[type[Exception], ...] = (CookMASError,),
    ) -> None:
        self._called = called
        self._world = world
        self._allowed = allowed

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Raise FailedError or WorldFailedError if user-supplied code raised another error."""
        if not isinstance(error, Exception | SystemExit):
            return
        if isinstance(error, (FailedError, *self._allowed)):
            return
        if self._world is not None and _is_of_world(error, self._world):
            told = failure_of(error)
            why = f"world {self._world.name} failed: {told}"
            raise WorldFailedError(why, told.traceback) from error
        if self._called is not None:
            raise failure_of(error, self._called) from error


def _is_of_world(error: BaseException, world: Any) -> bool:
    """Return whether the traceback of an error has a method of a world."""
    return any(_is_method(frame.f_code, frame.f_globals, world) for frame in _frames(error))


def _frames(error: BaseException) -> Iterator[FrameType]:
    return (frame for frame, _ in traceback.walk_tb(error.__traceback__))


def _is_method(code: CodeType, module: Mapping[str, Any], world: Any) -> bool:
    """Return whether code belongs to the class of a world or to a base of that class.

    `module` has the global variables of the code's module.
    """
    return any(
        module.get("__name__") == each.__module__
        and code.co_qualname.startswith(f"{each.__qualname__}.")
        for each in type(world).__mro__
    )


def is_foreign(error: BaseException) -> bool:
    """Return whether user-supplied code caused an error.

    This is so if the traceback has a frame of such code, or the error is an AttributeError of an
    object whose class belongs to such code.
    """
    owner = type(error.obj) if isinstance(error, AttributeError) else None
    module = sys.modules.get(owner.__module__) if owner else None
    file = getattr(module, "__file__", None)
    return bool(_place(error)) or (file is not None and not _is_installed(file))


def failure_of(error: BaseException, called: object = None) -> FailedError:
    """Return the FailedError that reports an error of user-supplied code.

    `called` is the function that was called; its place is reported if the traceback shows none.
    """
    if isinstance(error, FailedError):
        return error
    place = _place(error) or _home(called)
    why = one_line(f"{type(error).__name__}: {_message(error)}".rstrip(": "))
    return FailedError(f"{why} at {place}" if place else why, _traceback(error))


def _message(error: BaseException) -> str:
    try:
        return error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:
        return "(a message that cannot be read)"


def _place(error: BaseException) -> str:
    """Return the file and the line of an error in user-supplied code; empty if there is none.

    This is the place of a syntax error, or else the last frame of such code in the traceback.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return one_line(f"{Path(error.filename).name}:{error.lineno}")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_installed(frame.filename)]
    return one_line(f"{Path(own[-1].filename).name}:{own[-1].lineno}") if own else ""


def _home(called: object) -> str:
    """Return the file and the first line of a function; an empty text for any other object."""
    code = getattr(getattr(called, "__func__", called), "__code__", None)
    return one_line(f"{Path(code.co_filename).name}:{code.co_firstlineno}") if code else ""


def _is_installed(filename: str) -> bool:
    """Return whether a file is a part of Python, of CookMAS or of an installed package."""
    own = filename.startswith(("<", _OURS, _STANDARD, _packages_folder()))
    return own or any(folder in filename for folder in _INSTALLED)


@cache
def _packages_folder() -> str:
    """Return the folder of the packages that CookMAS needs."""
    package = find_spec("pydantic")
    assert package is not None
    assert package.origin is not None
    return f"{Path(package.origin).parents[1]}/"


def _traceback(error: BaseException) -> str:
    try:
        lines: Iterable[str] = traceback.format_exception(error)
    except Exception:
        lines = traceback.format_tb(error.__traceback__)
    text = "".join(lines)[-LONGEST_TRACEBACK:]
    return "\n".join(escape(line) for line in text.split("\n"))
