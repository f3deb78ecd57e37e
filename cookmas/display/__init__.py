"""The display of runs: on the page, in the terminal, and live while a run is played."""
