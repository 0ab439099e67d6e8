"""What shares nothing with the library, for `thesis`, Chapters 1 and 2.

delivery         what can be delivered: by counting, by schedules that are played, by a program over (2.17)-(2.19)
placements       queues before several processors as chains, with and without migration
mean_deviations  the mean group-share deviation, state by state
workstations     a pool of workstations, event by event
static_routing   sites that share load by fixed probabilities, by marginal costs
product_form     networks of two centres, by their chain and as products
ledgers          what clients are owed, in real time
fluids           fluids and traces of packets, for fair queueing
"""
