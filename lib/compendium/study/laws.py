"""Laws that are data, which a stored point names by a digest: their numbers stand in a file of their own.

The file lies in the folder ``laws`` beside the results, under its digest: a line a value, with its weight, each written
to the last bit.
"""

import hashlib
import os

from compendium import places

OF_DATA = "sizes.Empirical"
MOST_WRITTEN = 50  # values that the point itself tells


def apart(plain):
    """What `tasks` makes of an argument, with a digest in place of a law's many numbers, which are written to a file.

    Raises
    ------
    OSError
        If the file is neither there nor can be written.
    """
    if isinstance(plain, list):
        return [apart(entry) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    if plain["class"] != OF_DATA or len(plain["fields"]["values"]) <= MOST_WRITTEN:
        return plain | {"fields": {name: apart(entry) for name, entry in plain["fields"].items()}}
    columns = plain["fields"]
    lines = [",".join(columns), *(",".join(map(repr, line)) for line in zip(*columns.values(), strict=True))]
    text = "\n".join(lines) + "\n"
    digest = _digest(text)
    if not any(path.exists() for path in _paths(digest)):
        path = _paths(digest)[0]
        places.check_writable(path)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    return plain | {"fields": {"digest": digest}}


def whole(plain):
    """What `apart` was given.

    Raises
    ------
    ValueError
        If the file of a law is not there, or is not what its digest says.
    """
    if isinstance(plain, list):
        return [whole(entry) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    if plain["class"] == OF_DATA and plain["fields"].keys() == {"digest"}:
        return plain | {"fields": _read(plain["fields"]["digest"])}
    return plain | {"fields": {name: whole(entry) for name, entry in plain["fields"].items()}}


def _read(digest):
    # What stands in a line of results may be anything, and no path.
    named = isinstance(digest, str) and digest.isalnum()
    found = [path for path in _paths(digest) if path.exists()] if named else []
    if not found:
        raise ValueError(f"A stored point names the law {digest!r}, and no file of that name lies beside the results.")
    text = found[0].read_text(encoding="utf-8")
    if _digest(text) != digest:
        raise ValueError(f"{found[0]} is not what its name says: its digest is {_digest(text)}.")
    names, *lines = text.splitlines()
    columns = zip(*(map(float, line.split(",")) for line in lines), strict=True)
    return dict(zip(names.split(","), map(list, columns), strict=True))


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _paths(digest):
    return [folder / "laws" / f"{digest}.csv" for folder in places.results()]
