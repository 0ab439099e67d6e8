"""Fingerprints of behaviour: what a simulator does, whatever file it stands in and whichever Python reads it.

A fingerprint is a digest of the definitions that a simulator can reach by name, in the text of the package: functions,
classes, module variables. Comments, docstrings, annotations, the words of errors, the names of modules and the order of
definitions do not count. Neither does what refuses arguments: a module called ``arguments``, and statements that do
nothing but ask it or raise its errors; they decide whether there is an answer, not which. Nor do decorators from a
module called ``calls``, with which an answer remembers how it was asked for. Of a class, a method counts where
something that counts mentions its name; how a value prints and compares does not. Of a table by name (the policies,
say) the entries count that a point can choose. Of other packages the names used count, and the versions.

What a simulator learned later, and does only if asked, does not count for a point that does not ask (`_LATER`): the
argument, which is None or False if not given, what is handed on of it, and what stands under a condition on it; and
methods and fields of its name.

The text is read as a syntax tree and written in a form of its own, because what Python's own tools make of a tree
(tokens, `ast.dump`, `ast.unparse`, byte code) differs from one version of Python to the next.
"""

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from compendium.study.made_once import PACKAGES, made_once

# What says nothing about behaviour: contexts, hints for type checkers; nor do statements if TYPE_CHECKING.
_SKIPPED = {"ctx", "kind", "type_comment", "annotation", "returns", "type_params", "type_ignores"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# How a value prints, compares and is reckoned with afterwards; a simulator computes with numbers.
_SHOWN = {"__eq__", "__hash__", "__repr__", "__str__", "__format__", "__init_subclass__", "__lt__", "__gt__", "__neg__"}
_SHOWN |= {"__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__"}
_SHOWN |= {"__getitem__", "__array_ufunc__", "__getstate__", "__deepcopy__"}
# Options that came when rows were stored: a name in the code, or a whole condition, and what of a point asks for it:
# an argument, with brackets if it is a sequence of classes, a class, or a text, as a regular expression. A parameter of
# that name is one of them only where it may be left out. What is on a page, such as a rule of one's own, nothing stored
# asks for.
_LATER = {
    "arrivals": {"arrivals", "cluster"},  # the simulator of a cluster always had them
    "stream": {"arrivals"},
    "records": {"records"},
    "seen": {"records"},
    "journal": {"records"},
    "flow": {"Batches", "MarkovModulated", "Periodic", "Renewal"},
    "isinstance(arrivals, Process)": {"Batches", "MarkovModulated", "Periodic", "Renewal"},
    "loop": {"arrivals", "records"},
    "system.seen is not None": {"records"},
    "laws.ndim == 2": {"Empirical", "Weibull", "LogNormal", "Gamma"},
    "tabled(sizes)": {"Empirical", "Weibull", "LogNormal", "Gamma"},
    "of_choices(name, reading)": {r"JSQ\((?!2\))\d+\)", "without replacement"},
    "weighs_jobs(local)": {"PPS"},
    "asks_for_size(chosen)": set(),
    "shown": set(),
    "phaseless(sizes)": {"Empirical", "Weibull", "LogNormal", "Gamma", "Deterministic", "Pareto", r"sizes\[\]"},
    "several(sizes)": {r"sizes\[\]"},
    "several(service)": {r"service\[\]"},
    "by_class": {r"sizes\[\]", r"service\[\]"},
}


def fingerprint(*places, words=None, asked=None):
    """The fingerprint of some objects together.

    Parameters
    ----------
    *places : str
        Of the form ``package.module:name``.
    words : collection of str, optional
        The texts that the objects are given. In a module's table whose keys are texts and whose values are functions or
        classes, an entry under another key cannot be chosen and does not count. If not given, all entries count.
    asked : collection of str, optional
        The arguments, classes and texts that a point names: what came later and needs others does not count. If not
        given, all of it counts.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    absent = frozenset() if asked is None else _absent(frozenset(asked))
    return _digest(places, None if words is None else _keys(places).intersection(words), absent)


@functools.cache
def _absent(asked):
    """Of `_LATER`, what none of these asks for."""
    return frozenset(
        name for name, by in _LATER.items() if not any(re.fullmatch(one, each) for one in by for each in asked)
    )


@functools.cache
def _digest(places, words, absent):
    scope = Scope((_package(places),), words, absent=absent)
    about = *places, repr(words and sorted(words)), repr(sorted(absent))
    return _made_once(lambda: Reach(places, scope).digest(), places, "row", *about)


@functools.cache
def _keys(places):
    """The keys of all tables that can be reached: other words make no difference."""
    found = _made_once(lambda: sorted(Reach(places, Scope((_package(places),))).keys), places, "keys", *places)
    return frozenset(found)


def _made_once(make, places, *about):
    return made_once(make, *about) if _package(places) in PACKAGES else make()


def _package(places):
    return places[0].partition(":")[0].partition(".")[0]


class Scope(NamedTuple):
    """What counts.

    Attributes
    ----------
    packages : tuple of str
        Whose definitions are entered.
    words : frozenset of str, or None
        By which entries of tables are chosen; None: by any.
    wide : bool
        Whether what refuses arguments counts too, how a value prints and compares, and all of a module that is passed.
    apart : tuple of str
        Modules of these packages that are not entered.
    absent : frozenset of str
        Of `_LATER`, what is not asked for.
    """

    packages: tuple
    words: frozenset | None = None
    wide: bool = False
    apart: tuple = ()
    absent: frozenset = frozenset()

    def holds(self, module):
        """Whether the definitions of a module are entered."""
        return module.partition(".")[0] in self.packages and module not in self.apart


_version = functools.cache(importlib.metadata.version)  # which reads and parses a file each time


class Reach:
    """All that can be reached from some places.

    Parameters
    ----------
    places : iterable of str
        Of the form ``package.module:name``.
    scope : Scope
    """

    def __init__(self, places, scope):
        self.records = {}
        waiting = []
        for place in places:
            module, _, name = place.partition(":")
            home = _home(module, name, scope)
            if home is None:
                raise ValueError(f"place must be of the form package.module:name, of a definition; got {place!r}.")
            waiting.append(home)
        mentioned, methods = set(), set()  # methods that nothing has mentioned so far wait
        while waiting or (waiting := [each for each in methods if each[2] in mentioned]):
            methods -= set(waiting)
            while waiting:
                key = waiting.pop()
                if key in self.records or _refuses(key[0]) and not scope.wide:
                    continue
                record = self.records[key] = _record(key, scope, _changed.get(key[0]))
                waiting += record.needs.difference(self.records)  # not of its keys, which it would go through
                mentioned |= record.mentioned
                methods |= record.methods.difference(self.records)

    @property
    def keys(self):
        """The keys of tables by name."""
        return set().union(*(record.keys for record in self.records.values()))

    @property
    def packages(self):
        """The names of other packages whose behaviour counts."""
        names = {name.partition(".")[0] for record in self.records.values() for name in record.external}
        names -= {*sys.stdlib_module_names, *next(iter(self.records.values())).scope.packages}
        return names | {"llvmlite"} if "numba" in names else names

    def digest(self, *more, version=_version):
        """A digest of it, of more texts and of the versions: of definitions in the order of text, for they may move."""
        packages = sorted(f"{name} {version(name)}" for name in self.packages)
        parts = [*sorted(record.written for record in self.records.values()), *packages, *more]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


# Modules with other text than in their files, by name.
_changed = {}


@contextmanager
def changed(module, text):
    """Let a module have another text, as for a fault put in on purpose, or one that is in no file."""
    _changed[module] = text
    try:
        yield
    finally:
        del _changed[module]


def is_changed():
    """Whether some module has another text than its file."""
    return bool(_changed)


def _home(module, name, scope):
    """Where a name of a module is defined: (module, name); None if nowhere in the packages."""
    found = (_contents(module) or {}).get(name)
    while isinstance(found, tuple) and found != (module, name):  # imported from elsewhere
        module, name = found
        inside = name is not None and scope.holds(module)
        found = (_contents(module) or {}).get(name) if inside else None
    return (module, name) if isinstance(found, list) else None


@functools.cache
def _record(key, scope, text):
    """The `_Record` of a definition; `text` is that of its module, where it is not what its file holds."""
    module, name, *method = key
    record = _Record(scope)
    nodes = _parsed(module, text)[name]
    if method:
        (node,) = nodes
        last = [one for one in node.body if isinstance(one, _FUNCTIONS) and one.name == method[0]][-1]
        record.written = _Writer(record, module).write(last)
    elif isinstance(nodes[0], ast.ClassDef):
        record.written = record.of_class(nodes[0], module)
    else:
        record.written = " ".join(_Writer(record, module).write(node) for node in nodes)
    return record


class _Record:
    """One definition: as written, and what it asks for.

    Attributes
    ----------
    written : str
    needs : set of tuple
        Definitions: (module, name).
    methods : set of tuple
        (module, class, name): needed once something mentions the name.
    mentioned, external, keys : set of str
        Attributes; full names of what is of other packages; keys of tables by name.
    """

    def __init__(self, scope):
        self.scope, self.written = scope, ""
        self.needs, self.methods, self.mentioned, self.external, self.keys = set(), set(), set(), set(), set()

    def of_class(self, node, module):
        """A class without the methods that wait to be mentioned."""
        kept = []
        for statement in node.body:
            if _names(statement) & _SHOWN and not self.scope.wide:
                continue
            if isinstance(statement, _FUNCTIONS) and statement.name in self.scope.absent:
                continue
            if isinstance(statement, ast.AnnAssign) and getattr(statement.value, "value", "") is None:
                if statement.target.id in self.scope.absent:
                    continue
            special = isinstance(statement, _FUNCTIONS) and statement.name.startswith("__")
            if isinstance(statement, _FUNCTIONS) and not special:
                self.methods.add((module, node.name, statement.name))
            else:
                kept.append(statement)
        writer = _Writer(self, module)
        parts = [node.name, *map(writer.write, node.bases), *map(writer.write, node.keywords)]
        return "class " + " ".join([*parts, *map(writer.write, node.decorator_list), writer.body(kept)])

    def resolve(self, module, names):
        """What a dotted name stands for in a module, as it is written; None where it is nothing of the module's."""
        found = _contents(module).get(names[0])
        if found is None:
            return None
        if not isinstance(found, tuple):
            self.needs.add((module, names[0]))
            return ".".join(["=" + names[0], *names[1:]])
        origin, name = found
        rest = list(names[1:])
        while True:
            inside = self.scope.holds(origin)
            if name is None:  # a module
                if not inside:
                    full = ".".join([origin, *rest])
                    self.external.add(full)
                    return full
                if not rest:
                    if self.scope.wide:  # whoever gets it may ask for anything in it
                        self.needs |= {home for each in _contents(origin) if (home := _home(origin, each, self.scope))}
                    return "module"
                name = rest.pop(0)
                continue
            if not inside:
                full = ".".join([origin, name, *rest])
                self.external.add(full)
                return full
            known = _contents(origin).get(name)
            if known in (None, (origin, name)) and _contents(f"{origin}.{name}") is not None:  # a module of a package
                origin, name = f"{origin}.{name}", None
                continue
            if isinstance(known, tuple):
                origin, name = known
                continue
            if known is not None:
                self.needs.add((origin, name))
            return ".".join(["=" + name, *rest])


class _Writer:
    """Writes syntax trees of a module, and reaches what they name."""

    def __init__(self, record, module):
        self.record, self.module, self.scopes, self.absent = record, module, [], set()

    def write(self, node):
        """The canonical text of a node."""
        if isinstance(node, ast.Constant):
            return repr(node.value)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(node)
        if isinstance(node, ast.Raise):
            return self._fields(node) if self.record.scope.wide else "Raise"
        if isinstance(node, ast.JoinedStr):
            return self._formatted(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return ""  # what it names is resolved where it is used
        if isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING":
            return ""
        if not self.record.scope.wide and self._only_refuses(node):
            return ""
        if self.record.scope.absent and (instead := self._without_absent(node)) is not node:
            return "; ".join(filter(None, map(self.write, instead)))
        if isinstance(node, ast.Dict) and not self.scopes:
            return self._fields(self._chosen(node))
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, _FUNCTIONS):
            return self._function(node)
        if isinstance(node, _COMPREHENSIONS):
            return self._within({name for part in node.generators for name in _bound(part.target)}, node)
        return self._fields(node)

    def body(self, statements):
        """Statements without a docstring."""
        if statements and isinstance(statements[0], ast.Expr) and isinstance(statements[0].value, ast.Constant):
            statements = statements[1:]
        return "{" + "; ".join(filter(None, map(self.write, self._asked(statements)))) + "}"

    def _asked(self, nodes):
        """Nodes without what is not asked for, one after the other as they are written."""
        for node in nodes:
            refuses = not self.record.scope.wide and isinstance(node, ast.AST) and self._only_refuses(node)
            instead = self._without_absent(node) if self.record.scope.absent and not refuses else node
            yield from [node] if instead is node else self._asked(instead)

    def _without_absent(self, node):
        """What is left of a node where what is not asked for is left out: nodes in its place, or itself."""
        if isinstance(node, (ast.If, ast.IfExp)):
            holds = self._of_absent(node.test)
            if holds is None:
                return node
            left = node.body if holds else node.orelse
            return left if isinstance(left, list) else [left]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            while isinstance(value, ast.IfExp) and (holds := self._of_absent(value.test)) is not None:
                value = value.body if holds else value.orelse
            if name in self.record.scope.absent and isinstance(value, ast.Constant) and value.value in (None, False):
                self.absent.add(name)
                return []
        if isinstance(node, ast.Call):
            given = [one for one in node.args if not self._is_absent(one)]
            named = [one for one in node.keywords if not self._is_absent(one.value)]
            if len(given) + len(named) < len(node.args) + len(node.keywords):
                return [ast.Call(func=node.func, args=given, keywords=named)]
        if isinstance(node, ast.Tuple) and any(map(self._is_absent, node.elts)):
            return [ast.Tuple(elts=[one for one in node.elts if not self._is_absent(one)], ctx=node.ctx)]
        return node

    def _is_absent(self, node):
        return isinstance(node, ast.Name) and node.id in self.absent

    def _of_absent(self, test):
        """Whether a condition on what is not asked for holds; None of another."""
        if ast.unparse(test) in self.record.scope.absent - self.absent and not isinstance(test, ast.Name):
            return False
        if self._is_absent(test):
            return False
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and self._is_absent(test.operand):
            return True
        if isinstance(test, ast.Compare) and self._is_absent(test.left):
            return {ast.Is: True, ast.IsNot: False}.get(type(test.ops[0]))
        return None

    def _only_refuses(self, node):
        """Whether a statement does nothing but ask whether arguments are right, or raise an error of theirs.

        A condition that gives something a name does more. One that calls what draws or changes something would not be
        seen: it belongs on a line of its own.
        """
        if isinstance(node, ast.If):
            refuses = all(map(self._only_refuses, [*node.body, *node.orelse]))
        elif isinstance(node, (ast.Raise, ast.Expr)):
            refuses = self._asks_or_raises(node.exc if isinstance(node, ast.Raise) else node.value)
        else:
            refuses = False
        return refuses and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))

    def _asks_or_raises(self, call):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return False
        if any(call.func.id in scope for scope in self.scopes):
            return False
        found = _contents(self.module).get(call.func.id)
        return isinstance(found, tuple) and _refuses(found[0])

    def _remembers(self, decorator):
        """Whether a decorator only has an answer remember how it was asked for."""
        found = _contents(self.module).get(getattr(decorator, "id", None))
        return not self.record.scope.wide and isinstance(found, tuple) and found[0].rpartition(".")[2] == "calls"

    def _comparison(self, node):
        """A comparison: what a class is asked for there is which it is, not what it does."""
        sides = [node.left, *node.comparators]
        sides = [part for side in sides for part in (side.elts if isinstance(side, ast.Tuple) else [side])]
        which = [side for side in sides if self._is_definition(side, ast.ClassDef)]
        if not which:
            return self._fields(node)
        rest = [side.id if side in which else self.write(side) for side in sides]
        return f"Compare({', '.join([*rest, *map(self.write, node.ops)])})"

    def _chosen(self, node):
        """A table of functions and classes by name without the entries that no word chooses; other tables whole."""
        texts = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        if len(texts) < len(node.keys) or not all(map(self._is_definition, node.values)):
            return node
        self.record.keys.update(texts)
        if self.record.scope.words is None:
            return node
        kept = [k for k, text in enumerate(texts) if text in self.record.scope.words]
        return ast.Dict(keys=[node.keys[k] for k in kept], values=[node.values[k] for k in kept])

    def _is_definition(self, node, kinds=(*_FUNCTIONS, ast.ClassDef)):
        """Whether a node is the name of a function or class of the package."""
        named = isinstance(node, ast.Name) and not any(node.id in scope for scope in self.scopes)
        found = _contents(self.module).get(node.id) if named else None
        while isinstance(found, tuple) and found != (self.module, node.id):
            inside = self.record.scope.holds(found[0])
            found = (_contents(found[0]) or {}).get(found[1]) if inside else None
        return isinstance(found, list) and isinstance(found[0], kinds)

    def _fields(self, node):
        parts = []
        for name in sorted(node._fields):
            value = getattr(node, name, None)
            if name in _SKIPPED or value is None or value == []:
                continue
            if isinstance(value, list):
                text = "[" + ", ".join(filter(None, map(self._entry, self._asked(value)))) + "]"
            else:
                text = self._entry(value)
            parts.append(f"{name}={text}")
        return f"{type(node).__name__}({', '.join(parts)})"

    def _entry(self, value):
        return self.write(value) if isinstance(value, ast.AST) else repr(value)

    def _within(self, names, node):
        self.scopes.append(names)
        text = self._fields(node)
        self.scopes.pop()
        return text

    def _function(self, node):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        outer, self.absent, arguments, every = self.absent, *self._asked_for(arguments, every)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = {argument.arg for argument in every if argument} | {name for part in body for name in _bound(part)}
        outside = [self.write(part) for part in (*arguments.defaults, *filter(None, arguments.kw_defaults))]
        outside += [self.write(part) for part in getattr(node, "decorator_list", []) if not self._remembers(part)]
        self.scopes.append(names)
        shape = ", ".join(argument.arg for argument in every if argument)
        text = self.write(node.body) if isinstance(node, ast.Lambda) else self.body(node.body)
        self.scopes.pop()
        self.absent = outer
        return f"{getattr(node, 'name', 'lambda')}({shape}) {' '.join(outside)} {text}"

    def _asked_for(self, arguments, every):
        """Of a function: names of what is not asked for; its defaults and its parameters without that."""
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
        named = list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
        absent = {
            one.arg
            for one, value in [*defaults, *named]
            if one.arg in self.record.scope.absent and isinstance(value, ast.Constant) and value.value in (None, False)
        }
        kept = ast.arguments(
            defaults=[value for one, value in defaults if one.arg not in absent],
            kw_defaults=[value for one, value in named if one.arg not in absent],
        )  # fmt: skip
        every = [one for one in every if one and one.arg not in absent]
        hidden = {one.arg for one in every}
        return {name for name in self.absent if name not in hidden} | absent, kept, every

    def _formatted(self, node):
        # How neighbouring texts are joined differs between versions.
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant) and parts and parts[-1][0] == "text":
                parts[-1] = ("text", parts[-1][1] + value.value)
            elif isinstance(value, ast.Constant):
                parts.append(("text", value.value))
            else:
                parts.append(("value", self._fields(value)))
        return "f" + repr([part for part in parts if part[1]])

    def _name(self, node):
        names, inner = [], node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        self.record.mentioned.update(names)
        if not isinstance(inner, ast.Name):
            return ".".join([f"({self.write(inner)})", *reversed(names)])
        names = [inner.id, *reversed(names)]
        if not any(inner.id in scope for scope in self.scopes):
            resolved = self.record.resolve(self.module, names)
            if resolved is not None:
                return resolved
        return ".".join(names)


def _refuses(module):
    """Whether a module is one that arguments are shown to, or where a kernel asks whether to stop."""
    return module.rpartition(".")[2] in ("arguments", "interrupts")


def _names(statement):
    """What a statement of a class gives: a method, or the name of a value."""
    named = statement.targets if isinstance(statement, ast.Assign) else [statement]
    return {getattr(one, "name", None) or getattr(one, "id", None) for one in named}


@functools.cache
def _bound(node):
    """The names that a statement or target binds in its own scope."""
    found, waiting = set(), [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            found.add(part.name)
            continue
        elif isinstance(part, ast.ExceptHandler) and part.name:
            found.add(part.name)
        if not isinstance(part, (*_FUNCTIONS, *_COMPREHENSIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(part)
    return frozenset(found)


def _contents(module):
    """What a module defines: by name its nodes, or (module, name) of what it imports; None if there is no module."""
    return _parsed(module, _changed.get(module))


@functools.cache
def _parsed(module, text):
    if text is None:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            spec = None
        if spec is None or spec.origin is None:
            return None
        text = Path(spec.origin).read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = {}
    for node in ast.walk(tree):  # imports within functions and conditions too
        if isinstance(node, ast.Import):
            for name in node.names:
                known_as = name.asname or name.name.partition(".")[0]
                found[known_as] = (name.name if name.asname else known_as, None)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for name in node.names:
                found[name.asname or name.name] = (node.module, name.name)
    for statement in _statements(tree.body):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found[statement.name] = [statement]
        else:
            for name in _bound(statement):
                earlier = found.get(name, [])
                found[name] = [*(earlier if isinstance(earlier, list) else []), statement]
    return found


def _statements(body):
    """Statements of a module, those under conditions included."""
    for statement in body:
        if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For)):
            yield from _statements([*statement.body, *getattr(statement, "orelse", [])])
        elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Expr)):
            yield statement
