"""For task authors: the loop of writing checks, and the proof that they tell good from bad. Nothing else in core imports this."""
