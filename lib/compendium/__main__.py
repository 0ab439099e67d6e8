"""The command line: ``python -m compendium``."""

# ruff: noqa: E402  Ctrl-C is answered before what takes a while to import.

import os
import signal
import sys


def _end(*_):
    """Answer Ctrl-C while nothing has begun but imports, in which an exception would be a traceback or be lost."""
    os.write(2, b"Interrupted; nothing was begun.\n")
    os._exit(130)


if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _end)

import argparse
import ast
import json
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

from clustershare.arguments import MOST_SHOWN, fail, integer, one_of
from compendium import places
from compendium.progress import say

MOST_SAID = 400  # signs of a line of a complaint


def _brief(text):
    """A complaint of no line that is too long to read."""
    return "\n".join(line if len(line) <= MOST_SAID else f"{line[: MOST_SAID - 4]} ..." for line in text.splitlines())


def _parameter(text):
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        fail("-p", text, "of the form name=value")
    return name, _value(value)


def _check_free(target, overwrite):
    places.check_writable(target)
    if os.path.lexists(target) and not overwrite:
        raise ValueError(f"{target} exists; give --overwrite to write over it.")


@contextmanager
def _naming(parameters):
    """Let a sentence on what a page made of its parameters name them, where it is about another name."""
    try:
        yield
    except ValueError as error:
        if not parameters or str(error).partition(" ")[0].partition("[")[0] in parameters:
            raise
        given = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        raise ValueError(f"With {given if len(given) <= MOST_SHOWN else ', '.join(parameters)}: {error}") from None


def figure(arguments):
    """Make one figure again, with other parameters: its picture and its points, in the folder where you are."""
    from compendium.press import notebooks

    given = dict(map(_parameter, arguments.parameters))
    fidelity = {"fidelity": arguments.fidelity} if arguments.fidelity else {}
    source = notebooks.notebook_of_figure(arguments.identifier)
    notebooks.check_parameters(source, {**given, **fidelity})
    targets = [Path.cwd() / f"{arguments.identifier}.{suffix}" for suffix in ("svg", "csv")]
    for target in targets:
        _check_free(target, arguments.overwrite)
    say(f"Executing {source.relative_to(places.ROOT)} ...")
    with tempfile.TemporaryDirectory() as folder:
        with _naming(given):
            notebooks.execute(source, Path(folder, source.name), {**given, **fidelity}, {"COMPENDIUM_FIGURES": folder})
        for target in targets:
            if (made := Path(folder, target.name)).exists():  # a diagram has no points
                _check_free(target, arguments.overwrite)  # it took a while
                target.write_bytes(made.read_bytes())
                print(target)


def cluster(arguments):
    """Answer for your own cluster, from its log or a few numbers: which policy, what is lost, how many servers."""
    from compendium.cluster_report import command

    given = {name: value for name, value in vars(arguments).items() if name != "function"}
    print(f"The report is at {command.report(**given)}")


def scorecard(arguments):
    """Check every claim; succeed only if each verdict is the committed one."""
    from compendium.press import scorecard as card

    found = card.findings()
    for identifier, finding in found.items():
        print(f"{identifier:15} {finding.verdict:35} {finding.came_out}")
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

    output = (arguments.output or places.ROOT / "_build").resolve()
    places.check_apart("output", output)
    print(making.write(output))


def pdf(arguments):
    """Print the book as one PDF, with headless Chromium; build it first where that is needed."""
    from compendium.press import pdf as printing

    print(f"The book is at {printing.make(arguments.output)}")


def lab(arguments):
    """Open a copy of the pages in JupyterLab, so that working on them leaves the checkout clean."""
    from compendium.press import lab as laboratory

    laboratory.run(arguments.folder, arguments.options)


def execute(arguments):
    """Execute notebooks in place, as they are committed: outputs are new, metadata stay; points go to data/results."""
    from compendium.press import notebooks

    paths = [Path(path).resolve() for path in arguments.paths] or notebooks.notebooks()
    notebooks.execute_all(paths, paths, environment={"COMPENDIUM_RESULTS": str(places.RESULTS)})


def prove(arguments):
    """Run stored points again, compute what the library answers and what claims find, and keep it in data/proofs."""
    from compendium.press import library, proofs, reruns
    from compendium.press import scorecard as card
    from compendium.press.findings import AGREES

    committed, changed = card.committed(), 0
    for file in [] if arguments.claims else reruns.files():
        if not (arguments.stale and reruns.current(file)):
            told = reruns.prove(file)
            if told["refused"]:
                print(told["computed"], file=sys.stderr)
                changed += 1
    for part in [] if arguments.claims else library.parts():
        if not (arguments.stale and library.current(part)):
            told = library.prove(part)
            if told.verdict != AGREES:
                print(f"{part}: what the library answers is not what witnesses say: {told.computed}", file=sys.stderr)
                changed += 1
    for before, proof in proofs.renew(proofs.chosen(arguments.claims, arguments.stale)):
        faults = []
        if before and not before.stands(proof):
            was, now = (f"{one.verdict} ({one.computed}), {one.turned}" for one in (before, proof))
            faults.append(f"of the same code and data it was '{was}' and is now '{now}'")
        if (told := card.in_words(*card.judged(proof.finding))) != committed[proof.claim]:
            faults.append(f"the verdict was '{committed[proof.claim]}' and is now '{told}'")
        if proof.turned == proof.verdict:
            faults.append("its control does not turn")
        for fault in faults:
            print(f"{proof.claim}: {fault}.", file=sys.stderr)
        changed += bool(faults)
    return 1 if changed else 0


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


def faults(arguments):
    """Make faults in what checks and rooms run, keep in data/proofs/faults.csv which are noticed, name the others."""
    from compendium.press import faults as making

    for line in making.survey(arguments.claims, arguments.faults, arguments.stale):
        print(f"{line['claim']:15} {line['turned'] + line['failed']} of {line['tried']} noticed", flush=True)
        for fault in json.loads(line["unseen"]):
            print(f"{'':15} not: {fault}", flush=True)


def _value(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError):  # the last two of many signs
        return text  # a bare word is a string


def _check(arguments):
    """Refuse what no command takes, before any of them begins."""
    from compendium.study.fidelity import FIDELITIES

    for name, check in (("fidelity", lambda value: one_of("fidelity", value, FIDELITIES)),
                        ("sample", lambda value: integer("sample", value, 1)),
                        ("faults", lambda value: integer("faults", value, 1))):  # fmt: skip
        if getattr(arguments, name, None) is not None:
            check(getattr(arguments, name))


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        super().error(_brief(message))


def parser():
    """The parser of the command line."""
    main = _Parser(prog="python -m compendium", description="Regenerate, check and build the book.")
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
    one.add_argument("--overwrite", action="store_true", help="write over a picture or points that are there already")
    own = command("cluster", cluster)
    own.add_argument(
        "log", nargs="?", metavar="LOG", help="Standard Workload Format, sacct -P or other CSV; also gzipped"
    )
    own.add_argument("--groups", default="user", help="column that tells the group of a job: user, account, ...")
    own.add_argument(
        "--promise", nargs="+", metavar="NAME=SHARE", help="one for each group, 1 in all; else all the same"
    )
    own.add_argument("--servers", type=_value, help="of the cluster, if the log does not tell")
    own.add_argument("--deviation", type=_value, default=0.05, help="most that a group may miss of its promise: .05")
    own.add_argument("--slowdown", type=_value, default=2.0, help="most mean times in the system over mean sizes: 2")
    own.add_argument("--anonymous", action="store_true", help="number the groups, and quote nothing of the log")
    own.add_argument(
        "--output", type=Path, help="folder of the report: cluster-report; nothing of yours is written over"
    )
    bare = own.add_argument_group("without a log, by --promise, --servers and")
    bare.add_argument(
        "--load", nargs="+", metavar="[NAME=]LOAD", help="part of the servers kept busy: .8, or a=.4 b=.4"
    )
    bare.add_argument("--mean", type=_value, help="mean size in seconds: 3600")
    bare.add_argument("--variation", type=_value, help="squared coefficient of variation of sizes: 1, exponential")
    bare.add_argument("--needs", nargs="+", metavar="SERVERS=PART", help="servers that jobs take: 1=.5 4=.5; else one")
    command("scorecard", scorecard).add_argument("--accept", action="store_true", help="commit the verdicts found")
    folder = "of the build; nothing is deleted there that no build made"
    whole = command("book", book)
    whole.add_argument("--output", type=Path, help=folder)
    whole.add_argument("--fidelity", help="quick, book or paper, in place of each notebook's own")
    whole.add_argument("--fresh", action="store_true", help="start from an empty results store")
    command("crate", crate).add_argument("--output", type=Path, help=folder)
    command("pdf", pdf).add_argument("--output", type=Path, help=folder)
    opened = command("lab", lab)
    opened.add_argument("--folder", type=Path, help="where the copies are")
    opened.add_argument("options", nargs="*", help="of JupyterLab, after --: such as -- --no-browser")
    command("execute", execute).add_argument("paths", nargs="*", help="notebooks; all of them if none is named")
    judged = command("mutants", mutants)
    judged.add_argument("identifiers", nargs="*", help="of data/mutants.csv; all of them if none is named")
    judged.add_argument("--sample", type=_value, help="only so many, drawn at random")
    made = command("faults", faults)
    made.add_argument("claims", nargs="*", help="of data/claims.csv, or parts such as pages.round_robin; default: all")
    made.add_argument("--faults", type=_value, help="so many for each")
    made.add_argument("--stale", action="store_true", help="only those whose line is not of today's code")
    proven = command("prove", prove)
    proven.add_argument("claims", nargs="*", help="of data/claims.csv; all of them if none is named")
    proven.add_argument("--stale", action="store_true", help="only those whose proof is not of today's code and data")
    stored = command("results", results)
    stored.add_argument("--sample", type=_value, help="only so many points, drawn at random")
    stored.add_argument("--prune", action="store_true", help="drop rows that other code made")
    return main


def main(words=None):
    """Run a command; a wrong value gets its sentence and exit code 2."""
    try:
        if signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        arguments = parser().parse_args(words)
        warnings.formatwarning = lambda message, *_: f"{message}\n"  # the sentence, without the line of code
        _check(arguments)
        return arguments.function(arguments) or 0
    except OSError as error:
        told = f"{error.filename}: {error.strerror}." if error.filename and error.strerror else str(error)
        print(_brief(told), file=sys.stderr)
        return 2
    except ValueError as error:
        print(_brief(str(error)), file=sys.stderr)
        return 2
    except RuntimeError as error:
        print(_brief(str(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; what was finished is kept.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
