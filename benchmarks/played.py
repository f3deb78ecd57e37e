"""Episodes that a language model has played by hand, from nothing but the printed prompts.

    python -m benchmarks.played

It was shown the messages alone and answered them one after the other; the answers are in the folder
`played`, a line for each call. They are given again to the planner of today, in their order: so the
table says what the prompts of today cost, and whether these answers are still understood and
accepted. Tokens are estimated, one for every four characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import PrivateAttr

from benchmarks.page import DOCS, fill, table
from cookmas.api import Run, load_planner, load_scenario, play
from episodes.conversation import Usage
from episodes.errors import InfrastructureError
from episodes.trace import ModelCall
from orchestrator.models.message import Answer, Measured, Model, Request, estimated_tokens
from orchestrator.models.options import ModelOptions

FOLDER = Path(__file__).parent / "played"
PAGE = DOCS / "reference" / "prompting.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An episode; `before` are the tokens of the same plans at commit db1e0ac: in, out, on replans.

    None: it was not played then.
    """

    scenario: str
    settings: Mapping[str, str] = field(default_factory=dict)
    before: tuple[int, int, int] | None = None

    @property
    def answers(self) -> Sequence[str]:
        """What was answered, call by call."""
        path = FOLDER / f"{self.scenario.replace('/', '-')}.jsonl"
        return path.read_text(encoding="utf-8").splitlines()


EPISODES = (
    Played(scenario="level1/02", before=(3294, 390, 0)),
    Played(scenario="level1/05", before=(3339, 459, 0)),
    Played(scenario="level1/09", before=(3428, 645, 0)),
    Played(scenario="level2/02", before=(3584, 888, 0)),
    Played(scenario="level3/10", before=(11657, 3547, 2490)),
    Played(scenario="level3/15", before=(34222, 25112, 24023)),
    Played(scenario="corridor/two", before=(1337, 244, 96)),
    Played(scenario="cuisineworld/level_1", settings={"tau": "3.0", "agents": "2"}),
)


class _Answering(ModelOptions):
    """Options of a model that gives these answers in their order."""

    _answers: list[str] = PrivateAttr(default_factory=list)

    def make(self) -> Model:
        return _ByHand(self._answers)


class _ByHand:
    name = "by hand"

    def __init__(self, answers: list[str]) -> None:
        self._answers = answers

    async def answer(self, request: Request) -> tuple[Answer, Measured]:
        if not self._answers:
            raise InfrastructureError("nothing more was answered")
        text = self._answers.pop(0)
        asked = sum(estimated_tokens(message.content) for message in request.messages)
        usage = Usage(prompt=asked, completion=estimated_tokens(text), estimated=True)
        return Answer(text=text, model=self.name, usage=usage), Measured(seconds=0.0)


def again(episode: Played) -> Run:
    """The episode, played with the same answers."""
    options = _Answering()
    options._answers = list(episode.answers)
    scenario = load_scenario(episode.scenario, None, episode.settings)
    return play(scenario, load_planner("llm", scenario, options))


def _row(episode: Played, run: Run) -> str:
    calls = list(run.trace.of(ModelCall))
    first, *replans = [call.usage.completion for call in calls]
    assert run.trace.end
    done, timesteps = run.trace.end.tally.done, run.trace.end.timestep
    now = (sum(call.usage.prompt for call in calls), first + sum(replans), sum(replans))
    before = episode.before or ("", "", "")
    figures = [f"{old} | {new}" for old, new in zip(before, now, strict=True)]
    place = "".join(f" {name} {value}" for name, value in episode.settings.items())
    cells = (f"{episode.scenario}{place}", done, timesteps, len(calls), *figures)
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Play them again, print, and fill the table of the page."""
    rows = []
    for episode in EPISODES:
        run = again(episode)
        assert run.success, episode.scenario
        rows.append(_row(episode, run))
    columns = (
        "| episode | served | timesteps | calls | tokens in, before | now "
        "| tokens out, before | now | of these on replans, before | now |"
    )
    text = table(columns, rows)
    print(text)
    fill(PAGE, "played", text)


if __name__ == "__main__":
    main()
