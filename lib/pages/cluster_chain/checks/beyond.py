"""Claims of `ctmc`, Sections 1 and 6: what the model is good for."""

import itertools

from clustershare.cluster_chain import simulate
from compendium.press.findings import UNDECIDABLE, Finding, check, finding
from compendium.press.words import SCALE
from pages.cluster_chain.sized import DELAYS, RATES, SHARES, THRESHOLDS, by_search, by_trying, simulated_delays, tried
from pages.cluster_chain.systems import figure_7, laws, solved


@check("ctmc-063", share=0.1, searched=(0.02,), rates=(10,))
def fewest_servers(share=None, searched=SHARES, rates=RATES):
    """The search against every number tried in turn, and simulated delays at the number and at 10 less."""
    answers, other, limits = [], 0, []
    for of_search, rate, delay, threshold in itertools.product(searched, rates, DELAYS, THRESHOLDS):
        answers.append(by_search(of_search, rate, delay, threshold))
        other += answers[-1] != by_trying(share or of_search, rate, delay, threshold)
        if threshold == 0:
            limits.extend((of_search, rate, answers[-1] - less, delay) for less in (0, 10))
    limits = [limit for limit in limits if limit[2] >= 100]  # servers for the largest job
    told, wrong = 0, 0
    simulated = simulated_delays({tuple(point) for *point, _ in limits}) if share is None else {}
    for (*point, delay), (value, width) in ((limit, simulated[limit[:3]]) for limit in limits if simulated):
        exact = tried(*point)[0]
        if abs(exact - delay) > 2 * width:
            told += 1
            wrong += value + width > delay if exact < delay else value - width < delay
    return finding(
        f"{len(answers) - other} of {len(answers)} answers the same, {answers.count(None)} of them that there is no "
        f"such number; of {len(limits)} simulated delays {told} can be told from their limit, {wrong} are on the "
        f"wrong side",
        other == 0 and wrong == 0,
    )


@check("ctmc-064", other={"service": ("exponential",), "arrivals": ("Poisson",)})
def first_approximation(other=None):
    """Simulated delay, utilisation and blocking with other laws, over those of the chain: no bound is in the text."""
    other = other or {
        "service": ("constant", "hyperexponential", "Pareto"),
        "arrivals": ("regular", "hyperexponential", "bursts"),
    }
    far, near, points, worst = 0, 0, 0, {}
    for distribution in ("uniform", "bounded normal", "harmonic"):
        for rate in (5, 20, 50):
            model = figure_7(distribution, rate)
            for what, names in other.items():
                for name in names:
                    run = {"jumps": 20_000, "warmup": 5_000, "replications": 8, "seed": 64}
                    found = simulate(model, **{what: laws()[what][name]}, **run)
                    for quantity in ("mean_delay", "utilisation", "blocking"):
                        value, exact = getattr(found, quantity), getattr(solved(model), quantity)
                        off = abs(value.value - exact)
                        far += off > 2 * max(value.half_width, 1e-4)
                        gap = off / max(value.value, exact)
                        near += gap <= SCALE["comparable"].most or exact < 1e-3
                        points += 1
                        if exact >= 1e-3:
                            worst[quantity] = max(worst.get(quantity, (0.0, "")), (gap, f"{name} {what}"))
    told = ", ".join(f"{quantity.replace('_', ' ')} {gap:.2f} ({law})" for quantity, (gap, law) in worst.items())
    text = f"beyond two half widths of the chain at {far} of {points} points, within 0.2 at {near}; at most {told}"
    return Finding(text, UNDECIDABLE) if far else finding(text, True)
