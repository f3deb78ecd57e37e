"""The page as one file. It has its scripts, styles and data in itself, and fetches nothing else.

Text from outside enters the file in two places only: the data as base64, which has no character
with a meaning in HTML, and the title, escaped. The scripts insert data as text, never as HTML
(`assets/dom.js`), and the page's own policy lets no other script run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from cookmas.display.page.feed import Entry
from cookmas.episodes.secrets import Secrets, harmless, hide, secrets_of
from cookmas.files.lines import cut_folders
from cookmas.worlds.base.viewing import Viewing

ASSETS = Path(__file__).parent / "assets"

SCRIPTS = (
    "dom.js",
    "data.js",
    "film.js",
    "schedule.js",
    "player.js",
    "worlds.js",
    "marks.js",
    "strip.js",
    "timeline.js",
    "scene.js",
    "moment.js",
    "goals.js",
    "calls.js",
    "verdict.js",
    "texts.js",
    "compare.js",
    "controls.js",
    "live.js",
    "keys.js",
    "talk.js",
    "seat.js",
    "orchestrating.js",
    "page.js",
)
"""The page's own scripts in order. The scripts of the worlds are inserted before the last one."""

_REASON = re.compile(r'"(?:why|gave_up|refused|evidence)":"(?:[^"\\]|\\.)*"')
"""Matches a field of an entry that may have the text of an error."""

NO_SERVER: Mapping[str, Any] = {}


def lines_of(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield each entry as one line of JSON, as `line_of` returns it."""
    secrets = secrets_of(os.environ)
    return (line_of(entry, secrets) for entry in entries)


def line_of(entry: Entry, secrets: Secrets | None = None) -> str:
    """Return an entry as one line of JSON.

    A reason in it names no folder of this machine, and no text has one of the `secrets`, by default
    those of this process.
    """
    secrets = secrets_of(os.environ) if secrets is None else secrets
    line = _dump(entry)
    if hide(line, secrets) != line:
        line = _dump(harmless(json.loads(line), secrets))
    return _REASON.sub(lambda found: cut_folders(found[0]), line)


def _dump(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def document(
    title: str,
    viewings: Sequence[Viewing],
    films: Sequence[Iterable[Entry]] = (),
    server: Mapping[str, Any] = NO_SERVER,
) -> str:
    """Return the page as HTML, with the entries of up to two runs (`films`).

    `viewings` have the words and drawings of the worlds of the runs. `server` lists what the page's
    server offers; it is empty if the page has no server.
    """
    parts = list(dict.fromkeys(path for viewing in viewings for path in viewing.page))
    scripts = [ASSETS / name for name in SCRIPTS]
    scripts[-1:-1] = [path for path in parts if path.suffix == ".js"]
    styles = [ASSETS / "page.css", *(path for path in parts if path.suffix == ".css")]
    script = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    template = Template((ASSETS / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(title),
        policy=policy(f"'sha256-{hashed}'", "'self'" if server else "'none'"),
        style="\n".join(path.read_text(encoding="utf-8") for path in styles),
        data="\n".join(map(_data, films)),
        server=base64.b64encode(json.dumps(dict(server)).encode()).decode(),
        script=script,
    )


def policy(scripts: str = "'none'", connects: str = "'none'") -> str:
    """Return the Content-Security-Policy of a page: the `scripts` that it may run, and the servers
    to which it `connects`.
    """
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; "
        f"img-src data:; connect-src {connects}; base-uri 'none'; form-action 'none'"
    )


def _data(film: Iterable[Entry]) -> str:
    lines = "".join(f"{line}\n" for line in lines_of(film))
    packed = gzip.compress(lines.encode(), compresslevel=6, mtime=0)
    text = base64.b64encode(packed).decode()
    return f'<script type="application/gzip" class="film">{text}</script>'
