"""What the page "Your own cluster" uses.

log         four weeks of a cluster that nobody owns, made by a published model and kept as a log
answers     comparisons of policies as tables
returns     a group that comes back after an absence: by formula, and replayed
calculator  the points behind the calculator, and what is read between them
figures     its drawings
"""
