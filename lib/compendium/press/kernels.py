"""Kernels that need not import everything again: forks of one process that has (see `kernel_server`).

To import NumPy, SciPy, numba, pandas and matplotlib takes a kernel longer than most pages take to execute.
"""

import atexit
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint
from pathlib import Path

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

_asking = threading.Lock()


@functools.cache
def _server():
    """The server of this process, which ends with it."""
    program = Path(__file__).with_name("kernel_server.py")
    server = subprocess.Popen(
        [sys.executable, "-P", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    atexit.register(_end, server)
    return server


def _end(server):
    """Let the server see that nobody asks any more."""
    server.stdin.close()
    server.wait()
    server.stdout.close()


def _ask(**request):
    with _asking:
        server = _server()
        server.stdin.write(json.dumps(request) + "\n")
        answer = server.stdout.readline()
    if not answer:
        raise RuntimeError("The process that makes kernels has ended.")
    return json.loads(answer)


class _Fork:
    """A forked kernel, as jupyter_client knows processes."""

    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def poll(self):
        if self.returncode is None:
            self.returncode = _ask(pid=self.pid)
        return self.returncode

    wait = poll  # it is called where the process has ended

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


class ForkedKernels(LocalProvisioner):
    """What starts kernels, in place of jupyter_client's own."""

    async def launch_kernel(self, cmd, **kwargs):
        """Fork a kernel; `cmd` is how another process would have been started."""
        arguments = cmd[cmd.index("ipykernel_launcher") + 1 :]
        cwd = os.fspath(kwargs.get("cwd") or os.getcwd())
        self.process = _Fork(_ask(argv=arguments, env=dict(kwargs["env"]), cwd=cwd))
        self.pid = self.pgid = self.process.pid
        self.cwd = cwd
        return self.connection_info


def use():
    """Let the kernels of this process be forks, where the system forks soundly."""
    if sys.platform != "linux":
        return
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forked"] = EntryPoint("forked", f"{__name__}:ForkedKernels", factory.GROUP_NAME)
    factory.default_provisioner_name = "forked"
