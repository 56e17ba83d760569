"""Words: explained, made, read out of dumps."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, Optional, Union

from . import _isotherm


def explain(chip: str, name: str, *values: int) -> Dict[str, Any]:
    """Explains a word or record by the name of what it is: ``explain("nv25", "RASTER",
    0x20600084)``. What comes back is an entry of ``words`` in docs/json.md; of several values
    the first."""
    return json.loads(_isotherm.explain(chip, name, list(values)))["words"][0]


def encode(chip: str, name: str, **fields: Union[int, str]) -> Union[int, List[int]]:
    """Makes a word of its fields: ``encode("nv2a", "BLEND", BLEND_FUNC_ENABLE=1)``. Of a record
    all its words; its fields are then given as ``**{"WORD.FIELD": value}``."""
    words = _isotherm.encode(chip, name, [f"{field}={value}" for field, value in fields.items()])
    return words[0] if len(words) == 1 else words


def decode(source: Union[bytes, str, os.PathLike], chip: Optional[str] = None) -> List[Dict[str, Any]]:
    """Reads a dump: text (``name value`` a line), JSON or raw little-endian words. A str with
    a line break, or bytes, is the dump itself; anything else is the name of a file."""
    if isinstance(source, (bytes, bytearray)):
        data = bytes(source)
    elif isinstance(source, str) and "\n" in source:
        data = source.encode()
    else:
        data = pathlib.Path(source).read_bytes()
    return json.loads(_isotherm.decode(chip, data))
