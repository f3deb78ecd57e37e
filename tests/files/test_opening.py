"""Only its owner can use what is created in a private folder, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cookmas.files.opening import lock_file, make_private
from cookmas.files.writing import make_folder, write_whole
from cookmas.mailboxes.sqlite.bell import PipeBell
from cookmas.mailboxes.sqlite.file import create_mailbox
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.workers.wires import make_wires


@pytest.fixture(params=[0o000, 0o022])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


async def fill(folder: Path) -> None:
    """Create each kind of file that a run's folder has."""
    write_whole(folder / "run.json", "{}")
    make_folder(folder / "menu" / "recipes")
    write_whole(folder / "menu" / "recipes" / "Toast.txt", "Toast the bread.")
    create_mailbox(folder)
    make_wires(folder, 1)
    lock = lock_file(folder / "lock")
    assert lock
    lock.close()
    with PipeBell(folder / "bell").listen():
        pass
    async with sqlite_checkpoints(folder / "checkpoints.sqlite"):
        (folder / "copied").mkdir(mode=stat.S_IMODE(folder.stat().st_mode))


def modes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in folder.rglob("*")
    }


async def test_in_a_private_folder_each_file_is_its_owners(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "run"
    folder.mkdir(0o700)
    await fill(folder)
    found = modes(folder)
    assert len(found) > 9
    for name, mode in found.items():
        assert mode == ("0o700" if (folder / name).is_dir() else "0o600"), name


async def test_elsewhere_the_umask_decides(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(0o755)
    await fill(folder)
    found = modes(folder)
    assert found.pop("house.token") == "0o600"
    assert found.pop("copied") == oct(0o755 & ~umask)
    for name, mode in found.items():
        most = 0o777 if (folder / name).is_dir() else 0o666
        assert mode == oct(most & ~umask), name


def test_an_open_folder_is_made_private_once_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    outside.chmod(0o644)
    folder = tmp_path / "run"
    (folder / "menu").mkdir(parents=True)
    (folder / "menu" / "menu.yaml").write_text("")
    (folder / "link").symlink_to(outside)
    assert make_private(folder)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
    assert stat.S_IMODE((folder / "menu" / "menu.yaml").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "menu").stat().st_mode) == 0o700
    assert not make_private(folder)
