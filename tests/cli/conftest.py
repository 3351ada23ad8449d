"""The files that tests of commands use, in the folder in which the commands run."""

from pathlib import Path

import pytest

FILES = {
    "labels.csv": "user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n",
    "run.csv": "user,item,score\nada,a,3\nada,x,2\nada,b,1\nbob,y,2\nbob,c,1\n",
    "tied.csv": "user,item,score\nada,a,3\nada,x,2\nada,b,2\nbob,y,2\nbob,c,1\n",
}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
