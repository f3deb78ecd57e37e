"""Streams are read by their standard, and their pieces joined however servers number them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.orchestrator.models.dialect import BrokenStreamError, read_body

DONE = "data: [DONE]\n\n"


def _stream(*deltas: dict[str, Any], end: str = DONE, newline: str = "\n") -> bytes:
    events = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    lines = "".join(f"data: {json.dumps(event)}{newline}{newline}" for event in events)
    return (lines + end).encode()


def _call(piece: dict[str, Any], name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    return {"tool_calls": [{**piece, "function": {"name": name, "arguments": arguments}}]}


def _calls_in(content: bytes) -> list[tuple[str, str]]:
    calls = read_body(content)["choices"][0]["message"]["tool_calls"]
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]


@given(
    st.text(min_size=1),
    st.lists(st.integers(min_value=1, max_value=9), max_size=9),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_text_is_the_same_however_it_is_cut(text: str, cuts: Sequence[int], ending: str) -> None:
    ends = sorted({*(min(len(text), sum(cuts[: n + 1])) for n in range(len(cuts))), len(text)})
    pieces = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    read = read_body(_stream(*({"content": piece} for piece in pieces), newline=ending))
    assert read["choices"][0]["message"]["content"] == text


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(
            [_call({"index": 0, "id": "a"}, "f", '{"x"'), _call({"index": 0}, None, ": 1}")],
            [("f", '{"x": 1}')],
            id="as documented",
        ),
        pytest.param(
            [_call({"index": 0, "id": "a"}, "f", "{}"), _call({"index": 0, "id": "b"}, "f", "{}")],
            [("f", "{}"), ("f", "{}")],
            id="one number for all",
        ),
        pytest.param(
            [_call({"index": 0}, "f", "{}"), _call({"index": 0}, "g", "{}")],
            [("f", "{}"), ("g", "{}")],
            id="one number and no identifiers",
        ),
        pytest.param(
            [_call({}, "f", "{}"), _call({}, "g", '{"x": 1}')],
            [("f", "{}"), ("g", '{"x": 1}')],
            id="neither numbers nor identifiers",
        ),
        pytest.param(
            [_call({"index": 0, "id": "a"}, "f", "{}"), _call({"index": 1, "id": "a"}, "g", "{}")],
            [("f", "{}"), ("g", "{}")],
            id="one identifier for all",
        ),
        pytest.param(
            [
                _call({"index": 0, "id": "a"}, "f", '{"x"'),
                _call({"index": 0, "id": "a"}, "f", ":1}"),
            ],
            [("f", '{"x":1}')],
            id="the name in each piece",
        ),
        pytest.param(
            [_call({"index": 0, "id": "a"}, "look"), _call({"index": 0}, "_up", "{}")],
            [("look_up", "{}")],
            id="the name in two pieces",
        ),
        pytest.param(
            [_call({"index": 0, "id": "a"}, "f", '{"x"'), _call({"index": 0}, "f", '{"x": 1}')],
            [("f", '{"x": 1}')],
            id="all so far in each piece",
        ),
        pytest.param(
            [_call({"index": 0, "id": "a"}, "f", {"x": 1})],
            [("f", '{"x": 1}')],
            id="arguments as an object",
        ),
        pytest.param(
            [_call({"index": 7, "id": "a"}, "f", "{}"), _call({"index": 3, "id": "b"}, "g", "{}")],
            [("f", "{}"), ("g", "{}")],
            id="numbers with gaps",
        ),
    ],
)
def test_tool_calls_are_joined_by_what_tells_them_apart(pieces: Any, expected: Any) -> None:
    assert _calls_in(_stream(*pieces)) == expected


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("So", "Soup", "Soup!"), "Soup!"),
        (("a", "a"), "aa"),
        (("ha", "ha", "ha"), "hahaha"),
        (("a", "ab"), "aab"),
    ],
)
def test_a_text_that_is_repeated_with_each_piece_counts_once(
    pieces: Sequence[str], text: str
) -> None:
    read = read_body(_stream(*({"content": piece} for piece in pieces)))
    assert read["choices"][0]["message"]["content"] == text


def test_a_whole_message_at_the_end_replaces_its_pieces() -> None:
    whole = {"choices": [{"message": {"content": "Soup"}, "finish_reason": "stop"}]}
    read = read_body(_stream({"content": "So"}, end=f"data: {json.dumps(whole)}\n\n"))
    assert read["choices"][0]["message"]["content"] == "Soup"


@pytest.mark.parametrize(
    "end",
    [
        "",
        "data: {\n\n",
        "upstream error: read ECONNRESET\n\n" + DONE,
        "data: upstream error\n\n" + DONE,
        "<html>502</html>\n\n" + DONE,
    ],
)
def test_a_stream_that_broke_off_or_has_strange_lines_is_broken(end: str) -> None:
    with pytest.raises(BrokenStreamError):
        read_body(_stream({"content": "So"}, end=end))


@pytest.mark.parametrize(
    "end",
    [
        DONE,
        DONE.replace(" ", ""),
        'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n',
        ": keep-alive\n\nid: 7\nretry: 10\nevent: end\nstrange: field\nstranger\n" + DONE,
    ],
)
def test_a_stream_that_ended_is_whole(end: str) -> None:
    assert read_body(_stream({"content": "So"}, end=end))["choices"][0]["message"] == {
        "content": "So"
    }


def test_details_in_several_pieces_are_joined() -> None:
    thoughts = [{"reasoning_details": [{"text": text}]} for text in ("So", " be it")]
    message = read_body(_stream(*thoughts))["choices"][0]["message"]
    assert message["reasoning_details"] == [{"text": "So"}, {"text": " be it"}]


def test_a_stream_without_an_answer_is_its_last_event() -> None:
    events = [{"object": "ping"}, {"error": {"message": "lost"}}]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    assert read_body(body.encode()) == events[-1]


def test_an_error_in_a_stream_stands_beside_the_answer() -> None:
    for line in ('data: {"error": {"message": "lost"}}', '{"error": {"message": "lost"}}'):
        assert (
            read_body(_stream({"content": "So"}, end=f"{line}\n\n"))["error"]["message"] == "lost"
        )


def test_an_object_over_several_lines_is_one_event() -> None:
    body = b'data: {"choices": [{"delta":\ndata: {"content": "So"}}]}\n\n' + DONE.encode()
    assert read_body(body)["choices"][0]["message"]["content"] == "So"


def test_counts_are_kept_whatever_event_has_them() -> None:
    counts = [{"usage": {"input_tokens": 7}}, {"usage": {"input_tokens": 0, "output_tokens": 3}}]
    body = "".join(f"data: {json.dumps({'choices': [], **each})}\n\n" for each in counts)
    read = read_body(body.encode() + _stream({"content": "So"}))
    assert read["usage"] == {"input_tokens": 7, "output_tokens": 3}
