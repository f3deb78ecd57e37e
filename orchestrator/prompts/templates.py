"""The prompt files: each is filled in where it says `{{name}}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from episodes.errors import InputError, MissingError

SHIPPED_PROMPTS = Path(__file__).parent
"""The folder of the prompts that come with CookMAS."""

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Templates:
    """The prompt files in a folder; one that is not there is taken from the shipped ones."""

    folder: Path = SHIPPED_PROMPTS
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise MissingError(f"{self.folder}: there is no such folder of prompts")
        known = {path.name for path in SHIPPED_PROMPTS.glob("*.md")}
        for path in sorted(self.folder.glob("*.md")):
            if path.name not in known:
                expected = ", ".join(sorted(known))
                raise InputError(str(path), f"is no prompt file; expected one of {expected}")

    def text(self, name: str) -> str:
        """The text of a prompt file, by its name without `.md`."""
        if name not in self._texts:
            path = self.folder / f"{name}.md"
            path = path if path.is_file() else SHIPPED_PROMPTS / path.name
            try:
                self._texts[name] = path.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(str(path), f"cannot be read as text ({error})") from None
        return self._texts[name]

    def fill(self, name: str, values: Mapping[str, str] | None = None) -> str:
        """A prompt file with its slots filled in; what is filled in is not looked at again.

        Raises InputError if the file has a slot for which there is no value.
        """
        values = values or {}

        def value(match: re.Match[str]) -> str:
            if match[1] not in values:
                known = ", ".join(sorted(values)) or "none"
                raise InputError(
                    str(self.folder / f"{name}.md"),
                    f"there is nothing to put in for {match[0]}; expected one of: {known}",
                )
            return values[match[1]]

        return _GAP.sub("\n\n", _SLOT.sub(value, self.text(name))).strip()
