"""Coding agents under test that core itself can run."""
