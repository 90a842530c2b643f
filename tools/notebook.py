"""Run the tutorial from first cell to last, and write what came out into it.

    .venv/bin/python tools/notebook.py

Messages on standard error, which name folders of this machine, and times are left out.
"""

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

TUTORIAL = Path(__file__).resolve().parents[1] / "docs" / "tutorial.ipynb"


def executed(*more: str) -> NotebookNode:
    """The tutorial with its outputs, after some more statements at its end.

    Raises:
        CellExecutionError: if a cell fails.
    """
    notebook = nbformat.read(TUTORIAL, as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(text) for text in more]
    NotebookClient(notebook, timeout=3600, kernel_name="python3").execute()
    return notebook


def main() -> None:
    notebook = executed()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]
    version = {"name": "python"}
    notebook.metadata = {"kernelspec": notebook.metadata.kernelspec, "language_info": version}
    nbformat.write(notebook, TUTORIAL)


if __name__ == "__main__":
    main()
