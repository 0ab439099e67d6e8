"""Ctrl-C ends a simulation in the middle of its one long replication."""

import signal
import time

import pytest

from clustershare import names
from test_wrong_arguments import valid_call


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms on this system")
@pytest.mark.parametrize("name", names.SIMULATORS)
def test_a_long_replication_ends_when_asked(name):
    """Within a second, as much of it as this process has: other work on the machine does not count."""
    simulate = names.simulator(name)
    given = {**valid_call(simulate.__name__, simulate), "replications": 2}
    simulate(**{**given, "jumps": 2000})  # what was not compiled yet is compiled now
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        began = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            simulate(**{**given, "jumps": 10**10})
        assert time.process_time() - began < 1.1
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
