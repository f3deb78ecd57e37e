"""The page in a browser: from disk, by mouse and keyboard, for eyes and for screen readers."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from playwright.sync_api import Page, expect

import cookmas
from cookmas.display.page.comparing import find_differences, find_first_other_act
from cookmas.display.page.show import load_comparison
from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.replaying import judge_run
from cookmas.world_names import domain_of
from tests.cookmas.display.conftest import NASTY, TRACES, Opened, look, played, until
from tests.worlds.base.dealt import SPEC
from tests.worlds.corridor.undrawn import SPEC as UNDRAWN

LEVEL2 = TRACES / "level2-01.jsonl"


def at(page: Page) -> int:
    return int(look(page, "player.t"))


def scrub(page: Page, t: int) -> None:
    page.get_by_role("slider", name="Timestep").fill(str(t))
    until(page, f"document.querySelector('output.now').textContent.startsWith('{t} /')")


def test_it_shows_every_state_of_the_run_whatever_the_order(opened: Opened, changing: Path) -> None:
    trace = read_trace(changing)
    world = domain_of("restaurant").world(trace.header.setup)
    frames = list(cookmas.replay(trace))
    expected = [world.dump(world.observe(frame.before)) for frame in frames]
    expected.append(world.dump(world.observe(frames[-1].after)))
    page = opened([changing])
    order = [*range(len(expected)), *range(len(expected) - 1, -1, -7), *range(0, len(expected), 5)]
    found = page.evaluate(
        "(ts) => JSON.stringify(ts.map((t) => cookmas.player.films[0].at(t)))", order
    )
    assert json.loads(found) == json.loads(json.dumps([expected[t] for t in order]))


def test_scrubbing_shows_what_the_workers_do(opened: Opened, changing: Path) -> None:
    page = opened([changing])
    steps = list(look(page, "film.acts"))
    for t in (0, len(steps) // 2, len(steps) - 1):
        scrub(page, t)
        for worker, act in steps[t].items():
            row = page.locator("#moment .acts li", has_text=worker.replace("_", " "))
            expect(row).to_contain_text(act["words"])
    until(page, f"location.hash === '#t={len(steps) - 1}'")


def test_the_address_is_a_moment(opened: Opened) -> None:
    page = opened([LEVEL2], at="#t=7")
    assert at(page) == 7
    page.evaluate("location.hash = '#t=3'")
    until(page, "cookmas.player.t === 3")


def test_an_address_is_gone_to_though_the_moment_before_is_only_then_written_down(
    opened: Opened,
) -> None:
    page = opened([LEVEL2], at="#t=7")
    page.evaluate("() => { location.hash = '#t=3'; cookmas.player.rest(); }")
    until(page, "cookmas.player.t === 3")
    until(page, "location.hash === '#t=3'")


def test_the_keyboard_is_enough(opened: Opened, changing: Path) -> None:
    page = opened([changing])
    length = int(look(page, "player.length"))
    for key, t in (("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10), ("End", length)):
        page.keyboard.press(key)
        until(page, f"cookmas.player.t === {t}")
    page.keyboard.press("Home")
    page.keyboard.press("n")
    marks = sorted({mark["t"] for mark in look(page, "film.marks")} - {0})
    until(page, f"cookmas.player.t === {marks[0]}")
    page.keyboard.press(" ")
    until(page, f"cookmas.player.t > {marks[0] + 1}")
    page.keyboard.press(" ")
    assert look(page, "player.playing") is False
    page.get_by_role("tab", name="Planner calls").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Verdict")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Verdict")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")


def test_playing_comes_to_the_end(opened: Opened) -> None:
    page = opened([LEVEL2])
    page.get_by_label("Timesteps a second").select_option("32")
    page.get_by_role("button", name="Play").click()
    until(page, "cookmas.player.t === cookmas.player.length && !cookmas.player.playing")
    expect(page.locator("#moment")).to_contain_text("finished")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_orders_planner_calls_recipes_and_verdict_are_linked_to_timesteps(
    opened: Opened, changing: Path
) -> None:
    page = opened([changing])
    page.keyboard.press("End")
    orders = page.locator("#goals .goal")
    expect(orders).to_have_count(len(look(page, "[...film.goals.keys()]")))
    expect(page.locator("#goals .goal.reached").first).to_contain_text("✓ complete")
    calls = page.locator(".calls .entry")
    made = len(look(page, "film.calls"))
    assert made > 1
    expect(calls).to_have_count(made)
    calls.nth(1).click()
    until(page, "cookmas.player.t === cookmas.player.films[0].calls[1].t")
    expect(page.locator("#calls")).to_contain_text("Against the one before it changes")
    expect(page.locator("#calls .figures")).to_contain_text("nervousness")
    expect(page.locator("#calls .figures")).to_contain_text("replan regret")
    page.get_by_role("tab", name="Recipes").click()
    expect(page.locator("#texts .understood code").first).to_be_visible()
    page.get_by_role("tab", name="Verdict").click()
    served = look(page, "film.verdict.goals.find((goal) => goal.when !== null)")
    page.locator("#verdict tr", has_text=served["name"]).first.get_by_role("button").click()
    until(page, f"cookmas.player.t === {served['when']}")
    expect(page.locator("#moment")).to_contain_text(f"serves {served['name']}")


def test_appliances_have_spans_with_windows_of_doneness(opened: Opened, changing: Path) -> None:
    page = opened([changing])
    spans = look(page, "[...film.tracks.values()].flat()")
    assert spans
    assert all(span["to"] is None or span["to"] > span["from"] for span in spans)
    assert any(span.get("windows") for span in spans)


def test_two_runs_are_aligned_and_the_first_difference_is_found(
    opened: Opened, naive: Path
) -> None:
    page = opened([LEVEL2, naive])
    films = load_comparison(judge_run(LEVEL2), judge_run(naive))
    found = [*find_differences(*films)]
    acted = find_first_other_act(*films)
    page.locator(".compared .jump").last.click()
    until(page, f"cookmas.player.t === {acted}")
    read = page.evaluate("differences(cookmas.player.films)")
    assert (read["first"], read["kind"], read["acted"]) == (*found[0], acted)
    assert [t for t, differs in enumerate(read["timesteps"]) if differs] == [t for t, _ in found]
    expect(page.locator("#scene .floor")).to_have_count(2)
    expect(page.locator("#moment .mark.differs").first).to_be_visible()
    same = opened([LEVEL2, LEVEL2])
    expect(same.locator(".compared")).to_contain_text("the same at every timestep")


def test_nothing_that_anybody_says_is_more_than_words(opened: Opened, nasty: Path) -> None:
    page = opened([nasty])
    for t in range(int(look(page, "player.length")) + 1):
        scrub(page, t)
        for tab in ("Planner calls", "Recipes", "Verdict"):
            page.get_by_role("tab", name=tab).click()
    assert page.evaluate("window.struck") is None
    assert page.locator("img").count() == 0
    assert page.evaluate(r"h('q', {}, 'no \u202esalt').textContent") == "no  salt"
    expect(page.locator("#goals q").first).to_have_text(NASTY)
    page.get_by_role("tab", name="Planner calls").click()
    expect(page.locator("#calls .plan").first).to_contain_text(NASTY)
    page.get_by_role("tab", name="Recipes").click()
    expect(page.locator("#texts .understood .bad").first).to_have_text(f"In doubt about {NASTY}")


def test_on_a_phone_nothing_hangs_over_the_side(opened: Opened, changing: Path) -> None:
    page = opened([changing], at="#t=20")
    page.set_viewport_size({"width": 390, "height": 844})
    for tab in ("Planner calls", "Verdict", "Recipes"):
        page.get_by_role("tab", name=tab).click()
        until(page, "document.documentElement.scrollWidth <= 390")


def test_light_and_dark_follow_the_system_and_the_button(opened: Opened) -> None:
    page = opened([LEVEL2])
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(paper)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(paper)
    assert light != dark
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(paper) == light


def test_a_screen_reader_finds_names_and_is_told_the_moment(opened: Opened) -> None:
    page = opened([LEVEL2])
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input, select, [role=img], [role=tabpanel]')]"
        ".filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length"
        " || e.getAttribute('aria-labelledby'))).map((e) => e.outerHTML)"
    )
    assert unnamed == []
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="Timestep 1.")).to_have_count(1)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "timestep 1 of 37")
    page.get_by_text("The same in words").click()
    expect(page.locator("#timeline-words tr").first).to_contain_text("worker 1")


def test_other_worlds_have_their_own_drawing(opened: Opened, tmp_path: Path) -> None:
    for name, planner, seen in (
        ("cuisineworld/level_3", "greedy", ".cells .cell"),
        ("corridor/two", "embedded", "table.corridor"),
    ):
        page = opened([played(tmp_path, name, planner)])
        for t in range(0, int(look(page, "player.length")) + 1, 4):
            scrub(page, t)
        expect(page.locator(f"#scene {seen}").first).to_be_visible()
        verdict = look(page, "film.verdict.goals")
        shown = look(page, "[...film.goals.values()].map((goal) => goal.history.at(-1)[1].tone)")
        tones = {"completed": "reached", "failed": "lost", "rung": "reached", "open": "open"}
        assert shown == [tones[goal["status"]] for goal in verdict]


def test_a_wish_that_was_broken_leads_to_what_was_done_to_the_food(
    opened: Opened, tmp_path: Path
) -> None:
    scenario = tmp_path / "burnt.yaml"
    scenario.write_text(
        "title: Burnt\nlevel: 1\nkitchen: small\nevents:\n"
        "  - {at: 0, kind: new_order, order: o1, lines: [{item: Buttered Toast}]}\n"
    )
    long = ["navigate(pantry)", "pick(bread)", "navigate(grill_1)", "place", "start"]
    long += ["wait"] * 9 + ["pick", "navigate(plating_1)", "place"]
    rest = ["navigate(plates)", "pick", "navigate(plating_1)", "place", "assemble", "pick"]
    schedule = tmp_path / "burnt_schedule.yaml"
    schedule.write_text(
        yaml.safe_dump(
            [{"worker_1": act} for act in [*long, *rest, "navigate(pass)", "serve(o1.1)"]]
        )
    )
    trace = played(tmp_path, str(scenario), str(schedule))
    wrong = {
        "name": "wrong", "subject": "o1.1", "passed": False, "at": 24,
        "evidence": "bread > grill 10",
    }  # fmt: skip
    page = opened([trace])
    found = page.evaluate(
        "(check) => { const film = cookmas.player.films[0];"
        " return film.adapter.decided(film, check); }",
        wrong,
    )
    assert found == {"t": long.index("pick", 2), "words": "worker 1 takes bread"}


def test_a_misread_line_leads_to_the_answer_that_first_read_it_so(opened: Opened) -> None:
    wrong = {
        "name": "reading", "subject": "o1.2", "passed": False, "at": 37,
        "evidence": "feta; (lemon + oil) > mix 1",
    }  # fmt: skip
    page = opened([LEVEL2])
    found = page.evaluate(
        "(check) => { const film = cookmas.player.films[0];"
        " const again = (plan, t) => film.calls.push({ t, plans: [{ ...plan, t }] });"
        " const [plan] = film.calls[0].plans;"
        " const other = { ...plan, understood: { 'o1.2': ['feta'] } };"
        " [[other, 3], [plan, 5], [plan, 9], [other, 38]].forEach((each) => again(...each));"
        " return film.adapter.decided(film, check); }",
        wrong,
    )
    assert found == {"t": 5, "words": "the planner understood it so"}


def test_a_fork_is_marked_and_shows_the_kitchen_that_stands(opened: Opened, tmp_path: Path) -> None:
    run, fork = tmp_path / "run", tmp_path / "fork"
    with ThreadPoolExecutor(1) as apart:
        apart.submit(cookmas.play, "level1/03", folder=run).result()
        apart.submit(cookmas.fork, run, 6, kitchen="large", folder=fork).result()
    page = opened([fork])
    expect(page.locator("header")).to_contain_text("branches off from run at timestep 6")
    new = page.locator("#scene .tile", has_text="board 4")
    expect(new).to_be_hidden()
    scrub(page, 6)
    expect(new).to_be_visible()
    expect(page.locator("#moment .happened")).to_contain_text("with counter_2, counter_3")
    scrub(page, 5)
    expect(new).to_be_hidden()


def test_what_is_out_of_view_is_there_when_it_comes_into_view(
    opened: Opened, changing: Path
) -> None:
    page = opened([changing])
    page.set_viewport_size({"width": 1000, "height": 400})
    page.locator("#timeline summary").click()
    page.evaluate("scrollTo(0, 0)")
    near = page.locator("#timeline-words")
    before = near.inner_text()
    scrub(page, 40)
    expect(near).not_to_have_text(before)
    page.locator("#timeline").scroll_into_view_if_needed()
    expect(near).to_contain_text("40")


def test_a_world_without_a_drawing_is_drawn_by_its_words(opened: Opened, tmp_path: Path) -> None:
    page = opened([played(tmp_path, "six", "random", SPEC)], world=SPEC)
    expect(page.get_by_role("heading", name="Bets")).to_be_visible()
    expect(page.get_by_role("tab", name="House rules")).to_be_visible()
    expect(page.locator("#moment .character")).to_contain_text("at the table, holds a cup")
    expect(page.locator("#goals .goal.open")).to_contain_text("who has more")
    expect(page.locator("#scene h3")).to_have_text("on the table")
    expect(page.locator("#scene dd.bad")).to_have_text("nothing")
    expect(page.locator("#calls")).to_contain_text("The first schedule: 1 timestep,")
    scrub(page, 2)
    expect(page.locator("#goals .goal.reached")).to_contain_text("on ")
    expect(page.locator("#moment .character")).to_contain_text("at the bar")
    expect(page.locator("#scene dd.bad")).not_to_have_text("nothing")


def test_a_goal_is_changed_only_before_it_is_closed(opened: Opened, tmp_path: Path) -> None:
    page = opened([played(tmp_path, "two", "embedded", UNDRAWN)], world=UNDRAWN)
    steps = [(90, "a", "open"), (97, "b", "open"), (106, "c", "reached"), (107, "d", "reached")]
    history = [
        [
            since,
            {"note": note, "tone": tone, "status": "packed", "what": "x", "due": None},
            since - 1,
        ]
        for since, note, tone in steps
    ]
    goal = json.dumps({"name": "job", "since": 90, "history": history})
    card = f"goalCard(film, {goal}, {json.dumps(history[-1][1])}, 110, null)"
    told = look(page, f"{card}.querySelector('.dates').textContent")
    assert told == "since 90, changed at 97, packed at 105"


def test_each_goal_of_a_world_without_a_drawing_is_reached_at_its_own_timestep(
    opened: Opened, tmp_path: Path
) -> None:
    path = played(tmp_path, "two", "embedded", UNDRAWN)
    rung = {
        command.action[len("ring(") : -1]: step.timestep
        for step in read_trace(path).of(StepRecord)
        for command in step.commands
        if command.action.startswith("ring(")
    }
    assert len(set(rung.values())) > 1
    page = opened([path], world=UNDRAWN)
    marks = look(page, "film.marks.filter((mark) => mark.kind === 'reached')")
    assert {mark["text"].split()[0]: mark["t"] for mark in marks} == rung
    assert len(marks) == len(rung)
    scrub(page, look(page, "film.length"))
    for name, t in rung.items():
        card = page.locator("#goals .goal.reached", has_text=name)
        expect(card.locator(".dates")).to_contain_text(re.compile(rf" at {t}$"))
