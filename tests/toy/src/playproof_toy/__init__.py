"""Machines with buttons: a small domain for Playproof, and an example of a plugin."""
