"""What the machinery made in a folder, so that nothing of anybody else's is overwritten or deleted there.

A folder of a build has a list of the files that were made in it, ``.made-by-compendium``, with their digests, as
``sha256sum`` writes it. A file that the list does not name, or that was changed since, is somebody's.
"""

import hashlib
import os
import shutil
from pathlib import PurePath

LIST = ".made-by-compendium"
# In a folder that is being filled: all that is in it is ours, also where the filling was cut short.
UNFINISHED = ".being-made-by-compendium"
UNASKED = (".DS_Store", "Thumbs.db")  # what systems put into a folder that somebody looks at


def check(output, *names):
    """Refuse to touch what was not made in a folder.

    Parameters
    ----------
    output : Path
        The folder with the list.
    *names : str
        Files and folders in it, which need not exist.

    Raises
    ------
    ValueError
        With the first file that the list does not name or that was changed since.
    """
    known = listed(output)
    for name in names:
        filled = any((output / folder / UNFINISHED).exists() for folder in (name, *PurePath(name).parents))
        for path in () if filled else _files(output, name):
            if known.get(path) != _digest(output / path):
                raise ValueError(
                    f"{str(output / path)!r} was not made here by this project, or was changed since: "
                    "move it away, or give another output."
                )


def made(output, name):
    """Whether a file was made in the folder, and is as it was."""
    return (output / name).is_file() and listed(output).get(name) == _digest(output / name)


def record(output, *names):
    """Let the list name files and folders as they are now, in place of what it said of them."""
    kept = {
        path: digest
        for path, digest in listed(output).items()
        if not any(path == name or path.startswith(f"{name}/") for name in names)
    }
    for name in names:
        kept |= {path: _digest(output / path) for path in _files(output, name)}
    new = output / f"{LIST}.{os.getpid()}"
    lines = (f"{digest}  {path}\n" for path, digest in sorted(kept.items()))
    new.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
    os.replace(new, output / LIST)


def finish(output, *names):
    """`record` those folders that are being filled, and no others."""
    begun = [name for name in names if (output / name / UNFINISHED).exists()]
    if begun:
        record(output, *begun)
    for name in begun:
        (output / name / UNFINISHED).unlink()


def remove(output, name):
    """Delete a folder that was made; refuse another one as `check` does."""
    check(output, name)
    if (output / name).exists():
        shutil.rmtree(output / name)


def anew(output, name):
    """A folder to fill, in place of one that was made before; `finish` says when it is full.

    Returns
    -------
    Path
    """
    remove(output, name)
    (output / name).mkdir(parents=True)
    (output / name / UNFINISHED).touch()
    return output / name


def listed(output):
    """Digests of the files that were made in a folder, by path."""
    try:
        lines = (output / LIST).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except FileNotFoundError:
        return {}
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def _files(output, name):
    """Every file of that name or below it, as a path from the folder."""
    path = output / name
    if path.is_dir() and not path.is_symlink():
        for inside in sorted(os.listdir(path)):
            yield from _files(output, f"{name}/{inside}")
    elif os.path.lexists(path) and path.name not in (UNFINISHED, *UNASKED):
        yield name


def _digest(path):
    """Of what a file holds, or where a link leads; nothing of what is neither."""
    if path.is_symlink():
        return hashlib.sha256(f"link to {os.readlink(path)}".encode(errors="surrogateescape")).hexdigest()
    if not path.is_file():
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
