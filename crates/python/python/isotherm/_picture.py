"""Pictures: RGBA, eight bits each, the top row first."""

from __future__ import annotations

import hashlib
import pathlib
from typing import Any, Optional, Union

import numpy as np

from . import _isotherm


class Picture:
    """A picture. ``numpy.asarray(picture)`` and :attr:`array` show it without copying."""

    def __init__(self, pixels: Any, about: Optional[dict] = None):
        self.array = np.asarray(pixels)
        if self.array.ndim != 3 or self.array.shape[2] != 4 or self.array.dtype != np.uint8:
            raise ValueError("a picture has rows, columns and four bytes")
        #: What the capture says of it: the SURF record.
        self.about = about or {}

    @staticmethod
    def load(path: Union[str, pathlib.Path]) -> "Picture":
        """Reads a PNG file."""
        return Picture(_isotherm.png_decode(pathlib.Path(path).read_bytes()))

    @property
    def width(self) -> int:
        return self.array.shape[1]

    @property
    def height(self) -> int:
        return self.array.shape[0]

    @property
    def hash(self) -> str:
        """SHA-256 over the size, as ``WIDTHxHEIGHT``, and the bytes: equal exactly if the
        pictures are."""
        digest = hashlib.sha256(f"{self.width}x{self.height}".encode())
        digest.update(np.ascontiguousarray(self.array))
        return digest.hexdigest()

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return _isotherm.png_encode(self.array.tobytes(), self.width, self.height)

    def save(self, path: Union[str, pathlib.Path]) -> None:
        """Writes a PNG file."""
        pathlib.Path(path).write_bytes(self.png())

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = self.array if dtype is None else self.array.astype(dtype)
        return array.copy() if copy else array

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return self.array.shape == other.array.shape and bool((self.array == other.array).all())

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Picture {self.width}x{self.height} {self.hash[:12]}>"

    def _repr_png_(self) -> bytes:
        return self.png()
