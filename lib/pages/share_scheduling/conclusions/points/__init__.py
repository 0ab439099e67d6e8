"""Stored points of `thesis`, Chapter 7: those of Chapter 5 beside random splitting, and very many processors."""
