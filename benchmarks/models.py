"""Play a few scenarios with a model within a budget, and print a table row for each.

    python -m benchmarks.models
    python -m benchmarks.models --model NAME --base-url URL

Without `--base-url` the local model plays, and this command starts its server. Only the rows of the
local model are also written into the page of the docs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import cookmas
from benchmarks.page import DOCS, fill, table
from cookmas import load_planner, load_scenario
from cookmas.episodes.trace import ModelCall
from cookmas.modelserver.local import NAME
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions

PAGE = DOCS / "reference" / "local-model.md"

EPISODES = (("level1/03", "default"), ("corridor/two", "default"))
"""The scenarios, each with the preset of the planner."""

CALLS, TOKENS, SECONDS = 2, 900, 3600.0
"""Greatest number of calls of an episode, tokens of an answer, and seconds of a call."""

COLUMNS = (
    "| model, scenario, preset | success | calls | usable | cut off | FAILs | done "
    "| tokens in | of these cached | tokens out | seconds |"
)


@contextmanager
def local() -> Iterator[str]:
    """Start the server of the local model; yield its URL, and end the server afterwards."""
    command = [sys.executable, "-m", "cookmas.modelserver.local", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().rpartition(" ")[2].strip()
        process.terminate()


def row(model: str, url: str, scenario: str, preset: str) -> str:
    """Play a scenario with a model; return the table row of the episode."""
    options = ModelOptions(model=model, base_url=url, deadline=SECONDS, budget_calls=CALLS)
    asking = AskingOptions(preset=preset, max_tokens=TOKENS, temperature=0.0, model_seed=1)
    loaded = load_scenario(scenario)
    began = time.perf_counter()
    run = cookmas.play(loaded, load_planner("llm", loaded, options, asking))
    seconds = time.perf_counter() - began
    calls, used = list(run.trace.of(ModelCall)), [c.usage for c in run.trace.of(ModelCall)]
    assert run.trace.end
    assert run.verdict
    cells = (
        {True: "yes", False: "no", None: "unscored"}[run.success],
        len(calls),
        sum(call.unusable is None for call in calls),
        sum(call.finish_reason == "length" for call in calls),
        run.verdict.summary.get("fails"),
        run.trace.end.tally.done,
        sum(usage.prompt for usage in used),
        sum(usage.cached for usage in used),
        sum(usage.completion for usage in used),
        f"{seconds:.0f}",
    )
    return f"| {model}, {scenario}, `{preset}` | {' | '.join(map(str, cells))} |"


def main() -> None:
    """Play the scenarios and print the table; for the local model, write it into the page."""
    parser = argparse.ArgumentParser(description="What a model makes of a few scenarios.")
    parser.add_argument("--model", default=NAME)
    parser.add_argument("--base-url")
    given = parser.parse_args()
    if given.base_url:
        rows = [row(given.model, given.base_url, *episode) for episode in EPISODES]
        print(table(COLUMNS, rows))
        return
    with local() as url:
        rows = [row(NAME, url, *episode) for episode in EPISODES]
    print(table(COLUMNS, rows))
    fill(PAGE, "models", table(COLUMNS, rows))


if __name__ == "__main__":
    main()
