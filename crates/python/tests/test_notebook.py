"""The example notebook gives the outputs that it shows."""

import contextlib
import io
import pathlib

import nbformat

NOTEBOOK = pathlib.Path(__file__).parents[1] / "example.ipynb"


def value_of(code, scope):
    """Runs a cell as a notebook does: the last line's value is its result."""
    lines = code.strip().splitlines()
    try:
        last = compile(lines[-1], "cell", "eval")
        body = "\n".join(lines[:-1])
    except SyntaxError:
        last, body = None, code
    exec(compile(body, "cell", "exec"), scope)
    return eval(last, scope) if last else None


def test_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    scope = {}
    checked = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = value_of(cell.source, scope)
        shown = {}
        for output in cell.outputs:
            if output.output_type == "stream":
                assert printed.getvalue() == output.text
                checked += 1
            else:
                shown = output.data
        if "text/plain" in shown:
            assert repr(value) == shown["text/plain"], cell.source
            checked += 1
        if "image/png" in shown:
            import base64

            assert base64.b64decode(shown["image/png"]) == value._repr_png_(), cell.source
            checked += 1
    assert checked >= 5
