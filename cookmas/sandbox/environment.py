"""Selection of the environment variables that a child process gets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from cookmas.files.errors import InputError

NEEDED = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|VIRTUAL_ENV|LD_LIBRARY_PATH"
    r"|PYTHON[A-Z0-9]+|SSL_CERT_(FILE|DIR)|(OMP|OPENBLAS|MKL)_NUM_THREADS|CUDA_VISIBLE_DEVICES"
    r"|OPENAI_BASE_URL"
)
"""Pattern of the variables that every child gets: those of Python and others without secrets."""


def check_names(names: Iterable[str]) -> None:
    """Raise InputError if a text cannot be the name of a variable.

    The error does not repeat the text, because a user may have written a secret as `NAME=VALUE`.
    """
    if not all(name.isidentifier() for name in names):
        raise InputError("--pass-env", "expected a name such as OPENAI_API_KEY, without its value")


def environment(names: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables that every child needs, and those with the given names.

    Raise InputError if one of the given names is not set.
    """
    for name in names:
        if name not in os.environ:
            raise InputError(f"--pass-env {name}", "is not set in the environment")
    passed = {*names, *filter(NEEDED.fullmatch, os.environ)}
    return {name: os.environ[name] for name in passed}
