"""Tables of results: lines as Parquet, the questions of docs/corpus.md, the simulation."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

import corpus_program

corpus_program.find_package()
from isotherm.corpus import plan, report, simulate, sources, table
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


def test_the_simulation_is_linear_until_tasks_are_short():
    seconds = [0.1] * 6400
    alone, _, _ = simulate.makespan(seconds, 1)
    assert simulate.makespan(seconds, 10)[0] == pytest.approx(alone / 10, rel=0.05)
    ends, tasks, longest = simulate.makespan(seconds, 1000)
    assert ends >= max(longest, tasks * plan.DRIVER), "the driver hands out so many and no more"
    assert ends < 4, "and knows it"


def taken(units, workers, most=256, **keys):
    """The tasks that a plan makes, in seconds; every capture takes 0.02 s unless it says more."""
    work, tasks = plan.Plan(units, most, **keys), []
    while work:
        tasks.append(work.take(workers))
        assert 0 < len(tasks[-1]) <= most
        work.learn(len(tasks[-1]), 0.02 * len(tasks[-1]))
    return tasks


def test_tasks_get_shorter_towards_the_end():
    tasks = taken(range(3000), 2)
    assert [unit for task in tasks for unit in task] == list(range(3000)), "each once, in order"
    assert len(tasks[0]) <= plan.FIRST, "nothing is known yet"
    sizes = [len(task) for task in tasks[1:]]
    assert max(sizes) == pytest.approx(plan.LONG / 0.02, abs=1)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= plan.SHORT / 0.02 and len(tasks) < 40
    assert all(len(task) <= 7 for task in taken(range(100), 2, 7))


def test_long_captures_come_first_and_alone():
    cost = {5: 9.0, 70: 30.0}
    tasks = taken(range(100), 2, seconds=lambda unit: cost.get(unit, 0.02))
    assert tasks[:2] == [[70], [5]]
    assert sorted(unit for task in tasks for unit in task) == list(range(100))


def test_only_what_is_asked_for_is_imported():
    code = "import corpus_program, sys; corpus_program.find_package(); import isotherm.corpus.__main__; " \
        "assert not {'ray', 'pyarrow', 'fsspec'} & set(sys.modules); from isotherm.corpus import Engine, Plan, read"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=pathlib.Path(__file__).parent)
