"""The making of a suite of questions: states out of play, and what their worlds ask about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from cookmas.api import play
from cookmas.episodes.replay import replay
from cookmas.files.errors import InputError
from cookmas.world_names import domain_of, locate, locate_all
from cookmas.worlds.base.question_suite import MOST_OPTIONS, Form, QuestionLine
from cookmas.worlds.base.questions import KINDS, Kind, Question, Questioner

TRIES = 2000
"""Greatest number of states that are looked at for one question."""

STATES, EPISODES = 300, 40
"""Number of states of a place after which no more is played, and greatest number of episodes.

A world whose questions are about rare states plays as many episodes as its questioner says.
"""


class PlayedState(NamedTuple):
    """A state out of play."""

    place: str
    """World and scenario, such as `collab-capture/building`."""
    world: Any
    state: Any
    """The whole state, of which a seat sees a part."""


class _Turn(NamedTuple):
    """What the next question is about."""

    place: str
    kind: Kind
    form: Form

    @property
    def of(self) -> str:
        """Name of the world."""
        return locate(self.place).world


def make_questions(
    places: Sequence[str], count: int, seed: int, kinds: Sequence[Kind] = KINDS
) -> Iterator[QuestionLine]:
    """Yield `count` questions, as many about each place and of each kind as possible.

    `places` are scenarios or whole groups. A place of whose world there are no questions of a kind
    has none. No two questions are equal. Questions about actions have in turn all actions of the
    world and the legal ones as options. Raise InputError if a place has too few questions of a
    kind.
    """
    whole = [name for place in places for name in _expand(place)]
    states = {place: list(play_states(place, seed)) for place in whole}
    seen = set[tuple[Any, ...]]()
    turns = _list_turns(whole, count, kinds)
    asked = Counter((turn.of, turn.kind) for turn in turns)
    sorts = Counter[tuple[str, Kind, str]]()
    for number, turn in enumerate(turns):
        draw = Random(f"{seed}/{locate(turn.place).shown}/{turn.kind}/{number}")
        name, sort_key = (
            f"{turn.of}-{turn.kind}-{number + 1:03}",
            _questioner_of(turn.place).sort_key,
        )
        for _ in range(TRIES):
            line = draw_question(name, states[turn.place], turn.kind, turn.form, draw)
            if line is None:
                continue
            key = (line.of, str(line.state), line.question, line.form)
            sort = (line.of, line.kind, sort_key(line.kind, line.right[0]))
            if key in seen or (sort[-1] and 2 * sorts[sort] >= asked[turn.of, turn.kind]):
                continue
            seen.add(key)
            sorts[sort] += 1
            yield line
            break
        else:
            raise InputError(turn.place, f"has too few different questions of the kind {turn.kind}")


def _list_turns(places: Sequence[str], count: int, kinds: Sequence[Kind]) -> Sequence[_Turn]:
    """Return what each question is about: the kinds in turn, and of each kind the places."""
    about = {kind: [x for x in places if kind in _questioner_of(x).kinds] for kind in kinds}
    asked = [kind for kind in kinds if about[kind]]
    turns = list[_Turn]()
    for number in range(count if asked else 0):
        turn, which = divmod(number, len(asked))
        kind = asked[which]
        again, at = divmod(turn, len(about[kind]))
        turns.append(_Turn(about[kind][at], kind, "all" if again % 2 == 0 else "legal"))
    return turns


def _questioner_of(place: str) -> Questioner:
    return domain_of(locate(place).world).questioner


def _expand(place: str) -> list[str]:
    return [each.spelled for each in locate_all(place)]


def play_states(place: str, seed: int) -> Iterator[PlayedState]:
    """Yield the states of some episodes, in which the world's players for questions play."""
    there = locate(place)
    domain = domain_of(there.world)
    scenario: Any = domain.scenario(there.name, {})
    players, world = domain.questioner.players, scenario.world()
    count = 0
    for number in range(EPISODES):
        names = [players[(number + seat) % len(players)] for seat in range(len(world.workers))]
        lineup = dict(zip(world.workers, names, strict=True))
        drawn = seed + number if scenario.drawn else None
        run = play(place, lineup, planner_seed=seed + number, seed=drawn)
        for frame in replay(run.trace, world):
            count += 1
            yield PlayedState(place, world, frame.before)
        if count >= STATES and number + 1 >= domain.questioner.episodes:
            return


def draw_question(
    name: str, states: Sequence[PlayedState], kind: Kind, form: Form, draw: Random
) -> QuestionLine | None:
    """Return a question of this name about one of some states; None if there is none of the kind.

    `draw` chooses the state, the seat and the question. None is taken that is easily guessed.
    """
    place, world, state = draw.choice(states)
    seat = draw.choice(list(world.workers))
    observed = world.observe(state, seat)
    own = draw.randrange(2**31)
    there = locate(place)
    questioner = _questioner_of(place)
    asked = questioner.ask_all(world, observed, seat, kind, Random(own))
    actions = questioner.list_actions(world, observed) if form == "all" else ()
    askable = list[tuple[Question, Sequence[str]]]()
    for each in asked:
        if len(each.options) <= MOST_OPTIONS:
            options = _list_options(each, actions, draw)
            if not each.is_guessed(options):
                askable.append((each, options))
    if not askable:
        return None
    question, options = draw.choice(askable)
    return QuestionLine(
        name=name,
        of=there.world,
        place=there.short,
        setup_of=world.setup(),
        state=world.dump(observed),
        seat=seat,
        draw=own,
        kind=question.kind,
        about=question.about,
        form=form if question.actions else "own",
        question=question.text,
        options=list(options),
        bare=question.bare,
        depth=question.depth,
        margin=question.margin,
        right=list(question.right),
        proof={each: question.proof.get(each, "not legal") for each in options},
    )


def _list_options(question: Question, actions: Sequence[str], draw: Random) -> Sequence[str]:
    """Return the options of a question, with other actions if it is about actions.

    If all `actions` are more options than there are letters, `draw` chooses some of them.
    """
    if not question.actions:
        return question.options
    others = sorted({*actions}.difference(question.options))
    room = min(MOST_OPTIONS - len(question.options), len(others))
    return sorted([*question.options, *draw.sample(others, room)])
