"""Clusters for tests."""

import numpy as np
from hypothesis import strategies as st

from clustershare.cluster_chain import ServiceCluster


@st.composite
def clusters(draw):
    servers = draw(st.integers(1, 6))
    sizes = sorted(draw(st.sets(st.integers(1, servers), min_size=1, max_size=3)))
    weights = np.array([draw(st.floats(0.05, 1)) for _ in sizes])
    rates = {size: draw(st.floats(0.2, 5)) for size in sizes}
    return ServiceCluster(
        servers,
        draw(st.sampled_from([0, 1, 2, 5])),
        dict(zip(sizes, weights / weights.sum(), strict=True)),
        draw(st.floats(0.2, 8)),
        draw(st.floats(0.5, 50)),
        draw(st.sampled_from([rates, 1.5])),
    )


SMALL = ServiceCluster(5, 2, {1: 0.5, 2: 0.2, 5: 0.3}, 2.0, 3.0, {1: 1.0, 2: 0.7, 5: 2.5})
