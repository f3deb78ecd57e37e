"""When repeated attempts to reach something are given up."""

from __future__ import annotations

from tenacity import RetryCallState
from tenacity.stop import stop_base


class StopAfterPatience(stop_base):
    """Stop after `seconds`, but not before an attempt that began after them has failed too.

    A process that was paused finds that its patience is over, although it has tried nothing since.
    An instance is for one series of attempts; without patience a series has one attempt.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._over = seconds <= 0

    def __call__(self, retry_state: RetryCallState) -> bool:
        """Return whether the attempt that has failed was the last one."""
        last, passed = self._over, retry_state.seconds_since_start
        self._over = passed is not None and passed >= self._seconds
        return last
