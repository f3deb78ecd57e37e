"""Entry point of `python -m cookmas`."""

from __future__ import annotations

from cookmas.commands.start import main

if __name__ == "__main__":
    main()
