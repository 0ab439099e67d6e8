"""What every kernel file must keep to, because the compiler's cache relies on it."""

import ast

import pytest

from compendium import places

KERNELS = sorted(places.ROOT.joinpath("lib", "clustershare").glob("*/kernel.py"))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.parent.name)
def test_a_kernel_and_all_it_calls_stand_in_one_file(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {name.name for node in imported if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module for node in imported if isinstance(node, ast.ImportFrom)}
    assert modules <= {"math", "numpy", "clustershare._jit"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.parent.name)
def test_a_kernel_draws_from_the_generator_it_is_given(path):
    text = path.read_text(encoding="utf-8")
    for word in ("np.random", "prange", "fastmath", "parallel="):
        assert word not in text
