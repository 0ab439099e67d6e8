"""How the kernels of this folder are compiled: kept under a digest of the folder."""

from pathlib import Path

from clustershare.compiled.jit import kept_with

kernel = kept_with(Path(__file__).parent)
inlined = kept_with(Path(__file__).parent, forceinline=True)  # a call would copy what describes a dozen arrays
