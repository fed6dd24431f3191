"""Model endpoints, one module for each provider, and two that need none: cassettes and scripts."""
