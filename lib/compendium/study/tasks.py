"""A simulated point: its arguments as text, its key, its seed, its result and what it takes to compute it again."""

import dataclasses
import functools
import hashlib
import inspect
import itertools
import json
import platform
from pathlib import Path

import numpy as np

from clustershare import names
from clustershare.arguments import one_of
from clustershare.estimates import Estimate
from clustershare.plain import made, plain
from compendium.study import laws
from compendium.study.fingerprints import fingerprint

# Study seeds are one entropy; points and replications are told apart by their spawn keys.
SEED = 20170905


def grid(**axes):
    """Every combination of the given values, as a list of dictionaries.

    Examples
    --------
    >>> grid(load=[0.5, 0.9], interruptions=[0])
    [{'load': 0.5, 'interruptions': 0}, {'load': 0.9, 'interruptions': 0}]
    """
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


def _other(value):
    if isinstance(value, float):  # infinite or nan, as a quantity may be
        return value
    raise ValueError(
        f"A point's arguments must be numbers, strings, sequences or the library's own classes; got {value!r}."
    )


def _plain(value):
    return plain(value, names.name_of, _other)


def _of_class(written):
    return _called(names.value_class(written["class"]), {key: _made(entry) for key, entry in written["fields"].items()})


def _made(value):
    return made(value, _of_class)


def _called(function, arguments):
    """Call what the library has of that name; a file that names arguments which it does not have gets a sentence."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        raise ValueError(f"A stored point does not fit {function.__name__}: {error}.") from None
    return function(**arguments)


def _classes(value):
    if isinstance(value, dict):
        if value.keys() != {"class", "fields"} or not isinstance(value["fields"], dict):
            raise ValueError("its arguments are not those of a point")
        yield value["class"]
        value = list(value["fields"].values())
    if isinstance(value, list):
        for entry in value:
            yield from _classes(entry)


def _texts(value):
    """The texts in a point's arguments."""
    if isinstance(value, str):
        return {value}
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(_texts, entries))


def classes_named(text):
    """The names of classes in what `encode` wrote. They are read, not looked up.

    Raises
    ------
    ValueError
        If it is not of the form that `encode` writes.
    """
    arguments = json.loads(text)
    if not isinstance(arguments, dict):
        raise ValueError("its arguments are not those of a point")
    return list(_classes(list(arguments.values())))


def encode(arguments):
    """Keyword arguments as canonical JSON: floats to the last bit, dataclasses by their fields, data by a digest.

    Examples
    --------
    >>> encode({"load": 0.1})
    '{"load":0.1}'
    """
    written = {name: laws.apart(_plain(value)) for name, value in arguments.items()}
    return json.dumps(written, sort_keys=True, separators=(",", ":"), allow_nan=False)


def decode(text):
    """The keyword arguments that `encode` wrote (sequences come back as tuples)."""
    return {name: _made(laws.whole(value)) for name, value in json.loads(text).items()}


@dataclasses.dataclass(frozen=True)
class Task:
    """What determines a simulated point to the last bit, given the library's code.

    Attributes
    ----------
    model : str
        The simulator, by its name in `clustershare.names`.
    arguments : str
        Its arguments, as written by `encode`.
    jumps, warmup, replications, seed : int
        See `clustershare.run_length.RunLength`; the point's own seed is spawned from `seed` by `key`.
    """

    model: str
    arguments: str
    jumps: int
    warmup: int
    replications: int
    seed: int

    @property
    def key(self):
        """A digest of all of it, 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(dataclasses.astuple(self)).encode()).hexdigest()[:16]

    def seed_sequence(self):
        """The point's own seed. It does not depend on the run length, so a longer run begins as a shorter one does."""
        digest = hashlib.sha256(f"{self.model} {self.arguments}".encode()).digest()
        words = [int.from_bytes(digest[start : start + 4], "little") for start in range(0, 16, 4)]
        return np.random.SeedSequence(self.seed, spawn_key=words)

    def fingerprint(self):
        """The fingerprint of the simulator and of what its arguments name: classes, policies (see `fingerprints`).

        Raises
        ------
        ValueError
            If `clustershare.names` does not have them all.
        """
        simulator = names.place_of(self.model)
        classes = {names.CLASSES[one_of("class", name, names.CLASSES)] for name in classes_named(self.arguments)}
        given = json.loads(self.arguments)
        several = [name for name, value in given.items() if isinstance(value, list) and any(_classes(value))]
        asked = {*given, *(f"{name}[]" for name in several)}
        asked |= {name.rpartition(".")[2] for name in classes_named(self.arguments)}
        asked |= set(_texts(given))
        if self.model in names.REPLAYS:  # no row is older than what they ask of kernels
            asked = None
        return fingerprint(simulator, *sorted(classes), words=_texts(given), asked=asked)

    def compute(self):
        """Simulate the point: a dictionary of the estimates by name."""
        lengths = {"jumps": self.jumps, "warmup": self.warmup, "replications": self.replications}
        arguments = {**decode(self.arguments), **lengths, "seed": self.seed_sequence()}
        result = _called(names.simulator(self.model), arguments)
        return {
            name: {"value": _plain(estimate.value), "half_width": _plain(estimate.half_width)}
            for name, estimate in vars(result).items()
            if isinstance(estimate, Estimate)
        }


# What processors of one family may have or lack (or a virtual machine may hide), and libraries look for.
FEATURES = ("fma", "avx2", "avx512f", "sve")


@functools.cache
def machine():
    """What the last bits of a logarithm may depend on: processor, its features that libraries use, C library."""
    family, features = platform.machine(), set()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        facts = dict(
            (part.strip() for part in line.split(":", 1))
            for line in cpuinfo.read_text().split("\n\n")[0].splitlines()
            if ":" in line
        )
        family += f" {facts.get('vendor_id', '')} family {facts.get('cpu family', '')} model {facts.get('model', '')}"
        features = set(facts.get("flags", facts.get("Features", "")).split())
    known = " ".join(name for name in FEATURES if name in features)
    return ", ".join(filter(None, (family, known, " ".join(platform.libc_ver()) or platform.system())))


def same_machine(recorded, here):
    """Whether two records of `machine` are of machines that must agree to the last bit; older ones name no features."""
    return set(recorded.split(", ")) <= set(here.split(", "))
