"""How CookMAS plays and proves restaurant."""
