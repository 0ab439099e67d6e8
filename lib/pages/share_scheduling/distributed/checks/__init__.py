"""The claims of `thesis`, Chapter 6, by topic."""
