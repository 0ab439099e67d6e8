"""Claims of `thesis`, Section 2.4.1: Table 2.1, where the four cases can arise."""

import itertools

import numpy as np

from compendium.press.clauses import cases, everywhere, grid, mended
from compendium.press.findings import check
from pages.share_scheduling.objectives import complications
from pages.share_scheduling.objectives.systems import random_capacities, random_jobs, twentieths
from pages.share_scheduling.objectives.witnesses.delivery import cases_in

COLUMNS = {**dict.fromkeys(complications.ARCHITECTURES, (2, 3, 4)), "P = 1": (1,)}  # processors
KNOWN = {(3, "no migration, hom.", 2, P) for P in (2, 3, 4)}  # three groups are needed


def printed_cell(case, column, groups, processors):
    """Whether Table 2.1 as printed has a mark for so many groups and processors."""
    migrating = column in ("P = 1", "migration, hom.", "migration, het.")
    return {
        1: True, 2: "het." in column and groups > 1 and processors > 2, 3: not migrating and groups > 1,
        4: not migrating,
    }[case]  # fmt: skip


def found_in_table(migration):
    """The cells of Table 2.1 for which a system was found: case, column, groups and processors.

    In each column a search of 1500 systems ends when all that is printed there is found, if it is so after 170.
    """
    rng, found = np.random.default_rng(37), set()
    for homogeneous, fixed in itertools.product((True, False), repeat=2):
        for P, G in itertools.product((1, 2, 3, 4), repeat=2):
            name = "P = 1" if P == 1 else f"{'no ' * fixed}migration, {'hom.' if homogeneous else 'het.'}"
            wanted = {(case, name, G, P) for case in complications.CASES if printed_cell(case, name, G, P)} - KNOWN
            for trial in range(1500):
                if trial > 170 and wanted <= found:
                    break
                speeds = np.sort(rng.integers(1, 4, P))[::-1] if trial % 2 else random_capacities(rng, P)
                required, jobs = random_jobs(rng, G, P + 2)
                if trial % 2 and G > 1:
                    required = twentieths(rng, required)
                if homogeneous or P == 1 or speeds[0] > speeds[-1]:
                    arise = cases_in(required, jobs, np.ones(P) if homogeneous else speeds, not fixed or migration)
                    found |= {(case, name, G, P) for case in arise}
            if not wanted <= found:  # one cell decides
                return found
    return found


@check("thesis-2-037", migration=True)
def table_of_cases(migration=False):
    """Table 2.1 cell by cell, for each number of groups and processors; the control lets jobs migrate everywhere."""
    found = found_in_table(migration)
    cells = [(case, column, G, P) for case, (column, processors), G in
             itertools.product(complications.CASES, COLUMNS.items(), (1, 2, 3, 4)) for P in processors]  # fmt: skip
    table = complications.table()

    def marked(case, name):
        """Whether the page's table has the mark of the search, with its least numbers of groups and processors."""
        sizes = [(groups, processors) for *cell, groups, processors in found if cell == [case, name]]
        limits = [f"{letter} > {min(size) - 1}" for letter, size, first in zip("GP", zip(*sizes), (1, COLUMNS[name][0]))
                  if min(size) > first]  # fmt: skip
        return table[name].iloc[case - 1] == (", ".join(limits) or ("•" if sizes else "–"))

    names = ["case {}, {}, {} groups, {} processors".format(*cell) for cell in cells]
    printed = cases("point", cells, names).measure(lambda *cell: printed_cell(*cell) == (cell in found))
    corrected = cases("point", cells, names).measure(
        lambda *cell: (printed_cell(*cell) and cell not in KNOWN) == (cell in found)
    )
    in_table = grid(case=complications.CASES, column=COLUMNS)
    drawn = [] if migration else [everywhere("the table that the page draws is that", in_table.measure(marked))]
    return mended(
        everywhere("Table 2.1 as printed has a mark where a case arises, and only there,", printed),
        everywhere("with three groups for case 3 in homogeneous systems it is so", corrected),
        *drawn,
    )
