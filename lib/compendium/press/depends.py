"""Which parameters of a page change a figure: found in the page's own code, from the cell that draws it backwards."""

import ast

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def parameters_of(cells, number, parameters):
    """The parameters on which a cell depends.

    Parameters
    ----------
    cells : list of str
        The code that stands after the parameters, cell by cell.
    number : int
        Of the cell.
    parameters : iterable of str

    Returns
    -------
    list of str
        In the order of `parameters`.

    Examples
    --------
    >>> code = ["rows = run(load)", "other = [share for load in rows]", "draw(rows)", "draw(other)"]
    >>> [parameters_of(code, number, ["load", "share"]) for number in (2, 3)]
    [['load'], ['load', 'share']]
    """
    needed = read(ast.parse(cells[number]))
    statements = [one for cell in cells[: number + 1] for one in ast.parse(cell).body]
    modules = set().union(*(bound(one) for one in statements if isinstance(one, (ast.Import, ast.ImportFrom))))
    for statement in reversed(statements):
        made = bound(statement)
        if needed & (made | altered(statement) - modules):
            needed = (needed - made if isinstance(statement, ast.Assign) else needed) | read(statement)
    return [name for name in parameters if name in needed]


def read(node):
    """The names that a piece of code takes from outside of its own functions and comprehensions."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Store) else {node.id}
    found = set().union(*map(read, ast.iter_child_nodes(node)))
    if isinstance(node, SCOPES):
        own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        found = set().union(*map(read, body)) - own.union(*map(bound, body)) | read(node.args)
    if isinstance(node, COMPREHENSIONS):
        own = {one.id for loop in node.generators for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
        found = found - own | read(node.generators[0].iter)  # the first is looked for outside
    return found


def bound(node):
    """The names that a statement gives a value to, apart from those within functions and comprehensions."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).partition(".")[0]}
    if isinstance(node, (*SCOPES, ast.ClassDef, *COMPREHENSIONS)):
        return {node.name} if hasattr(node, "name") else set()
    return set().union(*map(bound, ast.iter_child_nodes(node)))


def altered(statement):
    """The names whose value a statement changes: ``name[...] = ``, ``name.x = ``, ``name.method()`` by itself."""
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            found |= {one.id for one in [_first(node)] if isinstance(one, ast.Name)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                found.add(function.value.id)
    return found


def _first(node):
    """``name`` of ``name.x[...]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node
