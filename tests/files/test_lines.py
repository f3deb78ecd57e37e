"""Texts that leave the machine: what readers of CSV make of them, and folders in them."""

from __future__ import annotations

import csv
import io

import pandas
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cookmas.files.lines import (
    cut_folders,
    has_lone_surrogate,
    preview,
    repair_utf8,
    replace_lone_surrogates,
    stays_text,
    with_article,
)

_PARTS = st.sampled_from(["N", "A", "n/a", "nan", "null", "None", "1", "e", "-", ".", "#", "inf"])


@settings(max_examples=60, deadline=None)
@given(text=st.lists(_PARTS, min_size=1, max_size=3).map("".join) | st.text(min_size=1))
@example(text="TRUE")
@example(text="-1.#IND")
@example(text="<NA>")
@example(text="été")
def test_what_stays_text_is_read_as_this_text(text: str) -> None:
    if not stays_text(text) or not text.isprintable():
        return
    file = io.StringIO()
    csv.writer(file).writerows([["name"], [text]])
    assert list(pandas.read_csv(io.StringIO(file.getvalue()))["name"]) == [text]


@pytest.mark.parametrize(
    "text",
    [
        *("NA", "na", "None", "n/a", "#N/A", "True", "1e5", "7", " 7 ", "Infinity", "1,000", "12%"),
        *("3/4", "2026-01-05", "10:30", "=A1", "+x", "-x", "@x", "", " "),
    ],
)
def test_what_readers_of_csv_take_for_something_else(text: str) -> None:
    assert not stays_text(text)


@pytest.mark.parametrize(
    "text", ["naive", "no", "level1", "a1", "1a", "é", "looking ahead", "3 robots"]
)
def test_usual_names_stay_text(text: str) -> None:
    assert stays_text(text)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("/home/anna/my kitchen/a.yaml: is missing", "a.yaml: is missing"),
        ("cannot read '/srv/x/a.yaml' (/srv/x/b.yaml)", "cannot read 'a.yaml' (b.yaml)"),
        ("see runs/one/trace.jsonl and and/or", "see runs/one/trace.jsonl and and/or"),
        (
            "http://127.0.0.1:8000/v1/chat answered 500",
            "http://127.0.0.1:8000/v1/chat answered 500",
        ),
        ("3/4 of 1/2, 1 / 2 / 3", "3/4 of 1/2, 1 / 2 / 3"),
        ("/srv/x/one, /srv/x/two and //srv//three", "one, two and three"),
    ],
)
def test_absolute_paths_are_cut_to_the_names_of_files(text: str, cut: str) -> None:
    assert cut_folders(text) == cut


LONE = "\ud83c"
"""Half of a character."""


@pytest.mark.parametrize("data", [LONE, {"a": [1, f"x{LONE}"]}, {LONE: None}, [["a", LONE]]])
def test_half_a_character_is_found_anywhere(data: object) -> None:
    assert has_lone_surrogate(data)


@pytest.mark.parametrize("data", ["é🍅", {"a": [1, "x"]}, None, [True, 0.5]])
def test_where_there_is_no_half_a_character(data: object) -> None:
    assert not has_lone_surrogate(data)


def test_what_is_no_text_is_replaced() -> None:
    assert replace_lone_surrogates(f"é{LONE}🍅") == "é?🍅"
    read = b"\xc3\xa9\xff".decode("utf-8", "surrogateescape")
    assert repair_utf8(read) == "é\N{REPLACEMENT CHARACTER}"
    assert preview("ab\ncd") == "ab\\ncd"
    assert [with_article(noun) for noun in ("int", "Event", "bound")] == [
        "an int",
        "an Event",
        "a bound",
    ]
