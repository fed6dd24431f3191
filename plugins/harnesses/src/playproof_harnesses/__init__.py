"""Real coding agents, contained and metered."""
