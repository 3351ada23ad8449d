"""MovieLens ratings."""

from pathlib import Path

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels


@pytest.mark.parametrize("name", ["ratings.dat", "ratings.txt"])
def test_colons(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("1::1193::5::978300760\n1::0661::3.5::978302109\n\n2::1193::4::978298413\n")
    assert labels(tmp_path / name).rows_of("1") == {"1193": 5, "0661": 3.5}


def test_tabs_and_a_time_are_no_qrels(tmp_path: Path) -> None:
    (tmp_path / "u.data").write_text("196\t242\t3\t881250949\n186\t302\t3\t891717742\n")
    assert labels(tmp_path / "u.data").rows_of("196") == {"242": 3}


def test_four_tabs_without_a_time_are_qrels(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("196\t0\t242\t3\n")
    assert labels(tmp_path / "qrels").rows_of("196") == {"242": 3}


def test_a_wrong_number_of_fields(tmp_path: Path) -> None:
    file = tmp_path / "ratings.dat"
    file.write_text("1::1193::5::978300760\n1::Toy Story::x\n")
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value) == (
        f"{file}, line 2: there are 3 fields in '1::Toy Story::x'. "
        "It was read as a MovieLens '::' file (4 fields: user, item, rating, time)."
    )
