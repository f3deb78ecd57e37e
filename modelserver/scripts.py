"""The worlds that are served: which of them a request is of, and the script that answers for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from files.errors import InputError
from worlds.capabilities import script
from worlds.loading import load_domain
from worlds.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A script, and as `package.module:Domain` the domain it is of: so other processes find it."""

    domain: str
    script: Script


class Scripts:
    """The scripts of `worlds`, domains by name as `package.module:Domain`.

    Raises InputError for one that is not there, or cannot be told from another.
    """

    def __init__(self, worlds: Mapping[str, str]) -> None:
        self._served: dict[str, Served] = {}
        for name, domain in worlds.items():
            script = script_of(domain)
            if script.mark in self._served:
                other = self._served[script.mark].domain
                raise InputError(f"world {name!r}", f"has the mark of {other}, ### {script.mark}")
            self._served[script.mark] = Served(domain=domain, script=script)

    def of(self, blocks: Mapping[str, Any]) -> Served:
        """The world of a request with these blocks. Raises InputError if it is none of one."""
        marks = [mark for mark in self._served if mark in blocks]
        if len(marks) == 1:
            return self._served[marks[0]]
        if marks:
            raise InputError("prompt", f"has blocks of several worlds, ### {', ### '.join(marks)}")
        raise InputError("prompt", f"has no block ### {' or ### '.join(self._served)}")


def script_of(domain: str) -> Script:
    """The script of a domain. Raises InputError if there is none."""
    return script(load_domain(domain))
