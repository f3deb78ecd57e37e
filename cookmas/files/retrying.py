"""Repeated attempts to use something that may be away, such as a server or a locked file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")


class Patience:
    """Repeats a call that fails because of what is away, for `seconds`; without them, never.

    `may_pass` says whether an error means that. `tell` is called with the error when the waiting
    begins, once until a call succeeds. The pause between two attempts doubles, from `first` seconds
    up to `most`.
    """

    def __init__(
        self,
        seconds: float,
        may_pass: Callable[[Exception], bool],
        tell: Callable[[Exception], object] | None = None,
        *,
        first: float,
        most: float,
    ) -> None:
        self._seconds = seconds
        self._may_pass = may_pass
        self._tell = tell
        self._told = False
        self._first = first
        self._most = most

    async def attempt(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what the call returns, or raise the error of the last attempt.

        The last attempt begins after the seconds are over: a process that was paused finds that
        they are over, although it has tried nothing since.
        """
        from tenacity import AsyncRetrying, retry_if_exception, wait_exponential

        over = self._seconds <= 0

        def was_last(state: RetryCallState) -> bool:
            nonlocal over
            last, passed = over, state.seconds_since_start
            over = passed is not None and passed >= self._seconds
            return last

        def may_pass(error: BaseException) -> bool:
            return isinstance(error, Exception) and self._may_pass(error)

        attempts = AsyncRetrying(
            stop=was_last,
            wait=wait_exponential(multiplier=self._first, max=self._most),
            retry=retry_if_exception(may_pass),
            before_sleep=self._begin_waiting,
            reraise=True,
        )
        async for attempt in attempts:
            with attempt:
                answer = await call()
                self._told = False
                return answer
        raise AssertionError("the last attempt raises")

    def _begin_waiting(self, state: RetryCallState) -> None:
        error = state.outcome and state.outcome.exception()
        if self._tell and not self._told and isinstance(error, Exception):
            self._tell(error)
        self._told = True
