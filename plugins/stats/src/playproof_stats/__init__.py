"""Playproof's statistics: how far judges and people agree, and how sure that is. numpy and scipy are loaded by its modules alone."""
