"""Time as it was recorded, and what can be demanded of it."""
