"""Captures and pictures compared."""

from __future__ import annotations

import os
from typing import List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._capture import Capture
from ._picture import Picture


class Comparison(NamedTuple):
    """What comparing two pictures gave."""

    equal: bool
    #: Pixels that differ by more than the tolerance.
    different: int
    #: The largest difference of a channel.
    largest: int
    #: Column and row of it.
    worst: Optional[Tuple[int, int]]
    #: Left, top, right, bottom of all that differ.
    bounds: Optional[Tuple[int, int, int, int]]
    #: The last draw that touched the worst pixel.
    draw: Optional[int]
    #: Ours darkened, differing pixels red.
    picture: Picture


class Difference(NamedTuple):
    """Where two captures differ."""

    draw: int
    #: draw, state, vertices or picture.
    kind: str
    name: str
    a: object
    b: object


def _marked(ours: np.ndarray, wrong: np.ndarray) -> Picture:
    pixels = np.empty_like(ours)
    pixels[..., :3] = (ours[..., :3].astype(np.uint16).sum(axis=2) // 12)[..., None]
    pixels[..., 3] = 255
    pixels[wrong, 0] = 255
    return Picture(pixels)


def compare(
    capture: Union[Capture, Picture],
    picture: Union[Picture, str, os.PathLike],
    tolerance: int = 0,
    alpha: bool = False,
) -> Comparison:
    """Compares a capture's last picture with another one, a PNG file or a Picture: an
    emulator's screenshot, say. Screenshots usually have no alpha, so it does not count."""
    ours = capture if isinstance(capture, Picture) else capture.picture
    theirs = picture if isinstance(picture, Picture) else Picture.load(picture)
    if ours.array.shape != theirs.array.shape:
        raise ValueError(
            f"{ours.width}x{ours.height} and {theirs.width}x{theirs.height}: only pictures of the "
            "same size can be compared"
        )
    channels = 4 if alpha else 3
    a, b = (p.array[..., :channels].astype(np.int16) for p in (ours, theirs))
    difference = np.abs(a - b).max(axis=2)
    wrong = difference > tolerance
    if not wrong.any():
        return Comparison(True, 0, 0, None, None, None, _marked(ours.array, wrong))
    rows, columns = np.nonzero(wrong)
    y, x = np.unravel_index(int(np.where(wrong, difference, -1).argmax()), wrong.shape)
    worst = (int(x), int(y))
    bounds = (int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max()))
    draw = None
    if isinstance(capture, Capture):
        draw = max((step["draw"] for step in capture.pixel(*worst)), default=None)
    return Comparison(
        False, int(wrong.sum()), int(difference.max()), worst, bounds, draw, _marked(ours.array, wrong)
    )


def diff(a: Capture, b: Capture, most: int = 100) -> List[Difference]:
    """Where two captures differ, draw by draw: primitives, state words, vertices, what is left
    in the colour surface. Ends after so many differences."""
    found: List[Difference] = []
    if a.chip != b.chip:
        return [Difference(0, "chip", "chip", a.chip, b.chip)]
    if len(a.draws) != len(b.draws):
        found.append(Difference(0, "draw", "draws", len(a.draws), len(b.draws)))
    for one, two in zip(a.draws, b.draws):
        number = one.number
        if one.primitive != two.primitive:
            found.append(Difference(number, "draw", "primitive", one.primitive, two.primitive))
        left, right = dict(one.state.items()), dict(two.state.items())
        for name in left:
            if left[name] != right.get(name):
                found.append(Difference(number, "state", name, left[name], right.get(name)))
        inputs = [draw.vertices.attributes for draw in (one, two)]
        if inputs[0].shape != inputs[1].shape or inputs[0].tobytes() != inputs[1].tobytes():
            found.append(Difference(number, "vertices", "vertices", len(inputs[0]), len(inputs[1])))
        pictures = [draw.color for draw in (one, two)]
        hashes = [None if picture is None else picture.hash for picture in pictures]
        if hashes[0] != hashes[1]:
            found.append(Difference(number, "picture", "color", *hashes))
        if len(found) >= most:
            return found[:most]
    return found
