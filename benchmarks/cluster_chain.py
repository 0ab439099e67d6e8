"""The solver of the cluster chain: speed in products with its matrix, against peers, and as the chain grows.

``python -m benchmarks cluster_chain --record`` writes what the page on large clouds shows. Times are those of the
processor, on one core: a busy machine changes them less. Storm and PARDISO are measured where their Python packages
(stormpy, pypardiso) are installed; the project does not depend on them.
"""

import csv
import importlib.util
import tempfile
import time
import tracemalloc

import numpy as np
import scipy.sparse as sp

from benchmarks.timing import Row, at_least, at_most, below, not_measured, seconds
from clustershare.cluster_chain import ServiceCluster, uniform_sizes
from clustershare.cluster_chain.model import lattice
from compendium import places

ROUNDS = 5
GROWTH = places.DATA / "large_clouds.csv"
LIMIT = 2**34  # bytes that the largest chains may use


def tables(record=False):
    """Yield each table as a title and its rows; `record` keeps the last one in the data folder."""
    yield products_of_the_paper()
    yield products_of_the_cloud()
    yield "Peers: times as fast as", peers()
    yield "Growth: seconds, passes and memory", growth(record)


def paper(servers=16, arrival_rate=30.0):
    """The cluster of Figure 7 with uniform sizes, of any number of servers."""
    return ServiceCluster(servers, 15, uniform_sizes(servers), arrival_rate, 100, 10)


def cloud(servers=1500, arrival_rate=60.0):
    """The cloud of Figure 11; a larger one has a tracker and arrivals that are quicker in proportion."""
    scale = servers / 1500
    sizes, rates = {10: 0.95, 100: 0.05}, {10: 10, 100: 1}
    return ServiceCluster(servers, 50, sizes, arrival_rate * scale, 100 * scale, rates)


def cold(model, tolerance=1e-12):
    """A solution with nothing left over from another one."""
    lattice.cache_clear()
    return model.solve(tolerance, memory_limit=LIMIT)


def memory(model, tolerance=1e-12):
    """A solution, and the peak of what it allocated."""
    tracemalloc.start()
    solution = cold(model, tolerance)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return solution, peak


def products_of_the_paper():
    """Solutions in products of a vector with Q, in one run: the chain of Figure 7."""
    model = paper()
    transposed, vector = model.generator().T.tocsr(), np.full(model.states, 1 / model.states)
    rates = range(5, 101, 5)

    def curve():
        for rate in rates:
            paper(16, float(rate)).solve()

    work = {"product": lambda: transposed @ vector, "cold": lambda: cold(model), "curve": curve}
    times = seconds(work, ROUNDS, time.process_time)
    solution, peak = memory(model)
    unit, beyond = times["product"], (peak - 8 * model.states) / 2**20
    alone, point = times["cold"] / unit, times["curve"] / len(rates) / unit
    title = f"N = T = 16, C = 15: {model.states:,} states; the unit is a product with Q, {unit * 1e3:.2f} ms"
    return title, [
        Row("from cold, in units", f"{alone:.1f}", alone, at_most(12)),
        Row("a point of a 20-point curve, in units", f"{point:.1f}", point, at_most(8)),
        Row("residual, 1-norm of pi Q", f"{solution.residual:.1e}", solution.residual, below(1e-12)),
        Row("Little's law, and jobs accepted = served", f"{max(solution.little_error, solution.flow_error):.0e}"),
        Row("memory beyond a vector of all states", f"{beyond:.1f} MiB", beyond, below(50)),
    ]


def products_of_the_cloud():
    """The same for the cloud of Figure 11, at each arrival rate."""
    rows = []
    transposed = cloud().generator().T.tocsr()
    vector = np.full(transposed.shape[0], 1.0)
    for rate in range(15, 121, 15):
        model = cloud(1500, float(rate))
        work = {"product": lambda: transposed @ vector, "cold": lambda m=model: cold(m, 1e-11)}
        times = seconds(work, 3, time.process_time)
        found, peak = memory(model, 1e-11)
        what = f"arrival rate {rate}: units (residual {found.residual:.0e}, {peak / 2**20:.0f} MiB)"
        units = times["cold"] / times["product"]
        rows.append(Row(what, f"{units:.0f}", units, at_most(400)))
    return f"N = 1500, sizes 10 and 100, C = 50: {len(vector):,} states, none cut off", rows


def direct(model):
    """The balance equations by PARDISO, the last probability set to 1."""
    import pypardiso

    transposed = sp.csc_matrix(model.generator().T)
    block, right = sp.csr_matrix(transposed[:-1, :-1]), -transposed[:-1, [-1]].toarray().ravel()

    def solve():
        solver = pypardiso.PyPardisoSolver(mtype=11)
        result = np.append(pypardiso.spsolve(block, right, solver=solver), 1.0)
        solver.free_memory(everything=True)
        return result / result.sum()

    return solve


def storm(model):
    """The blocking probability by Storm's sparse engine at its default precision, 1e-6; the chain is built before."""
    import stormpy

    sizes, N = [size for size, _ in model.job_sizes], model.servers
    busy = "+".join(f"{n}*v{n}" for n in sizes)

    def draw(rate, rest):
        return " + ".join(f"{rate}*{p!r}:(x2'={n}){rest}" for n, p in model.job_sizes)

    lines = ["ctmc", "module cluster", f"x1:[0..{model.queue_capacity}];", f"x2:[0..{N}];"]
    lines += [f"v{n}:[0..{N // n}];" for n in sizes]
    lines.append(f"<> x1=0&x2=0 -> {draw(model.arrival_rate, '')};")
    lines.append(f"<> x2>0&x1<{model.queue_capacity} -> {model.arrival_rate}:(x1'=x1+1);")
    for n in sizes:
        lines.append(f"<> v{n}>0 -> v{n}*{model.service_rates}:(v{n}'=v{n}-1);")
        mapped, guard = f"(v{n}'=v{n}+1)", f"x2={n}&{busy}+{n}<={N}"
        following = draw(model.tracker_rate, f"&{mapped}&(x1'=x1-1)")
        lines.append(f"<> {guard}&x1>0 -> {following};")
        lines.append(f"<> {guard}&x1=0 -> {model.tracker_rate}:(x2'=0)&{mapped};")
    lines += ["endmodule", f'label "full" = x1={model.queue_capacity}&x2>0;']
    with tempfile.NamedTemporaryFile("w", suffix=".sm", encoding="utf-8") as file:
        file.write("\n".join(lines))
        file.flush()
        program = stormpy.parse_prism_program(file.name)
    formulas = stormpy.parse_properties('LRA=? ["full"]', program)
    built = stormpy.build_model(program, formulas)
    assert built.nr_states == model.states

    def solve():
        result = stormpy.model_checking(built, formulas[0], only_initial_states=True)
        return result.get_value(built.initial_states[0])

    return solve


def peers():
    """Against Storm and a sparse direct solver, where they are installed."""
    rows = []
    for name, package, prepare, servers, bound, rounds in (
        ("Storm", "stormpy", storm, 16, at_least(200), 1),
        ("PARDISO", "pypardiso", direct, 12, at_least(1000), 0),
    ):
        if importlib.util.find_spec(package) is None:
            rows.append(not_measured(f"{name}: {package} is not installed", bound))
            continue
        model = paper(servers)
        theirs = prepare(model)
        cold(model)  # compiled
        times = seconds({"ours": lambda m=model: cold(m), "theirs": theirs}, rounds, time.process_time)
        ratio = times["theirs"] / times["ours"]
        what = f"{name}, N = {servers}: {times['theirs']:.3g} s against {times['ours'] * 1e3:.2f} ms"
        rows.append(Row(what, f"{ratio:,.0f} x", ratio, bound))
    return rows


def growth(record=False):
    """Yield a row for each of larger and larger chains, to ten million states; the least of five times to a million."""
    measured = []
    cases = [("uniform", paper(n), 1e-12) for n in (8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 29)]
    cases += [("cloud", cloud(n), 1e-11) for n in (300, 600, 1000, 1500, 3000, 6000, 10_000)]
    cold(paper(4))
    for family, model, tolerance in cases:
        found, peak = memory(model, tolerance)
        times = []
        for _ in range(ROUNDS if model.states < 1e6 else 1):
            start = time.process_time()
            cold(model, tolerance)
            times.append(time.process_time() - start)
        measured.append(
            {
                "family": family, "servers": model.servers, "states": model.states, "seconds": f"{min(times):.3g}",
                "sweeps": found.sweeps, "mebibytes": f"{peak / 2**20:.3g}", "residual": f"{found.residual:.1e}",
            }
        )  # fmt: skip
        yield Row(", ".join(f"{name} {value}" for name, value in measured[-1].items()), "")
    if record:
        with open(GROWTH, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(measured[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(measured)
