"""The one way from an agent to a model: a reverse proxy that counts, bounds and records."""
