"""`thesis`, Chapter 6: processors that each decide with what they know of some others.

printed_rules    the rules of Section 6.5 in plain Python, for what a processor knows: a witness
printed_probing  who is probed and where jobs arrive, by the words: laws in fractions
printed_parts    what a path is made of: its system, jobs, messages, probings, and the record of what happens
printed_network  a plain event loop of the whole chapter, one object for each job and each message
"""
