"""The command `cookmas endpoint`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cookmas.commands.options.model import with_endpoint_options
from cookmas.display.terminal import say, tell

if TYPE_CHECKING:
    from cookmas.orchestrator.models.options import ModelOptions

WIDTH = 15
"""Width of the first column, in characters."""

SHOWN_NAMES = 20
"""Greatest number of models that are listed."""


@with_endpoint_options
def endpoint(options: ModelOptions) -> None:
    """Show what a model's endpoint can do, with a few tiny requests.

    They try a plain answer, a schema, a tool, limits of the answer and a long prompt. The last line
    has the options to use. Without `--model`, list the endpoint's models.
    """
    import asyncio

    from cookmas.files.errors import InputError
    from cookmas.orchestrator.models.probe import describe_probe, list_models

    if options.seats:
        raise InputError("--model and its options", "expected one endpoint, without seats")
    if not options.model:
        listed = asyncio.run(list_models(options.base_url, options.key_from))
        names = f"; the endpoint lists {', '.join(listed[:SHOWN_NAMES])}" if listed else ""
        more = f" and {len(listed) - SHOWN_NAMES} more" if len(listed) > SHOWN_NAMES else ""
        raise InputError("--model", f"expected the name of a model{names}{more}")
    tell(f"sends {describe_probe()}")
    suggested = asyncio.run(_show_findings(options))
    given = {"--model": options.model, "--base-url": options.base_url}
    given |= {"--key-from": options.key_from}
    kept = [f"{flag} {shlex.quote(value)}" for flag, value in given.items() if value]
    longer = any(each.startswith("--deadline") for each in suggested)
    if "deadline" in options.model_fields_set and not longer:
        kept.append(f"--deadline {options.deadline:g}")
    say(f"{'use':{WIDTH}}{' '.join([*kept, *suggested])}")


async def _show_findings(options: ModelOptions) -> list[str]:
    """Print what is found out as it comes; return the options that it suggests."""
    from cookmas.orchestrator.models.probe import probe

    assert options.model
    suggested: list[str] = []
    probing = probe(options.model, options.base_url, options.key_from, options.deadline)
    async for finding in probing:
        needed = f"; add {' '.join(finding.options)}" if finding.options else ""
        say(f"{finding.about:{WIDTH}}{finding.found}{needed}")
        suggested += [each for each in finding.options if each not in suggested]
    return suggested
