"""Conclusions of all four works, asked of logs, of bursts and of days, by the rules of `points.conclusions`."""

from compendium.press.findings import check
from pages.across.points import conclusions
from pages.across.points.logs import LOGS

OTHER_DEGREE = {2: 3, 3: 2}.get
THEMSELVES = tuple((policy, policy) for policy in conclusions.FREE)


@check("across-001", pairs=THEMSELVES)
def fences_lose_more(**setting):
    """Loss of SVP and DVP beside JSQ and HP."""
    return conclusions.fences_lose_more(**setting).finding()


@check("across-002", other="SVP")
def spread_alike(**setting):
    """Loss of JSQ beside HP."""
    return conclusions.spread_alike(**setting).finding()


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
    """Three probes beside nine."""
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


@check("across-014", service=20.0)
def blocks_as_one_queue(**setting):
    """One server beside M/M/1/C."""
    return conclusions.blocks_as_one_queue(**setting).finding()


@check("across-015", chain=True)
def blocks_as_the_chain(**setting):
    """Clusters of parallel jobs beside the chain."""
    return conclusions.blocks_as_the_chain(**setting).finding()
