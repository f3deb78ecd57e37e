"""The making of a suite of questions: states out of play, and what their worlds ask about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from cookmas.api import play
from cookmas.episodes.base import complete
from cookmas.episodes.replay import replay
from cookmas.files.errors import InputError
from cookmas.world_names import domain_of, locate, resolve_name
from cookmas.worlds.base.question_suite import MOST_OPTIONS, Form, QuestionLine
from cookmas.worlds.base.questions import KINDS, Kind, Question, Questioner

TRIES = 200
"""Greatest number of states that are looked at for one question."""

STATES, EPISODES = 300, 40
"""Number of states of a place after which no more is played, and greatest number of episodes."""


class PlayedState(NamedTuple):
    """A state out of play."""

    place: str
    """World and scenario, such as `collab-capture/building`."""
    world: Any
    """The world that was played."""
    state: Any
    """The whole state, of which a seat sees a part."""


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
    about = {kind: [x for x in whole if kind in _questioner_of(x).kinds] for kind in kinds}
    turns = [kind for kind in kinds if about[kind]]
    for number in range(count if turns else 0):
        turn, which = divmod(number, len(turns))
        kind = turns[which]
        again, at = divmod(turn, len(about[kind]))
        place = about[kind][at]
        draw, of = Random(f"{seed}/{locate(place).shown}/{kind}/{number}"), locate(place).world
        form: Form = "all" if again % 2 == 0 else "legal"
        for _ in range(TRIES):
            line = draw_question(f"{of}-{kind}-{number + 1:03}", states[place], kind, form, draw)
            if line and (key := (line.of, str(line.state), line.question, line.form)) not in seen:
                seen.add(key)
                yield line
                break
        else:
            raise InputError(place, f"has too few different questions of the kind {kind}")


def _questioner_of(place: str) -> Questioner:
    return domain_of(locate(place).world).questioner


def _expand(place: str) -> list[str]:
    return [each.spelled for each in resolve_name(place)]


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
        if count >= STATES:
            return


def draw_question(
    name: str, states: Sequence[PlayedState], kind: Kind, form: Form, draw: Random
) -> QuestionLine | None:
    """Return a question of this name about one of some states; None if there is none of the kind.

    `draw` chooses the state, the seat and the question.
    """
    place, world, state = draw.choice(states)
    seat = draw.choice(list(world.workers))
    observed = world.observe(state, seat)
    own = draw.randrange(2**31)
    there = locate(place)
    asked = _questioner_of(place).ask_all(world, observed, seat, kind, Random(own))
    found = [each for each in asked if len(each.options) <= MOST_OPTIONS]
    if not found:
        return None
    question = draw.choice(found)
    options = _list_options(question, world, form)
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
        options=options,
        depth=question.depth,
        margin=question.margin,
        right=list(question.right),
        proof={each: question.proof.get(each, "not legal") for each in options},
    )


def _list_options(question: Question, world: Any, form: Form) -> list[str]:
    """Return the options of a question in a form: with the illegal actions, if it is about actions.

    If they are more than there are letters, only the legal actions are options.
    """
    every = complete(world).every_action() if question.actions and form == "all" else None
    options = list(dict.fromkeys([*question.options, *(every or ())]))
    options = options if len(options) <= MOST_OPTIONS else list(question.options)
    return sorted(options) if question.actions else options
