"""Claims of `ctmc`, Sections 1 and 6: what the model is good for."""

import itertools

import numpy as np

from clustershare.cluster_chain import simulate
from compendium.press.clauses import aside, besides, conclude, everywhere, exact, grid
from compendium.press.clauses import measured as points
from compendium.press.clauses.conditions import agrees, at_least, at_most
from compendium.press.findings import check
from pages.cluster_chain.sized import DELAYS, RATES, SHARES, THRESHOLDS, by_search, by_trying, simulated_delays, tried
from pages.cluster_chain.systems import figure_7, job_sizes, laws, solved

AS_OF_THE_CHAIN = agrees("is 0 within two half widths")


@check("ctmc-063", share=0.1, searched=(0.02,), rates=(10,))
def fewest_servers(share=None, searched=SHARES, rates=RATES):
    """The search against every number tried in turn, and simulated delays at the number and at 10 less."""
    answers = {
        (of_search, *limit): by_search(of_search, *limit)
        for of_search, *limit in itertools.product(searched, rates, DELAYS, THRESHOLDS)
    }
    same = [by_trying(share or of_search, *limit) == answers[of_search, *limit] for of_search, *limit in answers]
    limits = [
        (of_search, rate, number - less, delay)
        for (of_search, rate, delay, threshold), number in answers.items() if threshold == 0
        for less in (0, 10) if number - less >= 100  # servers for the largest job
    ]  # fmt: skip
    simulated = simulated_delays({tuple(point) for *point, _ in limits}) if share is None else {}
    off = []
    for *point, delay in limits if simulated else ():
        (value, width), exactly = simulated[tuple(point)], tried(*point)[0]
        if abs(exactly - delay) > 2 * width:
            off.append(np.sign(exactly - delay) * (value - delay) / width)
    return conclude(
        everywhere("the answers of the search and of trying every number are the same", exact(same, combination=None)),
        aside("combinations for which there is no such number", exact(list(answers.values()).count(None))),
        *([everywhere("the distance of the simulated delay from its limit, on the side of the chain's, in half widths,",
                      exact(off, point=None), at_least(1))] if off else []),
        aside("simulated delays that cannot be told from their limit", exact(len(limits) - len(off))),
        whole=True,
    )  # fmt: skip


@check("ctmc-064", other={"service": ("exponential",), "arrivals": ("Poisson",)})
def first_approximation(other=None):
    """Simulated delay, utilisation and blocking with other laws, over those of the chain: no bound is in the text."""
    other = other or {
        "service": ("constant", "hyperexponential", "Pareto"),
        "arrivals": ("regular", "hyperexponential", "bursts"),
    }
    run = {"jumps": 20_000, "warmup": 5_000, "replications": 8, "seed": 64}
    measures = ("mean_delay", "utilisation", "blocking")

    def against_the_chain(law, distribution, rate):
        model, (name, what) = figure_7(distribution, rate), law.rsplit(" ", 1)
        simulated, exactly = simulate(model, **{what: laws()[what][name]}, **run), solved(model)
        pairs = {measure: (getattr(simulated, measure), getattr(exactly, measure)) for measure in measures}
        off = {
            measure: points(found.value - value, 2 * max(found.half_width, 1e-4), risk=None)
            for measure, (found, value) in pairs.items()
        }
        seen = [max(found.value, value) if value >= 1e-3 else np.inf for found, value in pairs.values()]
        return off | {f"{measure}, relative": float(off[measure].value) / most for measure, most in zip(measures, seen)}

    names = [f"{name} {what}" for what, some in other.items() for name in some]
    found = grid(law=names, distribution=job_sizes(16), λ=(5, 20, 50)).measure(against_the_chain)
    return conclude(
        *(everywhere(f"the {name.replace('_', ' ')}, less that of the chain,", found[name], AS_OF_THE_CHAIN)
          for name in measures),
        *(besides(f"the {name.replace('_', ' ')}, less that of the chain, as a part of the larger,",
                  found[f"{name}, relative"].distance().largest("distribution").largest("λ"), at_most("comparable"))
          for name in measures),
        undecidable=True,
    )  # fmt: skip
