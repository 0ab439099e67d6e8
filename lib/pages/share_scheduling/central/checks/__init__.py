"""Claims of `thesis`, Chapter 5."""
