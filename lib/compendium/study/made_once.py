"""What is made of the text of the packages alone, such as digests of it: made by one process for all.

It is kept beside compiled Python, in a file for the text and the versions of today; those of earlier ones go.
"""

import functools
import hashlib
import json
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

from compendium import places

PACKAGES = ("clustershare", "compendium", "pages")
_known, _read = {}, {}  # by key; so much of each file


def made_once(make, *about):
    """What a function gives, or what it gave another process for the same.

    Parameters
    ----------
    make : callable
        Without arguments: gives what JSON can write, of the text of the packages, the versions of others, and `about`.
    *about : str

    Returns
    -------
    object
        As JSON reads it.
    """
    from compendium.study import fingerprints  # here, because it imports this module

    if fingerprints.is_changed():
        return make()
    key, (file, texts, changed) = hashlib.sha256("\n".join(about).encode()).hexdigest()[:32], _today()
    with suppress(OSError):
        if file.stat().st_size > _read.get(file, 0):
            with open(file, "rb") as lines:
                lines.seek(_read.get(file, 0))
                text = lines.read()
            _read[file] = _read.get(file, 0) + len(text)
            for line in text.decode("ascii", "replace").splitlines():
                with suppress(ValueError):  # of a line that was cut short
                    known, value = line.split(" ", 1)
                    json.loads(value)
                    _known[known] = value
    if key not in _known:
        _known[key] = json.dumps(make())
        with suppress(OSError):  # where it cannot be kept, it is made again
            if _changed(texts) == changed:  # or it may be of what somebody has edited meanwhile
                with open(file, "a", encoding="ascii") as lines:
                    lines.write(f"\n{key} {_known[key]}\n")  # apart from a line that was cut short
    return json.loads(_known[key])


def _changed(texts):
    """When files were changed last."""
    return [path.stat().st_mtime_ns for path in texts]


@functools.cache
def _today():
    """The file for the text and the versions of today, the files of the text, and when they were changed last."""
    here, stamp = Path(__file__).parents[2], hashlib.sha256()
    texts = sorted(path for package in PACKAGES for path in (here / package).rglob("*.py"))
    changed = _changed(texts)
    for path in texts:
        stamp.update(path.relative_to(here).as_posix().encode() + path.read_bytes())
    with suppress(OSError):
        stamp.update((places.ROOT / "requirements.lock").read_bytes())
    installed = sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    stamp.update(f"{sys.version_info[:2]} {installed}".encode())
    file = here / "compendium" / "__pycache__" / f"digests-{stamp.hexdigest()[:16]}"
    with suppress(OSError):
        for other in file.parent.glob("digests-*"):
            if other != file:
                other.unlink()
    return file, texts, changed
