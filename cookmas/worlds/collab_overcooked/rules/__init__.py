"""The rules: the state, what is legal, and one pure step."""
