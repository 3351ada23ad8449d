"""The notebook runs from beginning to end, and shows what is stored in it."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import nbformat

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def shown(notebook: Any) -> list[Any]:
    """What each cell put out, without what depends on the machine: pictures are drawn by any matplotlib."""
    told = [[one.get("data") or one.get("text") for one in cell.get("outputs", [])] for cell in notebook.cells]
    return json.loads(re.sub(r"svg\+xml;base64,[\w+/=]+", "", json.dumps(told)))  # type: ignore[no-any-return]


def test_the_notebook_shows_what_is_stored() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own, of its machinery
        from nbclient import NotebookClient

        stored, again = (nbformat.read(NOTEBOOK, as_version=4) for _ in range(2))
        NotebookClient(again, timeout=300, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    assert shown(again) == shown(stored)
    tables = [one for cell in shown(again) for one in cell if '<div class="rankconv">' in str(one)]
    assert len(tables) >= 6
