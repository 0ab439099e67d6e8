"""What the answers for all policies are held against.

simulated  simulated points beside formulas and chains
outside    the systems that two public packages are asked about, and a computation that decides
features   what can be asked of this library, shown by asking
"""
