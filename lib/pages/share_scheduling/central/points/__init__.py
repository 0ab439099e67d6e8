"""Stored points with their intervals, and exact answers at the same places."""
