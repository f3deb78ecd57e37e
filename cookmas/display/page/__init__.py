"""The page that shows runs: its data, and the file that it is."""
