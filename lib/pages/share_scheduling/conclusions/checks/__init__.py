"""The claims of `thesis`, Chapter 7, by section."""
