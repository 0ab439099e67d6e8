"""Conclusions of all four works, asked of logs, of bursts and of days, by the rules of `points.conclusions`."""

from dataclasses import replace

import numpy as np

from clustershare import cluster_chain
from clustershare.cluster_chain import ServiceCluster
from clustershare.workload import drawn
from compendium.press.clauses import at_each, cases, conclude, grid, measured
from compendium.press.clauses.conditions import agrees, equal
from compendium.press.findings import AGREES, Finding, check, difference
from pages.across.points import conclusions, logs
from pages.across.points.logs import LOGS
from pages.across.witnesses import one_server, spread

OTHER_DEGREE = {2: 3, 3: 2}.get
THEMSELVES = tuple((policy, policy) for policy in conclusions.FREE)


@check("across-001", pairs=THEMSELVES)
def fences_lose_more(**setting):
    """Loss of SVP and DVP beside JSQ and HP."""
    return conclusions.fences_lose_more(**setting).finding()


def with_witnesses(found, witnesses):
    """A finding that counts only where witnesses agree, and what they say."""
    text = "\n".join([f"{found.came_out}; {witnesses.came_out}", *found.behind, *witnesses.behind])
    return replace(found, computed=text) if witnesses.verdict == AGREES else Finding(text, witnesses.verdict)


def lost_of_short_logs():
    """What JSQ and HP lose of logs at load 0.9, replayed by the library and in plain Python."""
    processors, seeds, jobs, load = 10, range(1, 9), 1000, 0.9

    def apart(model, policy):
        run = {"jumps": jobs, "warmup": 0, "replications": len(seeds), "seed": 0}
        found = drawn.dispatch(model, policy, local="GPPS", required_shares=(0.5, 0.5), loads=(load / 2, load / 2),
                               processors=processors, **run)  # fmt: skip
        plain = []
        for seed in seeds:
            rng, (arrivals, work, _) = np.random.default_rng([2, seed]), drawn.drawn(model, seed, jobs)
            of_log = (arrivals / (processors * load)).tolist(), work.tolist(), rng.integers(2, size=jobs).tolist()
            plain.append(spread.lost(*of_log, policy == "HP", processors, rng))
        less = logs.Measured.of_logs(found.capacity_loss.value[0] - plain)
        return measured(less.value, less.within)

    points = grid(model=tuple(LOGS), policy=("JSQ", "HP")).measure(apart)
    return conclude(at_each("what is lost of short logs, less that in plain Python,", points, agrees()), whole=True)


@check("across-002", other="SVP")
def spread_alike(**setting):
    """Loss of JSQ beside HP, which counts only if a witness has the same."""
    return with_witnesses(conclusions.spread_alike(**setting).finding(), lost_of_short_logs())


@check("across-003", pairs=THEMSELVES)
def fences_deviate_less(**setting):
    """Deviation of SVP and DVP beside JSQ and HP."""
    return conclusions.fences_deviate_less(**setting).finding()


@check("across-004", migration=True)
def fences_comply(**setting):
    """Deviation of SVP and DVP with GPPS."""
    return conclusions.fences_comply(**setting).finding()


@check("across-005", names=tuple(LOGS))
def shortest_queue_suffices(**setting):
    """Loss and deviation of JSQ with PS on a hundred processors."""
    return conclusions.shortest_queue_suffices(**setting).finding()


@check("across-006", processors=1, names=tuple(LOGS))
def loss_is_practically_zero(**setting):
    """Loss of JSQ with PS on a hundred processors."""
    return conclusions.loss_is_practically_zero(**setting).finding()


@check("across-007", fewer=3, more=9)
def three_probes_help(**setting):
    """Three probes beside none."""
    return conclusions.three_probes_help(**setting).finding()


@check("across-008", limit=0)
def two_probes_suffice(**setting):
    """Two probes beside more."""
    return conclusions.two_probes_suffice(**setting).finding()


@check("across-009", limit=0)
def three_probes_are_all(**setting):
    """Three probes beside nine, in deviation and in loss."""
    return conclusions.three_probes_are_all(**setting).finding()


@check("across-010", degree_of=OTHER_DEGREE)
def one_interruption_is_enough(**setting):
    """A hundred servers with one interruption beside balanced fairness."""
    return conclusions.one_interruption_is_enough(**setting).finding()


@check("across-011", degree_of=OTHER_DEGREE)
def sizes_hardly_matter(**setting):
    """A hundred servers with one interruption, for the sizes of logs and for exponential ones."""
    return conclusions.sizes_hardly_matter(**setting).finding()


@check("across-012", without=1)
def one_interruption_helps(**setting):
    """Three servers with one interruption beside none."""
    return conclusions.one_interruption_helps(**setting).finding()


@check("across-013", formula=True)
def five_interruptions_are_fair(**setting):
    """Three servers with five interruptions beside balanced fairness."""
    return conclusions.five_interruptions_are_fair(**setting).finding()


@check("across-016", few=100)
def five_are_as_good_as_many(**setting):
    """Three servers with five interruptions beside very many."""
    return conclusions.five_are_as_good_as_many(**setting).finding()


def lost_by_witnesses():
    """What one server loses of short logs, and of jobs in bursts, by the library and by witnesses."""
    capacity, mapping, size = logs.CAPACITY, 1 / logs.TRACKER, 1 / logs.SERVICE
    calm, burst = 1 / (logs.CALM * size), 1 / (logs.BURST * size)

    def of_logs(model, rate):
        run = {"jumps": logs.FEWER_JOBS, "warmup": 0, "replications": 2, "seed": 0}
        found = drawn.cluster(model, load=rate * size, queue_capacity=capacity, parallel=False, mean_time=size,
                              tracker_time=mapping, **run)  # fmt: skip
        jobs = [drawn.drawn(model, seed, logs.FEWER_JOBS) for seed in (1, 2)]
        plain = [one_server.lost(at / rate, work * size, mapping, capacity) for at, work, _ in jobs]
        return difference(found.blocking.value[0], plain)

    def in_bursts(rate):
        return one_server.lost_in_bursts((0.5 * rate, 3 * rate), (calm, burst), capacity, logs.TRACKER, logs.SERVICE)

    def apart(rate):
        judged = logs.one_server("book")["bursty", rate]
        return measured(judged.value - in_bursts(rate), judged.within)

    def in_long_runs(rate):
        cluster = ServiceCluster(1, capacity, {1: 1.0}, rate, logs.TRACKER, logs.SERVICE)
        run = {"jumps": 200_000, "warmup": 2_000, "replications": 30, "seed": 14}
        found = cluster_chain.simulate(cluster, arrivals=logs.stream("bursty", size), **run).blocking
        return measured(found.value - in_bursts(rate), found.half_width)

    points = grid(model=tuple(LOGS), rate=(5.0, 10.0, 30.0)).measure(of_logs)
    return conclude(
        at_each("what is lost of short logs, replayed and in plain Python,", points, equal(1e-12)),
        at_each("what is lost in bursts, less that by the chain,", cases("rate", logs.RATES[1:]).measure(apart),
                agrees()),
        at_each("that of long runs", cases("rate", (5.0,)).measure(in_long_runs), agrees()),
        whole=True,
    )  # fmt: skip


@check("across-014", service=20.0)
def blocks_as_one_queue(**setting):
    """One server beside M/M/1/C; the blocking counts only if witnesses have the same."""
    return with_witnesses(conclusions.blocks_as_one_queue(**setting).finding(), lost_by_witnesses())


@check("across-015", chain=True)
def blocks_as_the_chain(**setting):
    """Clusters of parallel jobs beside the chain."""
    return conclusions.blocks_as_the_chain(**setting).finding()
