"""How CookMAS plays and proves corridor."""
