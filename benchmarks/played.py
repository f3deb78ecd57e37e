"""Play episodes again with the recorded answers of a language model.

    python -m benchmarks.played

The model answered the printed messages of each episode in order, and saw nothing else. Its answers
are in the folder `played`, one line for each call. The schedules in them are in rows, one row for
each timestep. The command gives the answers to the present planner twice: unchanged, and with
schedules in columns, one column for each worker. The table has the cost of the same plans in both
forms. It also has the repairs, which show whether the planner still understands the answers. Tokens
are estimated, one for every four characters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import PrivateAttr

from benchmarks.page import DOCS, fill, table
from cookmas.api import Run, load_planner, load_scenario, play
from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import ModelCall
from cookmas.episodes.world import AnyWorld
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import AnswerForm
from cookmas.orchestrator.dialogue.schedules import columns_of
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Model,
    ModelAnswer,
    Request,
    estimate_tokens,
)
from cookmas.orchestrator.models.options import ModelOptions

FOLDER = Path(__file__).parent / "played"
PAGE = DOCS / "reference" / "prompting.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPlay:
    """A recorded episode: the name of its scenario, and the options of the scenario."""

    scenario: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def answers(self, form: AnswerForm) -> list[str]:
        """Return the answer to each call, in rows or in columns."""
        path = FOLDER / f"{self.scenario.replace('/', '-')}.jsonl"
        written = path.read_text(encoding="utf-8").splitlines()
        if form == "rows":
            return written
        world = load_scenario(self.scenario, None, self.settings).world()
        return [_in_columns(answer, world) for answer in written]


def _in_columns(answer: str, world: AnyWorld[Any]) -> str:
    """Return an answer with its schedule in columns, without workers that never act.

    If no worker acts at the last timestep, the schedule lets the first worker idle then.
    """
    data = json.loads(answer)
    *rows, last = data["schedule"] or [{}]
    last = last if len(last) != 1 else {**last, world.workers[0]: world.idle}
    return to_json({**data, "schedule": columns_of([*rows, last] if last else [], ())})


EPISODES = (
    RecordedPlay(scenario="level1/02"),
    RecordedPlay(scenario="level1/05"),
    RecordedPlay(scenario="level1/09"),
    RecordedPlay(scenario="level2/02"),
    RecordedPlay(scenario="level2/11"),
    RecordedPlay(scenario="level3/04"),
    RecordedPlay(scenario="level3/10"),
    RecordedPlay(scenario="level3/12"),
    RecordedPlay(scenario="level3/15"),
    RecordedPlay(scenario="corridor/two"),
    RecordedPlay(scenario="cuisineworld/level_1", settings={"tau": "3.0", "agents": "2"}),
)


class _Answering(ModelOptions, frozen=True):
    """Options of a model that gives prepared answers in order."""

    _answers: list[str] = PrivateAttr(default_factory=list)

    def make(self) -> Model:
        return _ByHand(self._answers)


class _ByHand:
    name = "by hand"

    def __init__(self, answers: list[str]) -> None:
        self._answers = answers

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        if not self._answers:
            raise InfrastructureError("nothing more was answered")
        text = self._answers.pop(0)
        asked = sum(estimate_tokens(message.content) for message in request.messages)
        usage = Usage(prompt=asked, completion=estimate_tokens(text), estimated=True)
        return ModelAnswer(text=text, model=self.name, usage=usage), CallMeasurements(seconds=0.0)


def play_again(episode: RecordedPlay, form: AnswerForm) -> Run:
    """Play an episode with its recorded answers, in rows or in columns."""
    options = _Answering()
    options._answers.extend(episode.answers(form))
    scenario = load_scenario(episode.scenario, None, episode.settings)
    return play(scenario, load_planner("llm", scenario, options, AskingOptions(form=form)))


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """The cost of a run: all calls, the repairs among them, and tokens in and out."""

    calls: int
    repairs: int
    tokens_in: int
    tokens_out: int

    @classmethod
    def of(cls, run: Run) -> AnswerCost:
        """Return the cost of a run."""
        calls = list(run.trace.of(ModelCall))
        return cls(
            len(calls),
            sum(call.purpose == "repair" for call in calls),
            sum(call.usage.prompt for call in calls),
            sum(call.usage.completion for call in calls),
        )


def _row(name: str, result: str, rows: AnswerCost, columns: AnswerCost) -> str:
    share = f"{100 * columns.tokens_out / rows.tokens_out:.0f}%"
    pairs = ((rows.repairs, columns.repairs), (rows.tokens_in, columns.tokens_in))
    figures = [f"{one} | {other}" for one, other in (*pairs, (rows.tokens_out, columns.tokens_out))]
    return f"| {' | '.join([name, result, str(rows.calls), *figures, share])} |"


def main() -> None:
    """Play the episodes again in both forms, print the costs, and fill the table of the page."""
    made: list[str] = []
    costs: list[tuple[AnswerCost, AnswerCost]] = []
    for episode in EPISODES:
        run, other = play_again(episode, "rows"), play_again(episode, "columns")
        assert run.success, episode.scenario
        assert run.trace.end, episode.scenario
        assert other.trace.end == run.trace.end, episode.scenario
        costs.append((AnswerCost.of(run), AnswerCost.of(other)))
        place = "".join(f" {name} {value}" for name, value in episode.settings.items())
        result = f"{run.trace.end.tally.done} | {run.trace.end.timestep}"
        made.append(_row(f"{episode.scenario}{place}", result, *costs[-1]))
    whole = [
        AnswerCost(*map(sum, zip(*map(astuple, form), strict=True)))
        for form in zip(*costs, strict=True)
    ]
    made.append(_row("all", " | ", *whole))
    columns = (
        "| episode | served | timesteps | calls | repairs, rows | columns "
        "| tokens in, rows | columns | tokens out, rows | columns | share |"
    )
    text = table(columns, made)
    print(text)
    fill(PAGE, "played", text)


if __name__ == "__main__":
    main()
