"""Results as Parquet: ``OUT/suite=…/tool=…/part-….parquet``, and what else is in ``OUT``."""

import hashlib
import json
import posixpath
import time
import urllib.parse

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

_TEXT = (
    "schema key suite test name capture capture_blake3 expected against ref_quality tool commit build chip "
    "status failure error picture_blake3 first_expected first_found first_why why stamp"
).split()
_COUNTS = (
    "peak_bytes draws width height pixels differ differ_rgb over1 over2 over4 over8 undisputed largest "
    "first_x first_y first_draw inorder_differ attempts"
).split()
_FLAGS = "reference_valid half_floats explained quarantined".split()

#: The columns: those of a line of ``conform --jsonl``, then what the cluster adds.
SCHEMA = pa.schema(
    [(name, pa.string()) for name in _TEXT]
    + [(name, pa.int64()) for name in _COUNTS]
    + [(name, pa.bool_()) for name in _FLAGS]
    + [("seconds", pa.float64()), ("finished", pa.float64())]
)


class WriteFailed(Exception):
    """The results cannot be written: no room, no right, no network."""


class Dataset:
    """A folder of results, on a disk or wherever fsspec reaches."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.fs, self.path = fsspec.core.url_to_fs(self.url)

    def files(self):
        """All parts."""
        try:
            names = self.fs.find(self.path)
        except FileNotFoundError:
            return []
        return sorted(name for name in names if name.endswith(".parquet"))

    def rows(self, columns=None, **equal):
        """Rows of all parts whose columns are equal to what is given."""
        wanted = None if columns is None else sorted({*columns, *equal})
        for name in self.files():
            with self.fs.open(name, "rb") as file:
                table = pq.ParquetFile(file).read(columns=wanted)
            for row in table.to_pylist():
                if all(row[key] == value for key, value in equal.items()):
                    yield row

    def write(self, rows):
        """Writes rows, a part per suite. The same rows give the same file: writing twice is
        writing once. A part is there as a whole or not at all."""
        suites = {}
        for row in rows:
            suites.setdefault((row["suite"], row["tool"]), []).append(row)
        for (suite, tool), part in suites.items():
            self._part(suite, tool, sorted(part, key=lambda row: row["name"]))

    def _part(self, suite, tool, rows):
        keys = "\n".join(row["key"] for row in rows)
        name = hashlib.sha256(keys.encode()).hexdigest()[:24]
        quoted = urllib.parse.quote(suite, safe="")
        folder = posixpath.join(self.path, f"suite={quoted}", f"tool={tool}")
        path = posixpath.join(folder, f"part-{name}.parquet")
        now = time.time()
        rows = [{"finished": now, "attempts": 1, "quarantined": False, **row} for row in rows]
        # The partition's folders name suite and tool, too; the columns make each part whole.
        table = pa.Table.from_pylist(rows, schema=SCHEMA)
        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer, compression="zstd")
        self._put(path, buffer.getvalue())

    def _put(self, path, data):
        """Writes a file at once: stores do that by themselves, disks by a second name."""
        local = "file" in self.fs.protocol
        target = f"{path}.{time.time_ns()}.tmp" if local else path
        try:
            self.fs.makedirs(posixpath.dirname(path), exist_ok=True)
            with self.fs.open(target, "wb") as file:
                file.write(data)
            if local:
                self.fs.mv(target, path)
        except OSError as error:
            if local:
                self._forget(target)
            raise WriteFailed(f"{path}: {error}") from error

    def _forget(self, path):
        try:
            self.fs.rm(path)
        except OSError:
            pass

    def quarantine(self, row, entries):
        """Notes a capture that is not tried again, with all that is needed to try it by hand."""
        text = json.dumps({"row": row, "entries": entries}, indent=1)
        path = posixpath.join(self.path, "quarantine", f"{row['key']}.json")
        self._put(path, text.encode())
