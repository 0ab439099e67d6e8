"""The command line: ``python -m compendium``."""

import argparse
import ast
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from clustershare.arguments import integer, one_of
from compendium import places
from compendium.progress import say


def _parameter(text):
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise ValueError(f"-p must be of the form name=value; got {text!r}.")
    return name, _value(value)


def figure(arguments):
    """Make one figure again, with other parameters: its picture and its points."""
    from compendium.press import notebooks

    parameters = dict(map(_parameter, arguments.parameters))
    if arguments.fidelity:
        parameters["fidelity"] = arguments.fidelity
    source = notebooks.notebook_of_figure(arguments.identifier)
    targets = [Path(f"{arguments.identifier}.{suffix}").resolve() for suffix in ("svg", "csv")]
    for target in targets:
        places.check_writable(target)
    say(f"Executing {source.relative_to(places.ROOT)} ...")
    with tempfile.TemporaryDirectory() as folder:
        notebooks.execute(source, Path(folder, source.name), parameters, {"COMPENDIUM_FIGURES": folder})
        for target in targets:
            if (made := Path(folder, target.name)).exists():  # a diagram has no points
                shutil.copy(made, target)
                print(target)


def scorecard(arguments):
    """Check every claim; succeed only if each verdict is the committed one."""
    from compendium.press import scorecard as card

    found = card.findings()
    for identifier, finding in found.items():
        print(f"{identifier:15} {finding.verdict:35} {finding.computed}")
    if arguments.accept:
        card.accept(found)
        return 0
    changed = card.changes(found)
    for identifier, committed, now in changed:
        print(f"{identifier}: the verdict was '{committed}' and is now '{now}'.", file=sys.stderr)
    return 1 if changed else 0


def book(arguments):
    """Execute the notebooks and build the HTML book; with --fresh, compare every figure with the committed one."""
    from compendium.press import book as making

    page = making.build(arguments.output, fidelity=arguments.fidelity, fresh=arguments.fresh)
    print(f"The book is at {page}")
    if not arguments.fresh:
        return 0
    unlike = making.figures_unlike(page.parent.with_name("source") / "figures")
    for name, what in unlike.items():
        print(f"{name}: {what}", file=sys.stderr)
    print(f"{len(unlike)} figures are not the committed ones" if unlike else "Every figure is the committed one.")
    return 1 if unlike and not arguments.fidelity else 0  # at another fidelity they are others


def crate(arguments):
    """Write the RO-Crate of a build that stands: what each figure was drawn from. `book` does so too."""
    from compendium.press import crate as making

    print(making.write(arguments.output or places.ROOT / "_build"))


def pdf(arguments):
    """Print the book as one PDF, with headless Chromium; build it first where that is needed."""
    from compendium.press import pdf as printing

    print(f"The book is at {printing.make(arguments.output)}")


def lab(arguments):
    """Open a copy of the pages in JupyterLab, so that working on them leaves the checkout clean."""
    from compendium.press import lab as laboratory

    laboratory.run(arguments.folder, arguments.options)


def execute(arguments):
    """Execute notebooks in place, as they are committed; their points go to the project's own results."""
    from compendium.press import notebooks

    paths = [Path(path).resolve() for path in arguments.paths] or notebooks.notebooks()
    notebooks.execute_all(paths, paths, environment={"COMPENDIUM_RESULTS": str(places.RESULTS)})


def results(arguments):
    """Recompute stored points and compare them to the last bit, or drop those that other code made."""
    from compendium.study import reproduction

    if arguments.prune:
        print(f"{reproduction.prune()} stale rows dropped")
        return 0
    return reproduction.report(arguments.sample)


def mutants(arguments):
    """Put faults into the library on purpose; succeed only if each turns the claim named for it."""
    from compendium.press import mutants as faults

    missed = 0
    for mutant, verdict, caught in faults.survivors(arguments.sample, only=arguments.identifiers):
        outcome = "caught" if caught else "NOT CAUGHT"
        print(f"{mutant.identifier:30} {mutant.claim:15} {verdict:35} {outcome}: {mutant.what}")
        missed += not caught
    return 1 if missed else 0


def _value(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text  # a bare word is a string


def _check(arguments):
    """Refuse what no command takes, before any of them begins."""
    from compendium.study.fidelity import FIDELITIES

    for name, check in (("fidelity", lambda value: one_of("fidelity", value, FIDELITIES)),
                        ("sample", lambda value: integer("sample", value, 1))):  # fmt: skip
        if getattr(arguments, name, None) is not None:
            check(getattr(arguments, name))


def parser():
    """The parser of the command line."""
    main = argparse.ArgumentParser(prog="python -m compendium", description="Regenerate, check and build the book.")
    commands = main.add_subparsers(required=True, metavar="command")

    def command(name, function):
        added = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        added.set_defaults(function=function)
        return added

    one = command("figure", figure)
    one.add_argument("identifier", help="such as thesis-fig-3.5")
    one.add_argument(
        "-p", dest="parameters", metavar="name=value", action="append", default=[], help="a notebook parameter"
    )
    one.add_argument("--fidelity", help="quick, book or paper")
    command("scorecard", scorecard).add_argument("--accept", action="store_true", help="commit the verdicts found")
    whole = command("book", book)
    whole.add_argument("--output", type=Path, help="folder of the build")
    whole.add_argument("--fidelity", help="quick, book or paper, in place of each notebook's own")
    whole.add_argument("--fresh", action="store_true", help="start from an empty results store")
    command("crate", crate).add_argument("--output", type=Path, help="folder of the build")
    command("pdf", pdf).add_argument("--output", type=Path, help="folder of the build")
    opened = command("lab", lab)
    opened.add_argument("--folder", type=Path, help="where the copies are")
    opened.add_argument("options", nargs="*", help="of JupyterLab, after --: such as -- --no-browser")
    command("execute", execute).add_argument("paths", nargs="*", help="notebooks; all of them if none is named")
    judged = command("mutants", mutants)
    judged.add_argument("identifiers", nargs="*", help="of data/mutants.csv; all of them if none is named")
    judged.add_argument("--sample", type=_value, help="only so many, drawn at random")
    stored = command("results", results)
    stored.add_argument("--sample", type=_value, help="only so many points, drawn at random")
    stored.add_argument("--prune", action="store_true", help="drop rows that other code made")
    return main


def main(words=None):
    """Run a command; a wrong value gets its sentence and exit code 2."""
    arguments = parser().parse_args(words)
    warnings.formatwarning = lambda message, *_: f"{message}\n"  # the sentence, without the line of code
    try:
        _check(arguments)
        return arguments.function(arguments) or 0
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; what was finished is kept.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
