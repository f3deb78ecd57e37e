"""Files that are spoiled, and the one line that a check says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.files.errors import CookMASError
from cookmas.scenarios.check import check


def the_line(path: Path) -> str:
    with pytest.raises(CookMASError) as error:
        check(path)
    text = str(error.value)
    assert "\n" not in text
    return text


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1))
