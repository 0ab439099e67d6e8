"""Speed as ratios of things timed in turn in one run, a file for each model: ``python -m benchmarks``, or `make bench`.

Absolute times drift on shared machines; a ratio of things timed side by side does not. Nothing here
tests a result.
"""
