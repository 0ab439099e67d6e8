"""Claims of `ctmc`, Sections 1 and 6: what the model is good for."""

from clustershare.cluster_chain import ServiceCluster, simulate, smallest_cluster
from compendium.press.claims import UNDECIDABLE, Finding, check, finding
from compendium.press.words import SCALE
from pages.cluster_chain.systems import figure_7, laws, solved


@check("ctmc-063", less=-1)
def fewest_servers(less=1):
    """The delay with the number found, and with one server less."""

    def cloud(servers):
        return ServiceCluster(servers, 50, {10: 0.95, 100: 0.05}, 60.0, 1000.0, {10: 10.0, 100: 1.0})

    found = smallest_cluster(cloud(100), delay=0.01, utilisation=0.4)
    misses = cloud(found.servers - less).solve().mean_delay
    return finding(
        f"{found.servers} servers: {found.mean_delay:.5f} s, {found.utilisation:.1%} busy; else {misses:.5f} s",
        found.mean_delay <= 0.01 < misses and found.utilisation >= 0.4,
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
