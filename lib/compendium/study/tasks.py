"""A simulated point: its arguments as text, its key, its seed, its result and what it takes to compute it again."""

import dataclasses
import functools
import hashlib
import importlib
import itertools
import json
import platform
import tokenize
from pathlib import Path

import llvmlite
import numba
import numpy as np

from clustershare import _jit
from clustershare.estimates import Estimate

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


def _plain(value):
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"class": f"{type(value).__module__}:{type(value).__qualname__}", "fields": fields}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise ValueError(
        f"A point's arguments must be numbers, strings, sequences or the library's own classes; got {value!r}."
    )


def _made(value):
    if isinstance(value, dict):
        return named(value["class"])(**{name: _made(entry) for name, entry in value["fields"].items()})
    if isinstance(value, list):
        return tuple(_made(entry) for entry in value)
    return value


def named(name):
    """The library's object of that name, `clustershare.module:object`, as stored rows write it.

    Examples
    --------
    >>> named("clustershare.sizes:Exponential")(2.0).mean
    2.0
    """
    module, _, attribute = name.partition(":")
    if module.split(".")[0] != "clustershare" or not attribute:
        raise ValueError(f"name must be of the form clustershare.module:object; got {name!r}.")
    return getattr(importlib.import_module(module), attribute)


def encode(arguments):
    """Keyword arguments as canonical JSON: floats to the last bit, dataclasses by their fields.

    Examples
    --------
    >>> encode({"load": 0.1})
    '{"load":0.1}'
    """
    plain = {name: _plain(value) for name, value in arguments.items()}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)


def decode(text):
    """The keyword arguments that `encode` wrote (sequences come back as tuples)."""
    return {name: _made(value) for name, value in json.loads(text).items()}


@dataclasses.dataclass(frozen=True)
class Task:
    """What determines a simulated point to the last bit, given the kernel.

    Attributes
    ----------
    model : str
        The simulator, as ``clustershare.package:simulate``.
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
        """A digest of all of it: 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(dataclasses.astuple(self)).encode()).hexdigest()[:16]

    def seed_sequence(self):
        """The point's own seed. It does not depend on the run length, so a longer run begins as a shorter one does."""
        digest = hashlib.sha256(f"{self.model} {self.arguments}".encode()).digest()
        words = [int.from_bytes(digest[start : start + 4], "little") for start in range(0, 16, 4)]
        return np.random.SeedSequence(self.seed, spawn_key=words)

    def compute(self):
        """Simulate the point: a dictionary of the estimates by name."""
        lengths = {"jumps": self.jumps, "warmup": self.warmup, "replications": self.replications}
        result = named(self.model)(**decode(self.arguments), **lengths, seed=self.seed_sequence())
        return {
            name: {"value": _plain(estimate.value), "half_width": _plain(estimate.half_width)}
            for name, estimate in vars(result).items()
            if isinstance(estimate, Estimate)
        }


def _behaviour(path):
    """The tokens of a source file without comments, docstrings and layout."""
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    statement_start = True
    for token in tokens:
        if token.type == tokenize.STRING and statement_start:
            continue
        if token.type in layout:
            # A dedent ends no statement by itself, but what it changes is behaviour.
            if token.type in (tokenize.INDENT, tokenize.DEDENT):
                yield {tokenize.INDENT: ">", tokenize.DEDENT: "<"}[token.type]
            statement_start = statement_start or token.type != tokenize.COMMENT
            continue
        statement_start = False
        yield token.string


@functools.cache
def kernel_fingerprint(model):
    """A digest that changes when the compiled code of a simulator could behave otherwise.

    It covers the tokens of the package's ``kernel.py`` (not its comments), of the modules that hand out generators and
    set the compiler's options, and the versions of the compiler and of NumPy. The thin Python around a kernel is
    guarded by recomputation.

    Parameters
    ----------
    model : str
        As in `Task`.
    """
    package = importlib.import_module(model.partition(":")[0])
    kernel = Path(package.__file__).with_name("kernel.py")
    digest = hashlib.sha256(repr([numba.__version__, llvmlite.__version__, np.__version__]).encode())
    for path in (kernel, Path(run_length.__file__), Path(_jit.__file__)):
        digest.update(" ".join(_behaviour(path)).encode())
    return digest.hexdigest()[:16]


@functools.cache
def machine():
    """Processor family and C library: what the last bits of a logarithm may depend on."""
    family = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        facts = dict(
            (part.strip() for part in line.split(":", 1))
            for line in cpuinfo.read_text().split("\n\n")[0].splitlines()
            if ":" in line
        )
        family += f" {facts.get('vendor_id', '')} family {facts.get('cpu family', '')} model {facts.get('model', '')}"
    return f"{family}, {' '.join(platform.libc_ver()) or platform.system()}"
