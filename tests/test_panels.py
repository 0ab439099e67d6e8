"""The panels of `balanced`, and what their alt text says."""

import numpy as np
import pandas as pd
import pytest

from clustershare import multiserver
from pages.balanced_fairness.figures import panel
from pages.balanced_fairness.systems import LOADS, paper_sizes, three_servers

NESTED = (1.0, 0.0, 1.0)
FAIR = [multiserver.balanced_fairness(**three_servers(load, NESTED)) for load in LOADS]


def rows():
    """Made-up points: half the exact rate, and a delay to match."""
    made = []
    for letter, size in paper_sizes().items():
        for load, exact in zip(LOADS, FAIR):
            for index in (0, 1):
                rate = exact.mean_service_rate[index] / 2
                values = {"mean_service_rate": rate, "mean_delay": size.mean / rate}
                made += [(letter, 1, load, name, index, value, 0.01) for name, value in values.items()]
    return pd.DataFrame(made, columns=["sizes", "interruptions", "load", "quantity", "index", "estimate", "half_width"])


def test_a_panel_tells_its_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPENDIUM_FIGURES", str(tmp_path))
    at = LOADS.index(0.8)
    common = {
        "rows": rows(),
        "loads": LOADS,
        "fair": FAIR,
        "system": "two servers",
        "classes": (0, 1),
        "fidelity": "book",
    }
    shown = panel("balanced-fig-2c-rate", **common)
    for index in (0, 1):
        exact = FAIR[at].mean_service_rate[index]
        assert f"class {index + 1}, balanced fairness is at {exact:.3g}, m = 1 at {exact / 2:.3g}" in shown.alt
    slow = panel("balanced-fig-2c-delay", **common)
    assert f"balanced fairness is at {paper_sizes()['c'].mean * FAIR[at].mean_delay[1]:.3g}" in slow.alt
    assert (tmp_path / "balanced-fig-2c-delay.svg").exists()


def test_little_and_the_mean_size_hold_for_the_exact_lines():
    for size in paper_sizes().values():
        system = three_servers(0.6, NESTED, size.mean)
        assert np.allclose(np.array(system["arrival_rates"]) * size.mean, three_servers(0.6, NESTED)["arrival_rates"])


def test_another_identifier_is_refused():
    with pytest.raises(ValueError, match="identifier must be of the form balanced-fig-1a-rate; got 'thesis-fig-3.5'"):
        panel("thesis-fig-3.5", rows(), LOADS, FAIR, system="", fidelity="book")
