"""What a claim says, clause by clause: text and truth together, and the finding that they make.

A clause says over which places something is claimed (`at_each`, `everywhere`, `somewhere`), of which points (`exact`,
`measured`, what a domain measures), and by which conditions (`compendium.press.clauses.conditions`); or it is a plain
`fact`. `conclude` writes the sentence and gives the verdict, `misprint` those of a formula that is wrong as printed.
"""

from compendium.press.clauses.conclusions import (
    aside,
    at_each,
    besides,
    conclude,
    equalities,
    everywhere,
    fact,
    mended,
    misprint,
    mostly,
    none,
    somewhere,
)
from compendium.press.clauses.domains import cases, grid
from compendium.press.clauses.points import exact, measured, widened

__all__ = [
    "aside", "at_each", "besides", "cases", "conclude", "equalities", "everywhere", "exact", "fact", "grid", "measured",
    "mended", "misprint", "mostly", "none", "somewhere", "widened",
]  # fmt: skip
