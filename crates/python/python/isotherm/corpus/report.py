"""Figures of results: per suite, and what changed since an earlier commit. By DuckDB."""

import duckdb

#: The latest row of each case and commit.
LATEST = """
CREATE TABLE latest AS SELECT * FROM rows
QUALIFY row_number() OVER (PARTITION BY suite, name, commit ORDER BY finished DESC) = 1
"""

SUITES = """
SELECT suite, count(*) AS cases, count(*) FILTER (status = 'exact') AS exact,
  count(*) FILTER (status IN ('exact', 'near')) AS near, count(*) FILTER (status = 'drawn') AS drawn,
  count(*) FILTER (status = 'error') AS errors, round(sum(seconds), 2) AS seconds
FROM latest WHERE commit = ? GROUP BY ROLLUP (suite) ORDER BY suite NULLS LAST
"""

#: Statuses from bad to good.
RANK = "list_position(['error', 'differs', 'near', 'exact', 'drawn'], {}.status)"

CHANGES = f"""
SELECT new.suite, new.name, old.status AS was, new.status AS is_now, old.differ AS differed, new.differ,
  CASE WHEN {RANK.format("new")} < {RANK.format("old")} THEN 'worse'
       WHEN {RANK.format("new")} > {RANK.format("old")} THEN 'better'
       WHEN coalesce(new.over4, 0) > coalesce(old.over4, 0) THEN 'worse'
       WHEN coalesce(new.over4, 0) < coalesce(old.over4, 0) THEN 'better'
       WHEN coalesce(new.differ, 0) > coalesce(old.differ, 0) THEN 'worse'
       WHEN coalesce(new.differ, 0) < coalesce(old.differ, 0) THEN 'better'
       WHEN new.status = 'drawn' AND new.picture_blake3 <> old.picture_blake3 THEN 'other'
  END AS change
FROM latest new JOIN latest old USING (suite, name)
WHERE new.commit = ? AND old.commit = ? AND change IS NOT NULL ORDER BY change DESC, suite, name
"""


def connect(results):
    """A database with the table ``latest``."""
    db = duckdb.connect()
    pattern = results if results.endswith(".parquet") else f"{results.rstrip('/')}/**/*.parquet"
    db.execute("CREATE TABLE rows AS SELECT * FROM read_parquet(?, hive_partitioning = false, union_by_name = true)", [pattern])
    if "finished" not in [column[0] for column in db.execute("DESCRIBE rows").fetchall()]:
        db.execute("ALTER TABLE rows ADD COLUMN finished DOUBLE DEFAULT 0")
    db.execute(LATEST)
    return db


def _commit(db, wanted):
    """The commit that a commit's beginning or a tool's version means; the latest without."""
    found = db.execute(
        "SELECT commit FROM rows WHERE ? IS NULL OR starts_with(commit, ?) OR tool = ? ORDER BY finished DESC LIMIT 1",
        [wanted] * 3,
    ).fetchone()
    if not found:
        raise ValueError(f"no results of {wanted}")
    return found[0]


def show(results, commit=None, baseline=None):
    """Prints the figures; 1 if something got worse."""
    with connect(results) as db:
        commit = _commit(db, commit)
        print(f"commit {commit}")
        columns = ("cases", "exact", "near", "drawn", "errors", "seconds")
        print(f"{'suite':34}" + "".join(f"{name:>9}" for name in columns))
        for suite, *figures in db.execute(SUITES, [commit]).fetchall():
            print(f"{suite or 'total':34}" + "".join(f"{figure:>9}" for figure in figures))
        if not baseline:
            return 0
        changes = db.execute(CHANGES, [commit, _commit(db, baseline)]).fetchall()
    for suite, name, was, now, differed, differ, change in changes:
        print(f"{change}: {suite}/{name}: {now} ({differ or 0} pixels differ), was {was} ({differed or 0})")
    return 1 if any(row[-1] in ("worse", "other") for row in changes) else 0
