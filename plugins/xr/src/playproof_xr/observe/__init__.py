"""What is seen of a session, as evidence and as values that a check can ask."""
