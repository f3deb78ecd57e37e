"""The domain of questions, whose scenarios are the lines of suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import refuse_other_file
from cookmas.worlds.base.domain import PLANNERS, Domain
from cookmas.worlds.base.question_suite import (
    QUESTIONS,
    SUFFIX,
    AskedQuestion,
    QuestionLine,
    read_suite,
)
from cookmas.worlds.questions.world import QuestionLevel, QuestionWorld

SUITES = Path(__file__).parent / "suites"
"""The folder of the suites that come with CookMAS."""

EXPECTED = f"a suite of questions, a {SUFFIX} file"


class QuestionDomain(Domain):
    """The domain of questions. A scenario is named `SUITE/NAME`; a user's suite is a file."""

    world_type = QuestionWorld
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.questions.planners:EMBEDDED",
        "greedy": "cookmas.solving.questions.planners:GREEDY",
        **PLANNERS,
    }
    solving = "cookmas.solving.questions"

    @property
    def folder(self) -> Path:
        """Folder of the suites."""
        return SUITES

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the questions of each suite that comes with CookMAS."""
        return {path.stem: _names(path.stem, path) for path in sorted(SUITES.glob(f"*{SUFFIX}"))}

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the names of the questions of a suite, also of one in a file."""
        if group and group.endswith(SUFFIX):
            return _names(group, Path(group))
        return super().names(group)

    def horizon(self, scenario: Any) -> int:
        """Return 1: a question is answered at once."""
        return 1

    def scenario(self, name: str, settings: Mapping[str, Any]) -> FileScenario:
        """Return a question by the name of its suite, or its file, and its own name."""
        if settings:
            raise InputError(next(iter(settings)), "questions have no options of their own")
        path, _ = _find_suite(name)
        level = _level_of(find_question(name))
        return FileScenario(name=name, path=path, file=level, world_type=QuestionWorld)

    def check(self, path: Path) -> Sequence[str]:
        """Compute the keys of a suite, or of one question, again. Raise InputError if one differs.

        No world can compute the key of a question whose state stands in words, or of one that was
        drawn with an older version of the questions.
        """
        whole = _file_of(str(path))
        if whole.is_file() or path.suffix == SUFFIX:
            suite = read_suite(whole)
            lines = list(suite.questions.values())
        else:
            lines = [find_question(str(path))]
            suite = read_suite(_find_suite(str(path))[0])
        told = [line for line in lines if line.told]
        own = [line for line in lines if not line.told]
        found = list[str]()
        if told:
            found.append(f"{len(told)} questions about states in words; nobody computes their keys")
        if suite.head.version != QUESTIONS:
            older = f"{len(own)} questions of version {suite.head.version}; the keys of version"
            return [f"{older} {QUESTIONS} alone are computed again", *found] if own else found
        for line in own:
            if fault := self.find_fault(line):
                raise InputError(str(path), f"{line.name}: {fault}")
        return [f"{len(own)} questions, and all keys are as computed", *found] if own else found

    def find_fault(self, line: QuestionLine) -> str | None:
        """Return what is wrong with a key, which is computed again; None if nothing is."""
        right = self.solved("planners:compute_right")(QuestionWorld(_level_of(line)))
        if set(right) == set(line.right):
            return None
        found = ", ".join(right) or "that there is no such question"
        return f"its key is {', '.join(line.right)}; computed is {found}"

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """Return the row of a question in a list."""
        line = find_question(scenario.name)
        return {
            "name": scenario.name,
            "place": f"{line.of}/{line.place}",
            "kind": line.kind,
            "about": line.about,
            "options": len(line.options),
            "depth": line.depth,
        }

    def truth(self, scenario: Any, path: Path | None = None) -> QuestionLine:
        """Return the key of a question, with everything else about it.

        It stands in the suite. Raise InputError for any other `path`.
        """
        if path is not None:
            raise InputError(str(path), "the key of a question stands in its suite; name no truth")
        return find_question(scenario.name)


def find_question(name: str) -> QuestionLine:
    """Return the line of a question. Raise MissingError if there is none."""
    path, number = _find_suite(name)
    questions = read_suite(path).questions
    if number not in questions:
        raise MissingError(f"there is no question {number!r} in {path}")
    return questions[number]


def _find_suite(name: str) -> tuple[Path, str]:
    """Return the file of the suite of a question, and the question's name in it."""
    suite, _, number = name.rpartition("/")
    if (whole := _file_of(name)).is_file():
        first = next(iter(read_suite(whole).questions), "NAME")
        raise InputError(name, f"is a suite; expected a question of it, such as {name}/{first}")
    path = _file_of(suite)
    if not path.is_file():
        refuse_other_file(Path(name), EXPECTED)
        raise MissingError(f"{name}: there is no suite {suite or name!r}")
    return path, number


def _file_of(suite: str) -> Path:
    return Path(suite) if suite.endswith(SUFFIX) else SUITES / f"{suite}{SUFFIX}"


def _level_of(line: QuestionLine) -> QuestionLevel:
    shown = line.model_dump(include=set(AskedQuestion.model_fields))
    return QuestionLevel(world="questions", title=f"{line.kind}: {line.about}", **shown)


def _names(suite: str, path: Path) -> Sequence[str]:
    return [f"{suite}/{name}" for name in read_suite(path).questions]


DOMAIN = QuestionDomain()
