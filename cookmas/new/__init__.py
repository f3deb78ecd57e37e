"""Beginnings: the files from which a person makes something of their own."""
