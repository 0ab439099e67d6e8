"""Points on a Dask cluster: whoever does not answer is named, and waited for a stated time."""

import asyncio
import logging
import sys
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial

from distributed import Client, KilledWorker, rpc, wait
from distributed.comm.core import CommClosedError
from distributed.security import Security

PATIENCE = 60  # seconds without a scheduler, or without a worker, after which there is none
LOOK = 5  # seconds between two looks whether there is still a worker


@contextmanager
def cluster(address):
    """A cluster as something like `compendium.side_by_side.side_by_side`.

    Parameters
    ----------
    address : str
        Of its scheduler.

    Raises
    ------
    ValueError
        If that is no address.
    RuntimeError
        If no scheduler answers there, if it has no worker, or if the workers die of a point.
    """
    with ThreadPoolExecutor(1) as thread:  # a notebook has an event loop of its own in this one
        kind = thread.submit(asyncio.run, _kind(address)).result()
    if kind != "Scheduler":
        raise RuntimeError(f"DASK_SCHEDULER_ADDRESS must be that of a Dask scheduler; {address} is a {kind}.")
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said here, once
    client = Client(address, timeout=PATIENCE)
    try:
        yield partial(_values, client, address)
    finally:
        client.close(timeout=5)


async def _kind(address):
    """What answers there."""

    async def ask():
        async with rpc(address, connection_args=Security().get_connection_args("client")) as server:
            return (await server.identity())["type"]

    try:
        return await asyncio.wait_for(ask(), PATIENCE)
    except OSError:
        raise RuntimeError(f"No Dask scheduler answered at {address} within {PATIENCE} s.") from None


def _values(client, address, function, *columns):
    pending = set(client.map(function, *columns, pure=False))
    try:
        while pending:
            _wait_for_a_worker(client, address)
            with suppress(TimeoutError):  # also where a worker died with what it had computed: it is not done then
                for future in wait(pending, timeout=LOOK, return_when="FIRST_COMPLETED").done:
                    value = future.result(timeout=LOOK)
                    pending.remove(future)
                    yield value
    except KilledWorker as error:
        raise RuntimeError(f"Workers of the Dask scheduler at {address} died of a point: {error}") from None
    except (CancelledError, CommClosedError):
        raise RuntimeError(f"The Dask scheduler at {address} is gone. What was finished is kept.") from None
    except (AttributeError, ImportError, TypeError) as error:
        raise RuntimeError(f"A worker of {address} has another version of this package: {error}.") from error


def _wait_for_a_worker(client, address):
    if client.scheduler_info()["workers"]:
        return
    print(f"The Dask scheduler at {address} has no worker; waiting {PATIENCE} s for one.", file=sys.stderr)
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise RuntimeError(
            f"The Dask scheduler at {address} has had no worker for {PATIENCE} s. What was finished is kept; look into "
            "the log of a worker that ended."
        ) from None
