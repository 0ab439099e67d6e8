"""What answers the questions of `thesis`, Chapter 6, once more.

event_loop       the system of Sections 6.2 to 6.4: a plain event loop, customer by customer
servers          its processors with their jobs, and what is measured there
parts            its settings, jobs and messages, and what is recorded
recorded         recorded paths of that event loop
followed         the library beside such a path, on the same random numbers
views            views and tapes of the library beside the plain rules
small_states     every state of two and three processors, and every set that one of them may know
alone            no information: random splitting, the plain loop, queues with two owners
network_alone    the network by itself, and M/G/1 with processor sharing
threshold        very many processors and a threshold: the policies that Section 6.6 tells of, as fixed points
threshold_paths  paths of finitely many such processors
very_many        infinitely many processors under JSQ: a fixed point
"""
