"""Words, pictures and captures compared."""

import numpy as np
import pytest

import isotherm as iso
from conftest import clear, set_up, triangle


def test_explain_and_encode():
    word = iso.encode("nv2a", "BLEND", BLEND_FUNC_ENABLE=1)
    explained = iso.explain("nv2a", "BLEND", word)
    fields = {field["name"]: field["raw"] for field in explained["words"][0]["fields"]}
    assert fields["BLEND_FUNC_ENABLE"] == 1
    for wrong in (lambda: iso.explain("nv2a", "NOBODY", 1), lambda: iso.encode("nv2a", "BLEND", X=1)):
        with pytest.raises(ValueError):
            wrong()


def test_decode(tmp_path):
    dump = "BLEND 00000008\nRASTER 20600084\n"
    assert [item["label"] for item in iso.decode(dump, "nv2a")] == ["BLEND", "RASTER"]
    path = tmp_path / "dump.txt"
    path.write_text(dump)
    assert iso.decode(path, "nv2a") == iso.decode(dump.encode(), "nv2a")
    with pytest.raises(ValueError):
        iso.decode("NOBODY zz\n", "nv2a")


def test_compare(capture, tmp_path):
    assert iso.compare(capture, capture.picture).equal
    changed = capture.picture.array.copy()
    changed[20, 32] ^= 0xFF
    iso.Picture(changed).save(tmp_path / "changed.png")
    found = iso.compare(capture, tmp_path / "changed.png")
    assert not found.equal and found.different == 1
    assert found.worst == (32, 20) and found.bounds == (32, 20, 32, 20) and found.draw == 2
    assert iso.compare(capture, tmp_path / "changed.png", tolerance=255).equal
    with pytest.raises(ValueError):
        iso.compare(capture, iso.Picture(np.zeros((2, 2, 4), np.uint8)))


def test_png_round_trip(capture, tmp_path):
    capture.picture.save(tmp_path / "a.png")
    assert iso.Picture.load(tmp_path / "a.png") == capture.picture
    with pytest.raises(ValueError):
        iso.Picture(np.zeros((2, 2), np.uint8))


def test_diff(capture, tmp_path):
    assert iso.diff(capture, capture) == []
    gpu = iso.Gpu("nv2a", threads=1)
    with gpu.record(tmp_path / "other.cap") as recording:
        set_up(gpu)
        clear(gpu)
        triangle(gpu)
        gpu.method(0, 0x304, 1)  # blending on
        triangle(gpu, 4.0)
        recording.picture()
    kinds = {(d.draw, d.kind) for d in iso.diff(capture, iso.open(tmp_path / "other.cap"))}
    assert {(2, "state"), (2, "vertices"), (2, "picture")} <= kinds
    assert not any(draw == 1 for draw, _ in kinds)
