"""Batches as Ray tasks: retried within limits, poison set apart, each case in the results once."""

import collections
import os
import sys
import time

import ray

from . import dataset, engine, sources
from .dataset import Dataset, WriteFailed
from .engine import POISON

#: Tasks that wait beside those that run, so that no worker is idle.
SPARE = 2


def work(program, out, batch, known):
    """A task: draws a batch and writes its rows. Rows of poison are returned, not written: the
    driver decides whether they are tried again."""
    rows = program.run(batch, known)
    stamps = {case: unit.stamp for unit in batch.units for case in unit.ids()}
    for row in rows:
        row["stamp"] = stamps.get(f"{row['suite']}/{row['name']}", "")
        row["attempts"] = batch.attempt
    poison = [row for row in rows if row["failure"] in POISON]
    good = [row for row in rows if row["failure"] not in POISON]
    if good:
        Dataset(out).write(good)
    return len(good), poison


class Driver:
    """Hands out batches and deals with what comes back."""

    def __init__(self, program, out, retries=3, tell=print):
        self.program, self.out, self.retries, self.tell = program, Dataset(out), retries, tell
        self.version = program.version()
        self.queue = collections.deque()
        self.running = {}
        self.done = self.poisoned = self.total = 0
        self.start = time.time()
        self.known = {}
        # Functions travel by value: workers need the program, not this package.
        for module in (dataset, engine, sources, sys.modules[__name__]):
            ray.cloudpickle.register_pickle_by_value(module)
        self.task = ray.remote(num_cpus=1, max_retries=0)(work)

    def run(self, units, size):
        """Draws all units that are not in the results yet; returns cases done now, cases that
        were there, and poison."""
        tool, commit = self.version
        stamps = self._read_known(commit)
        everything = list(units)
        left = [unit for unit in everything if any(stamps.get(i) != unit.stamp for i in unit.ids())]
        before = sum(len(unit.entries) for unit in everything) - sum(len(u.entries) for u in left)
        self.total = sum(len(unit.entries) for unit in left)
        self.queue.extend(sources.batches(left, size))
        self.tell(f"isotherm {tool}, commit {commit}: {self.total} cases, {before} done already")
        while self.queue or self.running:
            self._submit()
            self._collect()
        return self.done, before, self.poisoned

    def _read_known(self, commit):
        """What the results hold of this commit: the stamp of each case, and its row's key."""
        stamps = {}
        columns = ("suite", "name", "key", "stamp", "finished")
        rows = self.out.rows(columns, commit=commit)
        for row in sorted(rows, key=lambda row: row["finished"]):
            case = f"{row['suite']}/{row['name']}"
            stamps[case] = row["stamp"]
            self.known[case] = {"suite": row["suite"], "name": row["name"], "key": row["key"]}
        return stamps

    def _submit(self):
        room = int(ray.cluster_resources().get("CPU", 1)) + SPARE
        while self.queue and len(self.running) < room:
            batch = self.queue.popleft()
            cases = [case for unit in batch.units for case in unit.ids()]
            known = [self.known[case] for case in cases if case in self.known]
            handle = self.task.remote(self.program, self.out.url, batch, known)
            self.running[handle] = batch

    def _collect(self):
        ready, _ = ray.wait(list(self.running), timeout=30)
        for handle in ready:
            batch = self.running.pop(handle)
            try:
                good, poison = ray.get(handle)
            except (ray.exceptions.RayError, OSError, RuntimeError) as error:
                self._failed(batch, error)
            else:
                self.done += good
                self._again(batch, poison)
        rate = self.done / max(time.time() - self.start, 1e-3)
        left = (self.total - self.done) / max(rate, 1e-3)
        self.tell(f"{self.done} of {self.total}, {rate:.1f} per second, {left:.0f} s left", progress=True)

    def _failed(self, batch, error):
        """The task itself failed: a worker died, a store was not there, a disk was full."""
        cause = getattr(error, "cause", error)
        self.tell(f"a batch of {len(batch.units)} captures failed: {cause}")
        if batch.attempt < self.retries:
            batch.attempt += 1
            time.sleep(min(2.0 ** batch.attempt, 30))
            # What remains to be found out is which capture it is.
            split = batch.attempt > 2 and len(batch.units) > 1
            self.queue.extend(batch.halves() if split else [batch])
        elif type(cause).__name__ == WriteFailed.__name__:
            raise WriteFailed(str(cause))
        elif len(batch.units) > 1:
            self.queue.extend(batch.halves())
        else:
            unit = batch.units[0]
            self._set_apart([self._row(case, entry, cause) for case, entry in zip(unit.ids(), unit.entries)], batch)

    def _row(self, case, entry, cause):
        """A row for a capture that no worker survived."""
        suite, _, name = case.rpartition("/")
        tool, commit = self.version
        return {
            "schema": "isotherm-conform-1", "key": f"lost {commit} {case}", "suite": suite, "name": name,
            "test": name, "capture": entry["capture"], "capture_blake3": "", "tool": tool, "commit": commit,
            "status": "error", "failure": "died", "error": str(cause)[:2000], "seconds": 0.0,
        }

    def _again(self, batch, poison):
        """Captures that hung, died or took too much are tried alone, so often and no more."""
        names = {f"{row['suite']}/{row['name']}" for row in poison}
        for unit in batch.units:
            rows = [row for row in poison if f"{row['suite']}/{row['name']}" in names.intersection(unit.ids())]
            if not rows:
                continue
            if batch.attempt < self.retries:
                self.queue.append(sources.Batch([unit], batch.attempt + 1))
            else:
                self._set_apart(rows, sources.Batch([unit], batch.attempt))

    def _set_apart(self, rows, batch):
        unit = batch.units[0]
        for row in rows:
            row.update(stamp=unit.stamp, attempts=batch.attempt, quarantined=True)
            self.out.quarantine(row, unit.entries)
        self.out.write(rows)
        self.done += len(rows)
        self.poisoned += len(rows)
        self.tell(f"quarantined after {batch.attempt} attempts: {', '.join(unit.ids())}")


def run(source, out, program, address="auto", batch=64, retries=3, tell=print):
    """Draws sources with an :class:`~isotherm.corpus.Engine` on the cluster at ``address``."""
    if os.path.exists(program.program):
        # Workers have other folders to be in.
        program.program = os.path.abspath(program.program)
    entries = [entry for one in source for entry in sources.read(one)]
    ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    try:
        return Driver(program, out, retries, tell).run(sources.units(entries), batch)
    finally:
        ray.shutdown()
