"""The claims that compare the sources, and those that carry their conclusions elsewhere."""
