"""The agents: what each is started with, and how it says that it ended."""
