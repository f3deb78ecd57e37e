"""Seats of people: who plays a worker (`people`), and who plans (`orchestrating`)."""
