"""Sampling: how a model draws its answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model draws its answers; None leaves it to the endpoint."""

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
