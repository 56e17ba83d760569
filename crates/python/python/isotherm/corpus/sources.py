"""Where captures come from: a folder, an object store, a manifest."""

import dataclasses
import hashlib
import json
import os
import posixpath

import fsspec

#: Keys of an entry that name files.
FILES = ("capture", "capture_inorder", "golden", "reference_frame4")
SUFFIXES = (".cap.zst", ".cap")


@dataclasses.dataclass
class Unit:
    """Entries that are replayed together: those of one capture, or of a chain."""

    entries: list
    #: Changes when a file changes: names, sizes and times or tags, as the store tells them.
    stamp: str = ""

    def ids(self):
        """``suite/name`` of the unit's cases, as the program names them."""
        return [case_id(entry) for entry in self.entries]


@dataclasses.dataclass
class Batch:
    """What one task does."""

    units: list
    attempt: int = 1

    def halves(self):
        """Two batches, to find the capture that is to blame."""
        middle = len(self.units) // 2
        return [Batch(half, self.attempt) for half in (self.units[:middle], self.units[middle:])]


def stem(path):
    """A file's name without its suffixes."""
    name = posixpath.basename(path)
    for suffix in (".zst", ".cap", ".png"):
        name = name[: -len(suffix)] if name.endswith(suffix) else name
    return name


def case_id(entry):
    """``suite/name``: the rule of docs/corpus.md."""
    suite = entry.get("suite") or entry.get("gpu") or ""
    scene = entry.get("scene")
    scene = scene and f"{scene}_{entry.get('width', 0)}x{entry.get('height', 0)}"
    test = entry.get("test") or entry.get("program") or scene or stem(entry["capture"])
    return f"{suite}/{stem(entry['golden']) if entry.get('golden') else test}"


def read(source):
    """Entries of a source, with files as URLs or absolute paths.

    A source is a manifest (``….json`` with ``entries``, ``….jsonl`` with one entry a line), a
    folder with ``index.json``, or a folder of captures; each on a disk or wherever fsspec reaches
    (``s3://``, ``gs://``, ``https://``).
    """
    fs, path = fsspec.core.url_to_fs(source)
    if path.endswith((".json", ".jsonl")):
        return _manifest(fs, path)
    index = posixpath.join(path, "index.json")
    if fs.exists(index):
        return _manifest(fs, index)
    return _folder(fs, path)


def _manifest(fs, path):
    with fs.open(path, "rb") as file:
        if path.endswith(".jsonl"):
            entries = [json.loads(line) for line in file if line.strip()]
        else:
            entries = json.load(file)["entries"]
    base = posixpath.dirname(path)
    return _distinct(_absolute(fs, base, entry) for entry in entries)


def _folder(fs, path):
    captures = sorted(name for name in fs.find(path) if name.endswith(SUFFIXES))
    if not captures:
        raise FileNotFoundError(f"{path}: neither index.json nor captures")
    root = path.rstrip("/")

    def entry(name):
        inside = posixpath.dirname(name[len(root) + 1 :])
        return {"suite": inside or posixpath.basename(root), "capture": _url(fs, name)}

    return _distinct(map(entry, captures))


def _distinct(entries):
    """Cases have names of their own: results are told apart by them."""
    seen, entries = set(), list(entries)
    for entry in entries:
        if case_id(entry) in seen:
            raise ValueError(f"two cases are called {case_id(entry)}: give one another name")
        seen.add(case_id(entry))
    return entries


def _absolute(fs, base, entry):
    def absolute(path):
        if "://" in path:
            return path
        return _url(fs, path if path.startswith("/") else posixpath.join(base, path))

    entry = dict(entry)
    for key in FILES:
        if entry.get(key):
            entry[key] = absolute(entry[key])
    references = entry.get("references") or {}
    entry["references"] = {name: absolute(path) for name, path in references.items() if path}
    return entry


def _url(fs, path):
    """A name that means the file everywhere; paths of disks stay paths."""
    return path if "file" in fs.protocol else fs.unstrip_protocol(path)


def files(entry):
    """All files of an entry."""
    named = [entry[key] for key in FILES if entry.get(key)]
    return named + list((entry.get("references") or {}).values())


def units(entries):
    """Entries by capture, captures by chain; stamped."""
    groups, captures, stamps = {}, {}, {}
    for entry in entries:
        chain = captures.setdefault(entry["capture"], entry.get("chain"))
        groups.setdefault(("chain", chain) if chain else entry["capture"], []).append(entry)
    for group in groups.values():
        parts = sorted({_stamp(name, stamps) for entry in group for name in files(entry)})
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
        yield Unit(group, digest)


def is_path(url):
    """Is it a path of a disk, not a URL? fsspec takes longer to say so than to read a file's size."""
    return url.startswith("/") and "::" not in url


def _info(url):
    if is_path(url):
        status = os.stat(url)
        return {"size": status.st_size, "mtime": status.st_mtime}
    fs, path = fsspec.core.url_to_fs(url)
    return fs.info(path)


def _stamp(url, known):
    if url not in known:
        try:
            info = _info(url)
        except FileNotFoundError:
            info = {}
        tag = info.get("ETag") or info.get("etag") or info.get("mtime") or info.get("LastModified")
        known[url] = f"{url} {info.get('size')} {tag}"
    return known[url]
