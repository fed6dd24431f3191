"""What runs in the sandbox, beside an agent."""
