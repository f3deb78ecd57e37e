"""Fixtures of the tests of suites of questions."""

from __future__ import annotations

from tests.worlds.questions.conftest import few_states

__all__ = ["few_states"]
