"""Files that are written: over links, and never into a circle of them."""

import os
from pathlib import Path

import pytest

import rankconv as rc

RESULT = rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "map")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "real.json", tmp_path / "link.json"
    file.write_text("old")
    link.symlink_to(file)
    with pytest.raises(rc.InputError, match="there is such a file already"):
        RESULT.save(link)
    RESULT.save(link, force=True)
    assert link.is_symlink()
    assert rc.Result.load(file)["map"] == 1
    assert sorted(os.listdir(tmp_path / "there")) == ["real.json"]


def test_a_link_to_nothing_yet_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "new.json")
    RESULT.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert rc.Result.load(tmp_path / "new.json")["map"] == 1


@pytest.mark.parametrize("force", [False, True])
def test_a_circle_of_links_is_called_one(tmp_path: Path, force: bool) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(rc.InputError, match=r"one\.json: this link leads in a circle\."):
        RESULT.save(one, force=force)
    assert one.is_symlink()
    assert two.is_symlink()


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(rc.InputError, match="this is not a file that can be replaced"):
        RESULT.save(os.devnull, force=True)
