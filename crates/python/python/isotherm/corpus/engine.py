"""Runs ``isotherm conform`` on a batch of captures."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import fsspec
from fsspec.implementations.local import LocalFileSystem

from .sources import FILES, is_path

#: Failures that say something about the capture's behaviour, not about its bytes.
POISON = ("died", "timeout", "memory")


@dataclasses.dataclass
class Engine:
    """The program and what a capture may take."""

    program: str = os.environ.get("ISOTHERM", "isotherm")
    timeout: float = 600.0
    memory: int = 0
    #: Where pictures of failures go; none if empty.
    pictures: str = ""

    def version(self):
        """Version and commit: ``("0.1.0", "a2deed4…")``."""
        text = subprocess.run(
            [self.program, "--version"], check=True, capture_output=True, text=True
        ).stdout
        version, _, commit = text.split(maxsplit=1)[1].strip().partition(" (commit ")
        return version, commit.rstrip(")")

    def run(self, batch, known=()):
        """Rows of a batch's cases, without those whose key is among the ``known`` rows."""
        with tempfile.TemporaryDirectory(prefix="isotherm-") as folder:
            folder = pathlib.Path(folder)
            names = {}
            entries = [self._local(entry, folder, names) for u in batch.units for entry in u.entries]
            (folder / "index.json").write_text(json.dumps({"entries": entries}))
            lines = "".join(json.dumps(row) + "\n" for row in known)
            (folder / "out.jsonl").write_text(lines)
            self._conform(folder)
            rows = (folder / "out.jsonl").read_text().splitlines()[len(known) :]
            rows = [self._named(json.loads(row), names) for row in rows]
            if self.pictures:
                self._keep_pictures(folder / "page" / "pictures", rows)
        return rows

    def _conform(self, folder):
        command = [self.program, "conform", str(folder / "index.json"), "--quiet", "-j1"]
        command += ["--jsonl", str(folder / "out.jsonl"), "--resume", "--timeout", str(self.timeout)]
        command += ["--memory", str(self.memory)] if self.memory else []
        command += ["--html", str(folder / "page")] if self.pictures else []
        done = subprocess.run(command, capture_output=True, text=True)
        # 1 says that cases failed; they are in the lines.
        if done.returncode not in (0, 1):
            raise RuntimeError(f"isotherm conform ended with {done.returncode}: {done.stderr[-2000:]}")

    @staticmethod
    def _local(entry, folder, names):
        """The entry with files on this machine; ``names`` learns what they are called outside."""

        def local(url):
            if is_path(url):
                names[url] = url
                return url
            fs, path = fsspec.core.url_to_fs(url)
            if isinstance(fs, LocalFileSystem):
                names[path] = url
                return path
            target = folder / "files" / str(len(names)) / path.rsplit("/", 1)[-1]
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                fs.get_file(path, str(target))
            names[str(target)] = url
            return str(target)

        entry = dict(entry)
        for key in FILES:
            if entry.get(key):
                entry[key] = local(entry[key])
        references = entry.get("references") or {}
        entry["references"] = {name: local(url) for name, url in references.items()}
        return entry

    @staticmethod
    def _named(row, names):
        for key in ("capture", "expected"):
            row[key] = names.get(row[key], row[key])
        return row

    def _keep_pictures(self, folder, rows):
        for row in rows:
            for kind in ("golden", "ours", "diff"):
                picture = folder / row["suite"] / f"{row['name']}.{kind}.png"
                if picture.exists():
                    target = f"{self.pictures}/{row['commit']}/{row['suite']}/{picture.name}"
                    fs, path = fsspec.core.url_to_fs(target)
                    fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
                    with picture.open("rb") as ours, fs.open(path, "wb") as out:
                        shutil.copyfileobj(ours, out)
