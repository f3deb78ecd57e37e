"""The command `cookmas prompt`, which prints exactly what a model would receive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.model import with_asking_options
from cookmas.commands.options.world import World, split_arguments
from cookmas.display.terminal import print_json, tell

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.message import Request


@with_asking_options
def prompt(
    scenario: Annotated[
        list[str], typer.Argument(help="A name (level3/07) or a file, and the world's options.")
    ],
    asking: AskingOptions,
    planner: Annotated[
        str, typer.Option("--planner", "-p", help="A planner that calls a model.")
    ] = "llm",
    json: Annotated[
        bool, typer.Option("--json", help="The whole request as one line of JSON.")
    ] = False,
    world: World = None,
) -> None:
    """Print the first request of an episode, its size, and the calls that an episode takes.

    For a line-up such as agent0=llm,agent1=greedy, print the first request of each seat that calls
    a model. Tokens are estimated: one for every four characters. The calls of an episode are those
    that the scripted model takes, which makes no mistakes.
    """
    from cookmas.expected_calls import expect_calls
    from cookmas.files.errors import InputError
    from cookmas.prompt_preview import first_requests

    named, settings = split_arguments(scenario)
    if len(named) != 1:
        raise InputError("scenario", "expected one")
    requests = first_requests(named[0], planner, asking, world, settings)
    expected = expect_calls(requests, named[0], planner, asking, world, settings)
    for seat, request in requests.items():
        if json:
            episode = {"episode": expected[seat]._asdict()}
            print_json(({"seat": seat} if seat else {}) | _as_data(request) | episode)
        else:
            if seat:
                print(f"===== seat {seat} =====")
            _print(request)
            tell(str(expected[seat]))


def _as_data(request: Request) -> dict[str, Any]:
    from dataclasses import asdict

    from cookmas.orchestrator.dialogue.segments import segments
    from cookmas.orchestrator.models.wire import sampling_parameters

    messages = [m.model_dump(mode="json", exclude_defaults=True) for m in request.messages]
    return {
        "messages": messages,
        "segments": [list(segment) for segment in segments(request.messages)],
        "response_format": request.schema and asdict(request.schema),
        "tools": [asdict(tool) for tool in request.tools],
        **sampling_parameters(request),
    }


def _print(request: Request) -> None:
    from dataclasses import asdict

    from cookmas.orchestrator.dialogue.blocks import to_json
    from cookmas.orchestrator.models.message import estimate_tokens

    schema = to_json(request.schema.schema) if request.schema else ""
    tools = "\n".join(to_json(asdict(tool)) for tool in request.tools)
    sizes: dict[str, int] = {}
    for message in request.messages:
        print(f"----- {message.role} -----\n{message.content}\n")
        sizes[message.role] = estimate_tokens(message.content)
    for name, text in (("schema", schema), ("tools", tools)):
        if text:
            print(f"----- {name} -----\n{text}\n")
            sizes[name] = estimate_tokens(text)
    parts = ", ".join(f"{name} {size}" for name, size in sizes.items())
    tell(f"about {sum(sizes.values())} tokens ({parts}), estimated: one for every four characters")
