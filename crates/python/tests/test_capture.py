"""Captures, draws, pixels."""

import threading

import numpy as np
import pytest

import isotherm as iso
from conftest import HEIGHT, WIDTH


def test_draws_count_from_one(capture):
    assert capture.chip == "nv2a"
    assert len(capture.draws) == 2
    assert [draw.primitive for draw in capture.draws] == ["triangles", "triangles"]
    assert capture.draws[-1].number == 2
    assert [draw.number for draw in capture.draws[1:]] == [1, 2]
    for wrong in (0, 3, -3):
        with pytest.raises(IndexError):
            capture.draws[wrong]


def test_pictures(capture):
    picture = capture.picture
    assert (picture.width, picture.height) == (WIDTH, HEIGHT)
    assert list(picture.array[0, 0]) == [0, 0, 0x30, 0xFF]
    assert picture.about["format"] == "A8R8G8B8"
    assert capture.hash == picture.hash == capture.draws[2].color.hash
    assert capture.draws[1].color != picture
    assert capture.draws[2].color_before == capture.draws[1].color
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert capture._repr_png_() == picture.png()
    assert "2 draws" in capture._repr_html_()


def test_arrays_are_views(capture):
    array = capture.draws[1].color.array
    assert array.dtype == np.uint8 and array.shape == (HEIGHT, WIDTH, 4)
    assert not array.flags.owndata and not array.flags.writeable
    with pytest.raises(ValueError):
        array[0, 0] = 1


def test_depth_and_stencil(capture):
    draw = capture.draws[1]
    assert draw.depth.shape == (HEIGHT, WIDTH) and draw.depth.dtype == np.uint32
    assert draw.stencil.shape == (HEIGHT, WIDTH) and draw.stencil.dtype == np.uint8


def test_vertices(capture):
    vertices = capture.draws[1].vertices
    assert len(vertices) == 3
    assert vertices.attributes.shape == (3, 16, 4)
    assert vertices.positions[1].tolist()[:2] == [32.0, 2.0]
    assert vertices.colors[0, 0].tolist() == [255, 0, 0, 255]


def test_state(capture):
    state = capture.draws[1].state
    word = state["RC_CONFIG"]
    assert state["RC_CONFIG[0]"] == word and dict(state.items())["RC_CONFIG"] == word
    assert len(state) > 100 and "BLEND" in set(state)
    assert state.explain("BLEND")["label"] == "BLEND"
    for wrong in ("NOBODY", "BLEND[99]", "?"):
        with pytest.raises(KeyError):
            state[wrong]
    assert "<table>" in state._repr_html_()


def test_programs(tmp_path):
    from conftest import clear, set_up, triangle

    # A recording begins with the program loaded; one from the chip's start has the upload.
    gpu = iso.Gpu("nv2a", threads=1)
    path = tmp_path / "whole.cap"
    with gpu.record(path):
        set_up(gpu)
        clear(gpu)
        triangle(gpu)
    programs = iso.open(path).draws[1].programs
    assert "MOV" in programs["vertex"].upper()
    assert "fragment" not in programs


def test_textures(capture):
    assert capture.draws[1].texture(9) is None


def test_pixel(capture):
    steps = capture.pixel(32, 20)
    touches = [step for step in steps if step["event"] == "touch"]
    assert [step["draw"] for step in touches][-2:] == [1, 2]
    assert "fragment" in touches[-1]["touch"]
    with pytest.raises(ValueError):
        capture.pixel(WIDTH, 0)
    assert capture.pixel(0, 0, draw=1)


def test_bytes_and_files(capture_file):
    assert iso.open(capture_file.read_bytes()).hash == iso.open(str(capture_file)).hash
    with pytest.raises(ValueError):
        iso.open(b"nothing")
    with pytest.raises(OSError):
        iso.open("/nowhere/at/all")


def test_threads_share_a_capture(capture):
    found = []

    def draw(number):
        for _ in range(20):
            found.append((number, capture.draws[number].color.hash))

    threads = [threading.Thread(target=draw, args=(number,)) for number in (1, 2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(set(found)) == 2 and len(found) == 40
