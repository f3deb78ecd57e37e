"""The example of the print shop reads orders in prose, and its machines make each file once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageSequence
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.workers.protocol import Assigned
from examples.print_shop import machines
from examples.print_shop.machines import Machine
from examples.print_shop.world import STAGES, read_order


@pytest.mark.parametrize("example", ["dispatch", "print_shop"])
def test_an_example_passes_the_check_of_worlds(example: str) -> None:
    checked = CliRunner().invoke(app, ["check", "--world", f"examples.{example}:DOMAIN"])
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("20 A5 flyers in red", (20, 5, "red")),
        ("Could you do a6 cards, Blue ink, 3 of them?", (3, 6, "blue")),
        ("500 sheets of A4.", (500, 4, "black")),
        ("1 A3 poster, black on black", (1, 3, "black")),
        ("0 A5 flyers", None),
        ("501 A5 flyers", None),
        ("20 A5 or A6 flyers", None),
        ("20 to 30 A5 flyers", None),
        ("2.5 A5 flyers", None),
        ("-3 A5 flyers", None),
        ("20 A7 flyers", None),
        ("20 A5 flyers, red or blue", None),
        ("A5 flyers", None),
    ],
)
def test_an_order_in_prose_is_read_or_refused(
    words: str, read: tuple[int, int, str] | None
) -> None:
    found = read_order(words)
    if read is None:
        assert isinstance(found, str)
    else:
        assert found == dict(zip(("copies", "size", "ink"), read, strict=True))


async def test_a_job_goes_through_the_machines_and_each_file_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "DRYING", 0.0)
    machine = Machine(tmp_path)
    job: dict[str, Any] = {"words": "3 A6", "copies": 3, "size": 6, "ink": "red", "file": ""}
    for timestep, (worker, stage) in enumerate(STAGES.items()):
        assignment = Assigned(f"{stage}(job1)", worker, timestep, "shop", 25, payload=dict(job))
        reports = [await machine.act(timestep, worker, assignment) for _ in range(2)]
        assert reports[0] == reports[1]
        assert reports[0].status == "done"
        job["file"] = reports[0].result["file"]
        if worker != "packer":
            with Image.open(tmp_path / job["file"]) as pages:
                assert len(list(ImageSequence.Iterator(pages))) == {"press": 2, "cutter": 3}[worker]
    assert (tmp_path / job["file"]).read_bytes().startswith(b"%PDF")
    assert len(list(tmp_path.iterdir())) == len(STAGES)
