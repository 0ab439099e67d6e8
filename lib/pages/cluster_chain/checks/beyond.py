"""Claims of `ctmc`, Sections 1 and 6: what the model is good for."""

from clustershare.cluster_chain import ServiceCluster, simulate, smallest_cluster
from compendium.press.claims import check, finding
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


@check("ctmc-064", service=("exponential",), arrivals=("Poisson",))
def first_approximation(service=("constant", "hyperexponential"), arrivals=("bursts",)):
    """Simulated delay and utilisation with other laws, over those of the chain."""
    model, worst = figure_7("harmonic", 25), {"mean_delay": (0.0, ""), "utilisation": (0.0, "")}
    for what, names in (("service", service), ("arrivals", arrivals)):
        for name in names:
            found = simulate(model, **{what: laws()[what][name]}, jumps=200_000, warmup=20_000, replications=8, seed=5)
            for quantity, (off, _) in worst.items():
                ratio = getattr(found, quantity).value / getattr(solved(model), quantity)
                if abs(ratio - 1) > off:
                    worst[quantity] = abs(ratio - 1), name
    text = "; ".join(
        f"{quantity.replace('_', ' ')} off by up to {off:.0%} ({name})" for quantity, (off, name) in worst.items()
    )
    return finding(text, max(off for off, _ in worst.values()) < 0.25)
