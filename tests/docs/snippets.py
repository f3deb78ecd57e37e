"""The snippets of a page of documentation, run one after the other in a folder of their own.

What is run, in the order of the page:

- a fenced block with `file=NAME` (`file="A NAME"`) after its language is written to that file;
- a `python` block is run; all of a page are one script;
- a `console` or `sh` block that begins with `$ cookmas` or `$ inspect` is run; lines that do not
  begin with `$` are what the command before them prints. A command should exit with 0, unless
  `$ echo $?` and another number follow;
- a `text output` block after a `python` block is what that prints.

In expected output `...` stands for anything, and runs of white space are all the same. A block
after a line `<!-- not run: why -->` is left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from tests.warm import Warm

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
HOW_TOS = [page for page in PAGES if page.parent.name == "how-to"]

_FENCE = re.compile(
    r"^(?P<skip><!-- not run: .+ -->\n+)?"
    r"(?P<fence>`{3,})(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)

AT_HOME = """
import socket, sys
connect = socket.socket.connect
def at_home(self, address):
    if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
        raise OSError(f"the documentation goes to {address}")
    return connect(self, address)
socket.socket.connect = at_home
"""

MAINS = {
    "cookmas": """
import warnings
warnings.simplefilter("error")
sys.argv[0] = "cookmas"
from cookmas.commands.cli import main
main()
""",
    "inspect": """
import runpy
runpy.run_module("inspect_ai", run_name="__main__", alter_sys=True)
""",
}
"""The commands that can run, and their entry points."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block: its language, the words after the language, its text, and its first line's
    number.
    """

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str | None:
        return next((w.removeprefix("file=") for w in self.words if w.startswith("file=")), None)


def blocks(page: str) -> Iterator[Block]:
    """Return the fenced blocks of a page, without skipped ones."""
    for match in _FENCE.finditer(page):
        language, *words = shlex.split(match["info"]) or [""]
        if not match["skip"]:
            line = page[: match.start()].count("\n") + 1
            yield Block(language=language, words=tuple(words), text=match["text"], line=line)


def fits(expected: str, printed: str) -> bool:
    """Return whether a command's output is as expected."""
    parts = [re.escape(" ".join(part.split())) for part in expected.split("...")]
    return re.fullmatch(r"\s?.*?\s?".join(parts), " ".join(printed.split()), re.DOTALL) is not None


class Page:
    """Runs the snippets of one page in the present folder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = ModuleType(name)
        self.printed = ""

    def play(self, page: str) -> None:
        """Run the blocks of the text of a page."""
        for block in blocks(page):
            self.run(block)

    def run(self, block: Block) -> None:
        """Run a block. Raises AssertionError with the difference."""
        if block.file:
            path = Path(block.file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self._python(block)
        elif block.language == "text" and "output" in block.words:
            self._compare(block, block.text, self.printed)
        elif block.language in ("console", "sh") and _first(block.text) in MAINS:
            self._console(block)

    def _python(self, block: Block) -> None:
        code = compile("\n" * block.line + block.text, self.name, "exec")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, self.module.__dict__)
        self.printed = printed.getvalue()

    def _console(self, block: Block) -> None:
        status, printed = 0, ""
        for command, expected in _commands(block.text):
            if command == "echo $?":
                self._compare(block, expected, f"{status}\n")
                status = 0
                continue
            assert status == 0, f"{self.name}, line {block.line}: exits with {status}:\n{printed}"
            words = shlex.split(command)
            assert words[0] in MAINS, f"{self.name}, line {block.line}: cannot run {command!r}"
            status, printed = run(*words)
            if expected:
                self._compare(block, expected, printed)
        assert status == 0, f"{self.name}, line {block.line}: exits with {status}:\n{printed}"

    def _compare(self, block: Block, expected: str, printed: str) -> None:
        where = f"{self.name}, line {block.line}"
        assert fits(expected, printed), f"{where}: expected\n{expected}\nprinted\n{printed}"


def name(page: Path) -> str:
    """Return the path of a page in the clone."""
    return str(page.relative_to(ROOT))


def check(page: Path, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Run the snippets of a page in a folder. Raise AssertionError if one does something else."""
    patch.chdir(folder)
    patch.syspath_prepend(str(folder))
    played = Page(name(page))
    patch.setitem(sys.modules, played.name, played.module)
    played.play(page.read_text(encoding="utf-8"))


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Return the commands of a console block, each with its expected output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more
        yield command.strip(), expected


def _first(text: str) -> str:
    """Return the first command of a console block."""
    return text.removeprefix("$ ").split(maxsplit=1)[0] if text.startswith("$ ") else ""


def run(command: str, *arguments: str) -> tuple[int, str]:
    """Run a command; return its exit code and its output on both streams."""
    process = Warm[str](
        (AT_HOME + MAINS[command], *arguments),
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed, _ = process.answered()
    return process.returncode, printed
