"""Captures for the tests: one that a chip made here records itself, so that none is needed."""

import pathlib
import struct

import pytest

import isotherm as iso

WIDTH, HEIGHT = 64, 32
COLOR = 0x100000
MEMORY, SURFACE, KELVIN = 3, 9, 13


def bits(*values):
    return [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]


def set_up(gpu):
    """The state that a triangle of plain colours needs, as in crates/gpu/examples/triangle.rs."""
    last = 0x03FFFFFF
    gpu.graphics(KELVIN, 0x97).dma(MEMORY, 0, last).dma(SURFACE, COLOR, last - COLOR)
    pitch = WIDTH * 4
    gpu.method(0, 0, KELVIN)
    gpu.method(0, 0x184, MEMORY, MEMORY)
    gpu.method(0, 0x194, SURFACE, MEMORY, MEMORY, MEMORY)
    gpu.method(0, 0x200, WIDTH << 16, HEIGHT << 16, 0x128, pitch << 16 | pitch, 0, 0x10000)
    gpu.method(0, 0x288, 4, 0x1400)
    gpu.method(0, 0x1E60, 1)
    gpu.method(0, 0x2C0, *[(WIDTH - 1) << 16] * 8)
    gpu.method(0, 0x2E0, *[(HEIGHT - 1) << 16] * 8)
    gpu.method(0, 0x300, *[0] * 15)
    gpu.method(0, 0x358, 0x01010101)
    gpu.method(0, 0x37C, 0x1D01)
    gpu.method(0, 0x38C, 0x1B02, 0x1B02)
    gpu.method(0, 0x394, *bits(0.0, 16777215.0))
    gpu.method(0, 0x1E94, 6, 0, 0, 0)
    gpu.method(0, 0xB00, 0, 0x0020001B, 0x0836106C, 0x2070F800)
    gpu.method(0, 0xB00, 0, 0x0020061B, 0x0836106C, 0x2070F819)


def clear(gpu, color=0xFF000030):
    gpu.method(0, 0x1D98, (WIDTH - 1) << 16, (HEIGHT - 1) << 16)
    gpu.method(0, 0x1D90, color, 0xF0)


def triangle(gpu, shift=0.0):
    gpu.method(0, 0x17FC, 5)
    for x, y, color in [
        (4.0, 30.0, (1.0, 0.0, 0.0, 1.0)),
        (32.0, 2.0, (0.0, 1.0, 0.0, 1.0)),
        (60.0, 30.0, (0.0, 0.0, 1.0, 1.0)),
    ]:
        gpu.method(0, 0x1550, *bits(*color))
        gpu.method(0, 0x1518, *bits(x, y - shift, 0.0, 1.0))
    gpu.method(0, 0x17FC, 0)


@pytest.fixture(scope="session")
def capture_file(tmp_path_factory) -> pathlib.Path:
    """Two triangles, one over the other."""
    path = tmp_path_factory.mktemp("captures") / "two.cap"
    gpu = iso.Gpu("nv2a", threads=1)
    with gpu.record(path) as recording:
        set_up(gpu)
        clear(gpu)
        triangle(gpu)
        triangle(gpu, 8.0)
        assert recording.picture()
    return path


@pytest.fixture
def capture(capture_file):
    return iso.open(capture_file, threads=1)
