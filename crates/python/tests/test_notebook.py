"""The example notebook gives the outputs that it shows.

``python tests/test_notebook.py`` runs it and writes the outputs into it anew.
"""

import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import tempfile

NOTEBOOK = pathlib.Path(__file__).parents[1] / "example.ipynb"


def value_of(code, scope):
    """Runs a cell as a notebook does: the value of the last expression is its result."""
    body = ast.parse(code).body
    last = body.pop().value if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), scope)
    return eval(compile(ast.Expression(last), "cell", "eval"), scope) if last else None


def outputs_of(code, scope):
    """What a notebook shows under a cell."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = value_of(code, scope)
    outputs = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        png = getattr(value, "_repr_png_", lambda: None)()
        if png:
            data["image/png"] = base64.b64encode(png).decode()
        html = getattr(value, "_repr_html_", lambda: None)()
        if html:
            data["text/html"] = html.splitlines(keepends=True)
        result = {"data": data, "execution_count": None, "metadata": {}}
        outputs.append({**result, "output_type": "execute_result"})
    return outputs


def run(notebook):
    """The code cells, each with what it gives."""
    scope = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, outputs_of("".join(cell["source"]), scope)


def test_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = set()
    for cell, outputs in run(json.loads(NOTEBOOK.read_text())):
        assert cell["outputs"] == outputs, "".join(cell["source"])
        for output in outputs:
            kinds |= set(output.get("data", ["printed"]))
    assert kinds == {"printed", "text/plain", "text/html", "image/png"}


if __name__ == "__main__":
    shown = json.loads(NOTEBOOK.read_text())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for cell, outputs in run(shown):
            cell["outputs"] = outputs
    NOTEBOOK.write_text(json.dumps(shown, indent=1, ensure_ascii=False) + "\n")
