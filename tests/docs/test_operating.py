"""What the page on operating a kitchen has its reader write down is sound."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cookmas.display.live.metrics import AWAY, METRICS, STATE
from cookmas.status import STATES
from tests.cookmas.commands.calling import cookmas

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "operate-an-episode.md"
COMMAND = "/opt/cookmas/.venv/bin/cookmas"
FILES = dict(
    re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
)
UNITS = [name for name in FILES if name.endswith(".service")]


def test_the_page_has_its_files() -> None:
    assert UNITS == ["cookmas.service", "cookmas-live.service"]
    assert {"prometheus.yml", "alerts.yml"} < FILES.keys()


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_names_what_there_is(name: str) -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(FILES[name])
    assert unit.sections() == ["Unit", "Service", "Install"]
    command, *words = unit["Service"]["ExecStart"].split()
    assert command == COMMAND
    helped = cookmas(*words, "--help")
    assert (helped.exit_code, helped.stderr) == (0, "")


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_never_gives_up_while_a_database_is_away(name: str) -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(FILES[name])
    rules, service = unit["Unit"], unit["Service"]
    interval = float(rules.get("StartLimitIntervalSec", "10"))
    burst = int(rules.get("StartLimitBurst", "5"))
    assert service["Restart"] in ("on-failure", "always")
    prevented = service.get("RestartPreventExitStatus", "").split()
    assert "2" not in prevented, "a service that does not answer ends a kitchen with 2"
    starts: list[float] = []
    now = 0.0
    while now < 300:
        recent = [each for each in starts if now - each < interval]
        assert not interval or len(recent) < burst, f"systemd gives up after {now:.0f} s"
        starts.append(now)
        now += 0.5 + float(service["RestartSec"])


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_no_fault_in_a_unit(name: str, tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit).write_text(FILES[unit].replace(COMMAND, sys.executable))
    verify = ["systemd-analyze", "verify", "--man=no", "--generators=no", str(tmp_path / name)]
    verified = subprocess.run(verify, capture_output=True, check=False, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_alerts_are_about_metrics_and_states_that_there_are() -> None:
    [target] = yaml.safe_load(FILES["prometheus.yml"])["scrape_configs"]
    assert target["static_configs"] == [{"targets": ["127.0.0.1:8088"]}]
    assert "--port 8088" in FILES["cookmas-live.service"]
    [group] = yaml.safe_load(FILES["alerts.yml"])["groups"]
    asked = " ".join(rule["expr"] for rule in group["rules"])
    names = {metric.name for metric in METRICS} | {STATE, AWAY}
    assert set(re.findall(r"cookmas_\w+", asked)) <= names
    [states] = re.findall(r'state=~"([\w|]+)"', asked)
    assert set(states.split("|")) <= set(STATES)
