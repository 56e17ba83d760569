"""Lines of ``conform --jsonl`` as Parquet, by DuckDB."""

import duckdb


def write(results, out):
    """Writes the lines of several files as one Parquet file; the last line of a case counts.
    Returns the number of rows."""
    with duckdb.connect() as db:
        names = db.execute("SELECT list_value(%s)" % ", ".join("?" * len(results)), results).fetchone()[0]
        # The whole file decides on a column's type, and a cut last line is no line.
        db.execute(
            "CREATE TABLE lines AS SELECT row_number() OVER () AS line, * "
            "FROM read_json(?, format = 'newline_delimited', sample_size = -1, ignore_errors = true)",
            [names],
        )
        db.execute(
            "CREATE TABLE rows AS SELECT * EXCLUDE (line) FROM lines WHERE suite IS NOT NULL AND name IS NOT NULL "
            "QUALIFY row_number() OVER (PARTITION BY suite, name ORDER BY line DESC) = 1 ORDER BY suite, name"
        )
        target = str(out).replace("'", "''")
        db.execute(f"COPY rows TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
        return db.execute("SELECT count(*) FROM rows").fetchone()[0]
