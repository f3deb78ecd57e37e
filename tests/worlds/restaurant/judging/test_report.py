from __future__ import annotations

import io
from typing import Literal

from rich.console import Console, RenderableType

from cookmas import judge
from cookmas.episodes.trace import Trace
from cookmas.evals.report import suite_report, verdict_report
from cookmas.evals.suite import aggregate
from cookmas.evals.verdict import Verdict
from cookmas.kitchen.customizations import Without
from cookmas.worlds.restaurant.judging import EVALUATORS, JUDGING
from cookmas.worlds.restaurant.judging.report import details
from tests.worlds.restaurant.judging.house import HOUSE, TOAST


def rendered(report: RenderableType, *, colour: bool = False) -> str:
    colours: Literal["standard"] | None = "standard" if colour else None
    console = Console(width=100, file=io.StringIO(), force_terminal=colour, color_system=colours)
    with console.capture() as captured:
        console.print(report)
    return captured.get()


def of_one(verdict: Verdict) -> RenderableType:
    return verdict_report(verdict, JUDGING.measures, details)


def of_many(*verdicts: Verdict) -> RenderableType:
    return suite_report(aggregate(verdicts, JUDGING.columns), JUDGING.columns)


def verdict(note: str = "as I like it") -> Verdict:
    truth = HOUSE.knowing(Without(food="butter"), note=note)
    burnt = HOUSE.serve(["bread > grill 9", "butter"])
    return HOUSE.judged(burnt, "Buttered Toast", note=note, planner=note, truth=truth)


def test_a_report_says_in_words_what_happened() -> None:
    text = rendered(of_one(verdict()))
    assert text.startswith("FAILED")
    for words in ("Buttered Toast", "broken", "burnt", "grilled", "planner calls"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_report_says_of_each_line_whether_it_was_served() -> None:
    removed = {3: [{"kind": "remove_line", "line": "o1.2"}]}
    verdict = HOUSE.judged(HOUSE.serve(TOAST), "Buttered Toast", "Ramen", "Lasagne", at=removed)
    served, cancelled, missed = (
        next(line for line in rendered(of_one(verdict)).splitlines() if item in line)
        for item in ("Buttered Toast", "Ramen", "Lasagne")
    )
    assert " at 21 " in served
    assert " yes " in served
    assert " cancelled " in cancelled
    assert " - " in cancelled
    assert " no " in missed


def test_a_report_of_an_unscored_episode_says_why() -> None:
    trace = HOUSE.ordered(["wait"], "Ramen")
    text = rendered(of_one(judge(Trace(trace.records[:-1]), HOUSE.truth)))
    assert text.startswith("UNSCORED")
    assert "the trace is unfinished: it breaks off at timestep 1" in text


def test_a_crashed_evaluator_shows_in_the_report() -> None:
    def crashing(evidence: object) -> list[object]:
        raise ValueError("[bold]boo[/bold]")

    trace = HOUSE.ordered(["wait"], "Ramen")
    judged = HOUSE.judge(trace, {**EVALUATORS, "own": crashing})  # type: ignore[dict-item]
    assert "ValueError: [bold]boo[/bold]" in rendered(of_one(judged))


def test_untrusted_words_are_neither_markup_nor_terminal_codes() -> None:
    note = "[red]no[/red] \x1b[2J\x07[/] [link=x]y\u202e"
    for report in (of_one(verdict(note)), of_many(verdict(note))):
        text = rendered(report, colour=True)
        assert "[red]" in text
        assert "\x1b[2J" not in text
        assert "\x07" not in text
        assert "\u202e" not in text


def test_a_suite_report_has_a_table_for_each_class() -> None:
    one = verdict()
    text = rendered(of_many(one, one.model_copy(update={"planner_class": "pure"})))
    assert "Planner class: pure" in text
    assert "Planner class: fixed" in text
    assert max(map(len, text.splitlines())) <= 100
