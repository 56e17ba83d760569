"""Batches as Ray tasks: retried within limits, poison set apart, each case in the results once."""

import collections
import os
import sys
import threading
import time

import ray

from . import dataset, engine, sources
from .dataset import Dataset, WriteFailed
from .engine import POISON
from .plan import Plan

#: Tasks that wait beside those that run, so that no worker is idle.
SPARE = 2


def work(program, out, batch, known):
    """A task: draws a batch and writes its rows. Gives cases written, poison, seconds taken. Rows
    of poison are returned, not written: the driver decides whether they are tried again."""
    start = time.monotonic()
    rows = program.run(batch, known)
    stamps = {case: unit.stamp for unit in batch.units for case in unit.ids()}
    for row in rows:
        row["stamp"] = stamps.get(f"{row['suite']}/{row['name']}", "")
        row["attempts"] = batch.attempt
    poison = [row for row in rows if row["failure"] in POISON]
    good = [row for row in rows if row["failure"] not in POISON]
    if good:
        Dataset(out).write(good)
    return len(good), poison, time.monotonic() - start


class Driver:
    """Hands out batches and deals with what comes back."""

    def __init__(self, program, out, retries=3, tell=print):
        self.program, self.out, self.retries, self.tell = program, Dataset(out), retries, tell
        self.version = program.version()
        self.plan = Plan([], 1)
        # What is tried again: poison at once, for it may take long; the rest last.
        self.soon, self.later = collections.deque(), collections.deque()
        self.running = {}
        self.done = self.poisoned = self.total = 0
        self.start = time.time()
        self.known, self.seconds = {}, {}
        # Functions travel by value: workers need the program, not this package.
        for module in (dataset, engine, sources, sys.modules[__name__]):
            ray.cloudpickle.register_pickle_by_value(module)
        self.task = ray.remote(num_cpus=1, max_retries=0)(work)

    def run(self, units, most):
        """Draws all units that are not in the results yet, at most so many in a task; returns
        cases done now, cases that were there, and poison."""
        tool, commit = self.version
        stamps = self._read_known(commit)
        everything = list(units)
        left = [unit for unit in everything if any(stamps.get(i) != unit.stamp for i in unit.ids())]
        before = sum(len(unit.entries) for unit in everything) - sum(len(u.entries) for u in left)
        self.total = sum(len(unit.entries) for unit in left)
        self.plan = Plan(left, most, self._seconds)
        self.tell(f"isotherm {tool}, commit {commit}: {self.total} cases, {before} done already")
        while self.plan or self.soon or self.later or self.running:
            self._submit()
            self._collect()
        return self.done, before, self.poisoned

    def _read_known(self, commit):
        """What the results hold: of this commit the stamp of each case and its row's key, of any
        the seconds that it took."""
        stamps = {}
        columns = ("suite", "name", "key", "stamp", "finished", "commit", "seconds")
        for row in sorted(self.out.rows(columns), key=lambda row: row["finished"]):
            case = f"{row['suite']}/{row['name']}"
            self.seconds[case] = row["seconds"]
            if row["commit"] == commit:
                stamps[case] = row["stamp"]
                self.known[case] = {"suite": row["suite"], "name": row["name"], "key": row["key"]}
        return stamps

    def _seconds(self, unit):
        """What a unit took before, if it is known."""
        captures = {}
        for entry, case in zip(unit.entries, unit.ids()):
            if case not in self.seconds:
                return None
            takes = captures.get(entry["capture"], 0.0)
            captures[entry["capture"]] = max(takes, self.seconds[case])
        return sum(captures.values())

    def _next(self, workers):
        if self.soon:
            return self.soon.popleft()
        if self.plan:
            return sources.Batch(self.plan.take(workers))
        return self.later.popleft() if self.later else None

    def _submit(self):
        workers = max(int(ray.cluster_resources().get("CPU", 1)), 1)
        while len(self.running) < workers + SPARE and (batch := self._next(workers)):
            cases = [case for unit in batch.units for case in unit.ids()]
            known = [self.known[case] for case in cases if case in self.known]
            handle = self.task.remote(self.program, self.out.url, batch, known)
            self.running[handle] = batch

    def _collect(self):
        ready, _ = ray.wait(list(self.running), timeout=30)
        for handle in ready:
            batch = self.running.pop(handle)
            try:
                good, poison, took = ray.get(handle)
            except (ray.exceptions.RayError, OSError, RuntimeError) as error:
                self._failed(batch, error)
            else:
                self.done += good
                if not poison:
                    self.plan.learn(len(batch.units), took)
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
            self.later.extend(batch.halves() if split else [batch])
        elif type(cause).__name__ == WriteFailed.__name__:
            raise WriteFailed(str(cause))
        elif len(batch.units) > 1:
            self.later.extend(batch.halves())
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
                self.soon.append(sources.Batch([unit], batch.attempt + 1))
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


class Listing(threading.Thread):
    """Reads sources while something else is waited for."""

    def __init__(self, source):
        super().__init__(daemon=True)
        self.source, self.units, self.error = source, [], None
        self.start()

    def run(self):
        """What the thread does."""
        try:
            entries = [entry for one in self.source for entry in sources.read(one)]
            self.units = list(sources.units(entries))
        except Exception as error:  # whatever a store's client raises is the caller's
            self.error = error

    def result(self):
        """The units, or what went wrong."""
        self.join()
        if self.error:
            raise self.error
        return self.units


def run(source, out, program, address="auto", batch=256, retries=3, tell=print):
    """Draws sources with an :class:`~isotherm.corpus.Engine` on the cluster at ``address``."""
    if os.path.exists(program.program):
        # Workers have other folders to be in.
        program.program = os.path.abspath(program.program)
    listing = Listing(source)
    ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    try:
        return Driver(program, out, retries, tell).run(listing.result(), batch)
    finally:
        ray.shutdown()
