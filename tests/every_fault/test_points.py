"""A sample of the faults that `make every-fault` tries at the calls on files."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from cookmas.files.errors import NoOpenEpisodeError
from cookmas.mailboxes.sqlite.file import MAILBOX, connect, create_mailbox
from cookmas.orchestrator.runs.addresses import letterbox
from cookmas.studies.bench.ledger import Ledger, SweepSpending
from cookmas.studies.bench.limits import SweepLimits
from tests.every_fault.calls import COMPILER, MISSING, Call, read_calls, watch
from tests.every_fault.commands import COMMANDS
from tests.every_fault.losing import losses_of, try_loss
from tests.every_fault.points import ACTIONS, Point, points_of
from tests.every_fault.trying import Recorded, try_point
from tests.warm import Warm

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason=MISSING),
    pytest.mark.usefixtures("least_effort"),
]

SEED = int(os.environ.get("COOKMAS_FAULT_SEED", "1"))

POINTS, LOSSES = 2, 1
"""Number of points, and of losses of power, of each command."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_fault_at_a_call_breaks_no_promise(name: str, recorded: Recorded, tmp_path: Path) -> None:
    kept, calls = recorded(name)
    for point in random.Random(SEED).sample(points_of(name, calls), POINTS):
        try_point(point, kept, tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_loss_of_power_breaks_no_promise(name: str, recorded: Recorded, tmp_path: Path) -> None:
    kept, calls = recorded(name)
    for loss in random.Random(SEED).sample(losses_of(name, calls), LOSSES):
        try_loss(loss, kept, calls, tmp_path)


@pytest.mark.parametrize(
    ("kind", "file", "number"),
    [("read", "checkpoints.sqlite", 2), ("create", "checkpoints.sqlite-shm", 1)],
)
def test_a_backup_whose_checkpoints_cannot_be_read_again_is_none_without_a_trace(
    kind: str, file: str, number: int, recorded: Recorded, tmp_path: Path
) -> None:
    kept, _ = recorded("backup")
    try_point(Point("backup", kind, f"copy.new/{file}", number, "io"), kept, tmp_path)


def calls(*kinds: tuple[str, str]) -> Iterable[Call]:
    return [Call(kind=kind, path=path) for kind, path in kinds]


def test_the_first_second_and_last_call_of_each_group_are_taken() -> None:
    found = points_of("serve", calls(*5 * [("sync", "a")], ("rename", "b.0123abcd.new")))
    numbers = {(point.kind, point.pattern, point.number) for point in found}
    assert numbers == {*(("sync", "a", n) for n in (1, 2, 5)), ("rename", "b.????????.new", 1)}
    assert {point.action for point in found if point.kind == "rename"} == set(ACTIONS["rename"])


def test_nothing_is_accepted_before_the_run_is_there(recorded: Recorded, tmp_path: Path) -> None:
    kept, _ = recorded("serve-anew")
    point = Point("serve-anew", "create", "runs/open/run.json.????????.new", 1, "kill")
    try_point(point, kept, tmp_path)


def test_an_episode_without_its_run_is_not_open(tmp_path: Path) -> None:
    create_mailbox(tmp_path)
    with pytest.raises(NoOpenEpisodeError, match="is not open yet"):
        letterbox(tmp_path)


SPEND = """
from pathlib import Path
from cookmas.studies.bench.ledger import Ledger, SweepLimits
Ledger(Path("spent.json"), SweepLimits()).add(10, 0.25)
"""


def test_what_is_spent_outlasts_a_kill(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    folder.mkdir()
    ledger = Ledger(folder / "spent.json", SweepLimits())
    ledger.add(1000, 0.125)
    fault = "truncate\tspent.json\t1\tkill"
    with Warm[bytes]((SPEND,), cwd=folder, env=watch(folder, fault=fault)) as killed:
        assert killed.wait(60) == -signal.SIGKILL
    assert ledger.spent == SweepSpending(calls=2, tokens=1010, money=0.375)
    (folder / "spent.json").write_text('{"calls":2}\n0, "money": 0.375}\n')
    assert ledger.spent == SweepSpending(calls=2)


CREATE_MAILBOX = """
from pathlib import Path
from cookmas.mailboxes.sqlite.file import create_mailbox
create_mailbox(Path("."))
"""


def test_a_mailbox_is_whole_or_is_not_there(tmp_path: Path) -> None:
    folder, log = tmp_path / "run", tmp_path / "log"
    folder.mkdir()
    with Warm[bytes]((CREATE_MAILBOX,), cwd=folder, env=watch(folder, log)) as whole:
        assert whole.wait(60) == 0
    points = points_of("create", read_calls(log))
    for point in [each for each in points if (each.kind, each.action) == ("sync", "io")]:
        shutil.rmtree(folder)
        folder.mkdir()
        failing = Warm[bytes](
            (CREATE_MAILBOX,),
            cwd=folder,
            env=watch(folder, fault=point.fault),
            stderr=subprocess.DEVNULL,
        )
        with failing:
            failing.wait(60)
        if (folder / MAILBOX).exists():
            connect(folder / MAILBOX).close()
