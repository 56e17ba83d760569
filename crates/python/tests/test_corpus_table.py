"""Tables of results: lines as Parquet, the questions of docs/corpus.md, the simulation."""

import json
import os
import pathlib
import re

import pytest

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

import corpus_program

corpus_program.find_package()
from isotherm.corpus import report, simulate, sources, table
from isotherm.corpus.dataset import SCHEMA, Dataset

DOCS = pathlib.Path(__file__).parents[3] / "docs" / "corpus.md"


def row(suite, name, status, differ=0, **more):
    base = {
        "schema": "isotherm-conform-1", "key": f"{suite}-{name}-{more.get('commit', 'a')}", "suite": suite, "name": name,
        "capture": f"{name}.cap", "chip": "nv2a", "status": status, "differ": differ, "over4": differ, "seconds": 0.5,
        "draws": 3, "peak_bytes": 5 << 20, "pixels": 100, "tool": "0.1.0", "commit": "a", "picture_blake3": "00",
        "first_draw": 2 if differ else None, "failure": None, "error": None,
    }
    return {**base, **more}


OLD = [row("lines", "one", "exact"), row("lines", "two", "near", 3), row("blend", "three", "differs", 50, chip="nv34"),
       row("blend", "four", "drawn")]
NEW = [row("lines", "one", "differs", 9, seconds=2.0), row("lines", "two", "near", 3), row("blend", "three", "near", 1, chip="nv34"),
       row("blend", "four", "drawn")]


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def folder(tmp_path):
    table.write([write_lines(tmp_path / "old.jsonl", OLD)], tmp_path / "old.parquet")
    table.write([write_lines(tmp_path / "new.jsonl", NEW)], tmp_path / "new.parquet")
    return tmp_path


def questions():
    """The queries of the documentation by their first line."""
    blocks = re.findall(r"```sql\n-- (.*?)\n(.*?)```", DOCS.read_text(), re.S)
    return dict(blocks)


def ask(folder, question):
    here = os.getcwd()
    os.chdir(folder)
    try:
        return duckdb.sql(questions()[question]).fetchall()
    finally:
        os.chdir(here)


def test_the_last_line_of_a_case_counts_and_a_cut_one_is_none(tmp_path):
    first = write_lines(tmp_path / "a.jsonl", OLD)
    second = pathlib.Path(write_lines(tmp_path / "b.jsonl", NEW[:1]))
    second.write_text(second.read_text() + '{"suite": "lines", "na')
    assert table.write([first, str(second)], tmp_path / "out.parquet") == 4
    found = duckdb.sql(f"SELECT status FROM '{tmp_path}/out.parquet' WHERE name = 'one'").fetchall()
    assert found == [("differs",)]


def test_which_suites_got_worse(folder):
    assert ask(folder, "Which suites got worse since?") == [("lines", 2, 1, 9)]


def test_which_draw_differs_first(folder):
    assert ask(folder, "Which draw differs first, by family?") == [
        ("kelvin", 2, 2, "lines/one"), ("rankine", 2, 1, "blend/three"),
    ]


def test_the_slowest(folder):
    found = ask(folder, "The slowest hundred captures")
    assert len(found) == 4 and found[0] == ("one.cap", 2.0, 3, 5)


def test_the_report_compares_commits(tmp_path, capsys):
    data = Dataset(str(tmp_path / "out"))
    data.write(OLD)
    data.write([{**row, "commit": "b", "key": row["key"] + "b"} for row in NEW])
    assert report.show(data.url) == 0
    assert "lines" in capsys.readouterr().out
    assert report.show(data.url, "b", "a") == 1
    said = capsys.readouterr().out
    assert "worse: lines/one: differs (9 pixels differ), was exact (0)" in said
    assert "better: blend/three" in said and "four" not in said
    assert {path.split("/")[-3] for path in data.files()} == {"suite=lines", "suite=blend"}


def test_writing_twice_is_writing_once(tmp_path):
    data = Dataset(str(tmp_path / "out"))
    data.write(OLD)
    data.write(list(reversed(OLD)))
    assert len(list(data.rows())) == len(OLD)
    assert set(next(data.rows())) == set(SCHEMA.names)


def test_sources(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("a/x.cap.zst", "a/b/y.cap", "a/readme.txt"):
        (tmp_path / name).write_text("")
    entries = sources.read(str(tmp_path / "a"))
    assert sorted(map(sources.case_id, entries)) == ["a/x", "b/y"]
    lines = [{"suite": "s", "test": "t", "capture": "a/x.cap.zst", "golden": "g/u.png", "chain": "c"},
             {"suite": "s", "test": "v", "capture": "a/b/y.cap", "chain": "c"}]
    manifest = write_lines(tmp_path / "m.jsonl", lines)
    entries = sources.read(manifest)
    assert [sources.case_id(entry) for entry in entries] == ["s/u", "s/v"]
    units = list(sources.units(entries))
    assert len(units) == 1 and len(units[0].entries) == 2
    os.utime(tmp_path / "a" / "b" / "y.cap", (1, 1))
    assert next(sources.units(sources.read(manifest))).stamp != units[0].stamp
    with pytest.raises(ValueError, match="two cases"):
        sources.read(write_lines(tmp_path / "n.jsonl", [lines[0], lines[0]]))


def test_the_simulation_is_linear_until_the_longest_task():
    times = simulate.tasks([0.1] * 6400, 64)
    alone = simulate.makespan(times, 1)
    assert simulate.makespan(times, 10) == pytest.approx(alone / 10, rel=0.05)
    assert simulate.makespan(times, 1000) >= max(times)
