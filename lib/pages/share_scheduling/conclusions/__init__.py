"""`thesis`, Chapter 7: its conclusions, each held against all that the other chapters computed.

compared   the stored points of Section 5.6 and 5.7 beside random splitting, without migration and with it
very_many  stored points on up to 500 processors, and shares in whole processors
placement  where to put a job so that the least capacity is lost, by policy iteration
in_turn    jobs that are dealt in turn: the law of their number, and shares of groups
figures    the drawing of the page
checks     the claims, by section; some still by topic
"""
