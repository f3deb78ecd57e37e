"""People at a shared terminal: each in turn sees the state and answers a question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

from rich.columns import Columns
from rich.console import Console

from cookmas.display.terminal import words
from cookmas.files.errors import InputError
from cookmas.people.keyboard import Keyboard, read_typed
from cookmas.people.working.asked import Consent, MoveQuestion, Survey, TalkQuestion
from cookmas.people.working.questionnaire import AnyQuestion, Choice, Scale
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.talk import Talk
from cookmas.worlds.base.viewing import speak_name

HELP = "The number or the text of an action; r shows the texts."

WRITING = "Write an action; r shows the texts."
"""Help text if no actions are listed."""

STRAY = 0.5
"""Seconds after a deadline in which a line counts as a late answer to the previous question."""


NOTHING_SAID: Mapping[str, Any] = {"say": "", "end": True}
"""The answer of a person who says nothing."""

FORMS = "forms"
"""The line that shows the forms of actions."""


class SharedTerminal:
    """A terminal that several people share with its `keyboard`; they are asked one at a time."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.keyboard = Keyboard()
        self._late_until = 0.0

    async def sit(self, seat: PersonSeat) -> None:
        """Ask the questions of a seat until cancelled. Raises EOFError at the end of the input."""
        seen = 0
        while True:
            await seat.wait_for_change(seen)
            seen = seat.number
            match seat.question:
                case Consent(text=text):
                    self._say(text)
                    agreed = await self._ask(
                        f"{seat.worker}: do you agree? (yes or no)", _parse_consent
                    )
                    seat.answer(seen, agreed)
                case MoveQuestion() as move:
                    await self._move(seat, move)
                case TalkQuestion() as question:
                    await self._talk(seat, question)
                case Survey() as survey:
                    self._say(survey.questionnaire.title, style="bold")
                    answers = [await self._question(q) for q in survey.questionnaire.questions]
                    names = [question.name for question in survey.questionnaire.questions]
                    seat.answer(seen, dict(zip(names, answers, strict=True)))

    async def _move(self, seat: PersonSeat, move: MoveQuestion) -> None:
        self._show(seat, move)

        def answer(number: int, said: str) -> None:
            words = read_words(said) if move.talk else None
            try:
                seat.answer(number, words or _choose_action(said, move))
            except InputError as error:
                self._say(str(error) if words else _describe_wrong(said, move), style="red")

        await self._read_answer(seat, move.asked["timestep"], answer)

    async def _talk(self, seat: PersonSeat, question: TalkQuestion) -> None:
        for note in seat.view.take_news():
            self._say(note.text, note.style)
        self._show_talk(question.talk)
        self._show_time(question.until)

        def answer(number: int, said: str) -> None:
            words = read_words(said) if said else NOTHING_SAID
            try:
                seat.answer(number, words or {})
            except InputError as error:
                self._say(str(error) if words else describe_talk(question.talk), style="red")

        await self._read_answer(seat, question.timestep, answer)

    async def _read_answer(
        self, seat: PersonSeat, timestep: int, answer: Callable[[int, str], None]
    ) -> None:
        """Pass each line to `answer`, with the number of the question, until it is answered."""
        number = seat.number
        while seat.number == number:
            said = await self._read_before(
                seat.wait_for_change(number), self._line(f"{seat.worker} at timestep {timestep}")
            )
            if said is None:
                self._say("That was too late.", style="red")
                self._late_until = asyncio.get_running_loop().time() + STRAY
            elif asyncio.get_running_loop().time() < self._late_until:
                self._say("That came too late for the timestep before.", style="red")
            elif said in ("r", "texts"):
                for key, text in seat.view.texts.items():
                    self._say(f"{key}: {text}")
            elif said == FORMS:
                self._show_forms(seat.view.forms)
            else:
                answer(number, said)

    async def _read_before(
        self, too_late: Coroutine[Any, Any, None], line: Coroutine[Any, Any, str]
    ) -> str | None:
        """Return the line, or None if `too_late` ends first."""
        tasks = asyncio.create_task(too_late), asyncio.create_task(line)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return tasks[1].result() if tasks[0] not in done else None
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _show(self, seat: PersonSeat, move: MoveQuestion) -> None:
        self._console.print(seat.view.picture())
        asked = move.asked
        digits = len(str(len(asked["legal"])))
        legal = [words(f"{n:{digits}}  {act}") for n, act in enumerate(asked["legal"], start=1)]
        if legal:
            self._console.print(Columns(legal, padding=(0, 3), column_first=True))
        else:
            self._say(f"Nobody can say what is possible now. {WRITING}")
            self._show_forms(move.forms)
        if (suggested := move.suggested) is not None:
            self._suggest(move, suggested)
        if move.chosen is not None:
            self._say(f"You have chosen {move.chosen}; Enter leaves it so.")
        if move.talk:
            self._show_talk(move.talk)
        self._show_time(move.until)

    def _show_forms(self, forms: Mapping[str, str]) -> None:
        for form, does in forms.items():
            self._say(f"  {form}: {does}")

    def _show_time(self, until: float | None) -> None:
        if until is not None:
            left = max(0, round(until - asyncio.get_running_loop().time()))
            self._say(f"You have {left} seconds.", style="dim")

    def _show_talk(self, talk: Talk) -> None:
        for line in (*describe_decided(talk), describe_talk(talk)):
            self._say(line)

    def _suggest(self, move: MoveQuestion, suggested: str) -> None:
        also = move.describe(suggested)
        said = suggested if also == suggested else f"{suggested} ({also})"
        doubt = "" if move.possible else "; in the present state it would FAIL"
        self._say(f"The schedule suggests: {said}{doubt}", style="cyan")

    async def _question(self, question: AnyQuestion) -> Any:
        if isinstance(question, Choice):
            for n, each in enumerate(question.of, start=1):
                self._say(f"{n}  {each}")
        ends = ""
        if isinstance(question, Scale) and question.low and question.high:
            ends = f" ({question.least}: {question.low}; {question.most}: {question.high})"
        expected = "" if isinstance(question, Choice) else f" [{question.expected}]"
        return await self._ask(f"{question.ask}{ends}{expected}", _make_reader(question))

    async def _ask(self, what: str, read: Callable[[str], Any]) -> Any:
        """Return the answer to a question; ask again until the answer is valid."""
        while True:
            try:
                return read(await self._line(what))
            except InputError as error:
                self._say(str(error), style="red")

    async def _line(self, what: str) -> str:
        return await read_typed(self._console, self.keyboard, what)

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(words(text, style=style), soft_wrap=not self._console.is_terminal)


def _parse_consent(said: str) -> bool:
    answers = {"yes": True, "y": True, "no": False, "n": False}
    if said.lower() not in answers:
        raise InputError("answer", "expected yes or no")
    return answers[said.lower()]


def _choose_action(said: str, move: MoveQuestion) -> str:
    """Return the action that an answer means.

    An empty answer means the action that is chosen already, or else the suggestion; a number means
    the legal action of that number.
    """
    legal = move.asked["legal"]
    usual = move.suggested if move.chosen is None else move.chosen
    if not said and usual is not None:
        return usual
    number = _parse_number(said)
    return legal[number - 1] if number and number <= len(legal) else said


def _describe_wrong(said: str, move: MoveQuestion) -> str:
    """Return why a line is no answer to a question for a move, and what to write instead."""
    wrong = f"{said!r:.60} is not what {move.asked['worker']} can do now."
    if not said:
        wrong = "Nothing is suggested here."
    follows = "Enter follows the suggestion. " if move.suggests else ""
    return f"{wrong} {follows}{_help(move)}"


def _help(move: MoveQuestion) -> str:
    return HELP if move.asked["legal"] else WRITING


def _parse_number(said: str) -> int | None:
    return int(said) if said.isdecimal() and len(said) < 10 else None


def _make_reader(question: AnyQuestion) -> Callable[[str], Any]:
    def read(said: str) -> Any:
        answer: Any = said
        number = _parse_number(said)
        if isinstance(question, Scale):
            answer = number
        elif isinstance(question, Choice) and number and number <= len(question.of):
            answer = question.of[number - 1]
        if not question.takes(answer):
            raise InputError("answer", f"expected {question.expected}")
        return answer

    return read


_SAY, _END = "say", "end"


def read_words(line: str) -> Mapping[str, Any] | None:
    """Return the answer that a line stands for; None if the line does not speak.

    `say WORDS` waits for an answer; `end WORDS` ends the talk, and so does `end` alone.
    """
    command, _, words = line.partition(" ")
    if command == _END or (command == _SAY and words.strip()):
        return {"say": words.strip(), "end": command == _END}
    return None


def describe_decided(talk: Talk) -> Iterator[str]:
    """Yield a line for each agent that has decided on actions already."""
    for agent, actions in talk.decided.items():
        yield f"{speak_name(agent)} has decided on {'; '.join(actions)}."


def describe_talk(talk: Talk) -> str:
    """Return what a person can write in order to speak."""
    addressed = "You are spoken to. " if talk.addressed else ""
    left = "for the last time at this timestep" if talk.left == 1 else f"{talk.left} times"
    return (
        f"{addressed}'say WORDS' speaks ({left}), 'end WORDS' speaks and ends the talk. "
        f"request('ACTION') asks for an action; '{FORMS}' shows the forms of actions."
    )
