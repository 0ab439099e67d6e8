"""`thesis`, Chapter 7: its conclusions, each held against all that the other chapters computed.

points     stored points of Chapter 5 beside random splitting, and on up to 500 processors
witnesses  the best placement by policy iteration, and jobs that are dealt in turn, by their chain
figures    the drawing of the page
checks     the claims, one file per section
"""

RESTS_ON = (
    "pages.share_scheduling.one_processor", "pages.share_scheduling.splitting", "pages.share_scheduling.central",
    "pages.share_scheduling.distributed",
)  # fmt: skip
