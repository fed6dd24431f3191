"""What the browser domains share: one box for Chromium and the file server, a virtual clock, observers."""
