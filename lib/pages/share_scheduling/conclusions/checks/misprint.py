"""Claim of `thesis`, Section 7.1, item 6: a word that cannot be meant."""

import inspect
import re

from clustershare.dispatch import kernel
from compendium.press.findings import check, erratum


@check("thesis-7-012", printed="job")
def what_arrives(printed="processor"):
    """What the library's event loop places when it arrives; the control takes the word that is right."""
    (word,) = re.findall(r"arriving (\w+)", inspect.getdoc(kernel.place))
    return erratum(f"what arrives and is placed is a {word}", word == printed, word == "job")
