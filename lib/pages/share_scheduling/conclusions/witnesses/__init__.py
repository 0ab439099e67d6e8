"""What shares nothing with the library, for `thesis`, Chapter 7: the best placement, and jobs dealt in turn."""
