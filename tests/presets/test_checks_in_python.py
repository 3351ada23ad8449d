"""The checks of a preset of one's own, from Python: the same as `show --check`."""

from pathlib import Path

import pytest

import rankconv as rc

PRESET = """
name: mine
title: Mine
extends: trec_eval
cite:
  - {key: mine, title: Mine, where: a page}
checks:
  - {metric: precision@2, labels: {u: [a]}, rankings: {u: [a, b]}, value: "VALUE"}
"""


@pytest.mark.parametrize(("value", "ok"), [("1/2", True), ("0.25", False)])
def test_a_wrong_check_is_seen(tmp_path: Path, value: str, ok: bool) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PRESET.replace("VALUE", value))
    found = rc.check_preset(str(file))
    (row,) = found.checks
    assert (found.ok, row.ok, row.found, found.to_dict()["ok"]) == (ok, ok, 0.5, ok)
    assert ("all agree" if ok else "1 fails") in found.to_text()
    with pytest.raises(rc.ConventionError, match=r"rc\.check_preset\(…\)"):
        rc.verify(str(file))
