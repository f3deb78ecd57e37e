"""The voice of Hanabi: what a player sees, with or without what follows from it, and its agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.answers import Pad
from cookmas.orchestrator.dialogue.prompting import CAC, CHOOSING, Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.worlds.base.voice import WorldVoice, list_forms
from cookmas.worlds.hanabi.rules import UNSEEN, Marks
from cookmas.worlds.hanabi.words import COLOURS, describe_told, list_counted, list_words
from cookmas.worlds.hanabi.world import HanabiWorld, Table, marks_of

_WATSON = replace(CHOOSING, hints=False, words=False, deductions=False, memory=0)


class HanabiVoice(WorldVoice):
    """The voice of a player. `deduces` says whether it shows what follows from the clues."""

    prompts = Path(__file__).with_name("prompts")
    counted: Mapping[str, Any] = {"deck": UNSEEN}
    presets: Mapping[str, Prompting] = {
        "default": replace(CHOOSING, memory=0),
        "cac-without-tom": replace(CAC, theory_of_mind=False),
        "cac-without-verification": replace(CAC, verify=0),
        "cac-without-both": replace(CAC, theory_of_mind=False, verify=0),
        "watson": _WATSON,
        "sherlock": replace(CHOOSING, guided=True, memory=0),
        "mycroft": replace(_WATSON, hints=True, scratch_pad=True),
    }
    """The usual agent chooses one move at a time. CAC is there without each of its further models
    (arXiv 2310.03903v2, Table 3). The others are the scaffolds of arXiv 2601.18077: what was
    observed alone; all deductions and a guide; no deductions, but a scratch pad."""

    def __init__(self, *, deduces: bool = True) -> None:
        self._deduces = deduces
        self.hidden = ("past",) if deduces else ("past", "recent")

    def without_deductions(self) -> HanabiVoice:
        """Return a voice that shows what clues named, not what they leave possible."""
        return HanabiVoice(deduces=False)

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules, the moves, and what the prompt says of the blocks."""
        assert isinstance(world, HanabiWorld)
        deduced = templates.fill("given_deduced")
        letters = [f"{letter} ({COLOURS[letter]})" for letter in world.game.colours]
        return {
            "rules": world.about,
            "library": list_forms(world.actions),
            "letters": list_words(letters),
            "given_deduced": f"\n  {deduced}" if self._deduces else "",
        }

    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three moves: a play, a discard and a clue."""
        moves = ("play(1)", "discard(2)", f"clue({world.workers[-1]},1)")
        return [[move] * len(world.workers) for move in moves]

    def tell_state(self, world: World, state: Table) -> dict[str, Any]:
        """Return what is seen, with an entry for each card of a hand.

        The last moves tell more than the clues that they gave, so they are hidden without
        deductions. No other block tells of the hands.
        """
        assert isinstance(world, HanabiWorld)
        hands = {name: self._describe(world, state, name) for name in world.workers}
        return {**super().tell_state(world, state), "hands": hands}

    def read_state(self, world: World, told: Mapping[str, Any]) -> Table:
        """Return what a player sees, without past moves.

        Without deductions a clue tells only of the cards at which it pointed.
        """
        assert isinstance(world, HanabiWorld)
        hands = {
            name: [_read_card(world, entry) for entry in hand]
            for name, hand in told["hands"].items()
        }
        return super().read_state(world, {"recent": [], **told, "hands": hands})

    def _describe(self, world: HanabiWorld, state: Table, name: str) -> list[dict[str, Any]]:
        """Return an entry for each card of a hand, the oldest first."""
        entries: list[dict[str, Any]] = []
        for slot, card in enumerate(state["hands"][name], 1):
            marks = marks_of(card)
            entries.append({"slot": slot, "card": card["card"], "told": describe_told(marks)})
            if self._deduces:
                entries[-1]["can"] = f"{marks.colours} {marks.ranks}"
        if self._deduces:
            counted = list_counted(world.game, world.position(state), world.workers, name)
            for entry, kinds in zip(entries, counted, strict=True):
                entry |= {"counted": kinds} if kinds else {}
        return entries

    def pad(self, world: World) -> Pad:
        """Return the form of a scratch pad: a text for each slot of each player, and the plan."""
        assert isinstance(world, HanabiWorld)
        slots = [f"slot {slot}" for slot in range(1, world.game.hand + 1)]
        beliefs = {name: dict.fromkeys(slots, "...") for name in world.workers}
        return {**beliefs, "plan": "..."}


VOICE = HanabiVoice()


def _read_card(world: HanabiWorld, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card of a hand with its marks."""
    letters = {word: letter for letter, word in COLOURS.items()}
    told = entry["told"].split()
    named = next((letters[word] for word in told if word in letters), "")
    rank = next((word for word in told if word not in letters), "")
    left = (named or world.game.colours, rank or world.game.digits)
    colours, ranks = entry["can"].split(" ") if "can" in entry else left
    marks = Marks(colours, ranks, bool(named), bool(rank))
    return {"card": entry["card"], **marks._asdict()}
