"""Sharing the capacity of computer clusters: models, exact answers and simulators.

Each module is there after ``import clustershare``, and loaded when it is first used:

"""

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

__version__ = "0.1.0"  # that of pyproject.toml


def _modules() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__)]


def _purpose(name: str) -> str:
    """What a module is for, in the first line of its own docstring: read, not imported."""
    folder = Path(__file__).parent
    path = folder / name / "__init__.py" if (folder / name).is_dir() else folder / f"{name}.py"
    with path.open(encoding="utf-8") as file:
        return file.readline().strip().strip('"')


__doc__ = f"{__doc__}" + "".join(f"{name:15s} {_purpose(name)}\n" for name in _modules())


def __getattr__(name: str) -> ModuleType:
    if name in _modules():
        return importlib.import_module(f"clustershare.{name}")
    raise AttributeError(f"module 'clustershare' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"__doc__", "__file__", "__name__", "__path__", "__version__", *_modules()})
