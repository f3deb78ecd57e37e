"""A file is replaced as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cookmas.files.writing import open_replacement, replace_file, write_whole


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.json"
    path.write_text("before")
    return path


@pytest.mark.parametrize("error", [OSError("the disk is full"), ValueError(), KeyboardInterrupt()])
def test_after_an_error_the_file_is_as_before_and_no_draft_is_left(
    file: Path, error: BaseException
) -> None:
    def fail() -> None:
        with open_replacement(file) as draft:
            draft.write(b"half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert file.read_text() == "before"
    assert list(file.parent.iterdir()) == [file]


def test_a_file_is_on_the_disk_before_it_takes_the_place_and_its_name_afterwards(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, str]] = []

    def sync(number: int) -> None:
        synced_path = Path(os.readlink(f"/proc/self/fd/{number}"))
        if synced_path == file.parent:
            synced.append(("folder", file.read_text()))
        else:
            synced.append((synced_path.read_text(), file.read_text()))

    monkeypatch.setattr(os, "fsync", sync)
    write_whole(file, "after")
    assert synced == [("after", "before"), ("folder", "after")]
    assert file.read_text() == "after"


def test_what_a_killed_process_left_of_a_draft_is_not_gone_on_with(file: Path) -> None:
    file.with_name(f"{file.name}.new").write_text("half")
    with replace_file(file) as draft:
        assert draft.read_bytes() == b""
        draft.write_text("after")
    assert file.read_text() == "after"
