"""``python -m benchmarks [model ...]``: the tables of all models or of those named; succeeds if every bound held."""

import argparse
import importlib
import inspect
import pkgutil
import sys

import benchmarks


def models():
    """The benchmarks by name: the files of this folder that offer `tables`."""
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name for name in names if name not in ("__main__", "timing")]


def main(words=None):
    """Print the tables; 1 if a bound was not held, 2 for a wrong word, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument(
        "models", nargs="*", metavar="model", help=f"of {', '.join(models())}; all but suite unless given"
    )
    parser.add_argument("--record", action="store_true", help="keep what a page shows in data/")
    arguments = parser.parse_args(words)
    if unknown := [name for name in arguments.models if name not in models()]:
        parser.error(f"model must be one of {', '.join(models())}; got {unknown[0]!r}")
    broken = []
    for name in arguments.models or [name for name in models() if name != "suite"]:
        tables = importlib.import_module(f"benchmarks.{name}").tables
        records = "record" in inspect.signature(tables).parameters
        for title, rows in tables(record=arguments.record) if records else tables():
            print(f"\n{title}", flush=True)
            for row in rows:
                print(row, flush=True)
                broken += [] if row.held else [row]
    print(f"\n{len(broken)} bounds not held" if broken else "\nEvery bound held.")
    for row in broken:
        print(row)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
