"""Claims of `thesis`, Section 6.8: the conclusions."""

from compendium.press.clauses import aside, at_each, conclude, everywhere, exact
from compendium.press.clauses.conditions import agrees, at_most, larger, short_of
from compendium.press.findings import check
from pages.share_scheduling.distributed.points.growing import MANY, by_chance, excess, few, many
from pages.share_scheduling.distributed.points.service_times import (
    at_limits,
    at_ratios,
    isolated,
    part_of_load,
    settled,
)
from pages.share_scheduling.distributed.points.stored import DEVIATION, LOSS, SIZE, UTILISATION
from pages.share_scheduling.distributed.systems import MANY_PROCESSORS, PROCESSORS, RATIOS
from pages.share_scheduling.distributed.witnesses.alone import clearly_below_isolation, nobody_asked


@check("thesis-6-043", plain=True)
def twenty_to_thirty_percent(plain=False):
    """Two and three of ten probed against Isolation; the control as of thesis-6-011."""
    return conclude(*clearly_below_isolation((2, 3), plain), provided=nobody_asked())


@check("thesis-6-156", limit="0")
def valid_below_twenty(limit="P/4"):
    """Gain, cost of not knowing the rest, and traffic by the rule's bounds; the control probes nobody."""

    def isolation(sizes):
        return exact([by_chance(P) for P in sizes], as_it_stands=True, **{SIZE: sizes})

    def gain(points, sizes):
        return isolation(sizes) - points(DEVIATION, limit)

    found = {
        "the deviation of Isolation, less that with a quarter asked,": (gain(few, PROCESSORS), larger("clear")),
        "that with a quarter asked, less that of full probing,": (excess(limit), at_most("close")),
        "the utilisation of the network": (few(UTILISATION, limit), at_most(0.05)),
    }
    larger_ones = {} if limit not in MANY else {
        "the gain": gain(many, MANY_PROCESSORS), "the utilisation": many(UTILISATION, limit),
    }  # fmt: skip
    return conclude(
        *(at_each(word, points.at(**{SIZE: PROCESSORS[:-1]}), bound) for word, (points, bound) in found.items()),
        *(aside(f"{word} of 20 processors", points.at(**{SIZE: 20})) for word, (points, _) in found.items()),
        *(aside(f"{word} of {P} processors", points.at(**{SIZE: P})) for word, points in larger_ones.items()
          for P in MANY_PROCESSORS if P > 20),
        together=("policy", SIZE),
        provided=[everywhere("the deviation with nobody asked, less that of Isolation,",
                             few(DEVIATION, "0").at(policy=("JSQ", "HP", "DVP")) - isolation(PROCESSORS), agrees())],
    )  # fmt: skip


@check("thesis-6-165", isolation=True)
def not_affected(isolation=False):
    """Both measures against exponential sizes of equal means; the control is Isolation where the law is another."""
    few, clauses = (2, 3), []
    counts = settled(few).all() or isolation  # what heavy tails do
    for quantity, word in ((DEVIATION, "the deviation"), (LOSS, "the loss")):
        means, tails = at_ratios(quantity), at_limits(quantity, heavy=True, limits=few)
        found = {
            "unequal means": (means.at(ratio=RATIOS[1:]), means.at(ratio=1.0)),
            "heavy tails": (tails, at_limits(quantity, limits=few)),
        }
        for name, (other, usual) in found.items():
            if isolation:
                other = isolated(quantity, ratios=RATIOS[1:] if name == "unequal means" else (1.0,)).at(case=1)
            change = other - usual
            said = f"what {name} change {word} by"
            if name == "heavy tails" and not counts:
                clauses.append(aside(f"{said} in runs too short for an equilibrium", change))
            else:
                clauses += [at_each(said, change, short_of("clear")), aside(f"{said} as it stands", change)]
    return conclude(*clauses, part_of_load(few))
