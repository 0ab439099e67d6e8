"""Global policies, one file each: where an arriving job is placed, and which job migrates when one departs.

A policy is a named tuple of its parameters. Its class holds compiled functions: `place` returns the processor for a
job of a group; `rebalance` is called after a departure if the policy migrates; `resettle`, where there is one, after an
arrival was placed. `by_group` says whether the policy asks for orders by group. `readings` are other readings of the
rules; `partial_readings` those that matter only where not all processors are known. Rules say which of the source's
rules it was that decided (`took`).
"""
