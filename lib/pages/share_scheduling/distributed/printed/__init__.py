"""What `thesis`, Chapter 6, prints, in plain Python.

rules    the rules of Section 6.5 with partial information
probing  who is asked, written down from Section 6.4.3
sizes    the Pareto law as printed and as corrected, and integrals over it
"""
