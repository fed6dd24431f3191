"""Playproof: does what a coding agent built hold, requirement by requirement? Importing this does nothing."""
