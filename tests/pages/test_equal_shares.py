"""Two groups that are alike on two processors: the chain of the printed rules against that of the library."""

import numpy as np
import pytest

from clustershare import dispatch
from pages.share_scheduling.central.witnesses import paths
from pages.share_scheduling.central.witnesses.two_processors import chain, shortest_queue_loss


@pytest.mark.parametrize("policy", ["JSQ", "HP", "SVP", "DVP"])
@pytest.mark.parametrize("local", ["PS", "GPPS"])
def test_the_chain_of_two_processors(policy, local):
    ours = chain(policy, local, 0.1)
    found = dispatch.exact_central(
        policy, local=local, required_shares=(0.5, 0.5), loads=(0.05, 0.05), processors=2, most_jobs=7
    )
    assert ours.lost < 1e-8
    assert abs(ours.capacity_loss - found.capacity_loss) < 1e-5
    assert np.abs(ours.deviations - found.group_share_deviation).max() < 1e-5


def test_the_chain_of_two_lengths():
    assert abs(shortest_queue_loss(0.4) - chain("JSQ", "GPPS", 0.4).capacity_loss) < 1e-7


def test_a_path():
    jobs, obtained = paths.passed("JSQ", "PS", 3, events=300)
    parts = jobs / np.maximum(jobs.sum(axis=2, keepdims=True), 1) / 3
    assert np.abs(parts.sum(axis=1) - obtained).max() < 1e-12
