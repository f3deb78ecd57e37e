"""The prompt files: texts with slots, such as `{{name}}`, that are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import read_text

SHARED_PROMPTS = Path(__file__).parent / "prompts"
"""The folder of the prompts that all worlds share."""

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")
_SLOT = re.compile(r"\{\{(.*?)\}\}")
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Templates:
    """The prompt files of a world, from its folder or the shared one.

    A file in the folder `edited` replaces the file of the same name. The constructor raises
    MissingError if that folder does not exist, InputError if a file in it cannot be used.
    """

    world: Path
    """The world's folder of prompt files."""
    edited: Path | None = None
    """Folder of the user's edited files; None if there are none."""
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.edited is None:
            return
        if not self.edited.is_dir():
            raise MissingError(f"{self.edited}: there is no such folder of prompts")
        known = self._names()
        expected = "expected one of " + ", ".join(f"{name}.md" for name in known)
        edited = sorted(self.edited.glob("*.md"))
        for path in edited:
            if path.stem not in known:
                raise InputError(str(path), f"is not a prompt file; {expected}")
            self._check(path)
        if not edited:
            raise InputError(str(self.edited), f"has no prompt file; {expected}")

    def _names(self) -> list[str]:
        return sorted({path.stem for folder in self._shipped for path in folder.glob("*.md")})

    @property
    def _shipped(self) -> tuple[Path, Path]:
        return self.world, SHARED_PROMPTS

    def _check(self, path: Path) -> None:
        """Raise InputError if an edited file has a slot that the shipped one lacks."""
        shipped = _find(path.name, self._shipped).read_text(encoding="utf-8")
        slots = dict.fromkeys(_SLOT.findall(shipped), "")
        self.fill(path.stem, slots)

    def _file(self, name: str) -> Path:
        edited = (self.edited,) if self.edited else ()
        return _find(f"{name}.md", (*edited, *self._shipped))

    def text(self, name: str) -> str:
        """Return the text of a prompt file, by its name without `.md`.

        Raise InputError if the file cannot be read.
        """
        if name not in self._texts:
            self._texts[name] = read_text(self._file(name)).strip()
        return self._texts[name]

    def fill_unless_edited(self, name: str, text: str) -> str:
        """Return the text, or the prompt file `name` if it is edited or the text is empty."""
        own = self.edited is not None and (self.edited / f"{name}.md").exists()
        return text if text and not own else self.fill(name)

    def variant(self, name: str, agent: str | None) -> str:
        """Return the name of a prompt file, or of its variant for agents.

        For an `agent` the name is `agent_NAME` if there is such a file.
        """
        own = f"agent_{name}"
        return own if agent is not None and self._file(own).exists() else name

    def count(self, workers: int) -> str:
        """Return a number of workers in words, such as "two workers", with the world's noun."""
        number = _COUNTS[workers] if workers < len(_COUNTS) else str(workers)
        return f"{number} {self.text('worker')}{'' if workers == 1 else 's'}"

    def digest(self) -> str:
        """Return eight hexadecimal digits that change if any prompt file changes."""
        return digest([self.text(name) for name in self._names()])[:8]

    def fill(self, name: str, values: Mapping[str, str] | None = None) -> str:
        """Return a prompt file with its slots filled in; slots inside the values stay as text.

        The slot `{{worker}}` always has a value: the world's noun for a worker. Raise InputError
        for a slot without a value.
        """
        values = {"worker": self.text("worker"), **(values or {})}

        def value(match: re.Match[str]) -> str:
            if match[1] not in values:
                known = ", ".join(sorted(values)) or "none"
                raise InputError(
                    str(self._file(name)),
                    f"there is no value for the slot {match[0]}; expected one of: {known}",
                )
            return values[match[1]]

        return _GAP.sub("\n\n", _SLOT.sub(value, self.text(name))).strip()


def _find(name: str, folders: Sequence[Path]) -> Path:
    """Return the path of a file in the first folder that has the file, even as a broken link.

    If no folder has the file, return its path in the last folder.
    """
    paths = [folder / name for folder in folders]
    return next((path for path in paths if path.is_symlink() or path.exists()), paths[-1])
