"""A source whose data a user fetches: commands, digests, verdicts that are stated, and parts of files."""

import gzip
import hashlib
import shlex
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.basics.errors import ConventionError, InputError
from rankconv.typing import Reproduction

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n2 0 b 1\n"
RUN = "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 c 3 1 t\n2 Q0 a 1 2 t\n2 Q0 c 2 1 t\n"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
P_AT_1, P_AT_2 = "0.500", "0.500"
SOURCE = """name: made
title: A made-up source
kind: publication
preset: trec_eval
data:
  - repository: https://github.com/example/made
    revision: "{commit}"
    files:
      labels.qrels: {{path: data/labels.qrels, sha256: "{qrels}"}}
      our run.txt: {{path: data/our run.txt, sha256: "{run}"}}
inputs:
  ours: {{qrels: labels.qrels, run: run.txt}}
tables:
  - where: table 1
    inputs: ours
    numbers:
"""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def written(folder: Path, *numbers: str, qrels: str = QRELS, run: str = RUN, run_name: str = "run.txt") -> Path:
    """The file of a source with these numbers, whose data have these digests."""
    head = SOURCE.format(commit=COMMIT, qrels=digest(qrels), run=digest(run))
    head = head.replace("our run.txt: {path: data/our run.txt", f"{run_name}: {{path: data/our {run_name}")
    file = folder / "made.yaml"
    file.write_text(head.replace("run: run.txt", f"run: {run_name}") + "".join(f"      - {one}\n" for one in numbers))
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """What a user fetched: labels as they are, the run gzipped."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "labels.qrels").write_text(QRELS)
    (folder / "run.txt.gz").write_bytes(gzip.compress(RUN.encode()))
    return folder


P_5 = '{metric: P_5, printed: "0.3000"}'


def test_numbers_are_recomputed_from_the_folder(tmp_path: Path, data: Path) -> None:
    found = rc.reproduce(written(tmp_path, P_5), data=data)
    (row,) = found
    assert found.ok
    assert row.ours == pytest.approx(0.3)
    assert (row.verdict, row.recorded, row.checked) == ("exact", "as claimed", "data")
    assert row.signature == rc.metric("trec_eval:P_5").signature
    assert row.fingerprint == rc.metric("trec_eval:P_5").fingerprint


def test_a_folder_may_hold_a_folder_for_each_source(tmp_path: Path, data: Path) -> None:
    data.rename(tmp_path / "made")
    assert rc.reproduce(written(tmp_path, P_5), data=tmp_path).rows[0].ours == pytest.approx(0.3)


def commands(found: Reproduction) -> list[list[str]]:
    return [shlex.split(one.replace("\\\n", "")) for one in found.fetch]


def test_without_data_nothing_is_computed_and_the_commands_are_printed(tmp_path: Path) -> None:
    found = rc.reproduce(written(tmp_path, P_5))
    (row,) = found
    assert (row.ours, row.shown, row.verdict) == (None, "–", "not recomputed")
    assert found.ok
    raw = f"https://raw.githubusercontent.com/example/made/{COMMIT}/data"
    assert commands(found) == [
        ["curl", "-fsSL", "--create-dirs", "-o", "FOLDER/labels.qrels", f"{raw}/labels.qrels"],
        ["curl", "-fsSL", "--create-dirs", "-o", "FOLDER/run.txt", f"{raw}/our%20run.txt"],
    ]
    assert found.fetch[0] in found.to_text(None, whole=True)
    assert "1 not recomputed" in found.summary


def test_a_file_that_is_missing_is_named(tmp_path: Path, data: Path) -> None:
    (data / "run.txt.gz").unlink()
    found = rc.reproduce(written(tmp_path, P_5), data=data)
    assert found.rows[0].note == f"run.txt not in {data}"
    assert [one[4] for one in commands(found)] == [f"{data}/run.txt"]


def test_another_content_is_refused_with_the_command_that_fetches_it(tmp_path: Path, data: Path) -> None:
    (data / "labels.qrels").write_text(QRELS.replace("c 2", "c 1"))
    with pytest.raises(InputError) as caught:
        rc.reproduce(written(tmp_path, P_5), data=data)
    assert digest(QRELS) in str(caught.value)
    assert f"curl -fsSL --create-dirs -o {data}/labels.qrels" in str(caught.value)


def test_there_must_be_such_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        rc.reproduce(written(tmp_path, P_5), data=tmp_path / "nothing")


OTHER = '{metric: P_3, called: P_5, printed: "0.5000", claim: {metric: P_5}}'


def test_another_definition_is_told_with_what_differs(tmp_path: Path, data: Path) -> None:
    found = rc.reproduce(written(tmp_path, OTHER), data=data)
    (row,) = found
    assert found.ok
    assert (row.recorded, row.claimed, row.differs) == ("other definition", "trec_eval:P_5", "k is 3, claimed 5")
    assert "made, other definition: ours, P_5 0.5000: k is 3, claimed 5." in found.to_text(None)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ('{metric: P_5, printed: "0.4000"}', "it does not come out"),
        ('{metric: P_5, printed: "0.3000", claim: {metric: "trec_eval:P_5"}}', "what the source claims gives it too"),
        (
            '{metric: P_3, printed: "0.5000", claim: {metric: P_5, gives: "0.2"}}',
            "the file says that the claimed definition",
        ),
        ('{metric: P_5, printed: "0.4000", unexplained: why, gives: "0.2000"}', "the file says that the definition"),
        ('{metric: P_5, printed: "0.3000", unexplained: why, gives: "0.3000"}', "marked as one that does not come out"),
        ('{metric: P_5, printed: "0.4000", contradicts: table 2}', "it does not come out"),
    ],
)
def test_what_differs_from_the_file_fails(number: str, why: str, tmp_path: Path, data: Path) -> None:
    found = rc.reproduce(written(tmp_path, number), data=data)
    assert not found.ok
    assert found.failures[0].note.startswith(why)


@pytest.mark.parametrize(
    ("number", "verdict", "stated"),
    [
        ('{metric: P_5, printed: "0.4000", unexplained: why, gives: "0.3000"}', "unexplained", "unexplained"),
        ('{metric: P_5, printed: "0.3000", contradicts: table 2}', "exact", "contradiction"),
        (
            '{metric: P_5, printed: "0.3000", contradicts: table 2, claim: {metric: P_3, gives: "0.5000"}}',
            "exact",
            "contradiction",
        ),
        ('{metric: P_5, printed: "0.4000", contradicts: table 2, gives: "0.3000"}', "erratum", "contradiction"),
    ],
)
def test_what_is_as_the_file_states_does_not_fail(
    number: str, verdict: str, stated: str, tmp_path: Path, data: Path
) -> None:
    found = rc.reproduce(written(tmp_path, number), data=data)
    assert found.ok
    assert (found.rows[0].verdict, found.rows[0].recorded) == (verdict, stated)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ('{metric: P_5, printed: "0.4", unexplained: why}', "an unexplained number has no 'gives:'"),
        ('{metric: P_5, printed: "0.4", gives: "0.3"}', "'gives:' is what comes out in place of the number"),
        ('{metric: P_5, printed: "0.4", claim: {}}', "a claim has a metric or inputs"),
        ('{metric: P_5, printed: "0.4", claim: {inputs: theirs}}', "theirs"),
        ('{metric: P_5, printed: "0.4", contradicts: a, erratum: true}', "this has erratum and contradicts"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(number: str, why: str, tmp_path: Path, data: Path) -> None:
    with pytest.raises(ConventionError, match=r"made\.yaml, line") as caught:
        rc.reproduce(written(tmp_path, number), data=data)
    assert why in str(caught.value)


def test_numbers_of_several_inputs_stand_in_one_row(tmp_path: Path, data: Path) -> None:
    file = written(tmp_path, '{metric: P_5, by-inputs: {ours: "0.3000", second: "0.4000"}}')
    more = "  second: {qrels: labels.qrels, run: run.txt, users: [1]}\ntables:"
    file.write_text(file.read_text().replace("tables:", more))
    found = rc.reproduce(file, data=data)
    assert {row.inputs: row.ours for row in found} == pytest.approx({"ours": 0.3, "second": 0.4})
    assert found.ok


JSON_RUN = '{"1": ["c", "a", "b"], "2": ["c", "a"]}\n{"1": ["b", "a", "c"], "2": ["a", "c"]}\n'
CSV_RUN = "system,user,item\nA,1,b\nB,1,c\nA,1,a\nA,2,a\nB,2,b\nA,1,c\nA,2,c\n"
MARKED_RUN = "1 0 b 1 3 t\n1 1 a 2 2 t\n1 0 c 3 1 t\n2 0 a 1 2 t\n2 1 c 2 1 t\n"


FLOAT_IDS = "1.0\tb\t1\n1.0\ta\t2\n2.0\ta\t9\n1.0\tc\t3\n2.0\tc\t10\n"


FORWARD, BACKWARD = ((1 / 2 + 2 / 3) / 2 + 1 / 2) / 2, ((1 + 2 / 2) / 2 + (1 / 2) / 2) / 2
"""MAP of b, a, c and a, c, and of c, a, b and c, a. Relevant: a and c of user 1; a of user 2, and b, which none has."""


@pytest.mark.parametrize(
    ("name", "run", "part", "by_hand"),
    [
        ("run.json", JSON_RUN, "line: 2", FORWARD),
        ("run.json", JSON_RUN, "line: 1", BACKWARD),
        ("run.json", JSON_RUN, "line: 1, reversed: true", FORWARD),
        ("run.json", JSON_RUN, "line: 1, users: [1]", (1 + 2 / 2) / 2),
        ("run.csv", CSV_RUN, "only: {system: A}", FORWARD),
        ("run.csv", CSV_RUN, "only: {system: B}", (1 / 2 + 1 / 2) / 2),
        ("run.txt", MARKED_RUN, 'until: "1"', ((1 / 2) / 2 + 1 / 2) / 2),
        ("run.txt", MARKED_RUN, 'until: "2"', 0),
        ("run.tsv", FLOAT_IDS, "columns: [user, item]", FORWARD),
        ("run.tsv", FLOAT_IDS, "columns: [user, item, score]", BACKWARD),
    ],
)
def test_parts_of_files_are_taken(name: str, run: str, part: str, by_hand: float, tmp_path: Path, data: Path) -> None:
    (data / "run.txt.gz").unlink()
    (data / name).write_text(run)
    file = written(tmp_path, '{metric: "rankconv:map(on-no-relevant=0)", printed: "0"}', run=run, run_name=name)
    file.write_text(file.read_text().replace(f"run: {name}}}", f"run: {name}, {part}}}"))
    assert rc.reproduce(file, data=data).rows[0].ours == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("name", "run", "part"),
    [
        ("run.json", JSON_RUN, "line: 3"),
        ("run.json", "[1]", "line: 1"),
        ("run.json", "no JSON", "reversed: true"),
        ("run.csv", "user,thing\n1,b\n", 'only: {user: "1"}'),
        ("run.tsv", "1\n", "columns: [user, item]"),
        ("run.tsv", "1\tb\thigh\n", "columns: [user, item, score]"),
    ],
)
def test_a_file_that_has_no_such_parts_is_named(name: str, run: str, part: str, tmp_path: Path, data: Path) -> None:
    (data / name).write_text(run)
    file = written(tmp_path, P_5, run=run, run_name=name)
    file.write_text(file.read_text().replace(f"run: {name}}}", f"run: {name}, {part}}}"))
    with pytest.raises(InputError, match=rf"made\.yaml, line \d+, {name}: the file is not what its name, 'line:', "):
        rc.reproduce(file, data=data)


def test_a_number_that_cannot_be_read_has_its_line(tmp_path: Path, data: Path) -> None:
    file = written(tmp_path, '{metric: P_5, printed: "0.9", gives: half, unexplained: nobody knows}')
    with pytest.raises(ConventionError, match=r"made\.yaml, line \d+: 'half' is not a number as one prints it"):
        rc.reproduce(file, data=data)


def test_side_data_are_files_of_the_source(tmp_path: Path, data: Path) -> None:
    """What a user had seen and what is not in training is taken out: of b, a, c the first is, of a, c the last."""
    sides = {"seen.csv": "user,item\n1,b\n", "train.csv": "user,item\n3,a\n3,b\n"}
    file = written(tmp_path, '{metric: "rankconv:map(exclude=seen + not-in-training)", printed: "0.625"}')
    listed = [f'      {name}: {{sha256: "{digest(text)}"}}' for name, text in sides.items()]
    text = file.read_text().replace("inputs:", "\n".join([*listed, "inputs:"]), 1)
    file.write_text(text.replace("run: run.txt}", "run: run.txt, seen: seen.csv, train: train.csv}"))
    (lacking,) = rc.reproduce(file, data=data)
    assert (lacking.ours, lacking.verdict) == (None, "not recomputed")
    for name, text in sides.items():
        (data / name).write_text(text)
    assert rc.reproduce(file, data=data).rows[0].ours == pytest.approx(((1 / 2) + (1 / 2)) / 2)


def test_a_number_without_digests_is_recorded(tmp_path: Path, data: Path) -> None:
    file = written(tmp_path, '{metric: P_5, printed: "0.9"}')
    file.write_text(file.read_text().replace(f', sha256: "{digest(RUN)}"', ""))
    (row,) = rc.reproduce(file, data=data)
    assert (row.checked, row.verdict, row.note) == ("recorded", "not recomputed", "entered without its data")


def test_the_page_of_a_source_has_every_number_and_loads_nothing(tmp_path: Path, data: Path) -> None:
    page = rc.reproduce(written(tmp_path, P_5, OTHER), data=data).to_html()
    assert page.count("0.3000") == 2
    assert "k is 3, claimed 5" in page
    assert "src=" not in page
