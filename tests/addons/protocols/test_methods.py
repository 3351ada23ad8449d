"""What a paper says of a protocol: every setting, the sources; in all forms, and by the command."""

import json

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app


@pytest.mark.parametrize("name", rc.list_protocols())
def test_every_form_holds_what_it_is(name: str) -> None:
    protocol = rc.protocol(name)
    told = protocol.methods()
    assert told.paragraph == protocol.sentence
    assert protocol.fingerprint in told.paragraph
    for source in protocol.cite:
        assert f"@{source.type}{{{source.key}," in told.to_bibtex()
        assert source.key in told.to_latex()
        assert source.title.partition(":")[0][:20] in told.to_markdown()
    assert "@misc{rankconv," in told.to_bibtex()
    assert set(told.to_dict()["settings"]) == set(protocol.diff(rc.protocol("base")))


def test_changed_settings_are_told() -> None:
    told = rc.protocol("fastml(given=nested(20))").methods()
    assert "but with given=nested(20)" in told.paragraph
    assert told.name == "fastml(given=nested(20))"


def test_the_command() -> None:
    text = CliRunner().invoke(app, ["cite", "protocol:koren2008"]).stdout
    assert "Ratings were divided as the rankconv protocol koren2008 has it" in text
    both = CliRunner().invoke(app, ["cite", "protocol:fastml", "fastml:ndcg@50"]).stdout
    assert both.index("the rankconv protocol fastml") < both.index("nDCG@50 is computed as the rankconv preset fastml")
    [data] = json.loads(CliRunner().invoke(app, ["cite", "protocol:fastml", "--format", "json"]).stdout)
    assert data["protocol"] == "fastml"
    assert CliRunner().invoke(app, ["cite", "protocol:fastml", "ndcg@5", "--format", "json"]).exit_code != 0
    shown = CliRunner().invoke(app, ["show", "protocol:leave-one-out"]).stdout
    for expected in ("X. He", "(2017)", "doi:10.1145/3038912.3052569", "hit_rate@10", "fingerprint", "For a paper:"):
        assert expected in shown
