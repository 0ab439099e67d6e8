"""What shares nothing with the library: the system in words, its paths, counts, a single queue, every number tried."""
