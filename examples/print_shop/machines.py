"""The machines: each does one stage of a job with Pillow, once for each assignment."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor, ImageDraw

from cookmas.workers.protocol import Assigned, Report

FOLDER = Path("printed")
"""The folder of what the machines make, below the folder in which they were started."""

DOTS = 300
"""Width of a sheet of two A6 pages in dots."""

DRYING = 0.05
"""Seconds that a printed copy has to dry."""


class Machine:
    """A machine. It has no memory but its files, so it can be stopped at any moment."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Do the stage that is assigned, unless its file is there already; report the file."""
        if assignment == "wait":
            return Report.done()
        made = self._folder / file_of(assignment)
        if not made.exists():
            self._folder.mkdir(exist_ok=True)
            draft = made.with_name(f"draft-{worker}{made.suffix}")
            job = assignment.payload
            await asyncio.to_thread(WORK[worker], job, self._folder / str(job["file"]), draft)
            await asyncio.sleep(DRYING * int(job["copies"]))
            draft.rename(made)
        digest = hashlib.sha256(made.read_bytes()).hexdigest()[:12]
        return Report.done(result={"file": made.name, "sha256": digest})


def file_of(assignment: Assigned) -> str:
    """Return the name of the file that an assignment makes."""
    name = assignment.id.replace("/", "-")
    return f"{name}.{'pdf' if assignment.startswith('pack(') else 'tiff'}"


def print_sheets(job: Mapping[str, Any], before: Path, to: Path) -> None:
    """Draw a sheet with two pages for each two copies."""
    dots, copies = DOTS * 2 ** (6 - int(job["size"])), int(job["copies"])
    width, height = dots // 2, dots * 7 // 10
    ink = ImageColor.getrgb(str(job["ink"]))
    sheets = []
    for number in range(0, copies, 2):
        sheet = Image.new("RGB", (width * 2, height), "white")
        draw = ImageDraw.Draw(sheet)
        for copy in range(number, min(number + 2, copies)):
            left = width * (copy - number)
            draw.rectangle((left + 4, 4, left + width - 4, height - 4), outline=ink, width=3)
            draw.multiline_text((left + 12, 12), f"{copy + 1}\n{job['words'][:60]}", fill=ink)
        sheets.append(sheet)
    sheets[0].save(to, save_all=True, append_images=sheets[1:], compression="tiff_deflate")


def cut_pages(job: Mapping[str, Any], before: Path, to: Path) -> None:
    """Cut each sheet into its two pages."""
    pages = []
    with Image.open(before) as sheets:
        for number in range(int(job["copies"])):
            sheets.seek(number // 2)
            width = sheets.width // 2
            left = width * (number % 2)
            pages.append(sheets.crop((left, 0, left + width, sheets.height)))
    pages[0].save(to, save_all=True, append_images=pages[1:], compression="tiff_deflate")


def pack_pages(job: Mapping[str, Any], before: Path, to: Path) -> None:
    """Make a PDF of the pages."""
    with Image.open(before) as pages:
        pages.save(to, save_all=True)


WORK = {"press": print_sheets, "cutter": cut_pages, "packer": pack_pages}
"""The work of each machine. It makes a file from the file of the stage before."""
