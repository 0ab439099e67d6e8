"""Where a function can be wrong, and how: the places of its text, and what could stand there.

The operators are those of the kept libraries for mutation testing, mutmut and cosmic-ray (another operator, a number
off by one, a condition turned), and those of wrong formulas: a term dropped, arguments or groups exchanged, a square
root. What refuses arguments and what words an error is left out, and so are numbers below `SMALL`, which bound errors.
A place is known by its function, the operator, its text and its number among those alike, and by no line.
"""

import ast
import copy
import dataclasses
import functools
from collections import Counter
from typing import NamedTuple

import numpy as np

SMALL = 1e-3  # numbers below it are bounds of errors
MANY = 20  # from here on a whole number says how many steps or terms there are, and is halved

_OTHER = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_TURNED = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_BOUND = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_PAIRS = (
    ("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("nanmin", "nanmax"), ("any", "all"),
    ("floor", "ceil"), ("zeros", "ones"), ("sum", "mean"), ("cumsum", "cumprod"), ("exp", "expm1"), ("log", "log1p"),
)  # fmt: skip
_NAMES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
# Where two arguments exchanged give the same, or were no formula.
_ALIKE = {
    "min", "max", "minimum", "maximum", "hypot", "add", "multiply", "allclose", "isclose", "array_equal", "isinstance",
    "issubclass", "getattr", "hasattr", "setattr", "zip", "gcd", "lcm", "logaddexp", "partial", "reduce", "map",
    "logical_and", "logical_or", "einsum", "isin", "format", "replace",
}  # fmt: skip
_RANGES = {"range", "arange"}
_UNREAD = {
    "decorator_list",
    "annotation",
    "returns",
    "args",
    "type_params",
    "ctx",
}  # `args` of a function, not of a call
RESULTS = (
    "the square root of its result",
    "its result 10 % off, up and down in turn",
    "the groups of its result exchanged",
)


class Fault(NamedTuple):
    """A place and what is wrong there.

    Attributes
    ----------
    module, function : str
        The qualified name is that of a function of the module, or of a method; what stands within belongs to it.
    operator : str
        The kind of fault, in words.
    text : str
        What stands there, in one line; empty where the fault is in what the function gives.
    number : int
        Among the places in the function with the same operator and text.
    """

    module: str
    function: str
    operator: str
    text: str = ""
    number: int = 0

    def __str__(self):
        place = f"{self.module}:{self.function}: {self.operator}"
        return place + (f": {self.text}" if self.text else "") + (f" ({self.number + 1})" if self.number else "")


def defined(body, before=""):
    """The functions among statements and the methods of their classes: (qualified name, node)."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield before + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from defined(node.body, f"{before}{node.name}.")
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from defined([*node.body, *getattr(node, "orelse", [])], before)


def sites(source, module, lines=None):
    """The faults that the functions of a module can have.

    Parameters
    ----------
    source : str
    module : str
    lines : collection of int, optional
        Only places on these: those that were executed.

    Returns
    -------
    dict
        By the qualified name of each function, a list of `Fault`.

    Examples
    --------
    >>> for fault in sites("def mean(a, b):\\n    return (a + b) / 2", "m")["mean"]: print(fault)
    m:mean: another operator: (a + b) / 2
    m:mean: the second term dropped: (a + b) / 2
    m:mean: the first term dropped: (a + b) / 2
    m:mean: another operator: a + b
    m:mean: the second term dropped: a + b
    m:mean: the first term dropped: a + b
    m:mean: another number: 2
    m:mean: the square root of its result
    m:mean: its result 10 % off, up and down in turn
    m:mean: the groups of its result exchanged
    """
    tree = ast.parse(source)
    refusing = _refusing(tree)
    found = {}
    for name, node in defined(tree.body):
        each = found[name] = []  # of one name the last counts
        never = _never(node, lines) if lines is not None else {}
        for fault, place, _ in _faults(node, name, module, source, refusing):
            if lines is None or place.lineno in lines and fault.operator not in never.get(place, ()):
                each.append(fault)
        if any(isinstance(part, ast.Return) and part.value for part in ast.walk(node)):
            each += [Fault(module, name, operator) for operator in RESULTS]
    return found


def code(source, fault, file):
    """The code of a function with a fault in it; None if the place is gone.

    Parameters
    ----------
    source : str
        Of the module.
    fault : Fault
        Of a place in the text.
    file : str

    Returns
    -------
    types.CodeType or None
    """
    tree = ast.parse(source)
    refusing = _refusing(tree)
    node = dict(defined(tree.body)).get(fault.function)
    if node is None:
        return None
    for found, _, put in _faults(node, fault.function, fault.module, source, refusing):
        if found == fault:
            put()
            break
    else:
        return None
    whole = compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
    waiting, last = [whole], None
    while waiting:
        one = waiting.pop()
        for part in one.co_consts:
            if hasattr(part, "co_code"):
                waiting.append(part)
                if part.co_qualname == fault.function and part.co_firstlineno >= getattr(last, "co_firstlineno", 0):
                    last = part
    return last


def spoilt(result, operator):
    """What a function gives, spoilt: all that is a number or an array of numbers in it, also in tuples and records.

    Parameters
    ----------
    result : object
    operator : str
        One of `RESULTS`.

    Examples
    --------
    >>> spoilt((4.0, np.array([1.0, 9.0]), "text"), RESULTS[0])
    (2.0, array([1., 3.]), 'text')
    >>> spoilt(np.array([[1.0, 9.0], [2.0, 3.0]]), RESULTS[2])
    array([[9., 1.],
           [3., 2.]])
    >>> spoilt(np.array([1.0, 2.0, 3.0]), RESULTS[1])
    array([1.1, 1.8, 3.3])
    """
    again = functools.partial(spoilt, operator=operator)
    if isinstance(result, (float, np.floating)) or isinstance(result, np.ndarray) and result.dtype.kind == "f":
        if operator == RESULTS[0]:
            return np.sqrt(np.abs(result)) if isinstance(result, np.ndarray) else float(abs(result)) ** 0.5
        if operator == RESULTS[1]:
            off = np.where(np.arange(np.size(result)) % 2, 0.9, 1.1).reshape(np.shape(result))
            return result * (off if isinstance(result, np.ndarray) else float(off))
        return result[..., ::-1].copy() if isinstance(result, np.ndarray) and result.ndim else result
    if isinstance(result, np.ndarray) and result.dtype.kind in "iu" and result.ndim and operator == RESULTS[2]:
        return result[..., ::-1].copy()
    if isinstance(result, tuple):
        values = list(map(again, result))
        return type(result)(*values) if hasattr(result, "_fields") else tuple(values)
    if type(result) is list:
        if operator == RESULTS[2] and result and all(isinstance(each, (int, float)) for each in result):
            return result[::-1]
        return list(map(again, result))
    if type(result) is dict:
        return {key: again(value) for key, value in result.items()}
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        found = copy.copy(result)
        for field in dataclasses.fields(result):
            object.__setattr__(found, field.name, again(getattr(result, field.name)))
        return found
    return result


def _refusing(tree):
    """The names of a module that come from a module called ``arguments``."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        one.asname or one.name for node in imports if (node.module or "").endswith("arguments") for one in node.names
    }


def _faults(function, name, module, source, refusing):
    """(fault, node, what puts it there) in the order of the text."""
    seen, lines = Counter(), source.encode().splitlines()
    for node, put in _nodes(function, refusing):
        text = " ".join(_text(lines, node).split())
        for operator, instead in _changes(node, refusing):
            key = operator, text
            yield Fault(module, name, *key, seen[key]), node, functools.partial(_put, put, instead)
            seen[key] += 1


def _text(lines, node):
    """What `ast.get_source_segment` gives, of a text that is divided into lines already."""
    within = lines[node.lineno - 1 : node.end_lineno]
    within[-1] = within[-1][: node.end_col_offset]
    within[0] = within[0][node.col_offset :]
    return b" ".join(within).decode()


class _All:
    """Holds everything."""

    def __contains__(self, _):
        return True


def _never(function, lines):
    """The operators that change nothing, by node, where a condition came out one way only on the lines executed."""
    found = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.If):
            continue
        taken, other = ([one for one in body if _executed(one, lines)] for body in (node.body, node.orelse))
        if not taken or node.orelse and not other:
            found |= {part: _All() for part in ast.walk(node.test) if part is not node.test}
            found[node.test] = {"with or without the bound", "another number"}
            found[node] = {f"this branch {'always' if taken else 'never'}"}
    return found


def _executed(statement, lines):
    return any(line in lines for line in range(statement.lineno, statement.end_lineno + 1))


def _put(put, instead):
    put(instead())


def _nodes(node, refusing):
    """Each node that may be faulted, with the function that puts another in its place."""
    for field, value in ast.iter_fields(node):
        if field in _UNREAD and not (field == "args" and isinstance(node, ast.Call)):
            continue
        for k, one in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(one, ast.AST) or _apart(one, refusing):
                continue
            if hasattr(one, "lineno"):
                yield (
                    one,
                    functools.partial(setattr, node, field) if k is None else functools.partial(value.__setitem__, k),
                )
            yield from _nodes(one, refusing)


def _apart(node, refusing):
    """Whether a node refuses arguments, words something, or is a text."""
    if isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in refusing:
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _apart(node.value, refusing)
    if isinstance(node, ast.If) and not node.orelse:
        return _apart(node.body[-1], refusing)
    return isinstance(node, ast.Constant) and not isinstance(node.value, (bool, int, float))


def _changes(node, refusing):
    """(operator, what makes the node that stands there instead) of a node."""
    if isinstance(node, ast.BinOp):
        if type(node.op) in _OTHER and not any(isinstance(one, ast.JoinedStr) for one in (node.left, node.right)):
            yield "another operator", lambda: ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
            if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
                yield "the second term dropped", lambda: node.left
                yield "the first term dropped", lambda: node.right
    elif isinstance(node, ast.AugAssign):
        if type(node.op) in _OTHER:
            yield "another operator", lambda: ast.AugAssign(node.target, _OTHER[type(node.op)](), node.value)
        yield "the statement dropped", ast.Pass
    elif isinstance(node, ast.Assign):
        if all(isinstance(target, (ast.Subscript, ast.Attribute)) for target in node.targets):
            yield "the statement dropped", ast.Pass
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not, ast.Invert)):
        yield "the sign dropped", lambda: node.operand
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield "and for or, or for and", lambda: ast.BoolOp(other(), node.values)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _of_comparison(node)
    elif isinstance(node, (ast.If, ast.IfExp)):
        for what, value in (("always", True), ("never", False)):
            yield f"this branch {what}", lambda value=value: _with_test(node, value)
    elif isinstance(node, ast.Constant):
        yield from _of_number(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)


def _with_test(node, value):
    found = copy.copy(node)
    found.test = ast.copy_location(ast.Constant(value), node.test)
    return found


def _of_comparison(node):
    (operator,) = map(type, node.ops)
    if operator in _TURNED:
        yield "the comparison turned", lambda: ast.Compare(node.left, [_TURNED[operator]()], node.comparators)
    whole = [isinstance(one, ast.Constant) and isinstance(one.value, int) for one in (node.left, *node.comparators)]
    if operator in _BOUND and any(whole):  # of other numbers none stands on the bound
        yield "with or without the bound", lambda: ast.Compare(node.left, [_BOUND[operator]()], node.comparators)


def _of_number(node):
    value = node.value
    if isinstance(value, bool):
        yield "yes for no", lambda: ast.Constant(not value)
    elif isinstance(value, int):
        yield "another number", lambda: ast.Constant(value // 2 if value >= MANY else value + 1)
    elif value >= SMALL:
        yield "another number", lambda: ast.Constant(value * 1.1)


def _of_call(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    plain = not any(isinstance(one, ast.Starred) for one in node.args)
    if name in _RANGES and plain and node.args:
        last = min(len(node.args), 2) - 1
        yield "the range one shorter", lambda: _with_argument(node, last, ast.Sub)
        if last:
            yield "the range from one later on", lambda: _with_argument(node, 0, ast.Add)
        return
    first = 1 if name == "where" else 0
    if plain and len(node.args) >= first + 2 and name not in _ALIKE:
        one, other = node.args[first : first + 2]
        if ast.dump(one) != ast.dump(other):
            args = [*node.args[:first], other, one, *node.args[first + 2 :]]
            yield "two arguments exchanged", lambda: ast.Call(node.func, args, node.keywords)
    if name in _NAMES:
        yield f"{_NAMES[name]} for {name}", lambda: _with_name(node, _NAMES[name])


def _with_argument(node, k, operator):
    args = list(node.args)
    args[k] = ast.BinOp(args[k], operator(), ast.Constant(1))
    return ast.Call(node.func, args, node.keywords)


def _with_name(node, name):
    function = copy.copy(node.func)
    setattr(function, "attr" if isinstance(function, ast.Attribute) else "id", name)
    return ast.Call(function, node.args, node.keywords)
