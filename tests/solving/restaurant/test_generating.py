"""Generated scenarios: deterministic, sound, and never ambiguous."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.files.yaml_text import to_yaml
from cookmas.kitchen.customizations import Customization, Longer, Swap, customise
from cookmas.kitchen.events import AddLine, CancelOrder, ChangeLine, Fault, NewOrder, RemoveLine
from cookmas.scenarios.check import check, misfit
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import KitchenScenario, build_scenario, load_scenario
from cookmas.scenarios.truth import SHIPPED_TRUTH, load_menu_truth, load_truth, truth_path
from cookmas.scenarios.wishes import draw, load_wishes, offers, say
from cookmas.solving.restaurant.bound import Demand, makespan_bound
from cookmas.solving.restaurant.generating import SIZES, generate, write
from tests.sampling import examples

MENU = load_menu()
TRUTH = load_menu_truth(MENU)
ITEMS = sorted(TRUTH)

levels_and_sizes = st.sampled_from(
    [(level, size) for level, (low, high) in SIZES.items() for size in range(low, high + 1)]
)

seeds = st.integers(min_value=0, max_value=10**9)
generous = settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def build(data: dict[str, object]) -> KitchenScenario:
    return build_scenario("generated", Path("generated.yaml"), data)


@given(levels_and_sizes, seeds)
@generous
def test_is_deterministic(arguments: tuple[int, int], seed: int) -> None:
    random.seed(seed)
    before = random.getstate()
    first = generate(*arguments, seed)
    assert random.getstate() == before
    assert generate(*arguments, seed) == first


@given(levels_and_sizes, seeds)
@generous
def test_has_the_level_and_the_size(arguments: tuple[int, int], seed: int) -> None:
    level, size = arguments
    scenario = build(generate(level, size, seed)[0])
    assert scenario.file.level == level
    assert len(scenario.book.items) == size
    orders = sum(isinstance(timed.event, NewOrder) for timed in scenario.file.events)
    assert (orders > 1) == (level == 3)
    assert (len(scenario.file.events) > 1) == (level == 3)


@given(levels_and_sizes, seeds)
@generous
def test_is_sound_once_written(
    tmp_path_factory: pytest.TempPathFactory, arguments: tuple[int, int], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("generated")
    path, truth = write(folder, "mine", *generate(*arguments, seed))
    assert len(check(path)) == 2
    assert truth == folder / "mine.truth.yaml"


@given(st.integers(min_value=2, max_value=12), seeds)
@generous
def test_surprises_hit_what_is_under_way(size: int, seed: int) -> None:
    data, _ = generate(3, size, seed)
    world = build(data).world()
    state = world.start()
    for at, event in build(data).events():
        for _ in range(at - state.timestep):
            state, _, _ = world.step(state, [Command(name, world.idle) for name in world.workers])
        state, ruling = world.apply(state, event)
        assert ruling.refused is None
    assert state.open_lines()


@given(st.integers(min_value=2, max_value=12), seeds)
@generous
def test_nothing_can_have_been_served_when_it_is_changed(
    tmp_path_factory: pytest.TempPathFactory, size: int, seed: int
) -> None:
    path, _ = write(tmp_path_factory.mktemp("generated"), "mine", *generate(3, size, seed))
    scenario = load_scenario(str(path))
    truth = load_truth(scenario)
    sizes: Counter[str] = Counter()
    earliest: dict[str, int] = {}
    for timed in scenario.file.events:
        event = timed.event
        if isinstance(event, NewOrder | AddLine):
            for entry in event.lines if isinstance(event, NewOrder) else [event]:
                sizes[event.order] += 1
                line = f"{event.order}.{sizes[event.order]}"
                dish = truth.dish(entry.item, line, entry.note)
                bound = makespan_bound(scenario.kitchen, [Demand(release=0, components=dish)])
                earliest[line] = timed.at + bound.value
        elif isinstance(event, CancelOrder):
            assert timed.at < max(t for n, t in earliest.items() if n.startswith(f"{event.order}."))
        elif isinstance(event, RemoveLine | ChangeLine):
            assert timed.at < earliest[event.line]


@given(st.integers(min_value=2, max_value=12), seeds)
@generous
def test_a_fault_leaves_another_of_the_kind(size: int, seed: int) -> None:
    scenario = build(generate(3, size, seed)[0])
    for timed in scenario.file.events:
        if isinstance(timed.event, Fault) and timed.event.station:
            kind = scenario.kitchen.stations[timed.event.station].kind.name
            assert len(scenario.kitchen.of_kind(kind)) > 1


def test_seeds_and_sizes_make_a_difference() -> None:
    texts = {to_yaml(generate(3, 6, seed)[0]["events"][0]) for seed in range(20)}
    assert len(texts) > 15


def test_surprises_of_every_kind_occur() -> None:
    kinds = {event["kind"] for seed in range(40) for event in generate(3, 6, seed)[0]["events"]}
    assert kinds == {
        "new_order",
        "add_line",
        "remove_line",
        "change_line",
        "cancel_order",
        "fault",
    }


def test_wishes_of_every_kind_occur_at_every_level() -> None:
    for level, size in ((1, 1), (2, 4), (3, 5)):
        kinds = {
            wish["kind"]
            for seed in range(60)
            for meanings in generate(level, size, seed)[1]["notes"].values()
            for wishes in meanings.values()
            for wish in wishes
        }
        assert kinds == {"done", "without", "extra", "swap", "longer"}


@pytest.mark.parametrize(
    ("level", "size", "message"),
    [
        (0, 1, "level: expected 1, 2 or 3, not 0"),
        (4, 1, "level: expected 1, 2 or 3, not 4"),
        (1, 2, "size: expected 1 lines at level 1, not 2"),
        (2, 1, "size: expected 2 to 12 lines at level 2, not 1"),
        (3, 13, "size: expected 2 to 12 lines at level 3, not 13"),
    ],
)
def test_refuses_what_it_cannot_make(level: int, size: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        generate(level, size, 0)
    assert str(error.value) == message


def test_writes_readable_block_style(tmp_path: Path) -> None:
    path, truth = write(tmp_path, "sub/one", *generate(3, 8, 3))
    text = path.read_text()
    assert text.startswith("title: ")
    assert not any(line.lstrip().startswith(("? ", "{")) for line in text.splitlines())
    assert not any(line.lstrip().startswith("? ") for line in truth.read_text().splitlines())
    assert load_truth(load_scenario(str(path))).notes


def test_writes_nothing_that_is_not_sound(tmp_path: Path) -> None:
    data, truth = generate(1, 1, 0)
    with pytest.raises(InputError):
        write(tmp_path, "bad", {**data, "level": 9}, truth)
    assert not list(tmp_path.iterdir())


def test_the_truth_of_a_shipped_scenario_lies_with_the_shipped_truth() -> None:
    scenario = load_scenario("level2/03")
    assert truth_path(scenario) == SHIPPED_TRUTH / "level2" / "03.yaml"
    assert truth_path(scenario).exists()


# What may be asked


def test_every_item_has_wishes() -> None:
    assert set(load_wishes().items) == set(MENU.items)
    assert all(sum(map(len, offers(item).values())) >= 3 for item in ITEMS)


@pytest.mark.parametrize("item", ITEMS)
def test_its_wishes_are_decidable(item: str) -> None:
    for wish in chain(*offers(item).values()):
        assert_decidable(item, wish)


def assert_decidable(item: str, wish: Customization) -> None:
    components = TRUTH[item]
    foods = Counter(name for component in components for name in component.ingredients())
    assert misfit(wish, item, components, MENU) is None
    assert foods[wish.food] == 1
    changed = customise(components, [wish], MENU.doneness)
    assert changed
    assert changed != components
    if isinstance(wish, Swap):
        assert wish.by not in foods
    if isinstance(wish, Longer):
        steps = [
            step
            for component in components
            for node in component.walk()
            if wish.food in node.ingredients()
            for step in node.steps
            if step.process == wish.process
        ]
        assert len(steps) == 1
        assert steps[0].level is None
        assert steps[0].low + wish.minutes >= 1


@given(st.sampled_from(ITEMS), st.integers(min_value=1, max_value=3), seeds)
@generous
def test_wishes_of_one_note_do_not_meet(item: str, count: int, seed: int) -> None:
    wishes = draw(item, count, random.Random(seed))
    assert 1 <= len(wishes) <= count
    assert len({type(wish) for wish in wishes}) == len(wishes)
    foods = [
        name for w in wishes for name in ((w.food, w.by) if isinstance(w, Swap) else (w.food,))
    ]
    assert len(set(foods)) == len(foods)


@pytest.mark.parametrize("item", ITEMS)
def test_no_words_mean_two_things(item: str) -> None:
    meanings: dict[str, set[str]] = {}
    for seed in range(examples(300, 100)):
        rng = random.Random(seed)
        wishes = draw(item, rng.randint(1, 3), rng)
        meant = set(map(str, wishes))
        assert meanings.setdefault(say(item, wishes, rng), meant) == meant


def test_about_one_note_in_four_carries_talk() -> None:
    rng = random.Random(1)
    notes = [say(item, draw(item, 1, rng), rng) for item in ITEMS for _ in range(20)]
    talking = sum(any(talk in note for talk in load_wishes().talk) for note in notes)
    assert 0.18 < talking / len(notes) < 0.32


def test_customers_have_many_voices() -> None:
    rng = random.Random(2)
    wish = offers("Classic Burger")["without"][0]
    assert len({say("Classic Burger", [wish], rng) for _ in range(300)}) > 30
