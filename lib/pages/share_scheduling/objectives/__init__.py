"""`thesis`, Chapters 1 and 2: what is shared, and which shares can be promised and delivered.

systems        the example of Sections 2.2 and 2.4, and systems and states at random
complications  the four cases of Figure 2.6 and Table 2.1, searched for in small systems
placements     queues before several processors as chains, with and without migration
printed        numbers of the text's examples, held against what is computed
witnesses      what can be delivered: by counting, by schedules that are played, and by a program over (2.17)-(2.19)
paths          small systems step by step, for the claims of Chapter 1
fluids         fluids and traces of packets: witnesses for fair queueing
queues         small queueing systems by formulas and chains, for the claims of Chapter 1
product_form   networks of two centres, by their chain and as products
static_routing  sites that share load by fixed probabilities, by marginal costs
quanta         round robins on one processor, stored with their page
figures        drawings of execution traces: Figures 2.1, 2.2, 2.3, 2.4, 2.5
diagrams       drawings of systems and trees: Figures 1.1, 1.2, 1.3, 1.4, 2.6
checks         the claims: of Chapter 1, of Sections 2.1, 2.2 (objectives), 2.3 (basic_policies, delivery), 2.4
               (promises, delivery, four_cases, deviations) and 2.5 (capacity_loss)
"""
