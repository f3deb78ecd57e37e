"""Why a goal was lost: which decisions cost something, and which of them, taken back, save it."""
