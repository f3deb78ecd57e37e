"""What a how-to shows is run, and comes out as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.snippets import HOW_TOS, check, name


@pytest.mark.parametrize("page", HOW_TOS, ids=name)
def test_the_snippets_of_a_how_to_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(page, tmp_path, monkeypatch)
