"""Claims of `thesis`, Chapter 4."""
