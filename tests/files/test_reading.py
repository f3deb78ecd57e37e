"""Files are plain and not too large, whoever wrote them: what is not is one line, and at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.files.errors import InputError
from cookmas.files.reading import MOST_BYTES, read_text, read_yaml, until_changed

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

BAD: dict[str, tuple[str, str]] = {
    "brackets": ("[" * 100_000, "line 1: is nested deeper than 32"),
    "braces": ("{a: " * 50_000, "line 1: is nested deeper than 32"),
    "dashes": ("- " * 100_000, "line 1: is nested deeper than 32"),
    "questions": ("? " * 50_000, "line 1: is nested deeper than 32"),
    "indents": ("".join(" " * n + "a:\n" for n in range(999)), "line 33: is nested deeper"),
    "copies of copies": (BOMB, "has more than 200000 values"),
    "many values": ("[" + "x, " * 200_001 + "]", "has more than 200000 values"),
    "a loop": ("a: &a [*a]", "*a contains itself"),
    "no anchor": ("a: *a", "undefined alias"),
    "digits": ("a: " + "9" * 6000, "a: 9999999999999999999999999999999999999999 has more than 15"),
    "hexadecimal": ("a: 0x" + "f" * 600, "has more than 15 digits"),
    "a date": ("a: !!timestamp soon", "reads soon as a date"),
    "a tag": ("a: !!int soon", "a value is not what its tag says"),
    "code": ("a: !!python/object:os.system x", "could not determine a constructor"),
    "two documents": ("a: 1\n---\nb: 2", "another document"),
    "a list as a key": ("? [a]\n: b", "unhashable key"),
    "a key twice": ("a: 1\na: 2", "a: is given twice, expected once (line 2)"),
    "half a character": ('a: "\\uD800"', "invalid Unicode character"),
    "nothing": ("# nothing\n", "the file: is empty"),
    "too large": ("#" * (MOST_BYTES + 1), "is larger than 4194304 bytes"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_plain_file_is_one_line(tmp_path: Path, case: str) -> None:
    text, expected = BAD[case]
    path = tmp_path / "some.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_yaml(path)
    line = str(error.value)
    assert line.startswith(str(path))
    assert expected in line
    assert "\n" not in line
    assert len(line) < len(str(path)) + 200


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: &x {k: 1}\nb: *x\n", {"a": {"k": 1}, "b": {"k": 1}}),
        ("a: '007'\n", {"a": "007"}),
        ("a: 123456789012345\n", {"a": 123456789012345}),
        ("[" * 32 + "]" * 32, None),
    ],
)
def test_what_is_plain_is_read(tmp_path: Path, text: str, data: object) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(text)
    assert data is None or read_yaml(path) == data
    assert read_yaml(path)


def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="a pipe or a device"):
        read_text(Path("/dev/zero"))


def test_what_is_kept_of_a_file_or_folder_is_read_again_once_it_changes(tmp_path: Path) -> None:
    read: list[Path] = []
    load = until_changed(lambda path: read.append(path))
    inner = tmp_path / "inner" / "file"
    inner.parent.mkdir()
    for text in ("one", "three"):
        inner.write_text(text)
        for path in (tmp_path, inner):
            load(path)
            load(path)
    inner.unlink()
    load(tmp_path)
    assert read == [tmp_path, inner, tmp_path, inner, tmp_path]
