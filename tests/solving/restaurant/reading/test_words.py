import shutil
from pathlib import Path

import pytest

from benchmarks.inflections import inflections
from cookmas.solving.restaurant.reading import words
from cookmas.solving.restaurant.reading.words import FOLDER, WordSense, lexicon_of


def test_the_kept_inflections_are_what_lemminflect_says_of_the_words() -> None:
    assert (FOLDER / "inflections.json").read_text(encoding="utf-8") == inflections()


def test_a_word_that_is_not_kept_is_inflected_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "words"
    shutil.copytree(FOLDER, own)
    verbs = (own / "verbs.yaml").read_text(encoding="utf-8")
    (own / "verbs.yaml").write_text(verbs.replace("[grate, shred]", "[grate, shred, spiralize]"))
    monkeypatch.setattr(words, "FOLDER", own)
    lexicon = lexicon_of.__wrapped__(frozenset({"kumquat"}))
    assert lexicon.at(["kumquats"], 0) == (1, [WordSense("food", "kumquat")])
    assert lexicon.at(["spiralizing"], 0) == (1, [WordSense("process", "grate", "ing")])
