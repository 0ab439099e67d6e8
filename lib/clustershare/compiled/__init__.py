"""Compiled parts that the kernels share, and how kernels are compiled.

`jit` compiles and keeps, with `parts` only once; `interrupts` lets Ctrl-C through; `choice`, `laws`, `heaps` and
`service` are what event loops have in common; `encoding` is the plain Python that turns job sizes into what `laws.draw`
takes, once `arguments` has looked at them. A file that contains kernels imports nothing else of this library, so that a
digest of this folder, beside the file itself, tells all that its compiled code depends on.
"""
