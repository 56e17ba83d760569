"""Corpora: captures by the hundred thousand, drawn on many machines, results as a table.

    python -m isotherm.corpus run captures/ --address auto --out results/
    python -m isotherm.corpus report results/ --baseline 0.1.0

The work is cut into batches of captures, each batch is a Ray task, and each task runs
``isotherm conform`` on its captures: the program keeps a capture that crashes, hangs or takes all
memory to itself, which a function inside this process could not, and its results are those of a
plain ``isotherm conform`` because it is one. docs/corpus.md describes the rest.
"""

from .dataset import Dataset
from .engine import Engine
from .sources import Batch, batches, read

__all__ = ["Batch", "Dataset", "Engine", "batches", "read"]
