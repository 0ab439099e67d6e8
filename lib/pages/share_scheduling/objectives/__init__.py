"""`thesis`, Chapters 1 and 2: what is shared, and which shares can be promised and delivered.

systems        the text's examples, systems and states at random, as arguments of the models
points         round robins on one processor, stored with their page
printed        numbers of the text's examples, held against what is computed
library        all that the library answers on these models, held against counts and chains
witnesses      what shares nothing with the library: schedules that are played, chains, fluids, ledgers
figures        drawings of execution traces: Figures 2.1, 2.2, 2.3, 2.4, 2.5
diagrams       drawings of systems and trees: Figures 1.1, 1.2, 1.3, 1.4, 2.6
complications  the four cases of Figure 2.6 and Table 2.1, searched for in small systems
queues         small queueing systems by formulas and chains, for these chapters and 4 to 6
paths          small systems step by step, for these chapters and 4
checks         the claims, one file per section
"""

# What these chapters define, of one processor and of several, the library answers on models that are asked there.
RESTS_ON = (
    "pages.share_scheduling.objectives", "pages.share_scheduling.one_processor", "pages.share_scheduling.central",
    "pages.share_scheduling.splitting",
)  # fmt: skip
