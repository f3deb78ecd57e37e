"""Entry point of the command `cookmas`; it handles signals before it imports large modules."""

from __future__ import annotations

import os
import sys

from cookmas.commands.signals import code, heed


def open_closed_streams() -> None:
    """Open each standard stream that was closed, so that no file of a run gets its number.

    What is written to stderr is lost then. Standard output cannot be written, which is an error.
    The processes that this one starts inherit the streams, so the same holds in them.
    """
    for number, name, how in (
        (0, "stdin", os.O_RDONLY),
        (1, "stdout", os.O_RDONLY),
        (2, "stderr", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            there = os.open(os.devnull, how)
            if there != number:
                os.dup2(there, number)
                os.close(there)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))


def main() -> None:
    """Run the command line."""
    open_closed_streams()
    try:
        heed()
        from cookmas.commands.cli import main

        main()
    except KeyboardInterrupt as error:
        print("cookmas: interrupted before it started", file=sys.stderr)
        sys.exit(code(error))


if __name__ == "__main__":
    main()
