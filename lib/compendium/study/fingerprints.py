"""Fingerprints of behaviour: what a simulator does, whatever file it stands in and whichever Python reads it.

A fingerprint is a digest of the definitions that a simulator can reach by name, in the text of the package: functions,
classes, module variables. Comments, docstrings, annotations, the words of errors, the names of modules and the order of
definitions do not count. Neither does what refuses arguments: a module called ``arguments``, and statements that do
nothing but ask it or raise its errors; they decide whether there is an answer, not which. Of a class, a method counts
where something that counts mentions its name; how a value prints and compares does not. Of a table by name (the
policies, say) the entries count that a point can choose. Of other packages the names used count, and the versions.

The text is read as a syntax tree and written in a form of its own, because what Python's own tools make of a tree
(tokens, `ast.dump`, `ast.unparse`, byte code) differs from one version of Python to the next.
"""

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path

# What says nothing about behaviour: contexts, hints for type checkers.
_SKIPPED = {"ctx", "kind", "type_comment", "annotation", "returns", "type_params", "type_ignores"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# How a value prints and compares; a simulator computes with numbers.
_SHOWN = {"__eq__", "__hash__", "__repr__", "__str__", "__format__", "__init_subclass__"}


def fingerprint(*places, words=None):
    """The fingerprint of some objects together.

    Parameters
    ----------
    *places : str
        Of the form ``package.module:name``.
    words : collection of str, optional
        The texts that the objects are given. In a module's table whose keys are texts and whose values are functions or
        classes, an entry under another key cannot be chosen and does not count. If not given, all entries count.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    return _digest(places, None if words is None else _keys(places).intersection(words))


@functools.cache
def _digest(places, words):
    return _Reach(dict.fromkeys(places), words).digest()


@functools.cache
def _keys(places):
    """The keys of all tables that can be reached: other words make no difference."""
    return frozenset(_Reach(dict.fromkeys(places)).keys)


class _Reach:
    """All that can be reached from some places, by some words (None: by any)."""

    def __init__(self, places, words=None):
        self.package = next(iter(places)).partition(":")[0].partition(".")[0]
        self.words, self.keys = words, set()
        self.written, self.external, self.mentioned = {}, set(), set()
        self.methods = []  # (class, name, node, module) that nothing has mentioned so far
        for place in places:
            module, _, name = place.partition(":")
            if not self._definition(module, name):
                raise ValueError(f"place must be of the form package.module:name, of a definition; got {place!r}.")
        while ready := [entry for entry in self.methods if entry[1] in self.mentioned]:
            self.methods = [entry for entry in self.methods if entry[1] not in self.mentioned]
            for owner, name, node, module in ready:
                self.written[owner, name] = _Writer(self, module).write(node)

    def digest(self):
        """The digest of it: of the definitions in the order of their text, for they may move."""
        versions = {name.partition(".")[0] for name in self.external} - set(sys.stdlib_module_names)
        if "numba" in versions:
            versions.add("llvmlite")
        packages = sorted(f"{name} {importlib.metadata.version(name)}" for name in versions)
        parts = [*sorted(self.written.values()), *packages]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _definition(self, module, name):
        """Reach the definition of a name in a module of the package: its own name, or None."""
        found = _contents(module).get(name)
        if found is None:
            return None
        if isinstance(found, tuple):  # imported from elsewhere
            return self._imported(*found)
        if (module, name) not in self.written and not _refuses(module):
            self.written[module, name] = ""  # a definition may name itself
            writer = _Writer(self, module)
            if isinstance(found[0], ast.ClassDef):
                self.written[module, name] = self._class(found[0], module, writer)
            else:
                self.written[module, name] = " ".join(writer.write(node) for node in found)
        return name

    def _imported(self, module, name):
        if name is None or _contents(module) is None:
            return None
        return self._definition(module, name)

    def _class(self, node, module, writer):
        """A class without the methods that wait to be mentioned."""
        kept = []
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS) and statement.name in _SHOWN:
                continue
            special = isinstance(statement, _FUNCTIONS) and statement.name.startswith("__")
            if isinstance(statement, _FUNCTIONS) and not special:
                self.methods.append((f"{module}:{node.name}", statement.name, statement, module))
            else:
                kept.append(statement)
        parts = [node.name, *map(writer.write, node.bases), *map(writer.write, node.keywords)]
        return "class " + " ".join([*parts, *map(writer.write, node.decorator_list), writer.body(kept)])

    def resolve(self, module, names):
        """What a dotted name stands for in a module, as it is written; None where it is nothing of the module's."""
        found = _contents(module).get(names[0])
        if found is None:
            return None
        if not isinstance(found, tuple):
            self._definition(module, names[0])
            return ".".join(["=" + names[0], *names[1:]])
        origin, name = found
        rest = list(names[1:])
        while True:
            inside = origin.partition(".")[0] == self.package
            if name is None:  # a module
                if not inside:
                    full = ".".join([origin, *rest])
                    self.external.add(full)
                    return full
                if not rest:
                    return "module"
                name = rest.pop(0)
                if _contents(f"{origin}.{name}") is not None and name not in _contents(origin):
                    origin, name = f"{origin}.{name}", None
                continue
            if not inside:
                full = ".".join([origin, name, *rest])
                self.external.add(full)
                return full
            if name not in _contents(origin) and _contents(f"{origin}.{name}") is not None:
                origin, name = f"{origin}.{name}", None
                continue
            known = _contents(origin).get(name)
            if isinstance(known, tuple):
                origin, name = known
                continue
            self._definition(origin, name)
            return ".".join(["=" + name, *rest])


class _Writer:
    """Writes syntax trees of a module, and reaches what they name."""

    def __init__(self, reach, module):
        self.reach, self.module, self.scopes = reach, module, []

    def write(self, node):
        """The canonical text of a node."""
        if isinstance(node, ast.Constant):
            return repr(node.value)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(node)
        if isinstance(node, ast.Raise):
            return "Raise"
        if isinstance(node, ast.JoinedStr):
            return self._formatted(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return ""  # what it names is resolved where it is used
        if self._only_refuses(node):
            return ""
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
        return "{" + "; ".join(filter(None, map(self.write, statements))) + "}"

    def _only_refuses(self, node):
        """Whether a statement does nothing but ask whether arguments are right, or raise an error of theirs.

        A condition that gives something a name does more. One that calls what draws or changes something would not be
        seen: it belongs on a line of its own.
        """
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            return False
        if isinstance(node, ast.If):
            return all(map(self._only_refuses, [*node.body, *node.orelse]))
        if isinstance(node, ast.Raise):
            call = node.exc
        else:
            call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return False
        if any(call.func.id in scope for scope in self.scopes):
            return False
        found = _contents(self.module).get(call.func.id)
        return isinstance(found, tuple) and _refuses(found[0])

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
        self.reach.keys.update(texts)
        if self.reach.words is None:
            return node
        kept = [k for k, text in enumerate(texts) if text in self.reach.words]
        return ast.Dict(keys=[node.keys[k] for k in kept], values=[node.values[k] for k in kept])

    def _is_definition(self, node, kinds=(*_FUNCTIONS, ast.ClassDef)):
        """Whether a node is the name of a function or class of the package."""
        named = isinstance(node, ast.Name) and not any(node.id in scope for scope in self.scopes)
        found = _contents(self.module).get(node.id) if named else None
        while isinstance(found, tuple):
            inside = found[0].partition(".")[0] == self.reach.package
            found = (_contents(found[0]) or {}).get(found[1]) if inside else None
        return found is not None and isinstance(found[0], kinds)

    def _fields(self, node):
        parts = []
        for name in sorted(node._fields):
            value = getattr(node, name, None)
            if name in _SKIPPED or value is None or value == []:
                continue
            if isinstance(value, list):
                text = "[" + ", ".join(filter(None, map(self._entry, value))) + "]"
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
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = {argument.arg for argument in every if argument} | {name for part in body for name in _bound(part)}
        outside = [self.write(part) for part in (*arguments.defaults, *filter(None, arguments.kw_defaults))]
        outside += [self.write(part) for part in getattr(node, "decorator_list", [])]
        self.scopes.append(names)
        shape = ", ".join(argument.arg for argument in every if argument)
        text = self.write(node.body) if isinstance(node, ast.Lambda) else self.body(node.body)
        self.scopes.pop()
        return f"{getattr(node, 'name', 'lambda')}({shape}) {' '.join(outside)} {text}"

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
        self.reach.mentioned.update(names)
        if not isinstance(inner, ast.Name):
            return ".".join([f"({self.write(inner)})", *reversed(names)])
        names = [inner.id, *reversed(names)]
        if not any(inner.id in scope for scope in self.scopes):
            resolved = self.reach.resolve(self.module, names)
            if resolved is not None:
                return resolved
        return ".".join(names)


def _refuses(module):
    """Whether a module is one that arguments are shown to, or where a kernel asks whether to stop."""
    return module.rpartition(".")[2] in ("arguments", "interrupts")


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
    return found


@functools.cache
def _contents(module):
    """What a module defines: by name its nodes, or (module, name) of what it imports; None if there is no module."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
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
