"""XR apps for Playproof: a head and two hands in a room, in a real browser."""
