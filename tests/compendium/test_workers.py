"""Workers are dealt the tests in parts that share what they computed."""

import os
import re
import subprocess
import sys
from collections import defaultdict

from compendium import places


def test_the_tests_of_a_file_stay_on_one_worker():
    """Dealt one by one, they would be scattered over both."""
    files = ["clustershare/test_tools.py", "compendium/test_progress.py"]
    command = [sys.executable, "-m", "pytest", "-v", "-n", "2", "-p", "no:cacheprovider"]
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command += [f"tests/{file}" for file in files]
    done = subprocess.run(command, cwd=places.ROOT, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    workers = defaultdict(list)
    for worker, file in re.findall(r"^\[(gw\d)\].* PASSED tests/([\w/]+\.py)::", done.stdout, re.MULTILINE):
        workers[file].append(worker)
    assert sorted(workers) == files and all(len(there) > 2 for there in workers.values())
    assert {len(set(there)) for there in workers.values()} == {1}, workers
    assert workers[files[0]][0] != workers[files[1]][0]
