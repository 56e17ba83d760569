"""A chip to send methods to."""

import pytest

import isotherm as iso
from conftest import COLOR, HEIGHT, WIDTH, clear, set_up, triangle


def test_a_triangle():
    gpu = iso.Gpu("nv2a", memory_size=64 << 20, threads=1)
    assert gpu.color is None
    set_up(gpu)
    clear(gpu)
    gpu.inspect()
    triangle(gpu)
    assert gpu.draws == 1
    picture = gpu.color
    assert (picture.width, picture.height) == (WIDTH, HEIGHT)
    assert gpu.read(COLOR, 4) == bytes([0x30, 0, 0, 0xFF])
    report = gpu.reports()[0]
    assert report.vertices == 3 and report.pixels > 500 and report.why_nothing is None
    triangle(gpu, 1000.0)
    assert "outside" in gpu.reports()[0].why_nothing
    assert gpu._repr_png_().startswith(b"\x89PNG")


def test_refused_and_bad():
    gpu = iso.Gpu("nv2a", threads=1)
    gpu.graphics(1, 0x97)
    gpu.method(0, 0, 1)
    with pytest.raises(iso.Refused):
        gpu.method(0, 0x1FFC, 1)
    for arguments in (("nv99",), ("nv2a", 12345)):
        with pytest.raises(ValueError):
            iso.Gpu(*arguments)
    with pytest.raises(OverflowError):
        gpu.push([1 << 32])
    with pytest.raises(ValueError):
        iso.Gpu("mali400").push([0])


def test_a_recording_from_the_middle(tmp_path):
    gpu = iso.Gpu("nv2a", threads=1)
    set_up(gpu)
    clear(gpu)
    triangle(gpu)
    with gpu.record(tmp_path / "middle.cap") as recording:
        triangle(gpu, 8.0)
        recording.picture()
    assert iso.open(tmp_path / "middle.cap").picture == gpu.color


def test_memory():
    gpu = iso.Gpu("nv2a", threads=1)
    gpu.write(0x1000, b"abc")
    assert gpu.read(0x1000, 4) == b"abc\0"
    assert gpu.word("RASTER") is not None and gpu.word("NOBODY") is None


def test_budgets(capture_file):
    words = [0] * 64
    with pytest.raises(ValueError, match="over budget: pusher: more than 100 steps"):
        iso.Gpu("nv2a", budget="steps=100").push(words)
    iso.Gpu("nv2a", budget="none").push(words)
    with pytest.raises(ValueError, match="budget: expected"):
        iso.Gpu("nv2a", budget="speed=1")
    with pytest.raises(ValueError, match="over budget"):
        iso.open(capture_file, budget="steps=1000").pictures
    assert iso.open(capture_file, budget="2").pictures
