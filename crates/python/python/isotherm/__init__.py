"""Isotherm: a software GPU that draws as the silicon does.

    import isotherm as iso
    cap = iso.open("scene.cap.zst")
    cap.draws[31].color          # what draw 31 left, a picture
    cap.draws[31].state["BLEND"] # a state word
    cap.pixel(128, 100)          # all that happened to a pixel

Draws are numbered from 1, as everywhere in the project; ``draws[0]`` is an IndexError, ``draws[-1]``
the last. Arrays are numpy's and read-only: they show the library's memory without copying it.
"""

from ._capture import Capture, Draw, Draws, State, Vertices, open
from ._compare import Comparison, Difference, compare, diff
from ._gpu import Gpu, Refused, Report
from ._isotherm import version as __version__
from ._picture import Picture
from ._words import decode, encode, explain

__all__ = [
    "Capture",
    "Comparison",
    "Difference",
    "Draw",
    "Draws",
    "Gpu",
    "Picture",
    "Refused",
    "Report",
    "State",
    "Vertices",
    "compare",
    "decode",
    "diff",
    "encode",
    "explain",
    "open",
]
