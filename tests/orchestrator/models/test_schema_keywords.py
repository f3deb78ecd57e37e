"""Keywords of schemas that an endpoint refuses are left out; fields of the same name stay."""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.models.dialect import Dialect, keywords_in, omit_keywords
from cookmas.orchestrator.models.message import Message, Request, Schema, ToolSpec
from cookmas.orchestrator.models.openai_model import OpenAIModel
from tests.orchestrator.models.endpoint import Server, fails

FIELDS: dict[str, Any] = {
    "title": {"type": "string", "title": "The title", "maxLength": 9},
    "format": {"anyOf": [{"const": {"title": "soup"}}, {"enum": ["title"], "title": "Other"}]},
}
SCHEMA: dict[str, Any] = {
    "title": "Menu",
    "type": "object",
    "properties": FIELDS,
    "required": ["title"],
    "$defs": {"title": {"title": "Definition", "type": "integer"}},
    "items": [{"title": "Entry", "default": {"title": "x"}}],
}


def test_only_keywords_are_omitted_never_fields_definitions_or_data() -> None:
    assert omit_keywords(SCHEMA, {"title", "maxLength"}) == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "format": {"anyOf": [{"const": {"title": "soup"}}, {"enum": ["title"]}]},
        },
        "required": ["title"],
        "$defs": {"title": {"type": "integer"}},
        "items": [{"default": {"title": "x"}}],
    }


def test_a_field_is_no_keyword() -> None:
    assert set(keywords_in({"properties": {"title": {"pattern": "a"}}})) == {"pattern"}
    assert set(keywords_in(SCHEMA)) == {"title", "maxLength", "anyOf", "const", "default"}


async def test_a_refused_keyword_leaves_the_field_in_schema_and_tool(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [fails(400, {"message": "Unsupported keyword: title"})]
    request = Request(
        messages=(Message(role="user", content="Plan!"),),
        schema=Schema(name="menu", schema=SCHEMA),
        tools=(ToolSpec(name="look_up", description="Look up.", parameters=SCHEMA),),
    )
    answer, _ = await model.answer(request)
    assert answer.simplified == ("title",)
    sent = server.seen[-1].body
    for schema in (
        sent["response_format"]["json_schema"]["schema"],
        sent["tools"][0]["function"]["parameters"],
    ):
        assert "title" not in schema
        assert schema["properties"]["title"] == {"type": "string", "maxLength": 9}


def test_a_complaint_about_a_field_refuses_no_keyword() -> None:
    schema = Schema(name="menu", schema={"type": "object", "properties": {"format": {}}})
    request = Request(messages=(Message(role="user", content="Plan!"),), schema=schema)
    simpler = Dialect().simplify(request, "format is not valid", 400)
    assert simpler == Dialect(structured=False)
