"""How CookMAS plays and proves the worlds."""
