"""The models of a file system that loses its power, and what must be synced before what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.every_fault.calls import COMPILER, MISSING, Call
from tests.every_fault.losing import Loss, try_loss
from tests.every_fault.power import Disk
from tests.every_fault.trying import Recorded

pytestmark = pytest.mark.usefixtures("least_effort")

REPLACED = (
    Call(kind="create", path="draft"),
    Call(kind="write", path="draft", data=b"after"),
    Call(kind="rename", path="draft", other="file"),
)


def left(folder: Path, calls: Sequence[Call], model: str, seed: int = 0) -> dict[str, bytes]:
    """Return the files that calls leave in a folder that had a file."""
    before = folder / "before"
    before.mkdir()
    (before / "file").write_bytes(b"before")
    disk = Disk(before)
    for call in calls:
        disk.take(call)
    disk.write_left(folder / "after", model, seed)
    return {path.name: path.read_bytes() for path in (folder / "after").iterdir()}


@pytest.mark.parametrize(
    ("model", "found"), [("strict", {"file": b"before"}), ("names", {"file": b""})]
)
def test_what_is_not_synced_is_lost(model: str, found: dict[str, bytes], tmp_path: Path) -> None:
    assert left(tmp_path, REPLACED, model) == found


@pytest.mark.parametrize("model", ["strict", "names", "mixed"])
def test_what_is_synced_is_left(model: str, tmp_path: Path) -> None:
    create, write, rename = REPLACED
    synced = (Call(kind="sync", path="draft"), rename, Call(kind="sync", path="."))
    assert left(tmp_path, (create, write, *synced), model, seed=3) == {"file": b"after"}


def test_the_names_of_a_new_folder_go_with_it(tmp_path: Path) -> None:
    calls = (
        Call(kind="mkdir", path="new"),
        Call(kind="create", path="new/a"),
        Call(kind="sync", path="new"),
    )
    assert left(tmp_path, calls, "strict") == {"file": b"before"}


def test_a_mixed_loss_leaves_a_beginning(tmp_path: Path) -> None:
    calls = [Call(kind="write", path="file", offset=6 + n, data=b"x") for n in range(9)]
    found = {
        len(left(_new(tmp_path / str(seed)), calls, "mixed", seed)["file"]) for seed in range(20)
    }
    assert found <= set(range(6, 16))
    assert len(found) > 3


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.skipif(COMPILER is None, reason=MISSING)
@pytest.mark.parametrize("model", ["strict", "names"])
@pytest.mark.parametrize("name", ["order", "backup", "bench", "check", "serve"])
def test_what_a_command_has_said_is_on_the_disk(
    name: str, model: str, recorded: Recorded, tmp_path: Path
) -> None:
    kept, calls = recorded(name)
    assert try_loss(Loss(name, len(calls), model), kept, calls, tmp_path / "own") is None


@pytest.mark.skipif(COMPILER is None, reason=MISSING)
def test_a_killed_kitchen_goes_on_after_a_loss_of_power(recorded: Recorded, tmp_path: Path) -> None:
    kept, calls = recorded("serve-anew")
    syncs = [number for number, call in enumerate(calls, start=1) if call.kind == "sync"]
    for number in syncs[-1], syncs[len(syncs) * 3 // 4], syncs[len(syncs) // 2]:
        for model in ("strict", "names"):
            loss = Loss("serve-anew", number, model)
            assert try_loss(loss, kept, calls, tmp_path / "own") is None
