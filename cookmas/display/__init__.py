"""The display of runs: as a web page, in the terminal, and live while a run is played."""
