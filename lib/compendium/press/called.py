"""Which public functions and classes of the models a page calls: in its own cells, and through what pages share."""

import ast
import functools
import importlib
import inspect

from compendium import places

MODELS, SHARED = "clustershare", "pages"


def called(code):
    """The public names that some code uses.

    Parameters
    ----------
    code : str

    Returns
    -------
    own, shared : list of str
        Of the form ``clustershare.package.name``, sorted: what the code names itself, and what else the functions of
        `pages` name that it uses.
    """
    ends, seen = set(), set()
    own = _public(_used(ast.parse(code), ends))
    while left := ends - seen:
        seen |= left
        for module, name in left:
            ends |= _definition(module, name)
    shared = _public(f"{module}.{name}" for module, name in seen if module.partition(".")[0] == MODELS)
    return sorted(own), sorted(shared - own)


def _used(tree, ends, module=None):
    """The full names of what a piece of code takes from models; what it takes from elsewhere is added to `ends`."""
    imported = dict(_imports(tree)) if module is None else _module(module)[1]
    found = set()
    for node in ast.walk(tree):
        name = _dotted(node)
        first, _, rest = name.partition(".")
        if first in imported:
            full = f"{imported[first]}.{rest}".rstrip(".")
            found |= {full} if full.startswith(f"{MODELS}.") else set()
            ends |= {_split(full)} if full.startswith(f"{SHARED}.") or module else set()
        elif module and name and first in _module(module)[0]:
            ends.add((module, first))
    return found


def _dotted(node):
    """``a.b`` of a name or of an attribute of one; else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""


def _imports(tree):
    """Each imported name with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _split(full):
    """The module and the name in it of a full name; of an attribute's attribute, the attribute."""
    parts = full.split(".")
    for end in range(len(parts) - 1, 0, -1):
        if _path(".".join(parts[:end])):
            return ".".join(parts[:end]), parts[end]
    return full, ""


def _path(module):
    """The file of a module of the library, or None."""
    stem = places.ROOT.joinpath("lib", *module.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.exists()), None)


@functools.cache
def _module(module):
    """The definitions of a module by name, and its imports."""
    tree = ast.parse(_path(module).read_text(encoding="utf-8"))
    definitions = {}
    for node in tree.body:
        names = [node.name] if hasattr(node, "name") else []
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            names += [part.id for part in ast.walk(target) if isinstance(part, ast.Name)] if target else []
        definitions |= dict.fromkeys(names, node)
    return definitions, dict(_imports(tree))


@functools.cache
def _definition(module, name):
    """What a definition of `pages` uses, as pairs of a module and a name."""
    if module.partition(".")[0] != SHARED or not _path(module):
        return set()
    definitions, imported = _module(module)
    if name in imported:
        return {_split(imported[name])}
    ends = set()
    if name in definitions:
        _used(definitions[name], ends, module)
    return ends


def _public(names):
    """Those that are functions or classes on the face of a package, under the name that they have there."""
    return {public for name in names if (public := _face(*name.rsplit(".", 1)))}


@functools.cache
def _face(module, name):
    package = ".".join(module.split(".")[:2])
    if package == MODELS or not _path(package):
        return None
    face = importlib.import_module(package)
    found = getattr(face, name, None)
    if not (inspect.isroutine(found) or inspect.isclass(found)) or name.startswith("_"):
        return None
    own = name in face.__all__ if hasattr(face, "__all__") else found.__module__ == package
    # A module below may have another thing of that name.
    same = module == package or getattr(importlib.import_module(module), name, None) is found
    return f"{package}.{name}" if own and same else None
