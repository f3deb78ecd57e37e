"""Display: a run on the page, in the terminal, and while it is played."""
