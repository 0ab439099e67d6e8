"""Moved to `compiled.jit`; this name goes when nobody imports it any more."""

from clustershare.compiled.jit import kernel  # noqa: F401
