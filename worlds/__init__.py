"""The worlds: what each brings beyond its rules, and the domain protocol that binds it."""
