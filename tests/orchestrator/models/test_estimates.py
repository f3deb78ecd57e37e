"""The tokens of a text where an endpoint counts none: one for every four characters begun."""

from __future__ import annotations

import pytest

from cookmas.orchestrator.models.message import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("käse", 1), ("toast", 2), ("x" * 400, 100)]
)
def test_every_four_characters_are_a_token(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
