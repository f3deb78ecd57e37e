"""The worlds that CookMAS plays in besides the restaurant: a folder each."""
