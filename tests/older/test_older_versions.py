"""What older versions left is continued, or refused in a line that says what to do.

`python -m tests.older.leave CHECKOUT` made each archive with a version of its time.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from redis import Redis

from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from tests.redis_process import RedisProcess
from tests.sampling import CONFORMANCE, sampled
from tests.warm import QUICKLY, ROOT, Warm, say

HERE = Path(__file__).parent

CONTINUED = "continued"
OTHER_VERSION = "continue with the version that made it"
OTHER_KEYS = "finish that run with that version"

RUNS = {
    "f081f12e": OTHER_VERSION,
    "6c2b5f56": OTHER_VERSION,
    "e227889e": OTHER_VERSION,
    "a2576e7a": OTHER_VERSION,
    "c98492da": CONTINUED,
    "21f1075f": CONTINUED,
    "b628bdd9": CONTINUED,
    "bab01bbe": CONTINUED,
    "51830616": CONTINUED,
}
"""What happens to the run of a scenario, for each archive from the oldest to the newest."""

READABLE = ("21f1075f", "b628bdd9")
"""The archives whose open kitchen is refused, since it begins with other values now, but whose
mailbox has the format of today.
"""

KITCHENS = {**RUNS, **dict.fromkeys(("c98492da", *READABLE), OTHER_VERSION)}
"""What happens to the open kitchens; the oldest version had none."""
del KITCHENS["f081f12e"]


def _ends(outcomes: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the oldest and the newest archive of each outcome, all in `make conformance`."""
    of = {each: [name for name in outcomes if outcomes[name] == each] for each in outcomes.values()}
    ends = {name for names in of.values() for name in (names[0], names[-1])}
    return [each for each in outcomes.items() if CONFORMANCE or each[0] in ends]


def _unpack(commit: str, folder: Path) -> Path:
    with tarfile.open(HERE / f"{commit}.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "tar_filter", None)  # Since Python 3.11.4.
        archive.extractall(folder)
    return folder


def _refused(where: Path, outcome: str, *arguments: str) -> None:
    code, printed = say(where, "", *arguments)
    assert (code, printed.count("\n")) == (2, 1), printed
    assert outcome in printed


def _files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that a reader leaves as they are."""
    names = ("run.json", "trace.jsonl", "measurements.json")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def _hurry(run: Path, **changes: object) -> None:
    """Let an open kitchen play as fast as it can, and change other values of its file."""
    file = json.loads((run / "run.json").read_text(encoding="utf-8"))
    file["pace"] = 0.0
    if "redis" in file:
        file["redis"] |= changes
    (run / "run.json").write_text(json.dumps(file), encoding="utf-8")


def test_each_archive_has_its_outcome() -> None:
    assert {path.name.partition(".")[0] for path in HERE.glob("*.tar.xz")} == set(RUNS)


@pytest.mark.parametrize(("commit", "outcome"), _ends(RUNS))
def test_a_run_of_each_version_continues_or_is_refused(
    commit: str, outcome: str, tmp_path: Path
) -> None:
    folder = _unpack(commit, tmp_path)
    before = _files(folder / "closed")
    if outcome == CONTINUED:
        code, printed = say(folder, "", "resume", "closed", "--quiet")
        assert code == 0, printed
        assert (folder / "closed" / "trace.jsonl").read_bytes().startswith(before["trace.jsonl"])
        assert say(folder, "", "replay", "closed")[0] == 0
        assert say(folder, "", "eval", "closed")[0] == 0
        assert say(folder, "", "view", "closed", "--no-open")[0] == 0
        return
    for command in ("resume", "replay", "eval"):
        _refused(folder, outcome, command, "closed")
    _refused(folder, outcome, "view", "closed", "--no-open")
    _refused(folder, outcome, "live", "closed", "--no-open", "--port", "0")
    _refused(folder, outcome, "fork", "closed", "--at", "3")
    assert _files(folder / "closed") == before


@pytest.mark.parametrize(("commit", "outcome"), _ends(KITCHENS))
def test_an_open_kitchen_of_each_version_continues_or_is_refused(
    commit: str, outcome: str, tmp_path: Path
) -> None:
    folder = _unpack(commit, tmp_path)
    before = _files(folder / "open")
    if outcome == CONTINUED:
        _hurry(folder / "open")
        _play_on(folder / "open", "--at", "open")
        return
    _refused(folder, outcome, "resume", "open", "--quiet")
    if commit not in READABLE:
        for command in ("status", "close"):
            _refused(folder, outcome, command, "--at", "open")
        _refused(folder, outcome, "order", "1 Lemonade", "--at", "open")
        _refused(folder, outcome, "withdraw", "--all", "--at", "open")
    assert _files(folder / "open") == before


@pytest.mark.parametrize(("commit", "outcome"), _ends(KITCHENS))
def test_a_kitchen_in_redis_of_each_version_continues_or_is_refused(
    commit: str, outcome: str, tmp_path: Path, server: RedisProcess
) -> None:
    folder = _unpack(commit, tmp_path)
    redis: Redis = Redis(unix_socket_path=str(server.socket))
    for name, dumped in json.loads((folder / "keys.json").read_text(encoding="utf-8")).items():
        redis.restore(name, 0, base64.b64decode(dumped))
    _hurry(folder / "redis", url=f"{server.url}?db=0")
    where = ["--redis", f"{server.url}?db=0#corner"]
    if outcome == CONTINUED:
        _play_on(folder / "redis", *where)
        return
    keys = sorted(redis.keys("*"))
    _refused(folder, outcome, "resume", "redis", "--quiet")
    _refused(
        folder, " has it " if b"cookmas:corner:episode" in keys else OTHER_KEYS, "serve", *where
    )
    assert sorted(redis.keys("*")) == keys


def _play_on(run: Path, *where: str) -> None:
    """Continue a kitchen and close it; assert that it served the lines of a further order too,
    whose number follows that of the last message, and took the message that waited.
    """
    played = Warm[bytes](
        (QUICKLY, "resume", str(run), "--quiet"),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert say(run.parent, "", "order", "1 Garden Salad", *where) == (0, "taken: live2\n")
    closed = say(run.parent, "", "close", *where)
    printed, _ = played.answered()
    assert (closed[0], played.returncode) == (0, 0), (closed, printed)
    trace = read_trace(run / "trace.jsonl")
    assert trace.end is not None
    assert trace.end.termination == "closed"
    actions = [each.action for step in trace.of(StepRecord) for each in step.commands]
    assert len({action for action in actions if action.startswith("serve(")}) == 3
    assert "lemonade" in (run / "trace.jsonl").read_text(encoding="utf-8").lower()


@pytest.mark.parametrize("commit", sampled([*RUNS][2:], 3))
def test_a_sweep_of_each_version_is_reported_or_refused_and_never_mixed(
    commit: str, tmp_path: Path
) -> None:
    sweep = _unpack(commit, tmp_path) / "sweep"
    before = (sweep / "results.jsonl").read_bytes()
    suite = ("sweep/suite.yaml", "--folder", "sweep")
    _refused(tmp_path, "name another folder", "bench", *suite)
    code, printed = say(tmp_path, "", "report", "sweep")
    assert code == 0 or ("cookmas rescore" in printed and printed.count("\n") == 1)
    assert (sweep / "results.jsonl").read_bytes() == before
