"""`make lab` short of the browser: the server answers, the kernel is ours, a changed page leaves the checkout clean."""

import json
import os
import subprocess
import sys
import time
import urllib.request

import pytest
from jupyter_client import BlockingKernelClient

from compendium import places
from compendium.__main__ import main
from compendium.press import lab
from executed_pages import tree

PAGE = "share_scheduling/objectives/feasible_shares.ipynb"
SECONDS = 600  # an upper bound, on a machine however busy


def installed():
    """CI has it: `make test` installs what `make lab` does."""
    if not os.environ.get("CI"):
        pytest.importorskip("jupyterlab", reason="make lab installs JupyterLab")


class Server:
    """JupyterLab as the command starts it."""

    def __init__(self, scratch, folder):
        variables = {f"JUPYTER_{name}_DIR": str(scratch / name) for name in ("RUNTIME", "CONFIG", "DATA")}
        # Neither what the tests redirect nor another environment's settings: only what the command itself sets.
        given = {name: value for name, value in os.environ.items() if not name.startswith(("COMPENDIUM_", "JUPYTER_"))}
        command = [sys.executable, "-m", "compendium", "lab", "--folder", str(folder), "--"]
        command += ["--no-browser", "--allow-root", "--port-retries=100"]
        self.runtime = scratch / "RUNTIME"
        self.log = open(scratch / "log", "w")
        self.process = subprocess.Popen(
            command, env={**given, **variables}, stdout=self.log, stderr=self.log, cwd=scratch
        )
        self.url, self.token = self._address(time.monotonic() + SECONDS)

    def _address(self, deadline):
        while time.monotonic() < deadline and self.process.poll() is None:
            for path in self.runtime.glob("jpserver-*.json"):
                try:
                    described = json.loads(path.read_text())
                    return described["url"], described["token"]
                except ValueError:
                    pass  # it is being written
            time.sleep(0.2)
        pytest.fail(f"no server: {open(self.log.name).read()}")

    def ask(self, address, method="GET", **body):
        data = json.dumps(body).encode() if body else None
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        asked = urllib.request.Request(self.url + address, data=data, headers=headers, method=method)
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            return json.loads(answer.read() or "null")

    def kernel(self, name):
        client = BlockingKernelClient(connection_file=str(self.runtime / f"kernel-{name}.json"))
        client.load_connection_file()
        client.start_channels()
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            try:
                client.wait_for_ready(timeout=SECONDS)
                return client
            except RuntimeError:  # on a busy machine a kernel that begins is held for dead
                time.sleep(0.2)
        pytest.fail("the kernel does not answer")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


@pytest.fixture
def server(tmp_path):
    installed()
    made = Server(tmp_path, tmp_path / "pages")
    yield made
    made.end()
    with pytest.raises(OSError):  # the command was the server: nothing answers any more
        made.ask("api")


def printed(client, code):
    said = []
    client.execute_interactive(code, timeout=SECONDS, output_hook=said.append)
    wrong = [message["content"]["evalue"] for message in said if message["msg_type"] == "error"]
    assert wrong == []
    return "".join(message["content"]["text"] for message in said if message["msg_type"] == "stream")


def test_a_page_with_other_parameters_leaves_the_checkout_clean(server, tmp_path):
    before = tree()
    assert server.ask("api/kernelspecs")["default"] == "python3"
    page = server.ask(f"api/contents/{PAGE}")["content"]
    (parameters,) = [cell for cell in page["cells"] if "parameters" in cell["metadata"].get("tags", [])]
    assert "required_shares = [0.4, 0.4, 0.2]" in parameters["source"]
    parameters["source"] = parameters["source"].replace("[0.4, 0.4, 0.2]", "[0.6, 0.2, 0.2]")
    server.ask(f"api/contents/{PAGE}", "PUT", type="notebook", format="json", content=page)
    session = server.ask("api/sessions", "POST", path=PAGE, name="page", type="notebook", kernel={"name": "python3"})
    client = server.kernel(session["kernel"]["id"])
    try:
        said = [printed(client, cell["source"]) for cell in page["cells"] if cell["cell_type"] == "code"]
        assert "promised  [0.5 0.2 0.2]" in "".join(said)  # a single job cannot have more
        assert printed(client, "import sys; print(sys.prefix)").strip() == sys.prefix
    finally:
        client.stop_channels()
    assert (tmp_path / "pages" / "figures" / "thesis-fig-2.6.svg").exists()
    assert tree() == before


def test_what_a_reader_worked_on_stays(tmp_path):
    lab.copies(tmp_path)
    page = tmp_path / PAGE
    assert page.read_bytes() == (places.CHAPTERS / PAGE).read_bytes()
    page.write_text("mine")
    (tmp_path / "balanced_fairness" / "nested.ipynb").unlink()
    lab.copies(tmp_path)
    assert page.read_text() == "mine"
    assert (tmp_path / "balanced_fairness" / "nested.ipynb").exists()


def test_make_passes_options_on():
    command = ["make", "-n", "--no-print-directory", "lab", "OPTIONS=--no-browser"]
    said = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True)
    assert said.stdout.splitlines()[-1].endswith(" -m compendium lab -- --no-browser")


def test_without_jupyterlab(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["lab"]) == 2
    assert capsys.readouterr().err == "JupyterLab is not installed here; make lab installs it.\n"
