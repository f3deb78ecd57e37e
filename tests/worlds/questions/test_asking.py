"""Suites of questions: how they are drawn, asked over the wire, judged and reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import InputError, MissingError
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.replaying import replay
from cookmas.studies.questions.making import make_questions
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results
from cookmas.world_names import domain_of
from cookmas.worlds.base.question_suite import (
    QUESTIONS,
    QuestionLine,
    SuiteLine,
    read_suite,
    write_suite,
)
from cookmas.worlds.base.questions import KINDS
from cookmas.worlds.questions.domain import DOMAIN, SUITES
from cookmas.worlds.questions.judging import find_letter
from tests.modelserver.hosting import Hosted
from tests.warm import say

PLACES = ("collab-capture", "collab-escape")


@pytest.fixture(scope="module")
def drawn() -> list[QuestionLine]:
    return list(make_questions(PLACES, 36, 7))


@pytest.fixture(scope="module")
def suite(drawn: list[QuestionLine], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("suite") / "own.jsonl"
    write_suite(path, SuiteLine(suite="own", seed=7, version=QUESTIONS), drawn)
    return path


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = Hosted("--seed", "1")
    yield server.url
    server.stop()


def test_the_same_seed_draws_the_same_suite_and_another_one_another(
    drawn: list[QuestionLine],
) -> None:
    assert list(make_questions(PLACES, 6, 7)) == drawn[:6]
    assert list(make_questions(PLACES, 6, 8)) != drawn[:6]


def test_a_suite_is_balanced_and_no_option_is_doubled(drawn: list[QuestionLine]) -> None:
    for kind in ("comprehension", "mind", "planning"):
        assert sum(line.kind == kind for line in drawn) == 12
    assert {line.form for line in drawn} == {"all", "legal", "own"}
    assert len({(str(x.state), x.question, x.form) for x in drawn}) == len(drawn)
    for line in drawn:
        assert len(set(line.options)) == len(line.options)
        assert set(line.right) < set(line.options)
        assert line.proof.keys() == set(line.options)
        legal = domain_of(line.of).world(line.setup_of).legal(line.state, line.seat)
        if line.form == "legal" and line.kind == "planning":
            assert set(line.options) == set(legal)


def test_the_key_is_in_nothing_that_a_planner_sees(suite: Path, url: str) -> None:
    name = next(iter(read_suite(suite).questions))
    run = cookmas.play(
        f"questions/{suite}/{name}", "llm", model=ModelOptions(model="scripted", base_url=url)
    )
    (call,) = run.trace.of(ModelCall)
    line = read_suite(suite).questions[name]
    proofs = {text for text in line.proof.values() if len(text) > 10}
    sent = "\n".join(message.content or "" for message in call.messages)
    assert proofs
    assert not any(text in sent for text in proofs)
    assert '"right"' not in sent
    assert "proof" not in run.trace.header.model_dump_json()
    assert run.success


@pytest.fixture
def few(drawn: list[QuestionLine], tmp_path: Path) -> Path:
    """A suite with one question of each kind."""
    path = tmp_path / "few.jsonl"
    write_suite(path, SuiteLine(suite="few", seed=7, version=QUESTIONS), drawn[: len(KINDS)])
    return path


PRICES = ("--price-in", "1000", "--price-out", "0")


def spent_by(folder: Path) -> float:
    """Return the money for three questions that were asked three times."""
    spent = json.loads((folder / "spent.json").read_text())
    assert spent["calls"] == 9
    assert 0 < spent["money"] <= spent["tokens"] / 1000
    return float(spent["money"])


def test_a_suite_is_asked_three_times_by_a_command_that_goes_on_where_it_was(
    few: Path, url: str, tmp_path: Path
) -> None:
    model = ("--model", "scripted", "--base-url", url, *PRICES)
    command = ("ask", str(few), *model, "--folder", str(tmp_path / "asked"))
    done = CliRunner(env={"COLUMNS": "100"}).invoke(app, command)
    assert done.exit_code == 0, done.output
    for words in ("9 of 9 episodes, 9 succeeded", "comprehension", "by pattern"):
        assert words in done.output
    assert spent_by(tmp_path / "asked")
    before = (tmp_path / "asked" / "results.jsonl").read_bytes()
    assert CliRunner().invoke(app, command).exit_code == 0
    assert (tmp_path / "asked" / "results.jsonl").read_bytes() == before


MODELS = {
    "good": (),
    "middling": ("--fault", "wrong_mind=0.5", "--fault", "wrong_planning=0.5"),
    "bad": tuple(f"--fault=wrong_{kind}=1" for kind in KINDS),
}


@pytest.mark.conformance
def test_models_are_asked_three_times_at_their_price_and_correlated(
    few: Path, tmp_path: Path
) -> None:
    for model, faults in MODELS.items():
        server = Hosted("--seed", "1", *faults)
        asked = ("ask", few.name, "--model", model, "--base-url", server.url)
        code, said = say(tmp_path, "", *asked, *PRICES, "--folder", model)
        server.stop()
        assert code == 0, said
        assert "9 of 9 episodes" in said
        money = spent_by(tmp_path / model)
    tables = {
        table.title: table
        for section in report(read_results([tmp_path / model for model in MODELS]))
        for table in section.tables
    }
    costs = tables["Unusable, lenient, tokens and cost"]
    assert costs.columns[-1] == "cost"
    assert float(str(costs.rows[0][-1]).partition(" ")[0]) == pytest.approx(money / 9, rel=0.2)
    table = tables["Correlation over models"]
    assert [row[-1] for row in table.rows] == ["3"] * 3


@pytest.mark.parametrize("planner", ["random", "greedy", "embedded"])
def test_planners_without_a_model_answer_too(planner: str, suite: Path) -> None:
    right = [
        bool(cookmas.play(f"questions/{suite}/{line.name}", planner).success)
        for line in read_suite(suite).questions.values()
        if line.kind == "planning"
    ]
    if planner == "embedded":
        assert all(right)
    else:
        assert not all(right)


@pytest.mark.parametrize(
    ("said", "letter"),
    [
        ('{"reasoning": "A or B", "actions": {"answerer": "C"}}', "C"),
        ("The answer is (B).", "B"),
        ("Answer: C", "C"),
        ("Option B", "B"),
        ("B. stay", "B"),
        ("I would go with move(6), since it is nearest.", "A"),
    ],
)
def test_the_published_rule_finds_a_letter_by_pattern_or_the_nearest_option(
    said: str, letter: str
) -> None:
    assert find_letter(said, {"A": "move(6)", "B": "stay", "C": "press"}) == letter


def test_a_wrong_key_is_found(suite: Path, tmp_path: Path) -> None:
    head, first, *_ = suite.read_text().splitlines()
    data: dict[str, Any] = json.loads(first)
    data["right"] = [next(x for x in data["options"] if x not in data["right"])]
    path = tmp_path / "wrong.jsonl"
    path.write_text(f"{head}\n{json.dumps(data)}\n")
    with pytest.raises(InputError, match="its key is"):
        DOMAIN.check(path)
    assert DOMAIN.check(suite) == ["36 questions, and all keys are as computed"]


@pytest.mark.parametrize("name", ["small-1"])
def test_a_suite_of_an_older_version_is_asked_with_the_keys_that_it_has(name: str) -> None:
    path = SUITES / f"{name}.jsonl"
    (said,) = DOMAIN.check(path)
    assert said == "48 questions of version 1; the keys of version 2 alone are computed again"
    line = next(iter(read_suite(path).questions.values()))
    run = cookmas.play(f"questions/{name}/{line.name}", "random", planner_seed=0)
    final = replay(run.trace)
    *_, last = final
    assert run.success is (last.after["answer"] in line.right)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "is empty"),
        (["{"], "line 1: is not JSON"),
        (['{"suite": "x", "seed": 1}', "[]"], "line 2"),
    ],
)
def test_a_broken_suite_gets_one_line(lines: list[str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=said):
        read_suite(path)


def test_an_unknown_question_and_an_unknown_suite_are_named() -> None:
    with pytest.raises(MissingError, match="there is no question 'nothing'"):
        DOMAIN.scenario("ours/nothing", {})
    with pytest.raises(InputError, match="is a suite; expected a question of it, such as ours/"):
        DOMAIN.scenario("ours", {})
    with pytest.raises(MissingError, match="there is no suite 'theirs'"):
        DOMAIN.scenario("theirs/one", {})


def test_no_other_truth_is_taken_for_the_key(suite: Path, tmp_path: Path) -> None:
    name = next(iter(read_suite(suite).questions))
    scenario = DOMAIN.scenario(f"{suite}/{name}", {})
    with pytest.raises(InputError, match="stands in its suite"):
        DOMAIN.truth(scenario, tmp_path / "truth.yaml")


def test_a_suite_that_has_changed_is_read_again(suite: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    lines = suite.read_text().splitlines(keepends=True)
    path.write_text("".join(lines))
    assert len(read_suite(path).questions) == 36
    path.write_text("".join(lines[:-1]))
    assert len(read_suite(path).questions) == 35
