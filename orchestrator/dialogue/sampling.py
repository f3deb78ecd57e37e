"""Sampling: how a model draws its answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The sampling parameters of a request; None leaves one to the endpoint."""

    temperature: float | None = None
    """The temperature."""
    max_tokens: int | None = None
    """Greatest number of tokens of an answer."""
    seed: int | None = None
    """The seed."""
