"""Every kernel without compilation, and with a look at each index: none may be negative, or beyond the end.

    python tests/clustershare/indices.py [--seed SEED] [--calls CALLS] [--all] [NAME ...]

Compiled code takes what is no index, such as the -1 of a rule that finds nothing, for a place in memory. Python would
count it from the end; so the kernels are written anew, with a check around each index that is not a constant.
"""

import ast
import inspect
import numbers
import os
import textwrap

os.environ["NUMBA_DISABLE_JIT"] = "1"

import numba  # noqa: E402
import numpy as np  # noqa: E402


class _Looked(ast.NodeTransformer):
    """Put each index, and each bound of a slice, into `_place(...)`; and divide as compiled code does."""

    def visit_Subscript(self, node):
        self.generic_visit(node)
        node.slice = self._look(node.slice)
        return node

    def _look(self, index):
        if isinstance(index, ast.Tuple):
            index.elts = [self._look(one) for one in index.elts]
        elif isinstance(index, ast.Slice):
            index.lower, index.upper = (one and self._look(one) for one in (index.lower, index.upper))
        elif not isinstance(index, ast.Constant) and not isinstance(getattr(index, "operand", None), ast.Constant):
            return ast.Call(ast.Name("_place", ast.Load()), [index], [])
        return index

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name("_over", ast.Load()), [node.left, node.right], [])
        return node


def _place(index):
    if isinstance(index, (numbers.Integral, np.bool_)) and index < 0:
        raise IndexError(f"{index} is taken for an index")
    return index


def _over(one, other):
    return np.divide(one, other)


def looked_at(function=None, **options):
    """In place of ``numba.njit``: the function, with a look at its indices."""
    if function is None:
        return looked_at
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    tree.body[0].decorator_list = []
    tree = ast.fix_missing_locations(_Looked().visit(tree))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    here = function.__globals__
    here |= {"_place": _place, "_over": _over}
    made = {}
    exec(compile(tree, function.__code__.co_filename, "exec"), here, made)
    return made[function.__name__]


numba.njit = looked_at

from clustershare.dispatch import state  # noqa: E402

_empty = state.empty


def _signed(*arguments, **named):
    """An empty system with signed numbers: what is not compiled cannot count an unsigned one down."""
    system = _empty(*arguments, **named)
    arrays = {key: np.asarray(one) for key, one in system._asdict().items()}
    return system._replace(**{key: one.astype(np.int64) for key, one in arrays.items() if one.dtype == np.uint32})


state.empty = _signed

import extremes  # noqa: E402

if __name__ == "__main__":
    extremes.RUN |= {"jumps": 80, "warmup": 0, "replications": 1}
    extremes.SECONDS = 1  # what takes long is seen elsewhere
    extremes.PART = 6  # nothing is compiled, so that many functions cost no more than few
    parts = ("simulate", "replay", "exact_central")
    names = [name for name in extremes.FUNCTIONS if any(part in name for part in parts)]
    names += 3 * [name for name in names if name.startswith("dispatch")]  # which has the most rules
    extremes.main(names, looked_for="IndexError")
