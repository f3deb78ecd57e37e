"""The page that shows runs: what it is fed, and how it is put together."""
