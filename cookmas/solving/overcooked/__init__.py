"""How CookMAS plays and proves overcooked."""
