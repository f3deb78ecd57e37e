"""What CookMAS writes as YAML it reads as the same data."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cookmas.files.yaml_text import parse_yaml, to_yaml

texts = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40) | st.text(
    "0123456789+-_:.eE", max_size=20
)


@pytest.mark.parametrize("flow", [True, False, None])
@given(st.dictionaries(texts, st.lists(texts, max_size=3) | texts, min_size=1, max_size=3))
@example({"scenario": "0859660649823610", "09": ["08", "+09", "0_9", "12:30", "yes", "1e3"]})
def test_every_text_is_read_as_it_was_written(
    flow: bool | None, data: dict[str, str | list[str]]
) -> None:
    assert parse_yaml(to_yaml(data, flow=flow), "here") == data
