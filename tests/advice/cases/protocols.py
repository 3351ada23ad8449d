"""Advice on protocols, and on how they divide ratings."""

from tests.advice.case import Case, Follow

_PARTS = '''
from rankconv import plugin, protocols
from rankconv.addons.protocols.pages import write

DATA = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "z": 2}}
FEW = {**DATA, "cyd": {"x": 1}}
LATE = {"ada": {"w": 3, "x": 5, "y": 4}, "bob": {"x": 3, "z": 2}}
LONG = {user: dict.fromkeys("abcdefg", 1) for user in DATA}
TWICE = [("ada", "x", 1), ("ada", "x", 2), ("bob", "y", 3), ("bob", "z", 1)]
TIMED = [("ada", "x", 4, 978220700), ("ada", "y", 5, 978300800), ("bob", "x", 3, 978220750), ("bob", "z", 2, 978230000)]

def parts(name, data=DATA, **how):
    """The ratings that train, and after the point the rows of labels."""
    frames = rc.protocol(name).split(data, **how).to_frames()
    return len(frames["train"]) + len(frames["labels"]) / 10
'''
_STEP = '''
from rankconv.addons.protocols.draws import PROTOCOL, STEPS
from rankconv.conventions.convention import Registry

def step(protocol, convention=lambda: plugin.Convention("rated", "Which are used?", reads=("rating",), neutral="all",
                                                        registry=protocols.protocol_conventions)):
    """The parts under a convention of a plugin, which is gone after it."""
    known, placed = dict(PROTOCOL), dict(PROTOCOL._placed_after)
    try:
        made = convention()
        made.setting("all", rule="all", no="item that is left out")(lambda rating: rating > -1)
        made.setting("above-3", rule="those above 3", says="others are left out")(lambda rating: rating > 3)
        made.setting("above-9", rule="those above 9", says="others are left out")(lambda rating: rating > 9)
        plugin.rating_step(made)
        return parts(protocol)
    finally:
        PROTOCOL.clear(), PROTOCOL.update(known), STEPS.pop("rated", None)
        PROTOCOL._placed_after = placed
        Registry.changed()
'''
_RATINGS: dict[str, str | bytes] = {"ratings.csv": "user,item,rating\nada,x,4\nada,y,5\nbob,x,3\nbob,z,2\n"}
_TIMED: dict[str, str | bytes] = {
    "ratings.csv": "user,item,rating,NAME\nada,x,4,10\nada,y,5,20\nbob,x,3,15\nbob,z,2,30\n"
}


def _case(cause: str, *follows: Follow, given: str = "") -> Case:
    return Case(cause, follows, given=_PARTS + given)


CASES = (
    # which protocol
    _case(
        "rc.protocol(5)",
        Follow("a name", "parts('base')", 2.2),
        Follow(
            "a path",
            "parts(Path('mine.yaml'))",
            3.1,
            files={"mine.yaml": "name: mine\ntitle: Mine\nsettings:\n  tested: number(1)\n"},
        ),
        Follow("an object", "parts(rc.protocol('base'))", 2.2),
    ),
    _case(
        "rc.protocol('base(tested)')",
        Follow("fastml(given=nested(20))", "rc.protocol('§').settings.given('given') == 'nested(20)'", 1),
    ),
    _case(
        "rc.protocol('base(given=first(1))')",
        Follow("generalization=strong", "parts('base(given=first(1), §, tested=number(1))')", 2.1),
        Follow("given=all", "parts('base(§)')", 2.2),
    ),
    _case(
        "rc.protocol('base(given=first(5), held-out=rest)')",
        Follow("generalization=strong", "parts('base(given=first(5), held-out=rest, §, tested=number(1))', LONG)", 7.2),
    ),
    _case(
        "rc.protocol('base(held-out=rest)')",
        Follow(
            "given=nested(20)",
            "parts('base(held-out=rest, §, generalization=strong, tested=number(1))', LONG)",
            7 + (6 + 5 + 4 + 3 + 2 + 1) / 10,
        ),
        Follow(
            "given=first(5), with generalization=strong",
            "parts('base(held-out=rest, §, tested=number(1))'.replace('with ', ''), LONG)",
            7.2,
        ),
    ),
    _case(
        "rc.protocol('base(held-out=rest, generalization=strong)')",
        Follow(
            "given=nested(20)",
            "parts('base(held-out=rest, §, generalization=strong, tested=number(1))', LONG)",
            9.1,
        ),
        Follow("given=first(5)", "parts('base(held-out=rest, §, generalization=strong, tested=number(1))', LONG)", 7.2),
    ),
    _case(
        "parts('base(held-out=from(noon))', TIMED)",
        Follow("978300760", "parts('base(held-out=from(§))', TIMED)", 3.1),
        Follow("2000-12-31", "parts('base(held-out=from(§))', TIMED)", 2.2),
        Follow("2000-12-31T22:12:40", "parts('base(held-out=from(§))', TIMED)", 3.1),
    ),
    # which ratings are used
    _case("parts('base', seed=-1)", Follow("A whole number from 0 on", "parts('base', seed=0)", 2.2)),
    _case(
        "parts('base(held-out=latest(0.25))')",
        Follow("time='column'", "parts('base(held-out=latest(0.25))', frame, §)", 3.1),
        given="import polars\n"
        "frame = polars.DataFrame(TIMED, schema=['user', 'item', 'rating', 'column'], orient='row')",
    ),
    Case(
        "rankconv split ratings.csv -o parts --protocol 'base(held-out=latest(0.25))'",
        (
            Follow(
                "--column time=NAME",
                "rankconv split ratings.csv -o parts --protocol 'base(held-out=latest(0.25))' §",
                3,
                at="files train.csv",
            ),
        ),
        files=_TIMED,
    ),
    _case(
        "parts('base', TWICE)",
        Follow("repeated=last", "parts('base(§)', TWICE)", 1.2),
        Follow("first", "parts('base(repeated=§)', TWICE)", 1.2),
        Follow("each", "parts('base(repeated=§)', TWICE)", 2.2),
    ),
    _case(
        "step('base(rated=above-9)')",
        Follow("Leave more", "step('base(rated=above-3, tested=number(1), held-out=share(0.5))')", 1.1),
        Follow("rated=all", "step('base(§)')", 2.2),
        given=_STEP,
    ),
    _case(
        "step('base', lambda: plugin.Convention('rated', 'Which?', reads=('rating',), "
        "registry=protocols.protocol_conventions))",
        Follow(
            'plugin.Convention(…, neutral="all")',
            "step('base', lambda: §)",
            2.2,
            {"…": "'rated', 'Which?', reads=('rating',), registry=protocols.protocol_conventions"},
        ),
        given=_STEP,
    ),
    # who is tested
    _case(
        "parts('base(too-few=refused, least-ratings=2)', FEW)",
        Follow("Leave such users out", "parts('base(too-few=refused, least-ratings=2)')", 2.2),
        Follow("too-few=trains", "parts('base(§, least-ratings=2)', FEW)", 3.2),
        Follow("left-out", "parts('base(too-few=§, least-ratings=2)', FEW)", 2.2),
    ),
    _case("parts('base(tested=number(5))')", Follow("tested=number(1)", "parts('base(§)')", 3.1)),
    _case("parts('base(least-ratings=5)')", Follow("least-ratings=2", "parts('base(§)')", 2.2)),
    _case("parts('base(least-ratings=5, tested=number(9))')", Follow("least-ratings=2", "parts('base(§)')", 2.2)),
    _case("parts('base(tested=fold(1, 1000))')", Follow("tested=number(1)", "parts('base(§)')", 3.1)),
    # what is learned from
    _case(
        "parts('base(generalization=strong)')",
        Follow("Test fewer users", "parts('base(generalization=strong, tested=number(1))')", 2.1),
    ),
    _case(
        "parts('base(held-out=last(2))')",
        Follow("Test fewer users", "parts('base(held-out=last(2), tested=number(1))')", 2.2),
        Follow("hide fewer ratings", "parts('base(held-out=last(1))')", 2.2),
    ),
    _case(
        "parts('base(generalization=strong, least-ratings=2, too-few=left-out)', FEW)",
        Follow("too-few=trains", "parts('base(generalization=strong, least-ratings=2, §)', FEW)", 1.2),
    ),
    # what is to be found
    _case(
        "parts('base(looked-for=at-least(5))', LATE)",
        Follow("Hold out more", "parts('base(looked-for=at-least(5), held-out=last(2))', LATE)", 1.1),
        Follow("do without looked-for=at-least(5)", "parts('base', LATE)", 3.2),
    ),
    _case("parts('base(held-out=share(0))')", Follow("Hold out more", "parts('base(held-out=share(0.5))')", 2.2)),
    _case(
        "parts('base(relevance=at-least(5), no-positives=left-out)', LATE)",
        Follow(
            "Hold out more", "parts('base(relevance=at-least(5), no-positives=left-out, held-out=last(2))', LATE)", 1.2
        ),
        Follow("require less of relevance", "parts('base(relevance=at-least(4), no-positives=left-out)', LATE)", 3.1),
        Follow("no-positives=kept", "parts('base(relevance=at-least(5), §)', LATE)", 3.2),
    ),
    _case(
        "parts('base(generalization=strong, tested=number(1), given=first(9))')",
        Follow("given=first(1)", "parts('base(generalization=strong, tested=number(1), §)')", 2.1),
    ),
    _case(
        "parts('base(generalization=strong, tested=number(1), held-out=rest, given=nested(9, least=8))', LONG)",
        Follow(
            "given=nested(6)", "parts('base(generalization=strong, tested=number(1), held-out=rest, §)', LONG)", 9.1
        ),
    ),
    _case(
        "parts('base(generalization=strong, tested=number(1), held-out=last(2), given=first(1))')",
        Follow("Hold out fewer", "parts('base(generalization=strong, tested=number(1), given=first(1))')", 2.1),
    ),
    _case(
        "parts('base(generalization=strong, tested=number(1), held-out=rest, given=first(1))', "
        "[('a', 'x'), ('b', 'x')])",
        Follow(
            "Take users with more ratings",
            "parts('base(generalization=strong, tested=number(1), held-out=rest, given=first(1))')",
            2.1,
        ),
    ),
    _case(
        "left('items=trained, given=all')",
        Follow("Give fewer ratings", "left('items=trained, given=first(1)')", 1),
        Follow("take more candidates", "left('items=all, given=all')", 1),
        given='''
def left(settings):
    """The candidates of bob, who is drawn."""
    name = f"base(generalization=strong, tested=number(1), {settings})"
    return len(rc.protocol(name).split({"ada": {"x": 1, "y": 1}, "bob": {"x": 1, "y": 1, "z": 1}}).candidates_of(0))
''',
    ),
    # the files of a split
    _case(
        "write(rc.protocol('base').split(DATA), Path('parts'), 'cvs')",
        *(
            Follow(form, "write(rc.protocol('base').split(DATA), Path('§'), '§')['files']['train.§']", 2)
            for form in ("csv", "parquet", "jsonl")
        ),
    ),
    Case(
        "rankconv split ratings.csv -o parts --file-format cvs",
        (Follow("csv", "rankconv split ratings.csv -o parts --file-format §", 2, at="files train.csv"),),
        files=_RATINGS,
    ),
    _case(
        "[write(rc.protocol('base').split(DATA), Path('parts')) for _ in '12']",
        Follow(
            "Choose another folder", "write(rc.protocol('base').split(DATA), Path('others'))['files']['train.csv']", 2
        ),
        Follow("force=True", "write(rc.protocol('base').split(DATA), Path('parts'), §)['files']['labels.csv']", 2),
    ),
    Case(
        "rankconv split ratings.csv -o parts",
        (
            Follow("Choose another folder", "rankconv split ratings.csv -o others", 2, at="files train.csv"),
            Follow("--force", "rankconv split ratings.csv -o parts §", 2, at="files labels.csv"),
        ),
        files=_RATINGS | {"parts/split.json": "{}"},
    ),
)
