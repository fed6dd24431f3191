"""What judges, and what it asks: model endpoints, the judges that all domains share, and people."""
