"""Systems that the claims of Chapter 4 are tried on, most of them random.

instances    jobs and processors for a schedule, groups for MGPPS, and paths of arrivals and departures
streams      one stream for several processors: what one more job costs, and the best split by descents
mixes        several classes and processors: curvature of a cost, its interior minima
assignments  two groups and more: loads, routings and the best ones found
"""
