"""Sharing the capacity of computer clusters: models, exact answers, simulators, and the studies of the book."""
