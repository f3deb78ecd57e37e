"""Entry point of the command `cookmas`; it handles signals before it imports large modules."""

from __future__ import annotations

import sys

from cookmas.commands.signals import code, heed


def main() -> None:
    """Run the command line."""
    try:
        heed()
        from cookmas.commands.cli import main

        main()
    except KeyboardInterrupt as error:
        print("cookmas: interrupted before it started", file=sys.stderr)
        sys.exit(code(error))


if __name__ == "__main__":
    main()
