"""A Sphinx extension: attributes that a docstring describes together are listed each by its name.

As parameters are; of attributes ``a, b : float`` would become an attribute ``b`` of the type ``a,``.
"""

import re

FIELD = re.compile(r":(ivar|vartype) (\w+(?:, \w+)+):(.*)")


def setup(app):
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", separate, priority=600)  # after napoleon has made fields of it
    return {"parallel_read_safe": True}


def separate(app, what, name, of, options, lines):
    """Give each attribute a field of its own.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    what : str
        What kind of object has the docstring.
    name : str
        Its full name.
    of : object
    options : object
        Of the directive.
    lines : list of str
        The docstring, which is changed.
    """
    made, place = [], 0
    while place < len(lines):
        end = place + 1
        if found := FIELD.fullmatch(lines[place]):
            kind, names, rest = found.groups()
            while end < len(lines) and lines[end].startswith(" "):
                end += 1
            for one in names.split(", "):
                made += [f":{kind} {one}:{rest}", *lines[place + 1 : end]]
        else:
            made.append(lines[place])
        place = end
    lines[:] = made
