"""The corridor's words and drawing, on the page of a run and in the terminal."""
