"""What shares nothing with the library.

lines            the queue of Section 2 in its words: all short lines of jobs, server by server
numbers          laws of the numbers of jobs: by chains, over the lattice, by the mass of the lines
networks         queues whose sizes have two phases
paths            the cluster in its words, event by event
drawn_servers    which servers the simulator of Figures 3 and 4 draws
"""
