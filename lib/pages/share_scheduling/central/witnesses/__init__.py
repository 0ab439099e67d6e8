"""What shares nothing with the library: chains, paths, all states; and its own rules, asked state by state."""
