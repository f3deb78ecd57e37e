"""Prompts: files a person can read and change, and how an observation is put into them."""
