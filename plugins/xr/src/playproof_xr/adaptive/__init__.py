"""A model that plays an XR app: what it is shown, what it can do, and the driver that makes an actor of it."""
