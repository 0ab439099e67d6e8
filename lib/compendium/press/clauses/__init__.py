"""What a claim says, clause by clause: text and truth together, and the finding that they make.

A clause says over which places something is claimed (`at_each`, `everywhere`, `somewhere`), of which `Points`, and by
which `Condition`; or it is a plain `fact`. `conclude` writes the sentence and gives the verdict, `misprint` those of a
formula that is wrong as printed.
"""

from compendium.press.clauses.conclusions import (
    aside,
    at_each,
    conclude,
    everywhere,
    fact,
    mended,
    misprint,
    somewhere,
)
from compendium.press.clauses.conditions import (
    agrees,
    at_least,
    at_most,
    between,
    equal,
    falls,
    larger,
    never_rises,
    rises,
    smaller,
    within,
)
from compendium.press.clauses.domains import cases, grid
from compendium.press.clauses.points import exact, measured, widened

__all__ = [
    "agrees", "aside", "at_each", "at_least", "at_most", "between", "cases", "conclude", "equal", "everywhere", "exact",
    "fact", "falls", "grid", "larger", "measured", "mended", "misprint", "never_rises", "rises", "smaller", "somewhere",
    "widened", "within",
]  # fmt: skip
