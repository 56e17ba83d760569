"""``python -m isotherm.corpus`` where the extension is not built: it needs only the program."""

import importlib.util
import pathlib
import sys
import types

SOURCE = pathlib.Path(__file__).parents[1] / "python" / "isotherm"


def find_package():
    """Makes ``isotherm.corpus`` importable; once is enough."""
    if "isotherm" in sys.modules:
        return
    found = importlib.util.find_spec("isotherm")
    if found is None or not any(pathlib.Path(found.origin).parent.glob("_isotherm*")):
        package = types.ModuleType("isotherm")
        package.__path__ = [str(SOURCE)]
        sys.modules["isotherm"] = package


if __name__ == "__main__":
    find_package()
    from isotherm.corpus.__main__ import main

    sys.exit(main())
