"""Browser games: a session that plays them, the runtime that opens it, and static checks of their files."""
