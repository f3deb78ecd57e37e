from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.worlds.cuisineworld.slow_engine import SlowEngine


@pytest.fixture(scope="session")
def slow_engine() -> type[SlowEngine]:
    """The class of the second engine."""
    path = Path(__file__).with_name("slow_engine.py")
    spec = importlib.util.spec_from_file_location("slow_engine", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[SlowEngine] = module.SlowEngine
    return found
