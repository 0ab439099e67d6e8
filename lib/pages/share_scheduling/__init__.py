"""Share scheduling in distributed systems (`thesis`).

objectives     Chapters 1 and 2: what is shared, and which shares can be promised and delivered
one_processor  Chapter 3: seven policies on one processor
splitting      Chapter 4: many processors
central        Chapter 5: one scheduler that knows everything
simulation     Appendix A: random numbers, and intervals from simulations
"""
