"""Planning ahead in Robotouille: searches for schedules, in any domain and in the kitchen."""
