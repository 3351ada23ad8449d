"""A plugin file answers conventions of protocols, and asks one of its own; nothing that was there changes.

In a process of its own, as what is registered stays.
"""

import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = """
import numpy as np
import rankconv as rc
from rankconv import protocols

@protocols.protocol_conventions["held-out"].setting(
    "every-other", rule="every second", says="every second rating is held out"
)
def _(place):
    return place % 2 == 1
"""
REQUESTED = """
import rankconv as rc
before = {name: rc.protocol(name).fingerprint for name in rc.list_protocols()}
ratings = {"ada": {"a": 3, "b": 4, "c": 5, "d": 1}, "bob": {"a": 1, "c": 2}, "cyd": {"a": 5}}
split = rc.protocol("base(held-out=last(1), tested=everyone)").split(ratings)
plain = (split.fingerprint, split.protocol.sentence)
rc.load_plugin("mine.py")
rc.load_plugin(CORE)
assert before == {name: rc.protocol(name).fingerprint for name in rc.list_protocols()}
again = rc.protocol("base(held-out=last(1), tested=everyone)").split(ratings)
assert (again.fingerprint, again.protocol.sentence) == plain
mine = rc.protocol("base(held-out=every-other)")
assert mine.split(ratings).labels.rows_of("ada") == {"b": 4.0, "d": 1.0}
assert "every second rating is held out" in mine.sentence
assert mine.fingerprint != rc.protocol("base").fingerprint
core = rc.protocol("base", core="least(2)")
kept = core.split(ratings).ratings.to_frame().rows()
assert kept == [("ada", "a", 3.0), ("ada", "c", 5.0), ("bob", "a", 1.0), ("bob", "c", 2.0)], kept
assert "fewer than 2 ratings are left out, once" in core.sentence
try:
    rc.protocol("base", core="least(9)").split(ratings)
except rc.InputError as error:
    assert "no rating is left by core=least(9)" in str(error)
else:
    raise AssertionError
"""


def test_settings_and_conventions_of_a_plugin_file(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    (tmp_path / "mine.py").write_text(PLUGIN)
    core = Path(__file__).parents[3] / "examples" / "plugins" / "five_core.py"
    (tmp_path / "asked.py").write_text(f"CORE = {str(core)!r}\n{REQUESTED}")
    done = subprocess.run(
        [sys.executable, "asked.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    (tmp_path / "ratings.csv").write_text("user,item,rating\n" + "".join(f"u{n % 3},i{n},4\n" for n in range(9)))
    command = [sys.executable, "-m", "rankconv", "split", "ratings.csv", "--plugin", "mine.py", "-o", "parts"]
    told = subprocess.run(
        [*command, "--protocol", "base(held-out=every-other)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert "every second rating is held out" in (tmp_path / "parts" / "split.json").read_text()
    assert (tmp_path / "parts" / "labels.csv").read_text().splitlines()[1:] == ["u0,i3,4.0", "u1,i4,4.0", "u2,i5,4.0"]
