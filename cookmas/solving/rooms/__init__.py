"""How CookMAS plays and proves rooms."""
