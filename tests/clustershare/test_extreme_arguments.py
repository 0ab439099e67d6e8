"""Calls with extreme values, other ones each time: `make extremes` makes all, and many more at random."""

import os
import subprocess
import sys

import pytest

from compendium import places

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are set as Linux has them")


@pytest.mark.parametrize("program, calls", [("extremes", 50), ("indices", 40)])
def test_calls_at_random_go_well(program, calls):
    """What fails is printed as it is called; the seed above it repeats all."""
    command = [sys.executable, f"tests/clustershare/{program}.py", "--calls", str(calls)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=places.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
