"""The command `cookmas prompt`, which prints exactly what a model would receive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.model import with_asking_options
from cookmas.commands.options.shared import World, split_arguments
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
    a model. Tokens are estimated: one for every four characters. A call needs room for its prompt
    and its answer in the model's context, and in a limit of tokens for each minute. The calls of an
    episode are those that the scripted model takes, which makes no mistakes.
    """
    from cookmas.files.errors import InputError
    from cookmas.studies.previewing import CallSize, expect_calls, first_requests

    named, settings = split_arguments(scenario)
    if len(named) != 1:
        raise InputError("scenario", "expected one")
    requests = first_requests(named[0], planner, asking, world, settings)
    expected = expect_calls(requests, named[0], planner, asking, world, settings)
    for seat, request in requests.items():
        if json:
            size, episode = CallSize.of(request), {"episode": expected[seat]._asdict()}
            tokens = {"prompt": size.prompt, "answer": size.answer, "call": size.needed}
            about = {"tokens": tokens} | episode
            print_json(({"seat": seat} if seat else {}) | _as_data(request) | about)
        else:
            if seat:
                print(f"===== seat {seat} =====")
            _print(request)
            tell(str(expected[seat]))


def _as_data(request: Request) -> dict[str, Any]:
    from dataclasses import asdict

    from cookmas.orchestrator.dialogue.segments import segments
    from cookmas.orchestrator.models.dialect import sampling_parameters

    messages = [m.model_dump(mode="json", exclude_defaults=True) for m in request.messages]
    return {
        "messages": messages,
        "segments": [list(segment) for segment in segments(request.messages)],
        "response_format": request.schema and asdict(request.schema),
        "tools": [asdict(tool) for tool in request.tools],
        **sampling_parameters(request),
    }


def _print(request: Request) -> None:
    from cookmas.studies.previewing import CallSize, attachments

    texts = [(message.role, message.content) for message in request.messages]
    for name, text in (*texts, *attachments(request).items()):
        print(f"----- {name} -----\n{text}\n")
    size = CallSize.of(request)
    parts = ", ".join(f"{name} {tokens}" for name, tokens in size.parts.items())
    estimated = "estimated: one for every four characters"
    tell(f"about {size.prompt} tokens ({parts}), {estimated}; {size}")
