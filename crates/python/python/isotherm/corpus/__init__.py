"""Corpora: captures by the hundred thousand, drawn on many machines, results as a table.

    python -m isotherm.corpus run captures/ --address auto --out results/
    python -m isotherm.corpus report results/ --baseline 0.1.0

The work is cut into batches of captures, each batch is a Ray task, and each task runs
``isotherm conform`` on its captures: the program keeps a capture that crashes, hangs or takes all
memory to itself, which a function inside this process could not, and its results are those of a
plain ``isotherm conform`` because it is one. docs/corpus.md describes the rest.
"""

import importlib

#: Where names come from. They are imported when they are asked for: the process that only watches
#: another one (``python -m isotherm.corpus run``) needs none of it.
_HOME = {"Batch": "sources", "Dataset": "dataset", "Engine": "engine", "Plan": "plan", "read": "sources"}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
