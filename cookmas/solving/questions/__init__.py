"""How CookMAS plays and proves questions."""
