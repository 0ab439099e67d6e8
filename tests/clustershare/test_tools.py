"""The tools every model builds on."""

import math
import pickle

import numpy as np
import pytest

from clustershare import arguments, estimates, markov, sizes
from clustershare.run_length import RunLength, check_run_length


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: arguments.number("x", math.nan), "x must be a finite number; got nan."),
        (lambda: arguments.number("x", "1"), "x must be a finite number; got '1'."),
        (lambda: arguments.number("x", True), "x must be a finite number; got True."),
        (lambda: arguments.positive("x", 0), "x must be a finite number, above 0; got 0."),
        (lambda: arguments.integer("x", 1.0, 1), "x must be an integer of at least 1; got 1.0."),
        (lambda: arguments.integer("x", 9, 1, 8), "x must be an integer of at least 1 and at most 8; got 9."),
        (lambda: arguments.vector("x", 3, arguments.positive), "x must be a non-empty sequence; got 3."),
        (lambda: arguments.vector("x", {1, 2}, arguments.positive), "x must be a non-empty sequence; got {1, 2}."),
        (lambda: arguments.vector("x", [1], arguments.positive, 2), "x must be a sequence of 2 entries; got [1]."),
        (
            lambda: arguments.vector("x", [[1], [1, 2]], arguments.positive),
            "x[0] must be a finite number, above 0; got [1].",
        ),
        (lambda: arguments.one_of("x", 3, ("a", "b")), "x must be one of a, b; got 3."),
        (lambda: RunLength(jumps=0), "jumps must be an integer of at least 1; got 0."),
        (lambda: RunLength(seed=-1), "seed must be an integer of at least 0; got -1."),
        (
            lambda: check_run_length({"jump": 3}),
            "run argument must be one of jumps, warmup, replications, seed; got 'jump'.",
        ),
        (lambda: sizes.Pareto(1, 1), "exponent must be a finite number, above 1; got 1."),
        (lambda: sizes.Exponential(-1), "mean must be a finite number, above 0; got -1."),
        (lambda: sizes.ErlangMixture(1, (1.5,), (1,)), "phase_counts[0] must be an integer of at least 1; got 1.5."),
        (
            lambda: sizes.Hyperexponential((1, 2), (0.5, 0.6)),
            "probabilities must be probabilities that sum to 1 (they sum to 1.1); got (0.5, 0.6).",
        ),
        (
            lambda: sizes.Deterministic(2).erlang_mixture(),
            "sizes must be a finite mixture of Erlangs (Exponential, Hyperexponential or ErlangMixture); "
            "got Deterministic(value=2).",
        ),
        (lambda: markov.generator(2, [0], [1], [-1.0]), "rates must be finite and at least 0; got np.float64(-1.0)."),
    ],
)
def test_a_wrong_value_gets_its_sentence(call, sentence):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == sentence


def test_an_unstable_error_travels_between_processes():
    error = pickle.loads(pickle.dumps(arguments.UnstableError("too much", [1, 2])))
    assert (str(error), error.overloaded) == ("too much", (1, 2))


@pytest.mark.parametrize(
    "size",
    [
        sizes.Exponential(2.5), sizes.bimodal_hyperexponential(), sizes.bimodal_phases(), sizes.zipf_phases(),
        sizes.Deterministic(0.7), sizes.Pareto(2, 4.5),
    ],
    ids=lambda size: type(size).__name__,
)  # fmt: skip
def test_samples_have_the_stated_moments(size):
    sample = size.sample(np.random.default_rng(3), 400_000)
    error = size.standard_deviation / np.sqrt(len(sample))
    assert abs(sample.mean() - size.mean) <= 4 * error
    assert sample.std() == pytest.approx(size.standard_deviation, rel=0.05)


def test_a_pareto_size_may_have_no_variance():
    assert sizes.Pareto(1, 1.5).variance == math.inf


def test_intervals_from_replications_cover():
    """Of a thousand 95 % intervals from ten normal samples each, all but about fifty hold the mean."""
    rng = np.random.default_rng(17)
    held = sum(estimates.from_replications(rng.normal(3, 2, 10)).contains(3.0) for _ in range(1000))
    assert 925 <= held <= 972  # four standard deviations of the binomial
    assert (
        not 925 <= sum(abs(rng.normal(3, 2, 10).mean() - 3) < 1.96 * 2 / np.sqrt(10) / 1.3 for _ in range(1000)) <= 972
    )


def test_simulated_intervals_cover_the_exact_answer():
    """The same for a simulator: 200 short studies of five replications against the formula."""
    from clustershare import uniprocessor

    system = {"required_shares": (0.5, 0.5), "arrival_rates": (0.2, 0.3)}
    exact = uniprocessor.exact("PS", **system).group_share_deviation[0]
    runs = [
        uniprocessor.simulate(
            "PS", **system, jumps=20_000, warmup=1_000, replications=5, seed=seed
        ).group_share_deviation
        for seed in range(200)
    ]
    held = sum(bool(run.contains(exact)[0]) for run in runs)
    assert 178 <= held <= 200  # 190, less four standard deviations


def test_one_replication_has_no_interval():
    assert estimates.from_replications([2.0]).half_width == math.inf


def test_replications_are_children_of_the_seed():
    first = [generator.random() for generator in RunLength(replications=3, seed=5).generators()]
    again = [generator.random() for generator in RunLength(replications=5, seed=5).generators()]
    sequence = RunLength(replications=3, seed=np.random.SeedSequence(5))
    assert first == again[:3] == [generator.random() for generator in sequence.generators()]
    assert first == [generator.random() for generator in sequence.generators()]  # asking twice changes nothing
    assert len(set(again)) == 5


def random_generator(rng, states):
    rates = rng.exponential(size=(states, states)) * (rng.random((states, states)) < 0.5)
    ring = np.arange(states)
    rates[ring, (ring + 1) % states] += 0.1  # irreducible
    np.fill_diagonal(rates, 0)
    return markov.generator(states, *np.nonzero(rates), rates[np.nonzero(rates)])


@pytest.mark.parametrize("states", [1, 2, 7, 60])
def test_two_solvers_agree_and_balance(states):
    Q = random_generator(np.random.default_rng(states), states)
    sparse, dense = markov.stationary(Q), markov.gth(Q)
    assert np.abs(sparse - dense).max() < 1e-13
    assert abs(sparse.sum() - 1) < 1e-14 and markov.residual(sparse, Q) < 1e-12
    assert states < 3 or markov.residual(np.full(states, 1 / states), Q) > 1e-3


def test_gth_keeps_small_probabilities():
    """A birth-death chain whose last state has probability about 1e-36, to nearly full relative accuracy."""
    states = 13
    up, down = np.full(states - 1, 1e-3), np.ones(states - 1)
    Q = markov.generator(
        states, [*range(states - 1), *range(1, states)], [*range(1, states), *range(states - 1)], [*up, *down]
    )
    exact = 1e-3 ** np.arange(states)
    assert np.abs(markov.gth(Q) / (exact / exact.sum()) - 1).max() < 1e-13


def test_a_reducible_chain_is_not_solved():
    Q = markov.generator(4, [0, 1, 2, 3], [1, 0, 3, 2], [1.0, 1.0, 1.0, 1.0])
    with pytest.raises(ArithmeticError, match="not irreducible|not solved"):
        markov.stationary(Q)
    with pytest.raises(ValueError, match="Q must be irreducible"):
        markov.gth(Q)


def test_both_ways_to_solve_a_chain_agree():
    rng = np.random.default_rng(4)
    for states in (2, 5, 40):
        Q = markov.generator(states, *rng.integers(states, size=(2, 12 * states)), rng.uniform(0, 1, 12 * states))
        np.testing.assert_allclose(markov.iterate(Q, rng.uniform(0, 1, states)), markov.stationary(Q), atol=1e-11)


def test_a_chain_that_ends_is_not_iterated():
    Q = markov.generator(3, [0, 1], [1, 2], [1.0, 1.0])
    with pytest.raises(ArithmeticError, match="a state is never left"):
        markov.iterate(Q, np.ones(3))


def test_a_lattice_of_four_dimensions_is_iterated_to_its_product_form():
    up, down, length = np.array([0.3, 0.5, 0.2, 0.9]), np.array([1.0, 0.7, 2.0, 1.1]), 7

    def transitions(state):
        for k in range(4):
            if state[k] < length:
                yield (*state[:k], state[k] + 1, *state[k + 1 :]), up[k]
            if state[k] > 0:
                yield (*state[:k], state[k] - 1, *state[k + 1 :]), down[k]

    states, *moves = markov.explore((0, 0, 0, 0), transitions)
    law = markov.iterate(markov.generator(len(states), *moves), np.ones(len(states)))
    product = np.prod((up / down) ** np.array(states), axis=1)
    assert np.abs(law - product / product.sum()).max() < 1e-14 and len(states) == 4096


def test_steps_without_progress_end():
    # The first image is orthogonal to what is wanted: the recurrence breaks down, and says what it has.
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert (markov.bicgstab(lambda vector: (turn * vector).sum(axis=1), np.array([1.0, 0.0]), 1e-12, 9) == 0).all()
