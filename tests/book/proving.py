"""Which kept proofs of pages and of looks a run of the tests makes again, and writing down those that are new.

$COMPENDIUM_PROVE says which: "sample" (those that are not current, and one in twenty of the others), "stale" (those
that are not current) or "all"; the last two keep what they prove in ``data/proofs``. $COMPENDIUM_SEED draws the sample.
"""

import os
import random

_told = []  # what the test that runs proves and nobody keeps

SHARE = 20  # one in so many is proven again


def begin(mode):
    """For this process and its workers: the mode, and a seed unless one is given."""
    os.environ["COMPENDIUM_PROVE"] = mode
    os.environ.setdefault("COMPENDIUM_SEED", str(random.SystemRandom().randrange(2**32)))


def seed():
    return int(os.environ["COMPENDIUM_SEED"])


def keeps():
    """Whether what is proven is written down."""
    return os.environ["COMPENDIUM_PROVE"] != "sample"


def again(name):
    """Whether what is proven already is proven again in this run; by name, so that all workers agree."""
    mode = os.environ["COMPENDIUM_PROVE"]
    return mode == "all" or mode == "sample" and random.Random(f"{seed()} {name}").random() < 1 / SHARE


def tell(name):
    """Let the summary say that something is proven in each run until it is kept."""
    if not keeps():
        _told.append(name)


def told():
    """What was told since this was asked last."""
    found = _told.copy()
    _told.clear()
    return found
