"""Copies of the tree, in which files are changed for a while and tests are played."""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

LEFT_OUT = {
    ".git",
    ".hypothesis",
    ".mypy_cache",
    ".ruff_cache",
    ".venv",
    ".venv-overcooked",
    "runs",
}


class Ended(NamedTuple):
    """A test that has been played; it has failed, passed, or done neither."""

    test: str
    outcome: str
    seconds: float


class Copy:
    """A copy of what tests need, with the links; the virtual environment is linked."""

    def __init__(self, root: Path, path: Path) -> None:
        def ignore(folder: str, names: list[str]) -> set[str]:
            return LEFT_OUT & {*names} if folder == str(root) else set()

        shutil.copytree(root, path, symlinks=True, ignore=ignore)
        if (root / ".venv").exists():
            (path / ".venv").symlink_to(root / ".venv")
        self.path = path
        self._times = itertools.count(1_000_000_000)

    @contextmanager
    def changed(self, sources: Mapping[str, bytes]) -> Iterator[None]:
        """Change files, and change them back."""
        before = {file: (self.path / file).read_bytes() for file in sources}
        try:
            self._write(sources)
            yield
        finally:
            self._write(before)

    def _write(self, sources: Mapping[str, bytes]) -> None:
        """Write files with times of their own, so that no other bytecode is taken for theirs."""
        for file, source in sources.items():
            (self.path / file).write_bytes(source)
            now = next(self._times)
            os.utime(self.path / file, (now, now))

    def play(
        self,
        paths: Sequence[str],
        *options: str,
        tests: Sequence[str] = (),
        processor: int | None = None,
        seconds: float | None = None,
    ) -> tuple[int, list[Ended]]:
        """Play the tests of some paths, or some of them in their order; return the exit code too.

        Each process may use so many seconds of a processor, and all may take so many seconds.
        """
        results, chosen = self.path / ".results", self.path / ".tests"
        results.unlink(missing_ok=True)
        chosen.write_text(json.dumps(list(tests)), encoding="utf-8")
        variables = {
            # The copy is imported instead of the tree.
            "PYTHONPATH": os.pathsep.join([str(self.path), str(Path(__file__).parents[2])]),
            "MUTANTS_RESULTS": str(results),
            "MUTANTS_TESTS": str(chosen),
        }
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_XDIST")}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        with (self.path / ".output").open("w") as output:
            process = subprocess.Popen(
                [*command, "-p", "tests.mutants.plugin", *options, *paths],
                cwd=self.path,
                env={**inherited, **variables},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=lambda: _allow(processor),
            )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        lines = results.read_text("utf-8").splitlines() if results.exists() else []
        return code, [Ended(*json.loads(line)) for line in lines]

    def read_output(self) -> str:
        return (self.path / ".output").read_text("utf-8", "replace")


def _allow(processor: int | None) -> None:
    if processor is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
