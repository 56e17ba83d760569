"""A chip to send methods to."""

from __future__ import annotations

import os
from typing import Any, Iterable, List, NamedTuple, Optional

from . import _isotherm
from ._picture import Picture


class Refused(ValueError):
    """The front end refused a method, as the chip does by an interrupt."""


class Report(NamedTuple):
    """What a draw did."""

    draw: int
    primitive: int
    vertices: int
    pixels: int
    #: The first reason in the pipeline's order why there is nothing to see.
    why_nothing: Optional[str]


class Gpu:
    """A chip with memory of its own.

        gpu = iso.Gpu("nv2a")
        gpu.graphics(1, 0x97)
        gpu.method(0, 0x000, 1)   # bind the object of handle 1

    ``budget`` is what its commands may cost, as the program's ``--budget`` says it: ``"none"``,
    how many times the usual limits, or single limits such as ``"steps=1000000"``.
    """

    def __init__(
        self,
        chip: str,
        memory_size: Optional[int] = None,
        threads: Optional[int] = None,
        budget: Optional[str] = None,
    ):
        self._core = _isotherm.Gpu(chip, memory_size, threads, budget)

    @property
    def chip(self) -> str:
        return self._core.chip()

    def dma(self, handle: int, base: int, limit: int) -> "Gpu":
        """A DMA object: the memory from base to base + limit."""
        self._core.dma(handle, base, limit)
        return self

    def graphics(self, handle: int, class_id: int) -> "Gpu":
        """A graphics object of a class."""
        self._core.graphics(handle, class_id)
        return self

    def register(self, address: int, value: int) -> None:
        """The CPU writes a register."""
        self._core.register(address, value)

    def method(self, subchannel: int, method: int, *data: int) -> None:
        """Data for a method and those after it; method 0 binds an object. Raises
        :class:`Refused`."""
        for index, word in enumerate(data):
            reason = self._core.method(subchannel, method + 4 * index, word)
            if reason is not None:
                raise Refused(f"method {method + 4 * index:#x} with {word:#x}: {reason}")

    def push(self, words: Iterable[int]) -> int:
        """Words as the pusher fetches them; how many were taken."""
        return self._core.push(list(words))

    def write(self, address: int, data: Any) -> None:
        """The CPU writes to memory, after all drawing before it."""
        self._core.write(address, bytes(data))

    def read(self, address: int, size: int) -> bytes:
        """Memory when everything so far is drawn."""
        return self._core.read(address, size)

    def finish(self) -> None:
        """Waits until everything is drawn."""
        self._core.finish()

    @property
    def color(self) -> Optional[Picture]:
        """The bound colour surface."""
        pixels = self._core.color()
        return None if pixels is None else Picture(pixels)

    @property
    def draws(self) -> int:
        """Draws so far."""
        return self._core.draws()

    def word(self, name: str, index: int = 0) -> Optional[int]:
        """A state word by its name."""
        return self._core.word(name, index)

    def inspect(self, on: bool = True) -> None:
        """From now on draws are reported; that is slow."""
        self._core.inspect(on)

    def reports(self) -> List[Report]:
        """What the draws did since the last question."""
        return [Report(*report) for report in self._core.reports()]

    def record(self, path: os.PathLike) -> "Recording":
        """Records into a file, to be used by ``with``; begins with the chip as it is."""
        return Recording(self._core, path)

    def _repr_png_(self) -> Optional[bytes]:
        color = self.color
        return None if color is None else color.png()


class Recording:
    """A recording under way."""

    def __init__(self, core: Any, path: os.PathLike):
        self._core = core
        core.record_to(path)

    def picture(self) -> bool:
        """The bound colour surface is a picture now; False if none is bound."""
        return self._core.record_picture()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: Any) -> None:
        self._core.end_recording()
