"""What an agent may be given to work with in Blender: tools over MCP, the command `blender-run`, and an account of what was used."""
