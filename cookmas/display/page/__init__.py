"""The web page that shows runs: its data, and how its file is put together."""
