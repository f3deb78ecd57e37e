"""CuisineWorld (MindAgent): a kitchen without collisions, whose orders keep coming and expire.

A level is a kitchen with its dishes. The book (`tasks/book.yaml`) has all shipped levels and
recipes. A run has three episodes, whose orders one random generator draws.
"""
