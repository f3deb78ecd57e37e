"""The prompt files: each is filled in where it says `{{name}}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from episodes.errors import InputError, MissingError
from episodes.world import digest

SHIPPED_PROMPTS = Path(__file__).parent
"""The folder of the prompts that come with CookMAS."""

_SLOT = re.compile(r"\{\{(.*?)\}\}")
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Templates:
    """The prompt files in a folder; one that is not there is taken from the shipped ones.

    Raises MissingError if there is no such folder, InputError if a file in it cannot be used.
    """

    folder: Path = SHIPPED_PROMPTS
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise MissingError(f"{self.folder}: there is no such folder of prompts")
        if self.folder == SHIPPED_PROMPTS:
            return
        known = sorted(path.stem for path in SHIPPED_PROMPTS.glob("*.md"))
        expected = "expected one of " + ", ".join(f"{name}.md" for name in known)
        edited = sorted(self.folder.glob("*.md"))
        for path in edited:
            if path.stem not in known:
                raise InputError(str(path), f"is no prompt file; {expected}")
            self._check(path)
        if not edited:
            raise InputError(str(self.folder), f"holds no prompt file; {expected}")

    def _check(self, path: Path) -> None:
        """Raises InputError if an edited file has a slot that the shipped one has not."""
        shipped = (SHIPPED_PROMPTS / path.name).read_text(encoding="utf-8")
        slots = dict.fromkeys(_SLOT.findall(shipped), "")
        self.fill(path.stem, slots)

    def text(self, name: str) -> str:
        """The text of a prompt file, by its name without `.md`."""
        if name not in self._texts:
            path = self.folder / f"{name}.md"
            path = path if path.is_symlink() or path.exists() else SHIPPED_PROMPTS / path.name
            try:
                self._texts[name] = path.read_text(encoding="utf-8-sig").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(str(path), f"cannot be read as text ({error})") from None
        return self._texts[name]

    def digest(self) -> str:
        """Eight hexadecimal digits that change with any of the prompts."""
        names = sorted(path.stem for path in SHIPPED_PROMPTS.glob("*.md"))
        return digest([self.text(name) for name in names])[:8]

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
