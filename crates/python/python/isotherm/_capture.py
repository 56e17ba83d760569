"""Captures: what a CPU sent to a GPU, to be walked draw by draw."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterator, List, Optional, Union

import numpy as np

from . import _isotherm
from ._picture import Picture
from ._words import explain

#: What BEGIN says, by its number.
PRIMITIVES = (
    "none",
    "points",
    "lines",
    "line loop",
    "line strip",
    "triangles",
    "triangle strip",
    "triangle fan",
    "quads",
    "quad strip",
    "polygon",
)


def open(
    source: Union[str, os.PathLike, bytes],
    threads: Optional[int] = None,
    budget: Optional[str] = None,
) -> "Capture":
    """Opens a capture: a file, or a file's bytes; compressed or not. ``budget`` is what a replay
    may cost: ``"none"``, how many times the usual limits, or limits such as ``"steps=1000000"``."""
    return Capture(source, threads, budget)


class Capture:
    """A capture in memory."""

    def __init__(
        self,
        source: Union[str, os.PathLike, bytes],
        threads: Optional[int] = None,
        budget: Optional[str] = None,
    ):
        if isinstance(source, (bytes, bytearray, memoryview)):
            self.name = "capture"
            data = bytes(source)
        else:
            self.name = pathlib.Path(source).name
            data = pathlib.Path(source).read_bytes()
        self._core = _isotherm.Capture(data, threads, budget)
        self._pictures: Optional[List[Picture]] = None

    @property
    def chip(self) -> str:
        """The chip it was made with, such as ``nv2a``."""
        return self._core.chip()

    @property
    def draws(self) -> "Draws":
        """The draws, numbered from 1."""
        return Draws(self)

    @property
    def pictures(self) -> List[Picture]:
        """The pictures that it shows; of a capture without any, what it drew last."""
        if self._pictures is None:
            shown = self._core.pictures()
            self._pictures = [Picture(pixels, json.loads(about)) for about, pixels in shown]
        return self._pictures

    @property
    def picture(self) -> Picture:
        """The last picture."""
        if not self.pictures:
            raise ValueError(f"{self.name} shows nothing")
        return self.pictures[-1]

    @property
    def hash(self) -> str:
        """The last picture's hash."""
        return self.picture.hash

    def pixel(self, x: int, y: int, draw: Optional[int] = None) -> List[Dict[str, Any]]:
        """All that happened to a pixel of the last picture, or of the colour surface of a
        draw: dictionaries as ``isotherm pixel --json`` writes them."""
        return json.loads(self._core.pixel(x, y, draw))

    def __repr__(self) -> str:
        return f"<Capture {self.name} of {self.chip}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{draw.number}</td><td>{html.escape(draw.primitive)}</td></tr>"
            for draw in self.draws.first(20)
        )
        return (
            f"<p>{html.escape(self.name)}, {self.chip}, {len(self.draws)} draws</p>"
            f"<table><tr><th>draw</th><th>primitive</th></tr>{rows}</table>"
        )

    def _repr_png_(self) -> Optional[bytes]:
        return self.picture.png() if self.pictures else None


class Draws(Sequence):
    """The draws of a capture, numbered from 1. Looks no further than it must."""

    def __init__(self, capture: Capture):
        self._capture = capture

    def __len__(self) -> int:
        return self._capture._core.draw_count()

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            start = 1 if number.start is None else number.start
            stop = len(self) + 1 if number.stop is None else number.stop
            return [self[i] for i in range(start, stop, number.step or 1)]
        if number < 0:
            number += len(self) + 1
        found = self._capture._core.draw(number) if number > 0 else None
        if found is None:
            raise IndexError(f"draws count from 1; there is no draw {number}")
        return Draw(self._capture, number, *found)

    def __iter__(self) -> Iterator["Draw"]:
        return self.first(None)

    def first(self, count: Optional[int]) -> Iterator["Draw"]:
        """The first draws, or all."""
        number = 1
        while count is None or number <= count:
            try:
                draw = self[number]
            except IndexError:
                return
            yield draw
            number += 1

    def __repr__(self) -> str:
        return f"<{len(self)} draws of {self._capture.name}>"


class Draw:
    """A draw: what it was given, and what it left."""

    def __init__(self, capture: Capture, number: int, primitive: int, offset: int):
        self._capture = capture
        self._core = capture._core
        self.number = number
        #: What BEGIN said.
        self.primitive = PRIMITIVES[primitive] if primitive < len(PRIMITIVES) else str(primitive)
        #: Offset of the record that it ends in, in the decompressed file.
        self.offset = offset

    @property
    def color(self) -> Optional[Picture]:
        """The colour surface after the draw."""
        pixels = self._core.color(self.number)
        return None if pixels is None else Picture(pixels)

    @property
    def color_before(self) -> Optional[Picture]:
        """The same surface before it."""
        both = self._core.target(self.number)
        return None if both is None else Picture(both[0])

    @property
    def depth(self) -> Optional[np.ndarray]:
        """Depth after the draw: integers, a row of samples after the other."""
        both = self._core.depth(self.number)
        return None if both is None else np.asarray(both[0])

    @property
    def stencil(self) -> Optional[np.ndarray]:
        """Stencil after the draw, where the surface has one."""
        both = self._core.depth(self.number)
        return None if both is None or both[1] is None else np.asarray(both[1])

    def texture(self, unit: int) -> Optional[Picture]:
        """What a texture unit samples: the largest level."""
        pixels = self._core.texture(self.number, unit)
        return None if pixels is None else Picture(pixels)

    @property
    def vertices(self) -> "Vertices":
        """The vertices in the order in which they went through XF."""
        return Vertices(*self._core.vertices(self.number))

    @property
    def state(self) -> "State":
        """The state words, by name: ``state["BLEND"]``, ``state["TEX_FILTER[1]"]``."""
        return State(self._capture, self.number)

    @property
    def programs(self) -> Dict[str, str]:
        """Vertex and fragment program as text, where the draw runs one."""
        texts = zip(("vertex", "fragment"), self._core.programs(self.number))
        return {name: text for name, text in texts if text is not None}

    def __repr__(self) -> str:
        return f"<Draw {self.number}: {self.primitive}>"

    def _repr_png_(self) -> Optional[bytes]:
        color = self.color
        return None if color is None else color.png()


class Vertices:
    """A draw's vertices: arrays with a row for each."""

    def __init__(self, attributes: Any, positions: Any, colors: Any, fog: Any, size: Any, tex: Any):
        #: Before XF: sixteen attributes of four float32.
        self.attributes = np.asarray(attributes)
        #: After XF: window x, y, z and clip w.
        self.positions = np.asarray(positions)
        #: Front diffuse and specular, back diffuse and specular, R G B A bytes.
        self.colors = np.asarray(colors)
        #: The fog value that is interpolated.
        self.fog = np.asarray(fog)
        #: Point size in pixels.
        self.point_size = np.asarray(size)
        #: Eight sets of texture coordinates.
        self.texture_coordinates = np.asarray(tex)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"<{len(self)} vertices>"


class State(Mapping):
    """The state words after a draw."""

    def __init__(self, capture: Capture, draw: int):
        self._capture = capture
        self._draw = draw

    def __getitem__(self, name: str) -> int:
        match = re.fullmatch(r"(\w+)(?:\[(\w+)\])?", name)
        index = int(match.group(2) or "0", 0) if match else 0
        word = match and self._capture._core.word(self._draw, match.group(1), index)
        if word is None:
            raise KeyError(name)
        return word

    def _all(self) -> Dict[str, int]:
        words = self._capture._core.words(self._draw)
        several = {name for name, index, _ in words if index > 0}
        return {
            f"{name}[{index}]" if name in several else name: word for name, index, word in words
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def items(self) -> Any:
        return self._all().items()

    def explain(self, name: str) -> Dict[str, Any]:
        """A word's fields, as :func:`isotherm.explain` gives them."""
        return explain(self._capture.chip, name, self[name])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td><code>{word:08x}</code></td></tr>"
            for name, word in self.items()
        )
        return f"<table><tr><th>register</th><th>word</th></tr>{rows}</table>"
