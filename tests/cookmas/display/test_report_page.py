"""The page of a report in a browser: it has its styles and plots, and no script runs in it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from cookmas.studies.report.rendering import as_html
from cookmas.studies.report.report import Plot, Section
from cookmas.studies.report.tables import Table
from tests.cookmas.display.conftest import NASTY, Chromium


def test_a_report_runs_no_script_and_fetches_nothing(
    page: Page, chromium: Chromium, tmp_path: Path
) -> None:
    plot = Plot(
        title="p",
        svg='<svg xmlns="http://www.w3.org/2000/svg"><style>path{fill:none}</style>'
        '<image href="http://127.0.0.1:1/a.png"/><script>window.struck = 1</script></svg>' + NASTY,
    )
    table = Table(title="Measures", columns=("arm", "mean"), rows=[("one", "1")])
    file = tmp_path / "report.html"
    file.write_text(as_html([Section(title="t", tables=[table], plots=[plot])], "t", tmp_path))
    page.goto(file.as_uri())
    assert page.evaluate("window.struck") is None
    assert page.evaluate("getComputedStyle(document.querySelector('td')).paddingLeft") != "0px"
    assert sum("Content Security Policy" in each for each in chromium.errors) >= 3
    chromium.errors.clear()
