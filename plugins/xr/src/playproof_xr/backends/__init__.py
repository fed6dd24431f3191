"""What carries a body's state into an app: one module for each way of emulating a headset."""
