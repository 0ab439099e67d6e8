"""Workers are dealt the tests in parts that share what they computed."""

import os
import re
import subprocess
import sys
from collections import defaultdict

from compendium import places

FILE = """import time, pytest
@pytest.mark.parametrize("k", range(4))
def test_it(k): time.sleep(0.1)
"""


def test_the_tests_of_a_file_stay_on_one_worker(tmp_path):
    """Dealt one by one, they would be scattered over both."""
    for name in "ab":
        (tmp_path / f"test_{name}.py").write_text(FILE)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "xdist", "-n", "2", "-p", "no:cacheprovider"]
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    known["PYTHONPATH"] = os.pathsep.join([str(places.ROOT / "tests" / "compendium"), *sys.path])
    known["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the others take longer to import than all of this
    command += ["-p", "dealing", "--dist", "loadscope", "--no-loadscope-reorder", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    workers = defaultdict(list)
    for worker, file in re.findall(r"^\[(gw\d)\].* PASSED (\w+)\.py::", done.stdout, re.MULTILINE):
        workers[file].append(worker)
    assert {file: len(there) for file, there in workers.items()} == {"test_a": 4, "test_b": 4}, done.stdout
    assert {len(set(there)) for there in workers.values()} == {1}, workers
    assert workers["test_a"][0] != workers["test_b"][0]
