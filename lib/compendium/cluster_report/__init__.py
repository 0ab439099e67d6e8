"""A cluster's own report: one description, written as a page that opens from disk and as Markdown.

blocks      headings, paragraphs, lists, tables and pictures, of which a report is made
html        blocks as one page that needs nothing else
markdown    the same blocks as Markdown
pictures    drawings of a workload and of policies, from the arrays that they are given
numbers     percents, times and intervals, as a report shows them
workload    what a log is like, and what of it was left out, as blocks
policies    which policy, what is lost, how many servers, and why theory and replay part, as blocks
command     reads a log, asks the models, writes the report: the one place here that knows them
"""
