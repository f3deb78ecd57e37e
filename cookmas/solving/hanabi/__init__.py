"""How CookMAS plays and proves hanabi."""
